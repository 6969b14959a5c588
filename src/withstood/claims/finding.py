"""Findings: what an investigator brings, what a challenger says against it, and the evidence that both cite.

Nothing here has been checked: grades are as claimed, locations and snippets as cited. What code found of a citation is
in `claims.inspection`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Grade: TypeAlias = Literal["STRONG", "MODERATE", "WEAK"]
Level: TypeAlias = Literal["HIGH", "MEDIUM", "LOW"]
Kind: TypeAlias = Literal["code", "log", "commit", "config", "document", "migration", "infra"]
Outcome: TypeAlias = Literal["UPHELD", "WEAKENED", "REFUTED"]

GRADES: tuple[Grade, ...] = ("WEAK", "MODERATE", "STRONG")
LEVELS: tuple[Level, ...] = ("LOW", "MEDIUM", "HIGH")


@dataclass(frozen=True, slots=True)
class Evidence:
    """One citation. `location` is `path:line`, `path:line-line` or the name of a commit; `snippet` the words that stand
    there, at most five lines."""

    type: Kind
    location: str
    snippet: str = ""
    strength: Grade = "WEAK"


@dataclass(frozen=True, slots=True)
class Finding:
    """What one investigator holds to be so. `cause` and `direction` are ids of the vocabularies, or its own words."""

    id: str
    description: str
    cause: str = ""
    direction: str = ""
    evidence: tuple[Evidence, ...] = ()
    confidence: Level = "MEDIUM"
    alternatives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """An investigator's answer: layer 1 is its head, layer 2 its findings, layer 3 `full`.

    `not_looked_at` says what it left out. `reduced`: the reply was not in this form, and only its head could be kept.
    """

    one_liner: str
    confidence: Level = "MEDIUM"
    findings: tuple[Finding, ...] = ()
    needs_further: bool = False
    reason: str = ""
    scope: str = ""
    not_looked_at: tuple[str, ...] = ()
    full: str = ""
    reduced: bool = False


@dataclass(frozen=True, slots=True)
class Challenge:
    """What a challenger tried against one item, and what came of it. Without a `challenge` it is no review."""

    item: str
    verdict: Outcome
    challenge: str
    evidence: tuple[Evidence, ...] = ()
    impact: str = ""


@dataclass(frozen=True, slots=True)
class CounterReview:
    """A challenger's answer: one challenge or more for every item that it was given."""

    challenges: tuple[Challenge, ...] = ()
    full: str = ""


def strongest(grades: tuple[Grade, ...]) -> Grade:
    """WEAK where there is none."""
    return GRADES[max(map(GRADES.index, grades), default=0)]
