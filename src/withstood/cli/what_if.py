"""`withstood what-if`: what would have changed a ruling, and which verdicts of a run are fragile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import click

from withstood import form
from withstood.cli import options
from withstood.jobs import header as headers
from withstood.jobs import recorded
from withstood.jobs import what_if as job
from withstood.jobs.what_if import Question
from withstood.report import what_if
from withstood.report.inert import visible
from withstood.report.what_if import WhatIf


@click.command("what-if")
@click.argument("run")
@click.argument("item", required=False)
@click.option("--on", metavar="ID", help="The last ruling on this tuple, finding or hypothesis, not the headline.")
@click.option("--most-tries", default=job.MOST_TRIES, show_default=True, help="Sets that are tried in each search.")
@click.option("--settings/--no-settings", default=True, help="Whether settings are changed too.")
@click.option("--all", "everything", is_flag=True, help="Without ITEM: also the verdicts that are not fragile.")
@click.option("--json", "as_json", is_flag=True, help="JSON; without ITEM one line for each verdict.")
@options.store
def command(run: str, item: str | None, as_json: bool, everything: bool, **given: Any) -> int:
    """The smallest sets of votes, pieces of evidence or settings whose change flips the ruling on ITEM of RUN.

    Without ITEM it lists the fragile verdicts: those that one vote or one piece of evidence less would flip.

    \b
    withstood what-if last e1
    withstood what-if last e1 --on t1
    withstood what-if last

    Small cases are searched to the end, large ones as far as it says. No model is called.
    """
    question = Question(given["on"], given["most_tries"], given["settings"])
    if item is not None:
        found = asyncio.run(_of_item(run, item, question, given["store"]))
        click.echo(form.dumps(_data(found)) if as_json else what_if.text(found), nl=as_json)
        return 0
    asyncio.run(_of_run(run, question, given["store"], everything, as_json))
    return 0


async def _of_item(run: str, item: str, question: Question, store: str | None) -> WhatIf:
    async with options.opened(options.configured(store)) as kept:
        entry = await recorded.find(kept, run)
        known = headers.read(entry.name, entry.first)
        return await job.of_item(kept, entry.name, known, item, question)


async def _of_run(run: str, question: Question, store: str | None, everything: bool, as_json: bool) -> None:
    count = fragile = 0
    async with options.opened(options.configured(store)) as kept:
        entry = await recorded.find(kept, run)
        known = headers.read(entry.name, entry.first)
        verdicts: AsyncIterator[WhatIf] = job.of_run(kept, entry.name, known, question)
        async for found in verdicts:
            count, fragile = count + 1, fragile + found.fragile
            if found.fragile or everything:
                click.echo(form.dumps(_data(found)) if as_json else _line(found))
    click.echo(f"{fragile:,} of {count:,} verdicts fragile: one change would make another of them.", err=True)


def _line(found: WhatIf) -> str:
    first = found.struck.flips[:1] or found.turned.flips[:1]
    why = (
        f"{what_if.told(first[0].changes)} → {visible(first[0].outcome)}"
        if first
        else "nothing that was tried flips it"
    )
    more = len(found.struck.flips) + len(found.turned.flips) - len(first)
    return f"{visible(found.item)}: {visible(found.outcome)}; {why}" + (f"; {more} more" if more > 0 else "")


def _data(found: WhatIf) -> dict[str, Any]:
    return form.write(found) | {"fragile": found.fragile, "check_next": found.check_next()}
