"""`withstood research status`: where a research stands."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from withstood import form
from withstood.jobs import outputs, standing, theses
from withstood.report import standing as report


@click.command("status")
@click.argument("folder")
@click.option("--svg", metavar="FILE", help="Draw the graph into this file.")
@click.option("--json", "as_json", is_flag=True, help="The same as JSON.")
def command(folder: str, svg: str | None, as_json: bool) -> int:
    """Where the research in FOLDER stands: counts by type and state, conflicts, leads, health, the graph.

    It may be looked at while a run works on it.
    """
    graph, note, book = standing.of(Path(folder))
    if svg:
        matter = theses.matter(graph, book, note.language, by_programs=False)
        outputs.whole(Path(svg), [theses.told(matter, book, "svg")])
    if as_json:
        click.echo(form.dumps(report.data(graph, book)))
        return 0
    width = max(60, min(160, shutil.get_terminal_size((100, 24)).columns))
    for line in report.lines(graph, book, width):
        click.echo(line)
    return 0
