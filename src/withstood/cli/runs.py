"""`withstood runs`: what stands in the store."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from typing import Any

import click

from withstood import form
from withstood.cli import options
from withstood.errors import JournalError
from withstood.jobs import header as headers
from withstood.jobs import recorded
from withstood.journal.port import RunEntry

LINE = "{run:<20} {status:<12} {protocol:<7} {rows:>8} rows  {input}"
CHUNK = re.compile(r"(.+)\.0*(\d+)")


@click.command("runs")
@click.option("--chunks", is_flag=True, help="Also each chunk of a job, which is a run of its own.")
@click.option("--json", "as_json", is_flag=True, help="One JSON line for each run.")
@options.store
def command(chunks: bool, as_json: bool, store: str | None) -> int:
    """List the runs, the newest last. The chunks of a job are one line; as JSON they are always told one by one."""
    told = [_told(entry) for entry in asyncio.run(_entries(store))]
    for row in told if as_json or chunks else _gathered(told):
        click.echo(form.dumps(row) if as_json else LINE.format(**row))
    if not told and not as_json:
        click.echo("There are no runs here yet. `withstood demo` makes one.", err=True)
    return 0


async def _entries(store: str | None) -> list[RunEntry]:
    async with options.opened(options.configured(store)) as kept:
        return list(await kept.runs())


def _gathered(told: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each job in the place of its first chunk, with the rows and the states of all."""
    rows: dict[str, dict[str, Any]] = {}
    counts: dict[str, list[int]] = {}
    for row in told:
        job, name = _job_of(row)
        if not job:
            rows[row["run"]] = row
            continue
        key = f"{job}\n"  # a run may have the name of a job
        known = rows.setdefault(key, row | {"run": job, "input": name, "rows": 0})
        known["rows"] += row["rows"]
        count = counts.setdefault(key, [0, 0])
        count[0] += row["status"] == "finished"
        count[1] += 1
        known["status"] = f"{count[0]}/{count[1]} chunks"
    return list(rows.values())


def _job_of(row: dict[str, Any]) -> tuple[str, str]:
    """The job of a chunk and its input; an empty name for any other run. A chunk has its number in both names."""
    found = CHUNK.fullmatch(row["run"])
    mark = f"[{found[2]}]" if found else ""
    if found is None or not row["input"].endswith(mark):
        return "", ""
    return found[1], row["input"].removesuffix(mark)


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
