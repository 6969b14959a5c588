"""`withstood sentiment`: a file of reviews in, results and reports out."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, get_args

import click

from withstood import form
from withstood.claims.case import Task
from withstood.cli import options, progress
from withstood.cli.watched import watched
from withstood.cli.words import Worded
from withstood.engine.limits import Limits
from withstood.errors import Interrupted
from withstood.jobs import sentiment as job
from withstood.jobs import settings

WORDS: Mapping[str, tuple[str, str]] = {
    "convert": ("withstood.cli.convert", "Labels from one layout into another, or of a run."),
    "fit": ("withstood.cli.fit", "A reader of your own, learned from labelled texts."),
    "formats": ("withstood.cli.formats", "The layouts of labels, and what each has room for."),
}


@click.command("sentiment", cls=Worded, words=WORDS)
@click.argument("source", metavar="FILE")
@click.option("-o", "--out", metavar="DIR", help="Where results and reports go; without it, results go to stdout.")
@click.option("--protocol", default="cr-v2", show_default=True, help="cr-v1, cr-v2, debate, single, or a package's.")
@click.option(
    "--task",
    type=click.Choice(get_args(Task)),
    default="all",
    show_default=True,
    help="polarity: FILE is labelled, and only the polarity of its targets is asked; targets: without polarity.",
)
@options.models
@options.agents
@options.rules
@options.settings
@options.limits
@click.option("--text-column", default="text", show_default=True, help="The column with the text.")
@click.option("--id-column", default="id", show_default=True, help="The column with the id; else the row number is it.")
@click.option("--group", metavar="COLUMN", help="Reports also count by what stands in this column.")
@click.option("--time", metavar="COLUMN", help="Reports also count over time, by the dates of this column.")
@click.option("--encoding", help="Of the file; found out if not given.")
@click.option("--format", "format_", help="csv, tsv, jsonl or text; found out if not given.")
@click.option("--taxonomy", help="nikl, restaurants, laptops, generic, or a file of your own.")
@click.option("--lexicons", metavar="DIR", help="Word lists that extend or replace ours.")
@click.option("--memory", metavar="MODE", help="Episodes of earlier reviews: M0, M1, M2, C1, C2, C3 or C2_eval_only.")
@options.memory_store
@click.option("--run", "name", help="Name the run, or with --resume the run to go on with.")
@click.option("--resume", is_flag=True, help="Go on with the unfinished run of this file.")
@click.option("--reuse", is_flag=True, help="Take answers to identical questions from earlier runs.")
@click.option("--batch", is_flag=True, help="Call models by their batch endpoints: within a day, at half the price.")
@click.option("--dry-run", is_flag=True, help="Say what it would cost at most, and stop.")
@click.option("--json", "as_json", is_flag=True, help="The summary as JSON on stdout (needs -o).")
@options.store
def command(source: str, out: str | None, as_json: bool, dry_run: bool, **given: Any) -> int:
    """Decide reviews, aspect by aspect: three readers, conflict flags, three reviewers, an arbiter; or, as a debate,
    two stages with personas that argue between them, and a moderator.

    FILE is CSV, TSV, JSON Lines or plain text (gz too), or - for standard input. Without --model every seat is
    filled by a program, so no key is needed.

    \b
    withstood sentiment reviews.csv -o out/
    withstood sentiment reviews.csv -o out/ --agents fitted:reader.json
    withstood sentiment reviews.csv -o out/ --model default=openai:MODEL,B=anthropic:MODEL
    """
    if as_json and out is None:
        raise click.UsageError("--json needs -o DIR: without a folder the results themselves go to standard output.")
    config = options.configured(given["store"])
    order = order_of(source, Path(out) if out else "-", config, given)
    planned = job.plan(order, config)
    if dry_run:
        progress.say_forecast(planned, as_json)
        return 0
    return _report(asyncio.run(decided(planned, config)), out, as_json)


def order_of(source: str, out: Path | Literal["-"] | None, config: settings.Config, given: dict[str, Any]) -> job.Order:
    """What the options say."""
    return job.Order(
        source="-" if source == "-" else Path(source),
        protocol=given["protocol"],
        task=given["task"],
        out=out,
        models={**given["agents"], **given["model"]},
        rules=given["rules"],
        changes=given["changes"],
        limits=limits_of(settings.for_batches(config) if given["batch"] else config, given),
        columns=job.Columns(
            given["text_column"], given["id_column"], given["encoding"], given["format_"], given["group"], given["time"]
        ),
        taxonomy=given["taxonomy"],
        lexicons=given["lexicons"],
        memory=given["memory"],
        memory_store=given["memory_store"],
        run=given.get("name"),
        resume=given.get("resume", False),
        reuse=given.get("reuse", False),
        batch=given["batch"],
    )


async def decided(planned: job.Plan, config: settings.Config) -> job.Ending:
    """Run it with a bar on stderr; a polite request to stop is treated like Ctrl-C."""
    task = asyncio.current_task()
    if task is not None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    async with options.opened(config) as store:
        with progress.Bar() as bar, watched(bar.watching) as watching:
            try:
                return await job.run(planned, store, watching)
            except asyncio.CancelledError:
                raise Interrupted("Interrupted. Go on with the same command and --resume.") from None


def limits_of(config: settings.Config, given: dict[str, Any]) -> Limits:
    named = {name: given[name] for name in options.LIMITS if given[name] is not None}
    return form.read(Limits, form.write(config.limits) | named, "limit")


def _report(ending: job.Ending, out: str | None, as_json: bool) -> int:
    if as_json:
        click.echo(form.dumps(progress.summary(ending)))
    progress.say_ending(ending, out)
    if ending.error is not None:
        return ending.error.exit_code
    return 65 if ending.refused else 0


Command = Callable[..., int]
