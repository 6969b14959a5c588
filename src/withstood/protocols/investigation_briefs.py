"""What each seat of an investigation is given, and what it is asked for.

| seat | brief | answer |
|---|---|---|
| `PLAN` | PlanBrief | KeyQuestions |
| an investigator, by its id | SurveyBrief | finding.Report |
| a challenger, by its id | ChallengeBrief | finding.CounterReview |
| `CHECK`, always a program | CheckBrief | inspection.Inspection |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from withstood.claims.finding import Grade, Kind
from withstood.claims.inquiry import SourceNote
from withstood.claims.inspection import Citation

PLAN = "PLAN"
CHECK = "CHECK"

TaskKind: TypeAlias = Literal["survey", "deep_dive", "cross_check", "wider_scope"]


@dataclass(frozen=True, slots=True)
class Shown:
    """A checked piece of evidence as others see it."""

    type: Kind
    location: str
    snippet: str
    grade: Grade


@dataclass(frozen=True, slots=True)
class Side:
    """One side of an item: what it holds, who brought it, and the checked evidence for it."""

    cause: str
    direction: str
    says: str
    investigators: tuple[str, ...]
    evidence: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class Task:
    """What an investigator is to do.

    survey: look at the question. deep_dive: `yours` is opposed by `others`; look again, with their evidence before
    you. cross_check: `others` holds one item of another investigator; find out whether it is so. wider_scope: go on
    where you asked to, in `scope`.
    """

    kind: TaskKind
    item: str = ""
    yours: Side | None = None
    others: tuple[Side, ...] = ()
    scope: str = ""


@dataclass(frozen=True, slots=True)
class Headline:
    """Layer 1 of what an investigator has reported so far."""

    iid: str
    one_liner: str


@dataclass(frozen=True, slots=True)
class SurveyBrief:
    """For an investigator. Causes and directions are best named by these ids. `known` is what others have reported, in
    their own short words; empty in round 1, which is blind."""

    question: str
    language: str
    iid: str
    prefix: str
    perspective: str
    key_questions: tuple[str, ...]
    tasks: tuple[Task, ...]
    sources: tuple[SourceNote, ...]
    causes: tuple[str, ...]
    directions: tuple[str, ...]
    known: tuple[Headline, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """An agreed item as a challenger sees it."""

    id: str
    side: Side


@dataclass(frozen=True, slots=True)
class ChallengeBrief:
    """For a challenger: try to refute each item, and put at least one challenge to each."""

    question: str
    language: str
    iid: str
    perspective: str
    items: tuple[Item, ...]
    sources: tuple[SourceNote, ...]


@dataclass(frozen=True, slots=True)
class CheckBrief:
    """For the evidence check: the pieces to look for, and how far a line may have drifted."""

    language: str
    citations: tuple[Citation, ...]
    most_drift: int


@dataclass(frozen=True, slots=True)
class PlanBrief:
    """For the planner: at most `most` key questions."""

    question: str
    language: str
    sources: tuple[SourceNote, ...]
    most: int = 3


@dataclass(frozen=True, slots=True)
class KeyQuestions:
    questions: tuple[str, ...] = ()
