"""Judgement: what an item is in the end, by the weight of checked evidence and never by heads. First match decides.

The mass of a side is the sum over its checked pieces: STRONG 3, MODERATE 2, WEAK 1. Pieces of one type and location are
one piece, and so are pieces of one origin; the strongest grade counts. One mass is much greater than another where it is
at least `factor` times as great, and greater by at least `gap`.

| row | when | then |
|---|---|---|
| 1 | AGREED and WEAKENED | Likely (WEAKENED) |
| 2 | AGREED, upheld or not challenged, with fewer than two investigators | Likely (ONE_INVESTIGATOR) |
| 3 | AGREED, upheld or not challenged, without a checked piece of grade STRONG | Likely (NO_STRONG_EVIDENCE) |
| 4 | AGREED, upheld or not challenged, with checked evidence of fewer than two origins | Likely (ONE_ORIGIN) |
| 5 | AGREED, upheld or not challenged | Confirmed |
| 6 | DISAGREED, or AGREED and REFUTED: the heaviest side is much heavier than the next | Likely: that side is adopted, the next is the minority |
| 7 | DISAGREED, or AGREED and REFUTED: otherwise | Uncertain |
| 8 | UNCERTAIN, or NEEDS_MORE | Uncertain |
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from withstood.form import EXACT
from withstood.rules import judgements
from withstood.rules.judgements import Input, Numbers, Output, Piece
from withstood.rules.table import WHOLE, Table, Without


def judge(case: Input, numbers: Numbers, without: Without = WHOLE) -> Output:
    return judgements.judged(case, numbers, without, lambda pieces: weigh(pieces, numbers), lambda _: True)


def weigh(pieces: Sequence[Piece], numbers: Numbers) -> Decimal:
    """The mass of one side."""
    mass = Decimal(0)
    for grade in judgements.origins(pieces).values():
        mass = EXACT.add(mass, numbers.of(grade))
    return mass


def _decide(case: Input, numbers: Numbers, without: Without = WHOLE) -> Output:
    judgements.check_names(case.sides)
    return judge(case, numbers, without)


TABLE = Table(
    "judgement-1",
    __doc__,
    Input,
    Output,
    _decide,
    section="mass",
    aliases=("judgement",),
    droppable=("1", "2", "3", "4", "5", "6", "7"),
)
