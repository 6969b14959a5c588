"""`withstood research import`: a session of another tool."""

from __future__ import annotations

from pathlib import Path

import click

from withstood.jobs import standing
from withstood.report.inert import visible


@click.command("import")
@click.argument("source", metavar="FROM")
@click.option("-o", "--out", metavar="DIR", required=True, help="The folder of the research; a new one.")
def command(source: str, out: str) -> int:
    """Take in the session in FROM: a folder with cognigraph.json, or one of the first form (evidence, claims, holes).

    Fields that are not known here are kept. A graph that does not hold together is refused, with the place.
    """
    found = standing.taken_in(Path(source), Path(out))
    for told in found.told:
        click.echo(visible(told), err=True)
    graph = found.graph
    click.echo(
        f"{len(graph.observations)} observations, {len(graph.hypotheses)} hypotheses, {len(graph.edges)} edges, "
        f"{len(graph.unexplored)} leads. Go on: withstood research resume {visible(out)} --sources DIR",
        err=True,
    )
    return 65 if found.told else 0
