"""What a report says of the run that it is about: from its header, and from how it ended."""

from __future__ import annotations

from collections.abc import Sequence

from withstood.engine.limits import Spend
from withstood.jobs import recorded
from withstood.jobs.header import Header
from withstood.journal.port import RunEntry
from withstood.report.facts import RunFacts


def facts(known: Header, run: str, status: str, head: str, spent: Spend, notes: Sequence[str] = ()) -> RunFacts:
    return RunFacts(
        run=run,
        protocol=known.protocol,
        rulebook=known.rulebook.preset,
        rulebook_hash=known.rulebook_hash,
        seats={role: seat.agent for role, seat in known.seats.items()},
        source=known.input.name,
        status=status,
        head=head,
        calls=spent.calls,
        tokens_in=spent.tokens_in,
        tokens_out=spent.tokens_out,
        cost=spent.cost,
        notes=tuple(notes),
    )


def of_record(run: RunEntry, known: Header, torn: Sequence[str]) -> RunFacts:
    """Of a run as the store has it; `torn` is what was found torn there."""
    ended = recorded.ended(run)
    return facts(known, run.name, ended.status, run.head, ended.spent, torn)
