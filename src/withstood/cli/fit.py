"""`withstood sentiment fit`: a reader of one's own, learned from labelled texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from withstood.cli import figures
from withstood.jobs import fitting as job
from withstood.report import fitting


@click.command("fit")
@click.argument("source", metavar="DATA")
@click.option("-o", "--out", metavar="FILE", default="reader.json", show_default=True, help="Where the reader goes.")
@click.option("--layout", help="Of DATA; found out if not given. `withstood sentiment formats` lists them.")
@click.option(
    "--folds", type=click.IntRange(0), default=3, show_default=True, help="Parts to try it on; 0: no figures."
)
@click.option("--resamples", type=click.IntRange(1), default=1000, show_default=True, help="Draws an interval.")
@click.option("--taxonomy", help="Of the programmed reader beside it: nikl, restaurants, laptops, generic, or a file.")
@click.option("--lexicons", type=click.Path(path_type=Path), metavar="DIR", help="Word lists that extend ours.")
@click.option("--text-column", default="text", show_default=True, help="The column with the text.")
@click.option("--id-column", default="id", show_default=True, help="The column with the id.")
@click.option("--encoding", help="Of DATA; found out if not given.")
@click.option("--json", "as_json", is_flag=True, help="Every figure as JSON.")
def command(source: str, out: str, as_json: bool, **given: Any) -> int:
    """Fit a reader on the labelled texts of DATA, and tell what it is worth on texts that it has not seen.

    It learns what the labels know: terms, categories, opinion words, polarity. The file is plain JSON; nothing in it
    is run. Learning needs the extra `fit`; reading with it needs nothing.

    \b
    withstood sentiment fit labelled.jsonl -o reader.json
    withstood sentiment reviews.csv --agents fitted:reader.json -o out/
    """
    wanted = job.Wanted("-" if source == "-" else Path(source), Path(out), **given)
    found = job.fit(wanted)
    figures.tell(fitting.report(found), None, as_json)
    return 65 if found.refused else 0
