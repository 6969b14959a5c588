"""`withstood research thesis`: the thesis of a graph as it stands."""

from __future__ import annotations

from pathlib import Path

import click

from withstood.cli import options
from withstood.jobs import explorers, outputs, standing, theses
from withstood.protocols.research_briefs import EXPLORE


@click.command("thesis")
@click.argument("folder")
@click.option("-o", "--out", metavar="FILE", help="Where it goes; without it, to standard output.")
@click.option("--format", "kind", type=click.Choice(theses.FORMS), help="By the name of FILE, else md.")
@click.option("--language", type=click.Choice(["en", "ko"]), help="Else that of the question.")
@options.settings
def command(folder: str, out: str | None, kind: str | None, language: str | None, changes: dict[str, str]) -> int:
    """Conclude from the graph in FOLDER: what withstood, on what it stands, what was rejected, what is open.

    Nothing is asked and nothing in FOLDER is changed. `--set thesis.tested_at=0.6` asks for more.
    """
    graph, note, book = standing.of(Path(folder))
    book = book.adjusted(changes)
    spec = note.models.get(EXPLORE) or note.models.get("default") or explorers.PROGRAMMED
    by_programs = bool(note.run) and spec == explorers.PROGRAMMED
    matter = theses.matter(graph, book, language or note.language, by_programs=by_programs)
    suffix = Path(out or "").suffix.lstrip(".")
    chosen = kind or (suffix if suffix in theses.FORMS else "md")
    outputs.whole(Path(out) if out else "-", [theses.told(matter, book, chosen)])
    return 0
