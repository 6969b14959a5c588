"""`withstood export`: a run as one file that anybody can verify."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from withstood import form
from withstood.cli import options
from withstood.jobs import archive, bundle, outputs, recorded
from withstood.journal.port import RunEntry


@click.command("export")
@click.argument("run")
@click.option("-o", "--out", metavar="FILE", help="The bundle [RUN.withstood.zip].")
@click.option("--json", "as_json", is_flag=True, help="File, members and head as JSON on stdout.")
@options.store
def command(run: str, out: str | None, as_json: bool, store: str | None) -> int:
    """Write RUN as one bundle: journal, kept texts, prompts, rulebook and report.

    `withstood verify` checks it on any machine, with nothing but this package. It is a zip that any program opens.
    """
    entry, members, torn = asyncio.run(_members(run, store))
    path = Path(out or f"{entry.name}.withstood.zip")
    outputs.whole_bytes(path, archive.packed(members))
    for note in torn:
        click.echo(note, err=True)
    if as_json:
        click.echo(form.dumps({"file": str(path), "run": entry.name, "members": len(members), "head": entry.head}))
    click.echo(f"{path}: {len(members)} members. Head of the journal: {entry.head}", err=True)
    return 0


async def _members(run: str, store: str | None) -> tuple[RunEntry, dict[str, bytes], list[str]]:
    async with options.opened(options.configured(store)) as kept:
        entry = await recorded.find(kept, run)
        return entry, await bundle.members(kept, entry), list(kept.torn)
