"""What a user sees of a run on stderr: the forecast, a bar, the ending."""

from __future__ import annotations

import sys
import time
from typing import Any

import click

from withstood import form
from withstood.engine.events import Event
from withstood.engine.limits import Spend
from withstood.jobs import sentiment as job
from withstood.jobs.forecast import Forecast
from withstood.jobs.sitting import Watch

EVERY = 0.2


class Bar:
    """One line that is written anew: texts, calls, spend, time left. Without a terminal, a line now and then."""

    def __init__(self) -> None:
        self._watch: Watch | None = None
        self._done = self._calls = 0
        self._began = self._shown = time.monotonic()
        self._live = sys.stderr.isatty()

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *fault: object) -> None:
        if self._live:
            click.echo("\r\x1b[K", nl=False, err=True)

    def watching(self, watch: Watch) -> Bar:
        self._watch = watch
        click.echo(f"run {watch.run}: {_forecast_line(watch.forecast)}", err=True)
        if watch.done_before:
            click.echo(f"{watch.done_before} of {_total(watch.forecast)} were decided before.", err=True)
        return self

    def tell(self, event: Event, case: str, role: str = "") -> None:
        if event == "written":
            self._done += 1
        elif event == "sending":
            self._calls += 1
        elif event != "looked":
            return
        now = time.monotonic()
        if now - self._shown > (EVERY if self._live else 15):
            self._shown = now
            self._draw(now)

    def _draw(self, now: float) -> None:
        watch = self._watch
        if watch is None:
            return
        total, fresh = _total(watch.forecast), self._done - watch.done_before
        left = (now - self._began) / fresh * (total - self._done) if fresh > 0 else None
        parts = [
            f"{self._done}/{total} texts",
            f"{self._calls} calls" if self._calls else "",
            spent(watch.ledger.booked) if self._calls else "",
            f"{duration(left)} left" if left is not None else "",
            f"waiting for {'; '.join(waiting)}" if (waiting := watch.under_way()) else "",
        ]
        line = " · ".join(part for part in parts if part)
        click.echo(f"\r\x1b[K{_bar(self._done, total)} {line}" if self._live else line, nl=not self._live, err=True)


def _bar(done: int, total: int, width: int = 24) -> str:
    filled = width * done // max(1, total)
    return f"[{'#' * filled}{'.' * (width - filled)}]"


def _total(forecast: Forecast) -> int:
    return forecast.texts + forecast.refused


def duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def spent(spend: Spend) -> str:
    cost = f", {spend.cost:f} spent" if spend.cost else ""
    return f"{spend.tokens:,} tokens{cost}"


def counted(count: int, name: str) -> str:
    return f"{count:,} {name}{'s' * (count != 1)}"


def _forecast_line(forecast: Forecast) -> str:
    refused = f", {counted(forecast.refused, 'row')} refused" if forecast.refused else ""
    texts = f"{counted(forecast.texts, 'text')}{refused}; {forecast.least_asks:,} to {forecast.most_asks:,} asks"
    if forecast.most.calls == 0:
        return f"{texts}; no model is called, it costs nothing"
    return f"{texts}; at most {amount(forecast.most)}, roughly {amount(forecast.roughly)}"


def amount(spend: Spend) -> str:
    cost = "price not known" if spend.cost is None else f"cost {spend.cost:.2f}"
    return f"{spend.tokens:,} tokens in {spend.calls:,} calls ({cost})"


def say_forecast(planned: job.Plan, as_json: bool) -> None:
    if as_json:
        click.echo(form.dumps(planned.forecast))
        return
    click.echo(_forecast_line(planned.forecast))
    for role, agent in planned.panel.items():
        click.echo(f"  {role:<8} {agent.name}")


def summary(ending: job.Ending) -> dict[str, Any]:
    return {
        "run": ending.run,
        "status": ending.status,
        "why": str(ending.error or ""),
        "texts": ending.tally.texts,
        "labels": dict(ending.tally.labels.items()),
        "refused": ending.refused,
        "undecided": ending.undecided,
        "asks": ending.tally.asks,
        "asks_saved": ending.tally.saved,
        "spent": form.write(ending.spent),
        "head": ending.head,
        "notes": list(ending.notes),
    }


def say_ending(ending: job.Ending, out: str | None) -> None:
    """On stderr: how it ended, what stands where, what to do next."""
    tally, lines = ending.tally, list(ending.notes)
    labels = ", ".join(f"{count} {label}" for label, count in tally.labels.items())
    lines.append(f"{ending.status}: {counted(tally.texts, 'text')}" + (f" ({labels})" if labels else ""))
    if tally.saved:
        lines.append(f"{tally.saved:,} reviews were not asked for, because nothing was flagged.")
    for (role, why), count in tally.absences.items():
        lines.append(f"absent: {role} on {counted(count, 'text')} ({why})")
    if ending.refused:
        lines.append(
            f"{counted(ending.refused, 'row')} refused; each stands in results.jsonl at its place, with the reason."
        )
    if ending.spent.calls:
        lines.append(f"spent: {amount(ending.spent)}")
    if ending.error is not None:
        lines.append(f"{ending.error} {ending.undecided:,} texts are not decided yet.")
        lines.append("Go on with the same command and --resume.")
    elif out:
        lines.append(f"report: {out.rstrip('/')}/report.html")
    lines.append(f"why: withstood explain {ending.run} ITEM")
    for line in lines:
        click.echo(line, err=True)
