"""`withstood explain`: one verdict, row by row."""

from __future__ import annotations

import asyncio
from typing import Any

import click

from withstood import form
from withstood.cli import options
from withstood.jobs import recorded
from withstood.jobs.published import row_texts
from withstood.jobs.recorded import Recorded
from withstood.report import explanation


@click.command("explain")
@click.argument("run")
@click.argument("item")
@click.option("--json", "as_json", is_flag=True, help="The result, the steps and the answers as JSON.")
@options.store
def command(run: str, item: str, as_json: bool, store: str | None) -> int:
    """Which rows decided ITEM of RUN, on which votes and evidence, and what the minority said.

    RUN may be the beginning of a name, or last. ITEM is an id, or '#3' for the third row of the input.
    """
    found = asyncio.run(_found(run, item, store))
    if found.ruling is None:
        click.echo(f"{item} was not decided: the run ended before. Go on with --resume.", err=True)
        return 65
    result: Any = form.loads(found.ruling.line)
    text = found.case.text if found.case else None
    if as_json:
        answers = [form.write(answer) for answer in found.answers.values()]
        click.echo(form.dumps({"result": result, "text": text, "path": found.ruling.path, "answers": answers}))
    else:
        click.echo(explanation.explain(result, found.ruling.path, row_texts(), text=text))
    return 0


async def _found(run: str, item: str, store: str | None) -> Recorded:
    async with options.opened(options.configured(store)) as kept:
        entry = await recorded.find(kept, run)
        return await recorded.item(kept, entry.name, item)
