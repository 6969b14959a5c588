"""Aggregation: what the moderator receives of a stage. The feeder says which rows are used.

| row | feeder | part | from |
|---|---|---|---|
| 1 | aggregate | sentence and aspect | the surest sentiment that has a polarity, the first of equally sure ones: its label and confidence, no span; both parts are the same |
| 2 | aggregate | validator | its score and issues, no suggested label |
| 3 | distinct | sentence | the label of all sentiments together, with the mean confidence of the aspects |
| 4 | distinct | aspect | as in row 1, with the place of its term |
| 5 | distinct | validator | its score and issues, and the turned label where it proposes a flip of the very aspect of row 4 |

Without a sentiment that has a polarity the label is neutral, with confidence 0. All positive is positive, all negative
negative, two or more polarities mixed, anything else neutral. A mean has six places. An issue is the type of a risk
that remains and its severity: NEGATION severity:high.

With the feeder aggregate rules A and C of the moderator never fire, and D only after M: that is how it is published.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import Literal, TypeAlias

from withstood.claims.opinion import Confidence
from withstood.form import EXACT
from withstood.rules.table import Table

Span: TypeAlias = tuple[int, int]
Feeder: TypeAlias = Literal["aggregate", "distinct"]

PLACES = Decimal("0.000001")
_MEAN = Context(prec=28, rounding=ROUND_HALF_EVEN)
TURNED = {"positive": "negative", "negative": "positive"}


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a rulebook may set of this table."""

    feeder: Feeder = "aggregate"


@dataclass(frozen=True, slots=True)
class Said:
    term: str
    polarity: str | None
    confidence: Confidence
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Part:
    label: str = "neutral"
    confidence: Confidence = Decimal(0)
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage as the moderator receives it, and which row said so."""

    ate: Part
    atsa: Part
    row: str


def stage(sentiments: Sequence[Said], aspects: Sequence[Decimal], feeder: str) -> Stage:
    """`aspects` are their confidences."""
    best = _surest(sentiments)
    if feeder == "aggregate":
        part = Part(best.polarity or "neutral", best.confidence) if best else Part()
        return Stage(part, part, "1")
    aspect = Part(best.polarity or "neutral", best.confidence, best.span) if best else Part()
    return Stage(Part(_label(sentiments), mean(aspects)), aspect, "3")


def suggested(sentiments: Sequence[Said], flipped: Sequence[str], feeder: str) -> str | None:
    """The label that the validator's flips suggest for the sentence."""
    best = _surest(sentiments)
    if feeder == "aggregate" or best is None or best.term not in flipped:
        return None
    return TURNED.get(best.polarity or "", "neutral")


def _surest(sentiments: Sequence[Said]) -> Said | None:
    return max((one for one in sentiments if one.polarity), key=lambda one: one.confidence, default=None)


def _label(sentiments: Sequence[Said]) -> str:
    found = {one.polarity for one in sentiments if one.polarity}
    if len(found) > 1:
        return "mixed"
    return next((name for name in ("positive", "negative") if found == {name}), "neutral")


def mean(numbers: Sequence[Decimal]) -> Decimal:
    if not numbers:
        return Decimal(0)
    total = Decimal(0)
    for number in numbers:
        total = EXACT.add(total, number)
    return _MEAN.divide(total, Decimal(len(numbers))).quantize(PLACES).normalize(_MEAN)


@dataclass(frozen=True, slots=True)
class Input:
    sentiments: tuple[Said, ...] = ()
    aspects: tuple[Confidence, ...] = ()
    flipped: tuple[str, ...] = ()
    feeder: Feeder | None = None


@dataclass(frozen=True, slots=True)
class Output:
    ate: Part
    atsa: Part
    suggested_label: str | None
    row: str


def _decide(case: Input, numbers: Numbers) -> Output:
    feeder = case.feeder or numbers.feeder
    found = stage(case.sentiments, case.aspects, feeder)
    return Output(found.ate, found.atsa, suggested(case.sentiments, case.flipped, feeder), found.row)


TABLE = Table("aggregation-1", __doc__, Input, Output, _decide, section="moderator", aliases=("aggregation",))
