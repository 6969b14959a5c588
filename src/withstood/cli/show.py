"""`withstood show`: what a run decided, in short."""

from __future__ import annotations

import asyncio

import click

from withstood import form
from withstood.cli import options
from withstood.jobs import header as headers
from withstood.jobs import kinds, recorded
from withstood.jobs.kinds import Told


@click.command("show")
@click.argument("run")
@click.option("--json", "as_json", is_flag=True, help="What the run was made of and how it ended, as JSON.")
@options.store
def command(run: str, as_json: bool, store: str | None) -> int:
    """What RUN decided: verdicts, conflicts, rows, absences. Every record is checked against the chain."""
    told = asyncio.run(_told(run, store))
    click.echo(form.dumps(told.data) if as_json else told.text)
    return told.code


async def _told(run: str, store: str | None) -> Told:
    async with options.opened(options.configured(store)) as kept:
        entry = await recorded.find(kept, run)
        known = headers.read(entry.name, entry.first)
        return await kinds.of(known).show(kept, entry, known)
