"""`withstood replay`: judge a run again. No model is called."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import click

from withstood import form
from withstood.cli import options, progress
from withstood.engine.replay import Needs
from withstood.errors import UsageError
from withstood.jobs import header as headers
from withstood.jobs import kinds, recorded, rejudging
from withstood.jobs.header import Header
from withstood.jobs.outputs import Folder, Piped
from withstood.jobs.rejudging import Change, Rejudged
from withstood.jobs.sentiment import Ending
from withstood.report.inert import visible
from withstood.verdict import Step

Headline: TypeAlias = Callable[[Any], Any]
ANEW = {
    "investigation": "investigate QUESTION --repo DIR --logs PATH",
    "research": "research QUESTION --sources DIR -o NEW",
}
"""How a job is begun, where a run of it cannot be asked from its journal alone."""


@click.command("replay")
@click.argument("run")
@click.option(
    "--rules", multiple=True, metavar="NAME|FILE|KEY=VALUE", help="Another rulebook: strict, a .toml file, arbiter=v1."
)
@options.settings
@click.option("--diff", is_flag=True, help="Only what changed, with the two rows side by side, and what is open.")
@click.option("-o", "--out", metavar="DIR", help="Write results.jsonl there instead of to stdout.")
@click.option("--json", "as_json", is_flag=True, help="With --diff: JSON Lines.")
@click.option("--live", is_flag=True, help="Ask for the answers that nobody gave, as a run of its own, within limits.")
@options.models
@options.limits
@options.store
def command(run: str, diff: bool, out: str | None, as_json: bool, live: bool, **given: Any) -> int:
    """Judge RUN again from its recorded answers, by the same rules or by others.

    By the same rules the results are the same bytes, or it says where they are not. By other rules, texts on which
    something would have to be asked anew are counted and left out; nothing is invented. With --live they are asked.

    \b
    withstood replay last --rules arbiter=v1 --diff
    withstood replay last --rules mine.toml --set review.when=always --live --most-calls 500
    """
    if live:
        return _live(run, out, given)
    results = Folder(Path(out)) if out else Piped()

    def writer(known: Header) -> Callable[[Rejudged], None]:
        if diff:
            return _diff_writer(as_json, kinds.of(known).headline)
        return lambda again: results.write("results.jsonl", again.line + "\n")

    counts = asyncio.run(_replay(run, given, writer, diff))
    if not diff:
        results.finish({})
    results.close()
    click.echo(_summary(run, counts), err=True)
    return 0


async def _replay(
    run: str, given: dict[str, Any], writer: Callable[[Header], Callable[[Rejudged], None]], diff: bool
) -> Counter[str]:
    counts: Counter[str] = Counter()
    async with options.opened(options.configured(given["store"])) as kept:
        entry = await recorded.find(kept, run)
        known = headers.read(entry.name, entry.first)
        book = rejudging.rulebook(known, given["rules"], given["changes"])
        write = writer(known)
        counts[known.job] += 1
        async for again in rejudging.rejudged(kept, entry.name, known, book):
            counts["texts"] += 1
            if isinstance(again.now, Needs):
                counts["open"] += 1
                counts.update(f"ask {ask.role}" for ask in again.now.asks)
                if diff:
                    write(again)
                continue
            counts["changed"] += again.changed
            write(again)
        for torn in kept.torn:
            click.echo(torn, err=True)
    return counts


def _summary(run: str, counts: Counter[str]) -> str:
    told = f"{_counted(counts)} of {run} judged again, no model called: {counts['changed']:,} changed"
    asks = {name.removeprefix("ask "): count for name, count in sorted(counts.items()) if name.startswith("ask ")}
    if asks:
        roles = ", ".join(f"{count:,} of {visible(role)}" for role, count in asks.items())
        told += f", {counts['open']:,} left out (they need {sum(asks.values()):,} new answers: {roles})"
    return told + "."


def _counted(counts: Counter[str]) -> str:
    noun = "text" if counts["sentiment"] else "case"
    return f"{counts['texts']:,} {noun}{'' if counts['texts'] == 1 else 's'}"


def _live(run: str, out: str | None, given: dict[str, Any]) -> int:
    """What nobody answered is asked. Everything that was answered is reused, so the rest costs nothing."""
    from withstood.cli.sentiment import limits_of
    from withstood.jobs import variant_runs

    config = options.configured(given["store"])
    panel = variant_runs.Panel(given["model"], limits_of(config, given))

    async def decided() -> Ending:
        async with options.opened(config) as kept:
            entry = await recorded.find(kept, run)
            known = headers.read(entry.name, entry.first)
            book = rejudging.rulebook(known, given["rules"], given["changes"])
            _check_live(entry.name, known)
            with progress.Bar() as bar:
                return await variant_runs.again(entry.name, known, book, panel, config, kept, out, bar.watching)

    ending = asyncio.run(decided())
    progress.say_ending(ending, out)
    return ending.error.exit_code if ending.error else 0


def _check_live(run: str, known: Header) -> None:
    """Texts stand in the journal; a repository or a shelf does not, so somebody has to name it once more."""
    if known.job in ANEW:
        raise UsageError(
            f"{run} is a run of the job {known.job}, and what it looked at is not in its journal. Write the rulebook "
            f"with `withstood rules new FILE.toml --from {run} --set ...`, then begin a run of its own: "
            f"`withstood {ANEW[known.job]} --rules FILE.toml --reuse`. What was answered is not asked again."
        )


def _diff_writer(as_json: bool, headline: Headline) -> Callable[[Rejudged], None]:
    def write(again: Rejudged) -> None:
        if isinstance(again.now, Needs):
            sys.stdout.write(_needed(again.recorded.id, again.now, as_json))
        elif again.changed:
            found = list(rejudging.changes(again))
            labels = [headline(form.loads(line)) for line in (again.recorded.line, again.line)]
            sys.stdout.write(_as_json(again, labels, found) if as_json else _as_text(again, labels, found))

    return write


def _needed(item: str, needs: Needs, as_json: bool) -> str:
    asks = [(ask.role, ask.round) for ask in needs.asks]
    if as_json:
        return form.dumps({"id": item, "needs": [{"role": role, "round": no} for role, no in asks]}) + "\n"
    named = ", ".join(f"{visible(role)} (round {no})" for role, no in asks)
    return f"{visible(item)}: open, {named} would be asked\n"


def _as_json(again: Rejudged, labels: list[Any], found: list[Change]) -> str:
    return form.dumps({"id": again.recorded.id, "label": labels, "changes": found}) + "\n"


def _as_text(again: Rejudged, labels: list[Any], found: list[Change]) -> str:
    label = "" if labels[0] == labels[1] else f": {labels[0]} → {labels[1]}"
    rows = [f"  {visible(change.item) or 'label':<6} {_row(change.then)}  →  {_row(change.now)}" for change in found]
    return "\n".join([f"{visible(again.recorded.id)}{label}", *rows]) + "\n"


def _row(step: Step | None) -> str:
    if step is None:
        return "no row"
    because = f" ({visible(step.ruling.because)})" if step.ruling.because else ""
    return f"{step.table} row {step.ruling.row}: {step.ruling.outcome}{because}"
