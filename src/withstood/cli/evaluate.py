"""`withstood evaluate`: a run against gold, and what needs no gold."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from withstood.cli import figures, options
from withstood.jobs import evaluation as job
from withstood.report import evaluation
from withstood.report.evaluation import Evaluated


@click.command("evaluate")
@click.argument("run", metavar="RUN|RESULTS")
@figures.options
@click.option("--against", metavar="RUN|RESULTS", help="Another run of the same texts, compared in pairs.")
@click.option("--sanity", is_flag=True, help="Also check ourselves: gold against gold is 1, no system beats itself.")
@options.store
def command(
    run: str,
    gold: Path | None,
    layout: str | None,
    resamples: int,
    against: str | None,
    sanity: bool,
    out: str | None,
    as_json: bool,
    store: str | None,
) -> int:
    """Measure RUN, or a results.jsonl: F1 of opinions with paired intervals, what the review mended and spoiled, how
    far reviewers agree; always beside stage 1, each reader alone, their majority, and a constant guess.

    \b
    withstood evaluate last --gold labelled.xml
    withstood evaluate out/results.jsonl --gold gold.jsonl --against other/results.jsonl -o figures/

    Without --gold it tells what needs none. No model is called.
    """
    wanted = job.Wanted(run, gold, layout, against, resamples, sanity)
    found = asyncio.run(_evaluated(wanted, store))
    figures.tell(evaluation.report(found), out, as_json)
    return 1 if found.insane else 65 if any(one.fault for one in found.mismatches) else 0


async def _evaluated(wanted: job.Wanted, store: str | None) -> Evaluated:
    async with options.opened(options.configured(store)) as kept:
        return await job.evaluate(wanted, kept)
