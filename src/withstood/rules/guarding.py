"""Guarding: a sentiment stands only on an aspect. First match decides, sentiment by sentiment, after all reviews.

| row | when | then |
|---|---|---|
| 1 | it is implicit | kept |
| 2 | an aspect has exactly its term | kept |
| 3 | an aspect's term contains its term, or is contained in it | kept, with the term and the place of the first such aspect |
| 4 | otherwise | dropped (UNANCHORED) |
| 5 | stage 2 was reviewed, nothing is left, and not because all were unanchored | one neutral placeholder, confidence 0.5, on the first aspect |

So a sentiment that the override has added can vanish again, where its aspect was removed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from withstood.claims.sentiment import KeptAspect, Sentiment
from withstood.rules.table import NoNumbers, Table
from withstood.verdict import Ruling

PLACEHOLDER = Decimal("0.5")
WHOLE = Decimal(1)


@dataclass(frozen=True, slots=True)
class Entry:
    tuple_id: str
    ruling: Ruling


@dataclass(frozen=True, slots=True)
class Output:
    sentiments: tuple[Sentiment, ...]
    log: tuple[Entry, ...]


def guard(
    aspects: Sequence[KeptAspect], sentiments: Sequence[Sentiment], reviewed: bool, next_id: int | None = None
) -> Output:
    """`next_id` numbers the placeholder. Sentiments that stand as they are leave no entry."""
    held: list[Sentiment] = []
    log: list[Entry] = []
    for one in sentiments:
        ruling, after = _anchored(one, aspects)
        held += [after] if after else []
        log += [Entry(one.tuple_id, ruling)] if ruling.row in ("3", "4") else []
    if not held and reviewed and aspects and not sentiments:
        held = [_placeholder(aspects[0], len(sentiments) if next_id is None else next_id)]
        log.append(Entry(held[0].tuple_id, Ruling("placeholder", "5")))
    return Output(tuple(held), tuple(log))


def _anchored(one: Sentiment, aspects: Sequence[KeptAspect]) -> tuple[Ruling, Sentiment | None]:
    if one.implicit:
        return Ruling("kept", "1"), one
    if any(aspect.term == one.term for aspect in aspects):
        return Ruling("kept", "2"), one
    for aspect in aspects:
        if aspect.term in one.term or one.term in aspect.term:
            return Ruling("kept", "3", aspect.term), replace(one, term=aspect.term, begin=aspect.begin, end=aspect.end)
    return Ruling("dropped", "4", "UNANCHORED"), None


def _placeholder(aspect: KeptAspect, no: int) -> Sentiment:
    spread = {"neutral": WHOLE}
    return Sentiment(
        f"t{no}", aspect.term, aspect.begin, aspect.end, "neutral", PLACEHOLDER, None, spread, origin="guard"
    )


@dataclass(frozen=True, slots=True)
class Input:
    aspects: tuple[KeptAspect, ...] = ()
    sentiments: tuple[Sentiment, ...] = ()
    reviewed: bool = True


def _decide(case: Input, numbers: NoNumbers) -> Output:
    return guard(case.aspects, case.sentiments, case.reviewed)


TABLE = Table("guarding-1", __doc__, Input, Output, _decide, section="none", aliases=("guarding",))
