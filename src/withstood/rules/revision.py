"""Revision: how an item stands after a pass of round 3. First match decides.

| row | was | and | then |
|---|---|---|---|
| 1 | AGREED | UPHELD | AGREED |
| 2 | AGREED | WEAKENED | AGREED with a caveat |
| 3 | AGREED | REFUTED, and evidence for that was checked | DISAGREED |
| 4 | AGREED | REFUTED, and no evidence for that was checked | AGREED with a caveat, as WEAKENED |
| 5 | AGREED | nobody challenged it | AGREED |
| 6 | DISAGREED | new evidence resolved it | AGREED |
| 7 | DISAGREED | otherwise | DISAGREED |
| 8 | UNCERTAIN | another investigator found it so | AGREED |
| 9 | UNCERTAIN | otherwise | UNCERTAIN |
| 10 | NEEDS_MORE | it was looked into, and classified anew | its new standing |
| 11 | NEEDS_MORE | it could not be looked into | UNCERTAIN |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from withstood.claims.finding import Outcome
from withstood.rules.table import NoNumbers, Table

Standing: TypeAlias = Literal["AGREED", "DISAGREED", "UNCERTAIN", "NEEDS_MORE"]


@dataclass(frozen=True, slots=True)
class Input:
    """What round 3 brought for one item. What was not asked is None."""

    standing: Standing
    challenge: Outcome | None = None
    refutation_checked: bool = False
    resolved: bool | None = None
    crosschecked: bool | None = None
    new_standing: Standing | None = None


@dataclass(frozen=True, slots=True)
class Output:
    standing: Standing
    caveat: bool
    row: str


def revise(case: Input) -> Output:
    match case.standing:
        case "AGREED":
            return _challenged(case)
        case "DISAGREED":
            return Output("AGREED", False, "6") if case.resolved else Output("DISAGREED", False, "7")
        case "UNCERTAIN":
            return Output("AGREED", False, "8") if case.crosschecked else Output("UNCERTAIN", False, "9")
        case "NEEDS_MORE":
            if case.new_standing is None:
                return Output("UNCERTAIN", False, "11")
            return Output(case.new_standing, False, "10")


def _challenged(case: Input) -> Output:
    match case.challenge:
        case "UPHELD":
            return Output("AGREED", False, "1")
        case "WEAKENED":
            return Output("AGREED", True, "2")
        case "REFUTED" if case.refutation_checked:
            return Output("DISAGREED", False, "3")
        case "REFUTED":
            return Output("AGREED", True, "4")
        case None:
            return Output("AGREED", False, "5")


def _decide(case: Input, numbers: NoNumbers) -> Output:
    return revise(case)


TABLE = Table("revision-1", __doc__, Input, Output, _decide, section="none", aliases=("revision",))
