"""`withstood research`: a question in, a thesis of what withstood out."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from withstood import form
from withstood.cli import options, research_progress
from withstood.cli.watched import watched
from withstood.cli.words import Worded
from withstood.engine.limits import Limits
from withstood.errors import Interrupted
from withstood.jobs import research as job
from withstood.jobs.settings import Config

F = TypeVar("F", bound=Callable[..., Any])

WORDS: Mapping[str, tuple[str, str]] = {
    "resume": ("withstood.cli.researching.resume", "Go on with a research that stopped or has ended."),
    "status": ("withstood.cli.researching.status", "Where a research stands: counts, conflicts, leads, health, graph."),
    "thesis": ("withstood.cli.researching.thesis", "Write the thesis of a research as it stands."),
    "cleanup": ("withstood.cli.researching.cleanup", "Bring the files of a research in line with its graph."),
    "import": ("withstood.cli.researching.importing", "A session of another tool, or of an earlier form."),
    "export": ("withstood.cli.researching.exporting", "A research as a folder in the published form."),
}


def ordered(command: F) -> F:
    """The options that starting and going on share."""
    for option in reversed(
        (
            click.option(
                "--sources",
                multiple=True,
                metavar="DIR|web",
                help="Documents, the open web, or a name of a package's.",
            ),
            click.option("--origins", metavar="FILE", help="Where the documents came from: a CSV of path,url."),
            click.option("-n", "--iterations", type=int, help=f"How many iterations [{job.ITERATIONS}]."),
            options.models,
            options.rules,
            options.settings,
            options.limits,
            click.option("--run", "name", help="Name the run."),
            click.option("--dry-run", is_flag=True, help="Say what it would cost at most, and stop."),
            click.option("--json", "as_json", is_flag=True, help="The summary as JSON on stdout."),
            options.store,
        )
    ):
        command = option(command)
    return command


@click.command("research", cls=Worded, words=WORDS)
@click.argument("question")
@click.option("-o", "--out", metavar="DIR", required=True, help="The folder of the research; a new one.")
@click.option("--reuse", is_flag=True, help="Take answers to identical questions from earlier runs.")
@ordered
def command(question: str, out: str, reuse: bool, **given: Any) -> int:
    """Look for an answer to QUESTION, iteration by iteration, and keep what withstands refutation.

    Without --model every seat is filled by a program, so no key is needed. A run on a folder of documents never goes
    to the web.

    \b
    withstood research "Is caching worth its memory?" --sources docs/ -o caching/
    withstood research resume caching/ -n 5
    """
    return begin(job.Order(Path(out), question=question, reuse=reuse), given)


def begin(order: job.Order, given: Mapping[str, Any]) -> int:
    """Plan it, then run it with its progress on stderr."""
    from withstood.journal import opening

    config = options.configured(given["store"])
    store = opening.store(config.store)
    planned = job.plan(with_options(order, config, given), store, config)
    if given["dry_run"]:
        research_progress.say_forecast(planned, given["as_json"])
        return 0
    ending = asyncio.run(_run(planned, store))
    if given["as_json"]:
        click.echo(form.dumps(research_progress.summary(ending)))
    research_progress.say_ending(ending)
    return ending.error.exit_code if ending.error else 0


def with_options(order: job.Order, config: Config, given: Mapping[str, Any]) -> job.Order:
    named = {name: given[name] for name in options.LIMITS if given[name] is not None}
    return job.Order(
        order.out,
        question=order.question,
        sources=tuple(given["sources"]),
        origins=Path(given["origins"]) if given["origins"] else None,
        iterations=given["iterations"],
        models=given["model"],
        rules=given["rules"],
        changes=given["changes"],
        limits=form.read(Limits, form.write(config.limits) | named, "limit"),
        run=given["name"],
        resume=order.resume,
        reuse=order.reuse,
    )


async def _run(planned: job.Plan, store: Any) -> job.Ending:
    """A polite request to stop is treated like Ctrl-C."""
    task = asyncio.current_task()
    if task is not None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    live = research_progress.Live()
    try:
        with watched(live.watching) as watching:
            return await job.run(planned, store, watching, live.telling)
    except asyncio.CancelledError:
        raise Interrupted(f"Interrupted. Go on with `withstood research resume {planned.order.folder}`.") from None
    finally:
        await store.close()
