"""Ranking: in which order findings are reported. Each row decides between those that the rows before it leave equal.

| row | first comes |
|---|---|
| 1 | the surer: Confirmed, then Likely, then Uncertain |
| 2 | the one whose checked evidence holds more words of the question |
| 3 | the heavier |
| 4 | the one with more investigators |
| 5 | the one that is stated with more confidence |
| 6 | the one with the lower id: shorter, then in alphabetical order |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Literal

from withstood.claims.finding import LEVELS, Level
from withstood.errors import Misfit
from withstood.form import Within
from withstood.rules.table import NoNumbers, Table

CERTAINTIES = ("Confirmed", "Likely", "Uncertain")


@dataclass(frozen=True, slots=True)
class Ranked:
    """One finding as it is ranked. `related` counts the words of the question in its checked evidence."""

    id: str
    certainty: Literal["Confirmed", "Likely", "Uncertain"]
    related: Annotated[int, Within(0)] = 0
    mass: Annotated[Decimal, Within(0)] = Decimal(0)
    investigators: Annotated[int, Within(0)] = 0
    confidence: Level = "MEDIUM"


def rank(findings: Sequence[Ranked]) -> tuple[str, ...]:
    return tuple([one.id for one in sorted(findings, key=_place)])


def _place(one: Ranked) -> tuple[int, int, Decimal, int, int, int, str]:
    return (
        CERTAINTIES.index(one.certainty),
        -one.related,
        -one.mass,
        -one.investigators,
        -LEVELS.index(one.confidence),
        len(one.id),
        one.id,
    )


@dataclass(frozen=True, slots=True)
class Input:
    findings: tuple[Ranked, ...]


@dataclass(frozen=True, slots=True)
class Output:
    order: tuple[str, ...]


def _decide(case: Input, numbers: NoNumbers) -> Output:
    seen: set[str] = set()
    for place, one in enumerate(case.findings):
        if one.id in seen:
            raise Misfit(f"findings[{place}].id", "an id that no earlier finding has", f'"{one.id}" again')
        seen.add(one.id)
    return Output(rank(case.findings))


TABLE = Table("ranking-1", __doc__, Input, Output, _decide, section="none", aliases=("ranking",))
