"""`withstood ablate`: what each part of a run is worth."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from withstood.cli import figures, options
from withstood.jobs import ablation as job
from withstood.report import ablation
from withstood.report.ablation import Ablated


@click.command("ablate")
@click.argument("run")
@figures.options
@click.option("--only", multiple=True, metavar="NAME", help="Only the variants whose names begin like this.")
@options.store
def command(
    run: str,
    gold: Path | None,
    layout: str | None,
    resamples: int,
    only: tuple[str, ...],
    out: str | None,
    as_json: bool,
    store: str | None,
) -> int:
    """Judge RUN again without this or that part, and set each variant beside the run itself: other arbiters, conflicts,
    scopes and gates, no review, each reader alone, their majority, one call for all.

    Nothing that was answered is asked again. Where a variant would ask something that nobody has answered, the answers
    are counted, and the texts that need them are left out on both sides.

    \b
    withstood ablate last --gold labelled.xml
    withstood ablate last --gold labelled.xml --only arbiter --only "stage 1"
    """
    found = asyncio.run(_ablated(job.Wanted(run, gold, layout, only, resamples), store))
    figures.tell(ablation.report(found), out, as_json)
    return 65 if any(one.fault for one in found.mismatches) else 0


async def _ablated(wanted: job.Wanted, store: str | None) -> Ablated:
    async with options.opened(options.configured(store)) as kept:
        return await job.ablate(wanted, kept)
