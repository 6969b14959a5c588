"""Lessons: how what happened to a text is classed in its episode. In each group the first match decides; of C all that
apply.

| row | when | then |
|---|---|---|
| T1 | stage 1 states a structural risk | type harm |
| T2 | nothing was at risk (no risk, no flag), and nothing changed | type neutral |
| T3 | else | type success |
| R1 | a risk or a reason is structural | risk L3 |
| R2 | a ref or a term is flagged for its polarities, or two aspects or more have two polarities or more that are not neutral | risk conflict |
| R3 | an aspect is implicit | risk implicit |
| R4 | else | no risk type |
| A1 | a FLIP carried | polarity_flip |
| A2 | a DROP carried | abstain |
| A3 | a FLAG carried | defer |
| A4 | else | no action taken |
| C1 | negation, contrast or irony in the text | negation, contrast, irony |
| C2 | R2 applies | aspect_conflict |
| C3 | R3 applies | implicit_opinion |
| C4 | an action was refused, or named FORMAT_INCOMPLETE | format_error |
| C5 | none of C1 to C4 | none |

Structural: NEGATION_SCOPE, CONTRAST_SCOPE, POLARITY_MISMATCH, NEGATION, CONTRAST, IRONY.
Severity: high 3, mid or medium 2, low 1, anything else 2. A flag for polarities is high, a likeness of two terms mid, an
overlap of refs low.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType

from withstood.claims.ballot import Action
from withstood.claims.episode import (
    ActionTaken,
    Count,
    EpisodeType,
    ErrorCategory,
    RiskType,
    RiskVector,
    Structure,
)
from withstood.rules.table import NoNumbers, Table

STRUCTURAL = frozenset({"NEGATION_SCOPE", "CONTRAST_SCOPE", "POLARITY_MISMATCH", "NEGATION", "CONTRAST", "IRONY"})
OF_POLARITY = frozenset({"ref_polarity_mismatch", "term_polarity_mismatch"})
SEVERITY: Mapping[str, int] = MappingProxyType({"high": 3, "mid": 2, "medium": 2, "low": 1})
UNKNOWN = 2
SEVERITY_OF_FLAG: Mapping[str, str] = MappingProxyType(
    {
        "ref_polarity_mismatch": "high",
        "term_polarity_mismatch": "high",
        "semantic_conflict_candidate": "mid",
        "granularity_overlap_candidate": "low",
    }
)
TAKEN: tuple[tuple[Action, ActionTaken, str], ...] = (
    (Action.FLIP, "polarity_flip", "A1"),
    (Action.DROP, "abstain", "A2"),
    (Action.FLAG, "defer", "A3"),
)


@dataclass(frozen=True, slots=True)
class Held:
    """One opinion of stage 1."""

    aspect: str
    polarity: str
    implicit: bool = False


@dataclass(frozen=True, slots=True)
class Input:
    """`risks` are the types of the validator's risks, `flags` the kinds of conflict, `reasons` the codes that
    reviewers named, `actions` those that carried."""

    opinions: tuple[Held, ...] = ()
    structure: tuple[Structure, ...] = ()
    risks: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    actions: tuple[Action, ...] = ()
    refused: Count = 0
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Output:
    episode_type: EpisodeType
    risk_type: RiskType | None
    action_taken: ActionTaken | None
    error_category: tuple[ErrorCategory, ...]
    rows: tuple[str, ...]


def classify(case: Input) -> Output:
    kind, kind_row = _kind(case)
    risk, risk_row = _risk(case)
    taken, taken_row = _taken(case)
    categories = tuple(_categories(case)) or ((_NONE, "C5"),)
    named: tuple[ErrorCategory, ...] = tuple([name for name, _ in categories])
    return Output(
        kind, risk, taken, named, (kind_row, risk_row, taken_row, *dict.fromkeys(row for _, row in categories))
    )


def risk(levels: Sequence[tuple[str, str]]) -> RiskVector:
    """The sum of the severities of (tag, level), and the tags."""
    total = sum(SEVERITY.get(level.lower(), UNKNOWN) for _, level in levels)
    return RiskVector(Decimal(total), tuple([tag for tag, _ in levels]))


def risk_of_flags(flags: Sequence[str]) -> RiskVector:
    return risk([(kind, SEVERITY_OF_FLAG.get(kind, "")) for kind in flags])


_NONE: ErrorCategory = "none"


def _kind(case: Input) -> tuple[EpisodeType, str]:
    if case.risks:
        return "harm", "T1"
    return ("success", "T3") if case.flags or case.changed else ("neutral", "T2")


def _risk(case: Input) -> tuple[RiskType | None, str]:
    if not STRUCTURAL.isdisjoint((*case.risks, *case.reasons)):
        return "L3", "R1"
    if _in_conflict(case):
        return "conflict", "R2"
    return ("implicit", "R3") if _has_implicit(case) else (None, "R4")


def _in_conflict(case: Input) -> bool:
    loaded = [opinion for opinion in case.opinions if opinion.polarity != "neutral"]
    polarities, aspects = {one.polarity for one in loaded}, {one.aspect for one in loaded}
    return not OF_POLARITY.isdisjoint(case.flags) or (len(polarities) >= 2 and len(aspects) >= 2)


def _has_implicit(case: Input) -> bool:
    return any(opinion.implicit for opinion in case.opinions)


def _taken(case: Input) -> tuple[ActionTaken | None, str]:
    for action, taken, row in TAKEN:
        if action in case.actions:
            return taken, row
    return None, "A4"


def _categories(case: Input) -> Iterator[tuple[ErrorCategory, str]]:
    for structure in case.structure:
        if structure != "none":
            yield structure, "C1"
    if _in_conflict(case):
        yield "aspect_conflict", "C2"
    if _has_implicit(case):
        yield "implicit_opinion", "C3"
    if case.refused or "FORMAT_INCOMPLETE" in case.reasons:
        yield "format_error", "C4"


def _decide(case: Input, numbers: NoNumbers) -> Output:
    return classify(case)


TABLE = Table("memory-lesson-1", __doc__, Input, Output, _decide, section="none", aliases=("memory-lesson",))
