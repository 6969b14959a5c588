"""`withstood demo`: shipped reviews in Korean and English, decided, explained, reported."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

import click

from withstood import form
from withstood.cli import options, progress
from withstood.cli.sentiment import decided
from withstood.jobs import sentiment as job
from withstood.jobs.published import row_texts
from withstood.report import explanation

LANGUAGES = ("ko", "en")


@click.command("demo")
@click.option("-o", "--out", default="withstood-demo", show_default=True, metavar="DIR", help="Where reports go.")
@click.option("--json", "as_json", is_flag=True, help="The summary of each run as a JSON line, and nothing else.")
@options.store
def command(out: str, as_json: bool, store: str | None) -> int:
    """Decide shipped reviews with programmed agents: no key, no network. Prints one verdict of each language."""
    config = replace(options.configured(store), models={})
    for language in LANGUAGES:
        folder = Path(out) / language
        with resources.as_file(resources.files("withstood.jobs") / "examples" / f"{language}.csv") as source:
            planned = job.plan(job.Order(source, out=folder), config)
            ending = asyncio.run(decided(planned, config))
        progress.say_ending(ending, str(folder))
        if ending.error is not None:
            return ending.error.exit_code
        click.echo(form.dumps(progress.summary(ending)) if as_json else f"\n{_telling(ending, language)}")
    if not as_json:
        click.echo(f"Reports: {', '.join(str(Path(out) / language / 'report.html') for language in LANGUAGES)}")
    return 0


def _telling(ending: job.Ending, language: str) -> str:
    """The first verdict on which a tuple was dropped, flipped or flagged; else the first with a conflict."""
    items = list(ending.tally.items())
    item = next((item for item in items if any(acted.action != "KEEP" for acted in item.line.actions)), items[0])
    result: Any = form.write(item.line)
    return explanation.explain(result, item.path, row_texts(), text=item.text, language=language)
