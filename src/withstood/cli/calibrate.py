"""`withstood calibrate`: what share of the verdicts of runs was right."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from withstood.cli import figures, options
from withstood.jobs import calibrating, calibration, outputs
from withstood.jobs.calibrating import Measured
from withstood.jobs.calibration import FORMAT, Calibration
from withstood.measures.voters import from_gold
from withstood.report import calibration as told
from withstood.report import chart_picture


@click.command("calibrate")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option(
    "--gold", metavar="FILE", required=True, type=click.Path(path_type=Path), help="Labels, or an answer key."
)
@click.option("--layout", help="Of the labels; found out if not given.")
@click.option("--export", metavar="FILE", help="Write what was measured, for `explain` and `rules new`.")
@click.option("-o", "--out", metavar="DIR", help="Leave a page, the plot as SVG, and the JSON, there.")
@click.option("--json", "as_json", is_flag=True, help="Every figure as JSON.")
@options.store
def command(
    runs: tuple[str, ...],
    gold: Path,
    layout: str | None,
    export: str | None,
    out: str | None,
    as_json: bool,
    store: str | None,
) -> int:
    """What share of Confirmed, Likely and Uncertain, of each label, and of each step of confidence was right in RUNS.

    \b
    {"item": "q1", "claim": "I1", "right": true}
    {"item": "r7", "gold": "negative"}

    Runs of sentiment are measured by labels; any other by an answer key as above. With --export, `withstood explain
    --calibration FILE` tells the measured share beside the word; where nothing was measured the word stands alone. The
    file also holds how often each investigator was right, for `withstood rules new --calibration`.
    """
    measured = asyncio.run(_measured(runs, gold, layout, store))
    found = told.Calibrated(measured.runs, gold.name, measured.headlines, measured.parts)
    made = told.report(found)
    drawn = {f"calibration-{no}.svg": chart_picture.svg(one) for no, one in enumerate(made.charts, start=1)}
    figures.tell(made, out, as_json, drawn)
    if export is not None:
        kept = Calibration(FORMAT, measured.runs, found.words(), from_gold(measured.votes))
        outputs.whole(Path(export), [calibration.written(kept)])
    return 0


async def _measured(runs: tuple[str, ...], gold: Path, layout: str | None, store: str | None) -> Measured:
    async with options.opened(options.configured(store)) as kept:
        return await calibrating.measure(kept, runs, gold, layout)
