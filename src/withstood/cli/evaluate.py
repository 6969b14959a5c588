"""`withstood evaluate`: a run against gold, and what needs no gold."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import click

from withstood import form
from withstood.cli import options
from withstood.jobs import evaluation as job
from withstood.jobs.outputs import Folder
from withstood.report import evaluation, figures_page, sections
from withstood.report.evaluation import Evaluated
from withstood.report.inert import visible


@click.command("evaluate")
@click.argument("run", metavar="RUN|RESULTS")
@click.option("--gold", metavar="FILE", type=click.Path(path_type=Path), help="Labels of the same texts.")
@click.option("--layout", help="Of the gold; found out if not given (withstood sentiment formats).")
@click.option("--against", metavar="RUN|RESULTS", help="Another run of the same texts, compared in pairs.")
@click.option("--resamples", type=click.IntRange(1), default=1000, show_default=True, help="Draws for each interval.")
@click.option("--sanity", is_flag=True, help="Also check ourselves: gold against gold is 1, no system beats itself.")
@click.option("-o", "--out", metavar="DIR", help="Write evaluation.html and evaluation.json there as well.")
@click.option("--json", "as_json", is_flag=True, help="Every figure as JSON.")
@options.store
def command(run: str, out: str | None, as_json: bool, store: str | None, **given: Any) -> int:
    """Measure RUN, or a results.jsonl: F1 of opinions with paired intervals, what the review mended and spoiled, how
    far reviewers agree; always beside stage 1, each reader alone, their majority, and a constant guess.

    \b
    withstood evaluate last --gold labelled.xml
    withstood evaluate out/results.jsonl --gold gold.jsonl --against other/results.jsonl -o figures/

    Without --gold it tells what needs none. No model is called.
    """
    wanted = job.Wanted(run, given["gold"], given["layout"], given["against"], given["resamples"], given["sanity"])
    found = asyncio.run(_evaluated(wanted, store))
    told = evaluation.as_data(found)
    if out is not None:
        folder = Folder(Path(out))
        page = figures_page.render(evaluation.headline(found), evaluation.sections(found), evaluation.notes(found))
        folder.finish({"evaluation.html": page, "evaluation.json": form.dumps(told) + "\n"})
        folder.close()
    click.echo(form.dumps(told) if as_json else _text(found), nl=as_json)
    for note in evaluation.notes(found):
        click.echo(visible(note), err=True)
    return 1 if found.insane else 65 if any(one.fault for one in found.mismatches) else 0


async def _evaluated(wanted: job.Wanted, store: str | None) -> Evaluated:
    async with options.opened(options.configured(store)) as kept:
        return await job.evaluate(wanted, kept)


def _text(found: Evaluated) -> str:
    return f"{visible(evaluation.headline(found))}\n{sections.text(list(evaluation.sections(found)))}"
