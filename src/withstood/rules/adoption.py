"""Adoption: whether what stage 2 has changed is taken over at all. Asked only where `gates.adoption` is on.

| row | when | ev |
|---|---|---|
| 1 | a review or an override changed something because of the debate | + 0.4 |
| 2 | a proposal of the validator changed something | + 0.3 |
| 3 | stage 1 had no explicit sentiment, stage 2 has one | + 0.2 |
| 4 | the mean confidence rose | + half of what it rose by, at most 0.1 |

ev is at most 1. Under gates.ev_threshold stage 1 is kept (ev_below_threshold), else stage 2 is adopted.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, Protocol

from withstood.claims.opinion import Confidence
from withstood.form import EXACT
from withstood.rules.table import Table

EDITED, FIXED, EXPLICIT = Decimal("0.4"), Decimal("0.3"), Decimal("0.2")
MOST_RISE, HALF, ONE = Decimal("0.1"), Decimal("0.5"), Decimal(1)


class Numbers(Protocol):
    @property
    def ev_threshold(self) -> Decimal: ...


@dataclass(frozen=True, slots=True)
class Input:
    debate_edit: bool = False
    validator_fix: bool = False
    explicit_gained: bool = False
    mean_before: Confidence = Decimal(0)
    mean_after: Confidence = Decimal(0)


@dataclass(frozen=True, slots=True)
class Output:
    outcome: Literal["adopted", "kept_stage1"]
    ev: Decimal
    because: Literal["", "ev_below_threshold"]
    row: str


def adopt(case: Input, threshold: Decimal) -> Output:
    parts = [
        ("1", EDITED * case.debate_edit),
        ("2", FIXED * case.validator_fix),
        ("3", EXPLICIT * case.explicit_gained),
    ]
    rise = EXACT.multiply(HALF, max(Decimal(0), EXACT.subtract(case.mean_after, case.mean_before)))
    parts.append(("4", min(MOST_RISE, rise)))
    ev = min(ONE, sum((part for _, part in parts), Decimal(0)))
    rows = "+".join(row for row, part in parts if part) or "0"
    if ev < threshold:
        return Output("kept_stage1", ev, "ev_below_threshold", rows)
    return Output("adopted", ev, "", rows)


def _decide(case: Input, numbers: Numbers) -> Output:
    return adopt(case, numbers.ev_threshold)


TABLE = Table("adoption-1", __doc__, Input, Output, _decide, section="gates", aliases=("adoption",))
