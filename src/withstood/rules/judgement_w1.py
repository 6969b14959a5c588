"""Judgement, edition w1: as judgement-1, and evidence weighs by how reliable whoever brought it was measured to be.

A checked piece weighs its grade (STRONG 3, MODERATE 2, WEAK 1) times the share of its investigator: ln(p / (1 - p)) of
its reliability p, over that of the most reliable one named, to three places; p is held between 0.01 and 0.99. Nobody's
share is below 0: who is right no more often than wrong weighs nothing, and corroborates nothing. `mass.reliability`
names voices or whole types, as in `CODE-CALLCHAIN:0.82;LOG:0.7;CR-AGREED:0.6`, and a voice goes before its type; one
that is not named has the smallest share of those that are. Where nobody is named, all have the share 1.

The mass of a side is the sum over the origins of its checked pieces: one type and location is one origin, and the piece
that weighs most counts. One mass is much greater than another where it is at least `factor` times as great, and greater
by at least `gap`. First match decides.

| row | when | then |
|---|---|---|
| 1 | AGREED and WEAKENED | Likely (WEAKENED) |
| 2 | AGREED, upheld or not challenged, with fewer than two investigators of some share | Likely (ONE_INVESTIGATOR) |
| 3 | AGREED, upheld or not challenged, without a checked piece of grade STRONG | Likely (NO_STRONG_EVIDENCE) |
| 4 | AGREED, upheld or not challenged, with checked evidence of fewer than two origins | Likely (ONE_ORIGIN) |
| 5 | AGREED, upheld or not challenged | Confirmed |
| 6 | DISAGREED, or AGREED and REFUTED: the heaviest side is much heavier than the next | Likely: that side is adopted, the next is the minority |
| 7 | DISAGREED, or AGREED and REFUTED: otherwise | Uncertain |
| 8 | UNCERTAIN, or NEEDS_MORE | Uncertain |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal

from withstood.claims import iid
from withstood.claims.pool import log_odds
from withstood.form import EXACT
from withstood.rules import judgements
from withstood.rules.judgements import Input, Numbers, Output, Piece
from withstood.rules.table import WHOLE, Table, Without

SIDES = 2
"""Right or wrong."""
PLACES = Decimal("0.001")
_NINE = Context(prec=9)


@dataclass(frozen=True, slots=True)
class Shares:
    """The share of each voice or type that was measured, and of everybody else."""

    known: Mapping[str, Decimal]
    others: Decimal

    def of(self, name: str) -> Decimal:
        voice = iid.voice(name)
        return self.known.get(voice, self.known.get(voice.partition("-")[0], self.others))


def shares(stated: str) -> Shares:
    """From `CODE-CALLCHAIN:0.82;LOG:0.7`."""
    pairs = [part.partition(":") for part in stated.split(";") if part]
    told = {name: max(Decimal(0), log_odds(Decimal(p), SIDES)) for name, _, p in pairs}
    most = max(told.values(), default=Decimal(0))
    known = {name: _NINE.divide(one, most).quantize(PLACES) if most else most for name, one in told.items()}
    return Shares(known, min(known.values(), default=Decimal(1)))


def judge(case: Input, numbers: Numbers, without: Without = WHOLE) -> Output:
    known = shares(numbers.reliability)
    return judgements.judged(
        case, numbers, without, lambda pieces: weigh(pieces, numbers, known), lambda name: known.of(name) > 0
    )


def weigh(pieces: Sequence[Piece], numbers: Numbers, known: Shares) -> Decimal:
    """The mass of one side."""
    mass = Decimal(0)
    for of_it in judgements.by_origin(pieces).values():
        heaviest = max(EXACT.multiply(numbers.of(one.grade), known.of(one.by)) for one in of_it)
        mass = EXACT.add(mass, heaviest)
    return mass


def _decide(case: Input, numbers: Numbers, without: Without = WHOLE) -> Output:
    judgements.check_names(case.sides)
    return judge(case, numbers, without)


TABLE = Table(
    "judgement-w1",
    __doc__,
    Input,
    Output,
    _decide,
    section="mass",
    droppable=("1", "2", "3", "4", "5", "6", "7"),
)
