"""A run without its parts: what `withstood ablate --drop` tells, of any job."""

from __future__ import annotations

from pathlib import Path

from withstood.cli import options
from withstood.jobs import dropping, marking, recorded
from withstood.jobs import header as headers
from withstood.jobs.dropping import Dropped, Wanted
from withstood.jobs.settings import Config
from withstood.report import dropping as told
from withstood.report.sections import Report

EVERY = "every"


async def is_of_reviews(run: str, config: Config) -> bool:
    """Whether a run has variants of its own, besides its parts."""
    async with options.opened(config) as kept:
        entry = await recorded.find(kept, run)
        return headers.read(entry.name, entry.first).job == "sentiment"


async def without(run: str, drop: tuple[str, ...], gold: Path | None, layout: str | None, config: Config) -> Report:
    parts = () if EVERY in drop else tuple([dropping.part(one) for one in drop])
    async with options.opened(config) as kept:
        found = await dropping.drop(kept, Wanted(run, parts, gold, layout))
    return told.report(_parted(found))


def _parted(found: Dropped) -> told.Parted:
    parts = [
        told.Without(
            str(part),
            found.there[part],
            tally.changed,
            sum(tally.moves.values()),
            tally.open,
            tally.moves,
            marking.value(found.measure, tally.marks) if found.measure else None,
        )
        for part, tally in found.tallies.items()
    ]
    own = marking.value(found.measure, found.own.marks) if found.measure else None
    return told.Parted(found.run, found.cases, found.measure, own, tuple(parts))
