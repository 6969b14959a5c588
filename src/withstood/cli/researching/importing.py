"""`withstood research import`: a session of another tool."""

from __future__ import annotations

from pathlib import Path

import click

from withstood import form
from withstood.jobs import standing
from withstood.report.inert import visible

COUNTED = {"observations": "observations", "hypotheses": "hypotheses", "edges": "edges", "leads": "unexplored"}


@click.command("import")
@click.argument("source", metavar="FROM")
@click.option("-o", "--out", metavar="DIR", required=True, help="The folder of the research; a new one.")
@click.option("--json", "as_json", is_flag=True, help="What was taken in, as JSON on stdout.")
def command(source: str, out: str, as_json: bool) -> int:
    """Take in the session in FROM: a folder with cognigraph.json, or one of the first form (evidence, claims, holes).

    Fields that are not known here are kept. A graph that does not hold together is refused, with the place.
    """
    found = standing.taken_in(Path(source), Path(out))
    for told in found.told:
        click.echo(visible(told), err=True)
    graph = found.graph
    counts = {name: len(getattr(graph, place)) for name, place in COUNTED.items()}
    if as_json:
        click.echo(form.dumps({"folder": out, **counts, "told": found.told}))
    held = ", ".join(f"{count} {name}" for name, count in counts.items())
    click.echo(f"{held}. Go on: withstood research resume {visible(out)} --sources DIR", err=True)
    return 65 if found.told else 0
