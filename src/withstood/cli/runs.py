"""`withstood runs`: what stands in the store."""

from __future__ import annotations

import asyncio
from typing import Any

import click

from withstood import form
from withstood.cli import options
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
    first: Any = form.loads(entry.first)
    last: Any = form.loads(entry.last) if entry.last_kind == "end" else {"status": "unfinished"}
    return {
        "run": entry.name,
        "status": last["status"],
        "protocol": first["protocol"],
        "rows": first["input"]["rows"],
        "input": first["input"]["name"],
        "records": entry.records,
        "head": entry.head,
    }
