"""`withstood research export`: a research in the published form."""

from __future__ import annotations

from pathlib import Path

import click

from withstood.jobs import standing
from withstood.report.inert import visible


@click.command("export")
@click.argument("folder")
@click.option("-o", "--out", metavar="DIR", required=True, help="Where it goes; a new folder.")
@click.option("--plain", is_flag=True, help="Only the fields of the published schema.")
def command(folder: str, out: str, plain: bool) -> int:
    """Copy the research in FOLDER: cognigraph.json, its pages and its thesis, without what only this tool needs."""
    graph = standing.given_out(Path(folder), Path(out), plain=plain)
    click.echo(f"{len(graph.observations) + len(graph.hypotheses) + 1} files written to {visible(out)}", err=True)
    return 0
