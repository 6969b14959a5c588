"""`withstood submit`: a job for any number of workers."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from withstood import form
from withstood.cli import fleet, options, progress
from withstood.cli.investigate import command as inquiry
from withstood.cli.investigate import minutes
from withstood.cli.research import begin, with_options
from withstood.cli.research import command as study
from withstood.cli.sentiment import command as alone
from withstood.cli.sentiment import limits_of, order_of
from withstood.fleet.commission import AT_ONCE, CHUNK, MOST_TRIES, Question, run_name
from withstood.jobs import investigation, names
from withstood.jobs import sentiment as job
from withstood.jobs.research import Order, plan
from withstood.jobs.settings import Config

NOT_FOR_JOBS = ("out", "name", "resume", "reuse", "memory", "memory_store")


@click.group("submit")
def command() -> None:
    """Queue a job. It is cut into chunks, which any number of `withstood worker` decide; `withstood collect` writes
    the results in the order of the input."""


@click.command("sentiment")
@click.option("--job", "name", help="Name the job; otherwise it gets one.")
@click.option("--chunk", type=click.IntRange(1, 10_000), default=CHUNK, show_default=True, help="Rows in a chunk.")
@click.option(
    "--at-once", type=click.IntRange(1, 10_000), default=AT_ONCE, show_default=True,
    help="Chunks among which the calls in flight are shared.",
)  # fmt: skip
@click.option(
    "--tries", type=click.IntRange(1, 1000), default=MOST_TRIES, show_default=True,
    help="Tries of a chunk without progress, before it is set aside.",
)  # fmt: skip
@click.option("--memory", hidden=True)
def sentiment(source: str, name: str | None, as_json: bool, dry_run: bool, **given: Any) -> int:
    """Queue a file of reviews. All limits hold for the job, however many workers there are.

    \b
    withstood submit sentiment reviews.csv --job spring
    withstood worker --until-idle
    withstood collect spring -o out/
    """
    config = options.configured(given["store"])
    planned = job.plan(order_of(source, None, config, given | {"memory_store": None}), config)
    if dry_run:
        progress.say_forecast(planned, as_json)
        return 0
    entered = asyncio.run(_entered(name, planned, config, given))
    click.echo(form.dumps(fleet.summary(entered)) if as_json else entered.name)
    fleet.say(
        f"job {entered.name}: {entered.rows} rows in {len(entered.chunks)} chunks. `withstood worker` decides it."
    )
    return 0


sentiment.params += [param for param in alone.params if param.name not in NOT_FOR_JOBS]
command.add_command(sentiment)


@click.command("investigate")
@click.argument("question")
@click.option("--job", "name", help="Name the job; otherwise it gets one.")
def investigate(question: str, name: str | None, as_json: bool, **given: Any) -> int:
    """Queue an investigation, as one unit. Repository and logs must be there under the same paths wherever a worker
    is to decide it, and be the same.

    \b
    withstood submit investigate "why do refunds fail at night?" --repo . --job refunds
    """
    config = options.configured(given["store"])
    changed = replace(
        config,
        rules=given["rules"] or config.rules,
        set={**config.set, **given["changes"]},
        limits=limits_of(config, given),
        lexicons=given["lexicons"] or config.lexicons,
    )
    entered = asyncio.run(_inquired(name, question_of(question, given), changed))
    click.echo(form.dumps(fleet.summary(entered)) if as_json else entered.name)
    return 0


ABSENT = ("question", "out", "name", "resume", "reuse", "dry_run", "fail_on")
investigate.params += [param for param in inquiry.params if param.name not in ABSENT]
command.add_command(investigate)


@click.command("research")
@click.argument("question")
@click.option("--job", "name", help="Name the job; otherwise it gets one.")
def research(question: str, name: str | None, as_json: bool, **given: Any) -> int:
    """Queue a research, as one unit. Its documents must be there under the same path wherever a worker is to decide
    it, and be the same. `withstood collect` writes its folder.

    \b
    withstood submit research "Is caching worth its memory?" --sources docs/ --job caching
    """
    if given["dry_run"]:
        return begin(Order(None, question), given | {"name": None, "as_json": as_json})
    entered = asyncio.run(_studied(name, question, options.configured(given["store"]), given))
    click.echo(form.dumps(fleet.summary(entered)) if as_json else entered.name)
    return 0


research.params += [param for param in study.params if param.name not in ("question", "out", "name")]
command.add_command(research)


def question_of(question: str, given: dict[str, Any]) -> Question:
    """The options as they are queued: paths from the root."""
    repo = given["repo"] or (None if given["logs"] or given["documents"] else ".")
    return Question(
        question,
        repo=str(Path(repo).resolve()) if repo else None,
        logs=tuple([str(path.resolve()) for path in given["logs"]]),
        documents=tuple([str(path.resolve()) for path in given["documents"]]),
        cast=given["cast"],
        profile=given["profile"],
        kind=given["kind"],
        quick=given["quick"],
        language=given["language"],
        models=given["model"],
        zone=minutes(given["zone"]),
    )


async def _inquired(name: str | None, known: Question, config: Config) -> Any:
    with fleet.queued(config.store) as (registry, queue):
        from withstood.fleet import jobs
        from withstood.fleet.units import investigation_order

        chosen = name or names.fresh([one.name for one in registry.jobs()])
        with investigation.planned(investigation_order(known, config, None, None), config) as planned:
            async with options.opened(config) as store:
                entered = await jobs.submit_investigation(chosen, known, planned, store, registry)
        queue.put([(chosen, 1)])
        return entered


async def _studied(name: str | None, question: str, config: Config, given: dict[str, Any]) -> Any:
    with fleet.queued(config.store) as (registry, queue):
        from withstood.fleet import jobs

        chosen = name or names.fresh([one.name for one in registry.jobs()])
        named = given | {"name": run_name(chosen, 1)}
        async with options.opened(config) as store:
            planned = plan(with_options(Order(None, question, reuse=given["reuse"]), config, named), store, config)
            entered = await jobs.submit_research(chosen, planned, store, registry)
        queue.put([(chosen, 1)])
        return entered


async def _entered(name: str | None, planned: job.Plan, config: Config, given: dict[str, Any]) -> Any:
    with fleet.queued(config.store) as (registry, queue):
        from withstood.fleet import jobs

        chosen = name or names.fresh([one.name for one in registry.jobs()])
        async with options.opened(config) as store:
            entered = await jobs.submit(
                chosen,
                planned,
                store,
                registry,
                chunk=given["chunk"],
                at_once=given["at_once"],
                most_tries=given["tries"],
            )
        queue.put([chunk for chunk in registry.due() if chunk[0] == chosen])
        return entered
