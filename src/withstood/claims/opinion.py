"""Opinions: what a reader finds in a text (a triplet), and the same as a candidate tuple."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, TypeAlias

from withstood.form import Within

Confidence: TypeAlias = Annotated[Decimal, Within(0, 1)]


@dataclass(frozen=True, slots=True)
class Span:
    """Code points of the text, begin inclusive, end exclusive."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Triplet:
    """One aspect and its polarity, as a reader states it. Nothing here has been checked."""

    aspect_term: str = ""
    aspect_ref: str | None = None
    polarity: str = "neutral"
    opinion_term: str | None = None
    evidence: str | None = None
    span: Span | None = None
    confidence: Confidence = Decimal("0.5")
    rationale: str | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """A reader's answer: the triplets that it found, in its own order."""

    triplets: tuple[Triplet, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A triplet on the table: with an id, an origin, offsets that code found, and its marks.

    `begin` and `end` are None where the term does not stand in the text; both are 0 for an implicit aspect.
    `evidence_found` is None where no evidence was given.
    """

    tuple_id: str
    aspect_term: str
    aspect_ref: str
    polarity: str
    begin: int | None
    end: int | None
    opinion_term: str | None
    evidence: str | None
    evidence_found: bool | None
    confidence: Decimal
    origin: str
    invalid: tuple[str, ...] = ()
    flag: str | None = None
