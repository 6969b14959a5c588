"""Passes: several readings by one and the same reader, put to the vote. Opinion by opinion, first match decides.

| row | when | then |
|---|---|---|
| 1 | one pass was asked for | kept |
| 2 | more than half of the passes that answered have it | kept: as the first of them has it |
| 3 | otherwise | outvoted |

An opinion is a ref, a term and a polarity. A pass that has it twice counts once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from withstood.form import Within
from withstood.rules.table import Table
from withstood.verdict import Ruling


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a rulebook may set of a single reader: how often it reads each text."""

    passes: Annotated[int, Within(1, 99)] = 1


@dataclass(frozen=True, slots=True)
class Opinion:
    aspect_ref: str
    aspect_term: str
    polarity: str


def vote(readings: Sequence[Sequence[Opinion]], passes: int) -> list[list[Ruling]]:
    """A ruling for every opinion of every pass that answered, in their order. Only the first of its like is kept."""
    seen: set[Opinion] = set()
    return [[_ruling(one, readings, passes, seen) for one in reading] for reading in readings]


def _ruling(one: Opinion, readings: Sequence[Sequence[Opinion]], passes: int, seen: set[Opinion]) -> Ruling:
    if passes == 1:
        return Ruling("kept", "1")
    votes = sum(one in reading for reading in readings)
    told = f"{votes} of {len(readings)}"
    if 2 * votes <= len(readings):
        return Ruling("outvoted", "3", told)
    again = one in seen
    seen.add(one)
    return Ruling("counted" if again else "kept", "2", told)


@dataclass(frozen=True, slots=True)
class Input:
    readings: tuple[tuple[Opinion, ...], ...]


@dataclass(frozen=True, slots=True)
class Output:
    kept: tuple[Opinion, ...]


def _decide(case: Input, numbers: Numbers) -> Output:
    ruled = vote(case.readings, len(case.readings))
    pairs = [
        pair for said, rulings in zip(case.readings, ruled, strict=True) for pair in zip(said, rulings, strict=True)
    ]
    return Output(tuple([one for one, ruling in pairs if ruling.outcome == "kept"]))


TABLE = Table("passes-1", __doc__, Input, Output, _decide, section="single", aliases=("passes",))
