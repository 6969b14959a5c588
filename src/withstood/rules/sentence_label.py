"""The label of a whole text, from the polarities of its final tuples. First match decides.

| row | when | then |
|---|---|---|
| 1 | there are tuples, and all are positive | positive |
| 2 | there are tuples, and all are negative | negative |
| 3 | there are two or more different polarities | mixed |
| 4 | otherwise: no tuple, all neutral, all mixed | neutral |

A missing polarity counts as neutral. The confidence is 0.7 whatever the tuples: it is a constant of this edition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from withstood.rules.table import NoNumbers, Table
from withstood.verdict import Ruling

CONFIDENCE = Decimal("0.7")


def label(polarities: Sequence[str | None]) -> Ruling:
    found = {polarity or "neutral" for polarity in polarities}
    if found == {"positive"}:
        return Ruling("positive", "1")
    if found == {"negative"}:
        return Ruling("negative", "2")
    if len(found) > 1:
        return Ruling("mixed", "3")
    return Ruling("neutral", "4")


@dataclass(frozen=True, slots=True)
class Input:
    polarities: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Output:
    label: str
    confidence: Decimal
    row: str


def _decide(case: Input, numbers: NoNumbers) -> Output:
    ruling = label(case.polarities)
    return Output(ruling.outcome, CONFIDENCE, ruling.row)


TABLE = Table("sentence-label-1", __doc__, Input, Output, _decide, section="none", aliases=("sentence-label",))
