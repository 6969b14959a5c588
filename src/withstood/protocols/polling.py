"""Several passes of one reader become one reading: what more than half of them share."""

from __future__ import annotations

from collections.abc import Sequence

from withstood.claims.opinion import Candidate, Reading
from withstood.protocols.asks import Silent
from withstood.rules import passes
from withstood.verdict import Step


def poll(
    stage1: Sequence[Candidate], readings: Sequence[Reading | Silent], asked: int
) -> tuple[tuple[Candidate, ...], tuple[Step, ...]]:
    """The candidates that stand, and a step for each where there was a vote."""
    rest = iter(stage1)
    answered = [[next(rest) for _ in reading.triplets] for reading in readings if isinstance(reading, Reading)]
    ruled = passes.vote([[_opinion(one) for one in laid] for laid in answered], asked)
    pairs = [pair for laid, rulings in zip(answered, ruled, strict=True) for pair in zip(laid, rulings, strict=True)]
    steps = [Step(passes.TABLE.edition, one.tuple_id, ruling) for one, ruling in pairs if ruling.row != "1"]
    return tuple([one for one, ruling in pairs if ruling.outcome == "kept"]), tuple(steps)


def _opinion(one: Candidate) -> passes.Opinion:
    return passes.Opinion(one.aspect_ref, one.aspect_term, one.polarity)
