"""`withstood ablate`: what each part of a run is worth."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import click

from withstood.cli import figures, options, parts, progress
from withstood.cli.sentiment import decided, limits_of
from withstood.errors import WithstoodError
from withstood.jobs import ablation as job
from withstood.jobs import sentiment, variant_runs
from withstood.jobs.decided import RESULTS
from withstood.jobs.settings import Config
from withstood.report import ablation
from withstood.report.ablation import Ablated
from withstood.report.inert import visible


@click.command("ablate")
@click.argument("run", metavar="RUN|FILE")
@figures.options
@click.option("--only", multiple=True, metavar="NAME", help="Only the variants whose names begin like this.")
@click.option("--beside", multiple=True, metavar="FILE|RUN", help="Labels or results of another system, a baseline.")
@click.option("--drop", multiple=True, metavar="PART", help="role=A, round=2, source=NAME, rule=NAME; or every.")
@click.option("--live", is_flag=True, help="Ask for the answers that a variant needs and that nobody gave.")
@click.option("--protocol", default="cr-v2", show_default=True, help="Of the run that is made of a FILE.")
@options.models
@options.limits
@options.store
def command(run: str, out: str | None, as_json: bool, live: bool, **given: Any) -> int:
    """Judge RUN again without this or that part, and set each variant beside the run itself: other arbiters, conflicts,
    scopes and gates, no review, each reader alone, their majority, one call for all, several such calls that vote.

    Nothing that was answered is asked again. Where a variant would ask something that nobody has answered, the answers
    are counted, and the texts that need them are left out on both sides; with --live they are asked, each such variant
    as a run of its own, within limits that hold for all of them together. FILE is decided first.

    \b
    withstood ablate last --gold labelled.xml
    withstood ablate last --gold labelled.xml --only arbiter --only single --live --most-calls 500
    withstood ablate last --gold labelled.xml --beside predictions.xml
    withstood ablate last --drop role=B --drop "rule=reason gate"

    A run of any job is taken apart by --drop: without a role, a round, a source or a rule, from its answers alone.
    """
    config = options.configured(given["store"])
    source = Path(run)
    if given["drop"] or not (source.exists() or asyncio.run(parts.is_of_reviews(run, config))):
        drop = given["drop"] or (parts.EVERY,)
        figures.tell(asyncio.run(parts.without(run, drop, given["gold"], given["layout"], config)), out, as_json)
        return 0
    panel = variant_runs.Panel(given["model"], limits_of(config, given))
    if Path(run).is_file() and Path(run).name != RESULTS:
        run = _fresh(Path(run), given["protocol"], panel, config)
    wanted = job.Wanted(run, given["gold"], given["layout"], given["only"], given["beside"], given["resamples"])
    found, error = asyncio.run(_ablated(wanted, panel if live else None, config))
    figures.tell(ablation.report(found), out, as_json)
    if error is not None:
        click.echo(f"{visible(str(error))} Go on with the same command.", err=True)
        return error.exit_code
    return 65 if any(one.fault for one in found.mismatches) else 0


def _fresh(source: Path, protocol: str, panel: variant_runs.Panel, config: Config) -> str:
    """The run of a file that is decided now."""
    order = sentiment.Order(source=source, protocol=protocol, models=panel.models, limits=panel.limits)
    ending = asyncio.run(decided(sentiment.plan(order, config), config))
    if ending.error is not None:
        raise ending.error
    return ending.run


async def _ablated(
    wanted: job.Wanted, panel: variant_runs.Panel | None, config: Config
) -> tuple[Ablated, WithstoodError | None]:
    async with options.opened(config) as kept:
        if panel is None:
            return await job.ablate(wanted, kept), None
        return await variant_runs.ablate(wanted, panel, config, kept, lambda watch: progress.Bar().watching(watch))
