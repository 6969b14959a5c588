"""What a user sees of a research on stderr: the forecast, each iteration as it ends, the ending."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import click

from withstood import form
from withstood.claims.graph import Graph, natural
from withstood.cli.progress import amount
from withstood.engine.events import Event
from withstood.jobs import research as job
from withstood.jobs.forecast import Forecast
from withstood.jobs.published import row_texts
from withstood.jobs.sitting import Watch
from withstood.protocols.research_briefs import SearchBrief, SelectBrief
from withstood.report.inert import shortened, visible
from withstood.rules import selection

MOST_SIGNS = 78
MOST_MOVED = 6


class Live:
    """A few lines for each iteration: the target and why, what is new, which strengths moved, health, spend."""

    def __init__(self) -> None:
        self._watch: Watch | None = None
        self._waiting = sys.stderr.isatty()

    def watching(self, watch: Watch) -> Live:
        self._watch = watch
        click.echo(f"run {watch.run}: {forecast_line(watch.forecast)}", err=True)
        return self

    def tell(self, event: Event, case: str, role: str = "") -> None:
        if self._waiting and event in ("asked", "answered"):
            click.echo(f"\r\x1b[K  {role} …" if event == "asked" else "\r\x1b[K", nl=False, err=True)

    def telling(self, moment: job.Moment) -> None:
        for line in lines(moment):
            click.echo(line, err=True)
        if self._watch and self._watch.ledger.booked.calls:
            click.echo(f"     spent: {amount(self._watch.ledger.booked)}", err=True)


def lines(moment: job.Moment) -> Iterator[str]:
    before, after = moment.before, moment.after
    briefs: list[Any] = [ask.brief for batch in moment.batches for ask in batch]
    chosen = next((brief for brief in briefs if isinstance(brief, SelectBrief)), None)
    queries = [brief.query for brief in briefs if isinstance(brief, SearchBrief)]
    yield f"{after.iteration:>3}. {_target(chosen) if chosen else ''}"
    if chosen is not None:
        yield f"     why: {_why(chosen, before)}"
    if queries:
        yield f"     searched: {shortened(visible(' | '.join(dict.fromkeys(queries))), MOST_SIGNS)}"
    yield f"     {_news(before, after)}"
    moved = list(_moved(before, after))
    if moved:
        yield f"     strengths: {', '.join(moved[:MOST_MOVED])}{' …' if len(moved) > MOST_MOVED else ''}"
    if after.health.last_check == after.iteration:
        yield f"     health: {', '.join(after.health.issues) or 'sound'}"


def _target(chosen: SelectBrief) -> str:
    if chosen.target_type == "6lens":
        return f"lens {chosen.lens}"
    if chosen.conflict_with:
        return f"{chosen.target_id} against {chosen.conflict_with}"
    if chosen.target_type == "unexplored":
        return f"lead: {shortened(visible(chosen.target_id or ''), MOST_SIGNS)}"
    return f"{chosen.target_id}: {shortened(visible(chosen.about), MOST_SIGNS)}"


def _why(chosen: SelectBrief, before: Graph) -> str:
    """The row of the table, from what stands in the brief."""
    row = "6" if chosen.target_type == "6lens" else "5" if chosen.target_type == "unexplored" else ""
    if not row:
        one = before.hypotheses.get(chosen.target_id or "")
        fresh = one is not None and one.status == "unvisited"
        row = "1" if chosen.conflict_with else ("2" if one and one.type == "B" else "3") if fresh else "4"
    told = row_texts().get((selection.TABLE.edition, row), "")
    return f"{told} (row {row}, {chosen.search_mode})"


def _news(before: Graph, after: Graph) -> str:
    new = [name for name in after.observations if name not in before.observations]
    ideas = [name for name in after.hypotheses if name not in before.hypotheses]
    edges = len(after.edges) - len(before.edges)
    parts = [f"{len(new)} new observations", f"{edges} edges"]
    if ideas:
        parts.append(f"new hypotheses {', '.join(sorted(ideas, key=natural))}")
    changed = [
        f"{name} {before.hypotheses[name].status} → {one.status}"
        for name, one in after.hypotheses.items()
        if name in before.hypotheses and one.status != before.hypotheses[name].status
    ]
    return "; ".join([", ".join(parts), *changed])


def _moved(before: Graph, after: Graph) -> Iterator[str]:
    for name in sorted(after.hypotheses, key=natural):
        one, then = after.hypotheses[name], before.hypotheses.get(name)
        if then is not None and then.strength != one.strength:
            yield f"{name} {then.strength:.3f} → {one.strength:.3f}"


# --- before and after --------------------------------------------------------------------------


def forecast_line(forecast: Forecast) -> str:
    texts = f"{forecast.texts} iterations; {forecast.least_asks} to {forecast.most_asks} asks"
    if forecast.most.calls == 0:
        return f"{texts}; no model is called, it costs nothing"
    return f"{texts}; at most {amount(forecast.most)}, roughly {amount(forecast.roughly)}"


def say_forecast(planned: job.Plan, as_json: bool) -> None:
    if as_json:
        click.echo(form.dumps(planned.forecast))
        return
    click.echo(forecast_line(planned.forecast))
    for role, agent in planned.panel.items():
        click.echo(f"  {role:<10} {agent.name}")


def summary(ending: job.Ending) -> dict[str, Any]:
    graph = ending.graph
    return {
        "run": ending.run,
        "status": ending.status,
        "why": str(ending.error or ""),
        "folder": str(ending.folder),
        "iteration": graph.iteration,
        "observations": len(graph.observations),
        "hypotheses": len(graph.hypotheses),
        "conclusive": ending.conclusive,
        "health": list(graph.health.issues),
        "spent": form.write(ending.spent),
        "notes": list(ending.notes),
    }


def say_ending(ending: job.Ending) -> None:
    """How it ended, what stands where, what to do next."""
    graph, folder = ending.graph, visible(str(ending.folder))
    said = [visible(one) for one in ending.notes]
    counted = (
        f"{graph.iteration} iterations, {len(graph.observations)} observations, {len(graph.hypotheses)} hypotheses"
    )
    said.append(f"{ending.status}: {counted}; {'a thesis' if ending.conclusive else 'inconclusive'}")
    if ending.error is not None:
        said.append(f"{ending.error} What there is stands in the thesis. Go on: withstood research resume {folder}")
    elif job.saturated(graph):
        said.append("The research is saturated: nothing unvisited is left, and the thesis stands.")
    else:
        said.append(f"go on: withstood research resume {folder}")
    if ending.spent.calls:
        said.append(f"spent: {amount(ending.spent)}")
    said.append(f"thesis: {folder}/thesis.md and thesis.html; why: withstood explain {_first(ending)}")
    for line in said:
        click.echo(line, err=True)


def _first(ending: job.Ending) -> str:
    """The run, and a hypothesis of it where there is one."""
    return " ".join([ending.run, *map(visible, list(ending.graph.hypotheses)[:1])])
