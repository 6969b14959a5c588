"""The debate override: whether what speakers hint at changes an aspect's polarity. First match decides, term by term.

| row | when | then |
|---|---|---|
| 1 | the weights for and against sum to less than min_total | skipped_low_signal |
| 2 | they differ by less than min_margin | skipped_conflict |
| 3 | no sentiment has exactly this term | applied: one is added, with confidence min_target_conf |
| 4 | for each sentiment of the term: it has the target polarity and at least min_target_conf | skipped_already_confident |
| 5 | otherwise | applied: the target polarity is set, the confidence is at least min_target_conf |

The target is positive where the weight for it is greater, else negative. Neutral hints have no weight.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Annotated, Literal, TypeAlias

from withstood.claims.opinion import Confidence
from withstood.form import EXACT, Within
from withstood.rules.table import WHOLE, Table, Without

Weight: TypeAlias = Annotated[Decimal, Within(0)]
Outcome: TypeAlias = Literal["applied", "skipped_low_signal", "skipped_conflict", "skipped_already_confident"]


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a rulebook may set of this table."""

    min_total: Weight = Decimal("1.6")
    min_margin: Weight = Decimal("0.8")
    min_target_conf: Confidence = Decimal("0.7")


@dataclass(frozen=True, slots=True)
class Hint:
    weight: Weight
    polarity_hint: str
    speaker: str = ""
    stance: str = ""


@dataclass(frozen=True, slots=True)
class Sentiment:
    term: str
    polarity: str
    confidence: Confidence


@dataclass(frozen=True, slots=True)
class Entry:
    """What became of one term, or of one sentiment of it."""

    term: str
    outcome: Outcome
    reason: str


@dataclass(frozen=True, slots=True)
class Stats:
    applied: int
    skipped_low_signal: int
    skipped_conflict: int
    skipped_already_confident: int


@dataclass(frozen=True, slots=True)
class Output:
    sentiments: tuple[Sentiment, ...]
    log: tuple[Entry, ...]
    stats: Stats


def override(
    hints: Mapping[str, Sequence[Hint]], sentiments: Sequence[Sentiment], numbers: Numbers, without: Without = WHOLE
) -> Output:
    after, log = list(sentiments), list[Entry]()
    for term, given in hints.items():
        log += _on_term(term, given, after, numbers, without)
    outcomes = [entry.outcome for entry in log]
    stats = Stats(
        applied=outcomes.count("applied"),
        skipped_low_signal=outcomes.count("skipped_low_signal"),
        skipped_conflict=outcomes.count("skipped_conflict"),
        skipped_already_confident=outcomes.count("skipped_already_confident"),
    )
    return Output(tuple(after), tuple(log), stats)


def _on_term(
    term: str, hints: Sequence[Hint], after: list[Sentiment], numbers: Numbers, without: Without
) -> list[Entry]:
    positive, negative = _weight(hints, "positive"), _weight(hints, "negative")
    total, margin = EXACT.add(positive, negative), EXACT.abs(EXACT.subtract(positive, negative))
    if "1" not in without and total < numbers.min_total:
        return [Entry(term, "skipped_low_signal", f"total {total} < {numbers.min_total}")]
    if "2" not in without and margin < numbers.min_margin:
        return [Entry(term, "skipped_conflict", f"margin {margin} < {numbers.min_margin}")]
    target = "positive" if positive > negative else "negative"
    places = [place for place, sentiment in enumerate(after) if sentiment.term == term]
    if not places:
        after.append(Sentiment(term, target, numbers.min_target_conf))
        return [Entry(term, "applied", "debate_override_add")]
    return [_on_sentiment(after, place, target, numbers, without) for place in places]


def _weight(hints: Sequence[Hint], polarity: str) -> Decimal:
    weight = Decimal(0)
    for hint in hints:
        if hint.polarity_hint == polarity:
            weight = EXACT.add(weight, hint.weight)
    return weight


def _on_sentiment(after: list[Sentiment], place: int, target: str, numbers: Numbers, without: Without) -> Entry:
    before = after[place]
    already = before.polarity == target and before.confidence >= numbers.min_target_conf
    if already and "4" not in without:
        return Entry(before.term, "skipped_already_confident", f"{target} {before.confidence}")
    after[place] = replace(before, polarity=target, confidence=max(before.confidence, numbers.min_target_conf))
    return Entry(before.term, "applied", f"debate_override_flip {before.polarity}->{target}")


@dataclass(frozen=True, slots=True)
class Input:
    aspect_hints: Mapping[str, tuple[Hint, ...]]
    sentiments: tuple[Sentiment, ...]
    min_total: Weight | None = None
    min_margin: Weight | None = None
    min_target_conf: Confidence | None = None


def _decide(case: Input, numbers: Numbers, without: Without = WHOLE) -> Output:
    asked = Numbers(
        numbers.min_total if case.min_total is None else case.min_total,
        numbers.min_margin if case.min_margin is None else case.min_margin,
        numbers.min_target_conf if case.min_target_conf is None else case.min_target_conf,
    )
    return override(case.aspect_hints, case.sentiments, asked, without)


TABLE = Table(
    "override-1",
    __doc__,
    Input,
    Output,
    _decide,
    section="override",
    aliases=("override",),
    droppable=("1", "2", "4"),
)
