"""The reviewers' scope: on which tuples a reviewer may act. First match decides.

| row | when | then |
|---|---|---|
| 1 | there is no tuple of this id | refused (UNKNOWN_TUPLE) |
| 2 | scope is any | admitted |
| 3 | a flag or a risk names the tuple | admitted |
| 4 | otherwise | refused (NOT_FLAGGED) |
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from withstood.rules.table import Table
from withstood.verdict import Ruling


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a rulebook may set of the review: on which tuples it may act, when it is held, and whether reviewers are
    shown the flags."""

    scope: Literal["flagged", "any"] = "flagged"
    when: Literal["flagged", "always"] = "flagged"
    flags: Literal["shown", "hidden"] = "shown"


def admit(tuple_id: str, known: Collection[str], named: Collection[str], numbers: Numbers) -> Ruling:
    if tuple_id not in known:
        return Ruling("refused", "1", "UNKNOWN_TUPLE")
    if numbers.scope == "any":
        return Ruling("admitted", "2")
    if tuple_id in named:
        return Ruling("admitted", "3")
    return Ruling("refused", "4", "NOT_FLAGGED")


@dataclass(frozen=True, slots=True)
class Input:
    tuple_id: str
    known: tuple[str, ...]
    named: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Output:
    outcome: str
    reason_code: str
    row: str


def _decide(case: Input, numbers: Numbers) -> Output:
    ruling = admit(case.tuple_id, case.known, case.named, numbers)
    return Output(ruling.outcome, ruling.because, ruling.row)


TABLE = Table("scope-1", __doc__, Input, Output, _decide, section="review", aliases=("scope",))
