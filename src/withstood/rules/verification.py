"""Verification: what becomes of a hypothesis after an iteration. First match decides.

| row | when | then |
|---|---|---|
| 1 | it is rejected | rejected: that is final |
| 2 | nothing could be explored | as it was |
| 3 | it is the target, was verified, and its strength is under reject_under (0.25) | rejected |
| 4 | it was verified, and a strong contradiction has come or its strength is under verify_at (0.65) | tested: verification goes on |
| 5 | it is not the target | as it was |
| 6 | visits (2) or more, strength of at least verify_at, and a strong contradiction | tested: it has not withstood that yet |
| 7 | visits (2) or more and strength of at least verify_at | verified: it withstood |
| 8 | its strength is under reject_under | rejected |
| 9 | it was unvisited | tested |
| 10 | otherwise | as it was |

A contradiction is strong from a weight of verification.strong (0.5). The visit of this iteration is counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated

from withstood.claims.graph import Count, Share, Status
from withstood.form import Within
from withstood.rules.table import Table


@dataclass(frozen=True, slots=True)
class Numbers:
    verify_at: Share = Decimal("0.65")
    reject_under: Share = Decimal("0.25")
    visits: Annotated[int, Within(1)] = 2
    strong: Share = Decimal("0.5")


@dataclass(frozen=True, slots=True)
class Input:
    status: Status
    visit_count: Count
    strength: Share
    strong_contradiction: bool = False
    is_target: bool = True
    explore_failed: bool = False


@dataclass(frozen=True, slots=True)
class Output:
    status: Status
    row: str


def verify(case: Input, numbers: Numbers) -> Output:
    strong, weak = case.strength >= numbers.verify_at, case.strength < numbers.reject_under
    visited = case.visit_count >= numbers.visits
    if case.status == "rejected":
        return Output("rejected", "1")
    if case.explore_failed:
        return Output(case.status, "2")
    if case.status == "verified" and case.is_target and weak:
        return Output("rejected", "3")
    if case.status == "verified" and (case.strong_contradiction or not strong):
        return Output("tested", "4")
    if not case.is_target:
        return Output(case.status, "5")
    if visited and strong and case.strong_contradiction:
        return Output("tested", "6")
    if visited and strong:
        return Output("verified", "7")
    if weak:
        return Output("rejected", "8")
    return Output("tested", "9") if case.status == "unvisited" else Output(case.status, "10")


def _decide(case: Input, numbers: Numbers) -> Output:
    return verify(case, numbers)


TABLE = Table("verification-1", __doc__, Input, Output, _decide, section="verification", aliases=("verification",))
