"""Override gates: what may keep an override from an aspect, besides its weights. Each is off unless it is turned on;
first match decides, aspect by aspect.

| row | gate | when | then |
|---|---|---|---|
| 1 | max_one | an override was applied to this text already | skipped_max_one_override |
| 2 | neutral_only | no hint is positive or negative | skipped_neutral_only, and counted as skipped_low_signal too |
| 3a | evidence | the sentiment has no evidence | skipped_no_evidence_span |
| 3b | evidence | its evidence does not stand in the text | skipped_evidence_span_not_in_text |
| 3c | evidence | its evidence is shorter than two characters | skipped_evidence_span_missing_trigger |
| 4 | | the override itself: its weights are too low, or too close | as override-1 says |
| 5 | l3_conservative | stage 1 states a structural risk | skipped_l3_conservative |
| 6 | implicit_soft_only | the sentiment is on an implicit aspect | skipped_implicit_soft_only |
| 7 | | otherwise | as override-1 says |

Structural: NEGATION_SCOPE, CONTRAST_SCOPE, POLARITY_MISMATCH, NEGATION, CONTRAST, IRONY.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

from withstood.claims.opinion import Confidence
from withstood.rules.table import Table
from withstood.verdict import Ruling

Switch: TypeAlias = Literal["off", "on"]

STRUCTURAL = frozenset({"NEGATION_SCOPE", "CONTRAST_SCOPE", "POLARITY_MISMATCH", "NEGATION", "CONTRAST", "IRONY"})
SHORTEST = 2
PASSED = "passed"


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a rulebook may set of this table, and of the adoption of stage 2 that follows it."""

    max_one: Switch = "off"
    neutral_only: Switch = "off"
    evidence: Switch = "off"
    l3_conservative: Switch = "off"
    implicit_soft_only: Switch = "off"
    adoption: Switch = "off"
    ev_threshold: Confidence = Decimal("0.5")


@dataclass(frozen=True, slots=True)
class Input:
    """`evidence_found`: whether it stands in the text; None where there is none."""

    applied_before: int = 0
    hints: tuple[str, ...] = ()
    evidence: str | None = None
    evidence_found: bool | None = None
    risks: tuple[str, ...] = ()
    implicit: bool = False


@dataclass(frozen=True, slots=True)
class Output:
    before: str
    before_row: str
    after: str
    after_row: str


def before(case: Input, gates: Numbers) -> Ruling:
    """What is asked before the weights are counted."""
    if gates.max_one == "on" and case.applied_before:
        return Ruling("skipped_max_one_override", "1")
    if gates.neutral_only == "on" and not {"positive", "negative"}.intersection(case.hints):
        return Ruling("skipped_neutral_only", "2")
    return _evidence(case) if gates.evidence == "on" else Ruling(PASSED, "4")


def after(case: Input, gates: Numbers) -> Ruling:
    """What is asked where the weights would carry."""
    if gates.l3_conservative == "on" and not STRUCTURAL.isdisjoint(case.risks):
        return Ruling("skipped_l3_conservative", "5")
    if gates.implicit_soft_only == "on" and case.implicit:
        return Ruling("skipped_implicit_soft_only", "6")
    return Ruling(PASSED, "7")


def _evidence(case: Input) -> Ruling:
    if not case.evidence:
        return Ruling("skipped_no_evidence_span", "3a")
    if not case.evidence_found:
        return Ruling("skipped_evidence_span_not_in_text", "3b")
    if len(case.evidence) < SHORTEST:
        return Ruling("skipped_evidence_span_missing_trigger", "3c")
    return Ruling(PASSED, "4")


def _decide(case: Input, numbers: Numbers) -> Output:
    first, second = before(case, numbers), after(case, numbers)
    return Output(first.outcome, first.row, second.outcome, second.row)


TABLE = Table("override-gates-1", __doc__, Input, Output, _decide, section="gates", aliases=("override-gates",))
