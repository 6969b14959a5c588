"""`withstood show`: what a run decided, in short."""

from __future__ import annotations

import asyncio
from typing import Any

import click

from withstood import form
from withstood.cli import options
from withstood.jobs import header as headers
from withstood.jobs import recorded
from withstood.jobs.header import Header
from withstood.journal.port import RunEntry
from withstood.report import markdown
from withstood.report.facts import RunFacts
from withstood.report.tally import Tally


@click.command("show")
@click.argument("run")
@click.option("--json", "as_json", is_flag=True, help="What the run was made of and how it ended, as JSON.")
@options.store
def command(run: str, as_json: bool, store: str | None) -> int:
    """What RUN decided: labels, aspects, conflicts, rows, absences. Every record is checked against the chain."""
    tally, facts, known = asyncio.run(_shown(run, store))
    if as_json:
        click.echo(form.dumps({"facts": facts, "header": known, "labels": dict(tally.labels.items())}))
    else:
        click.echo(markdown.render(tally, facts))
    return 0


async def _shown(run: str, store: str | None) -> tuple[Tally, RunFacts, Header]:
    async with options.opened(options.configured(store)) as kept:
        entry = await recorded.find(kept, run)
        known, tally = headers.read(entry.name, entry.first), Tally(most_shown=10)
        async for case in recorded.cases(kept, entry.name):
            if case.ruling is not None:
                result: Any = form.loads(case.ruling.line)
                tally.add(result, case.ruling.path, case.case and case.case.text, case.case and case.case.language)
        return tally, _facts(entry, known, tuple(kept.torn)), known


def _facts(entry: RunEntry, known: Header, torn: tuple[str, ...]) -> RunFacts:
    ended = recorded.ended(entry)
    return RunFacts(
        run=entry.name,
        protocol=known.protocol,
        rulebook=known.rulebook.preset,
        rulebook_hash=known.rulebook_hash,
        seats={role: seat.agent for role, seat in known.seats.items()},
        source=known.input.name,
        status=ended.status,
        head=entry.head,
        calls=ended.spent.calls,
        tokens_in=ended.spent.tokens_in,
        tokens_out=ended.spent.tokens_out,
        cost=ended.spent.cost,
        notes=torn,
    )
