"""`withstood research cleanup`: the files of a research in line with its graph."""

from __future__ import annotations

from pathlib import Path

import click

from withstood import form
from withstood.jobs import standing
from withstood.report.inert import visible


@click.command("cleanup")
@click.argument("folder")
@click.option("--dry-run", is_flag=True, help="Say what would be done, and do nothing.")
@click.option("--json", "as_json", is_flag=True, help="One JSON line for each file.")
def command(folder: str, dry_run: bool, as_json: bool) -> int:
    """Remove what a kill has left in FOLDER and pages of what is not in the graph; write missing and outdated pages.

    The graph, the thesis and files of other names are never touched.
    """
    found = standing.chores(Path(folder))
    for chore in found:
        said = visible(f"{'would ' if dry_run else ''}{chore.doing} {chore.name}")
        click.echo(form.dumps({"doing": chore.doing, "file": chore.name}) if as_json else said)
    if not dry_run:
        standing.tidy(Path(folder), found)
    click.echo(f"{len(found)} files" if found else "All files are as the graph says.", err=True)
    return 0
