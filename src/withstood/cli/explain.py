"""`withstood explain`: one verdict, row by row."""

from __future__ import annotations

import asyncio

import click

from withstood import form
from withstood.cli import options
from withstood.jobs import header as headers
from withstood.jobs import kinds, recorded
from withstood.jobs.kinds import Told


@click.command("explain")
@click.argument("run")
@click.argument("item")
@click.option("--json", "as_json", is_flag=True, help="The result, the steps and the answers as JSON.")
@options.store
def command(run: str, item: str, as_json: bool, store: str | None) -> int:
    """Which rows decided ITEM of RUN, on which votes and evidence, and what the minority said.

    RUN may be the beginning of a name, or last. ITEM is an id, or '#3' for the third row of the input.
    """
    told = asyncio.run(_told(run, item, store))
    if told.code:
        click.echo(told.text, err=True)
    else:
        click.echo(form.dumps(told.data) if as_json else told.text)
    return told.code


async def _told(run: str, item: str, store: str | None) -> Told:
    async with options.opened(options.configured(store)) as kept:
        entry = await recorded.find(kept, run)
        known = headers.read(entry.name, entry.first)
        return await kinds.of(known).explain(kept, entry, known, item)
