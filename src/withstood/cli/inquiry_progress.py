"""What a user sees of an investigation on stderr: who looks, in which round, what was spent, how it ended."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import click

from withstood import form
from withstood.claims import iid
from withstood.cli.progress import EVERY, amount, counted, duration, spent
from withstood.engine.events import Event
from withstood.engine.limits import Spend
from withstood.errors import Misfit
from withstood.jobs import investigation as job
from withstood.jobs.forecast import Forecast
from withstood.jobs.sitting import Watch
from withstood.protocols.investigation_briefs import CHECK, PLAN
from withstood.report.inert import visible
from withstood.report.inquest import TAGS


class Course:
    """A line for each answer; on a terminal one more that says who is looking now."""

    def __init__(self) -> None:
        self._watch: Watch | None = None
        self._looking: dict[str, float] = {}
        self._calls = 0
        self._shown = 0.0
        self._live = sys.stderr.isatty()

    def __enter__(self) -> Course:
        return self

    def __exit__(self, *fault: object) -> None:
        self._clear()

    def watching(self, watch: Watch) -> Course:
        self._watch = watch
        click.echo(f"run {watch.run}: {forecast_line(watch.forecast)}", err=True)
        return self

    def tell(self, event: Event, case: str, role: str = "") -> None:
        if event == "asked":
            self._looking[role] = time.monotonic()
            self._draw()
        elif event == "sending":
            self._calls += 1
            if time.monotonic() - self._shown > EVERY:
                self._draw()
        elif event == "answered":
            self._clear()
            began = self._looking.pop(role, None)
            seconds = 0.0 if began is None else time.monotonic() - began
            took = f" in {duration(seconds)}" if seconds >= 1 else ""
            click.echo(f"{_round(role)}{role}: {_DONE.get(role, 'answered')}{took}{self._spent()}", err=True)
            self._draw()

    def _spent(self) -> str:
        if self._watch is None or not self._calls:
            return ""
        return f" · {counted(self._calls, 'call')}, {spent(self._watch.ledger.booked)}"

    def _draw(self) -> None:
        self._shown = time.monotonic()
        if self._live and self._looking:
            names = ", ".join(self._looking)
            click.echo(f"\r\x1b[K… {names}{self._spent()}", nl=False, err=True)

    def _clear(self) -> None:
        if self._live:
            click.echo("\r\x1b[K", nl=False, err=True)


_DONE = {CHECK: "evidence checked", PLAN: "key questions named"}


def _round(role: str) -> str:
    try:
        return f"round {iid.parse(role).round}: "
    except Misfit:
        return ""


def forecast_line(forecast: Forecast) -> str:
    asks = f"{forecast.least_asks:,} to {forecast.most_asks:,} asks"
    if forecast.most.calls == 0:
        return f"{asks}; no model is called, it costs nothing"
    return f"{asks}; at most {amount(forecast.most)}, roughly {amount(forecast.roughly)}"


def say_plan(plan: job.Plan, as_json: bool) -> None:
    if as_json:
        agents = {role: plan.panel[role].name for role in plan.first}
        told = {"cast": agents, "sources": form.write(plan.matter.sources), "forecast": form.write(plan.forecast)}
        click.echo(form.line(told))
        return
    click.echo(forecast_line(plan.forecast))
    for role in plan.first:
        click.echo(f"  {role:<24} {plan.panel[role].name}")
    for line in sources(plan):
        click.echo(f"  {line}")


def sources(plan: job.Plan) -> list[str]:
    """What there is to look at, and what is missing."""
    found: list[str] = []
    for one in plan.matter.sources:
        told = f"missing: {one.missing}" if one.missing else one.note
        found.append(visible(f"{one.kind} {one.name}{': ' if told else ''}{told}"))
    return found


def say_ending(ending: job.Ending, out: Path | None) -> None:
    """On stderr: how it ended, what is missing, what stands where, what to do next."""
    for line in [*ending.facts.notes, *_told(ending), *_next(ending, out)]:
        click.echo(visible(line), err=True)


def _told(ending: job.Ending) -> list[str]:
    found = ending.inquest
    if found is None:
        return []
    lines = [f"left out: {one.iid}: {one.why}" for one in found.report.excluded]
    if struck := len(found.report.struck):
        lines.append(f"{counted(struck, 'piece')} of evidence struck: not found where cited.")
    if ending.nobody:
        lines.append("No investigator gave a result, so there is no verdict. Look at the reasons above.")
    elif found.record.single:
        lines.append(f"A report from a single source: {found.record.single}.")
    tags = ", ".join(f"{len(found.tagged(tag))} {tag}" for tag in TAGS)
    return [*lines, f"{ending.status}: {counted(len(found.report.findings), 'finding')} ({tags})"]


def _next(ending: job.Ending, out: Path | None) -> list[str]:
    facts = ending.facts
    lines: list[str] = []
    if facts.calls:
        lines.append(f"spent: {amount(Spend(facts.calls, facts.tokens_in, facts.tokens_out, facts.cost))}")
    if out and ending.inquest:
        lines.append(f"report: {out / ending.run / 'final-report.html'}")
    if ending.error is not None:
        told = str(ending.error)
        hint = [] if "--resume" in told else ["Go on with the same command and --resume."]
        return [*lines, told, *hint]
    first = ending.inquest.report.findings[:1] if ending.inquest else ()
    return [*lines, *(f"why: withstood explain {ending.run} {one.id}" for one in first)]
