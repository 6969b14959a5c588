"""`withstood runs`: what stands in the store."""

from __future__ import annotations

import asyncio
from typing import Any

import click

from withstood import form
from withstood.cli import options
from withstood.errors import JournalError
from withstood.jobs import header as headers
from withstood.jobs import recorded
from withstood.journal.port import RunEntry


@click.command("runs")
@click.option("--json", "as_json", is_flag=True, help="One JSON line for each run.")
@options.store
def command(as_json: bool, store: str | None) -> int:
    """List the runs, the newest last."""
    entries = asyncio.run(_entries(store))
    for entry in entries:
        told = _told(entry)
        click.echo(
            form.dumps(told)
            if as_json
            else "{run:<20} {status:<12} {protocol:<7} {rows:>8} rows  {input}".format(**told)
        )
    if not entries and not as_json:
        click.echo("There are no runs here yet. `withstood demo` makes one.", err=True)
    return 0


async def _entries(store: str | None) -> list[RunEntry]:
    async with options.opened(options.configured(store)) as kept:
        return list(await kept.runs())


def _told(entry: RunEntry) -> dict[str, Any]:
    try:
        known = headers.read(entry.name, entry.first)
    except JournalError:
        return _row(entry, "unreadable", "-", 0, "-")
    return _row(entry, recorded.ended(entry).status, known.protocol, known.input.rows, known.input.name)


def _row(entry: RunEntry, status: str, protocol: str, rows: int, name: str) -> dict[str, Any]:
    return {
        "run": entry.name,
        "status": status,
        "protocol": protocol,
        "rows": rows,
        "input": name,
        "records": entry.records,
        "head": entry.head,
    }
