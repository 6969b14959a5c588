"""`withstood investigate`: a question, a repository, its logs and history in; a report that can be checked out."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, cast

import click

from withstood import form
from withstood.cli import inquiry_progress, options, stopping
from withstood.cli.sentiment import limits_of
from withstood.cli.watched import watched
from withstood.errors import Interrupted
from withstood.jobs import investigation as job
from withstood.report import inquest_text
from withstood.rules.judgements import Certainty

CERTAIN_ENOUGH = 3
NOBODY = 4
_TAGS: dict[str, Certainty] = {"confirmed": "Confirmed", "likely": "Likely", "uncertain": "Uncertain"}


def _names(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[str, ...]:
    return tuple([name.strip().upper() for name in value.split(",") if name.strip()]) if value else ()


def paths(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[Path, ...]:
    return tuple([Path(value) for value in values])


@click.command("investigate")
@click.argument("question")
@click.option("--repo", metavar="DIR", help="The repository: its files and its history. [. where it is one]")
@click.option("--logs", multiple=True, callback=paths, metavar="PATH", help="A log, or a folder of logs; repeatable.")
@click.option(
    "--docs", "documents", multiple=True, callback=paths, metavar="PATH", help="Release documents; repeatable."
)
@click.option("-o", "--out", metavar="DIR", help="Where the files go; - for report.json on stdout.")
@click.option("--cast", callback=_names, metavar="IDS", help="Who looks, as in CODE-CONFIG,HIST-RECENT,CR-AGREED.")
@click.option("--profile", default="default", show_default=True, help="default, thorough or fast.")
@click.option("--kind", default="", help="The kind of question, such as bug or slow; told from its words if not given.")
@click.option("--quick", is_flag=True, help="One investigator; no cross-verification and no challenge.")
@click.option("--language", type=click.Choice(["en", "ko"]), help="Of the report; that of the question if not given.")
@options.models
@options.rules
@options.settings
@options.limits
@click.option("--lexicons", metavar="DIR", help="Casts and vocabularies that extend or replace ours.")
@click.option("--zone", default="+00:00", metavar="+HH:MM", help="Of the clocks of logs that name no time zone.")
@click.option("--run", "name", help="Name the run, or with --resume the run to go on with.")
@click.option("--resume", is_flag=True, help="Go on with the unfinished run of this question.")
@click.option("--reuse", is_flag=True, help="Take answers to identical questions from earlier runs.")
@click.option("--dry-run", is_flag=True, help="Say who would look and what it would cost at most, and stop.")
@click.option("--fail-on", type=click.Choice(list(_TAGS)), help="Exit with 3 where a finding is at least so certain.")
@click.option("--json", "as_json", is_flag=True, help="report.json on stdout instead of the report as text.")
@options.store
def command(question: str, as_json: bool, dry_run: bool, fail_on: str | None, **given: Any) -> int:
    """Investigate a code base: several look, each alone; code checks what they cite; tables judge.

    Without --model every investigator is a program, so no key is needed. Without -o the report is printed.

    \b
    withstood investigate "why do refunds fail at night?" --repo . --logs logs/ -o out/
    withstood investigate "what made checkout slow?" --repo . --model default=openai:MODEL
    """
    config = options.configured(given["store"])
    order = _order(question, given, limits_of(config, given))
    with job.planned(order, config) as plan:
        if dry_run:
            inquiry_progress.say_plan(plan, as_json)
            return 0
        for line in inquiry_progress.sources(plan):
            click.echo(line, err=True)
        ending = asyncio.run(decided(plan))
    _print(ending, order, as_json)
    inquiry_progress.say_ending(ending, order.out if isinstance(order.out, Path) else None)
    return _code(ending, fail_on)


def _order(question: str, given: dict[str, Any], limits: Any) -> job.Order:
    out = given["out"]
    alone = not given["logs"] and not given["documents"]
    repo: str | None = given["repo"] or ("." if alone or Path(".git").exists() else None)
    return job.Order(
        question,
        repo=Path(repo) if repo else None,
        logs=given["logs"],
        documents=given["documents"],
        out="-" if out == "-" else Path(out) if out else None,
        cast=given["cast"],
        profile=given["profile"],
        kind=given["kind"],
        quick=given["quick"],
        language=given["language"],
        models=given["model"],
        rules=given["rules"],
        changes=given["changes"],
        limits=limits,
        lexicons=given["lexicons"],
        zone=minutes(given["zone"]),
        run=given["name"],
        resume=given["resume"],
        reuse=given["reuse"],
    )


def minutes(zone: str) -> int:
    """+09:00 as minutes."""
    sign, hours, minutes = zone[:1], *zone[1:].partition(":")[::2]
    if sign not in ("+", "-") or not hours.isdigit() or not (minutes or "0").isdigit():
        raise click.BadParameter(f"wanted a zone like +09:00, found {zone!r}", param_hint="--zone")
    found = int(hours) * 60 + int(minutes or 0)
    if found > 14 * 60:
        raise click.BadParameter(f"wanted a zone of at most 14 hours, found {zone!r}", param_hint="--zone")
    return -found if sign == "-" else found


async def decided(plan: job.Plan) -> job.Ending:
    """Run it with its course on stderr, until its end or until somebody stops it."""
    async with options.opened(plan.config) as store:
        with stopping.stopping(), inquiry_progress.Course() as course, watched(course.watching) as watching:
            try:
                return await job.run(plan, store, watching)
            except asyncio.CancelledError:
                raise Interrupted(stopping.MESSAGE) from None


def _print(ending: job.Ending, order: job.Order, as_json: bool) -> None:
    if ending.inquest is None or order.out == "-":
        return
    if as_json:
        click.echo(form.line(ending.report))
    elif order.out is None:
        click.echo(inquest_text.render(ending.inquest), nl=False)


def _code(ending: job.Ending, fail_on: str | None) -> int:
    if ending.error is not None:
        return ending.error.exit_code
    if ending.nobody:
        return NOBODY
    return CERTAIN_ENOUGH if fail_on and ending.reaches(cast("Certainty", _TAGS[fail_on])) else 0
