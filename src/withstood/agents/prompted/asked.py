"""The form that a model is asked to fill in. The door (`answers`) takes no less than this, and a little more."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, TypeAlias

from withstood import form
from withstood.agents.prompted import debate_asked, research_asked
from withstood.claims.ballot import Review
from withstood.claims.opinion import Reading, Span
from withstood.models.strict import strict_schema

Polarity: TypeAlias = Literal["positive", "negative", "neutral", "mixed"]


@dataclass(frozen=True, slots=True)
class AskedTriplet:
    aspect_term: str
    aspect_ref: str | None
    polarity: Polarity
    opinion_term: str | None
    evidence: str | None
    span: Span | None
    confidence: Decimal
    rationale: str | None


@dataclass(frozen=True, slots=True)
class AskedReading:
    triplets: tuple[AskedTriplet, ...]


@dataclass(frozen=True, slots=True)
class AskedValue:
    """For FLIP the polarity, for MERGE the ref; the other is null."""

    polarity: Polarity | None
    normalized_ref: str | None


@dataclass(frozen=True, slots=True)
class AskedAction:
    action_type: Literal["KEEP", "DROP", "FLIP", "FLAG", "MERGE"]
    target_tuple_ids: tuple[str, ...]
    new_value: AskedValue | None
    reason_code: str


@dataclass(frozen=True, slots=True)
class AskedReview:
    review_actions: tuple[AskedAction, ...]


ASKED: dict[type, tuple[str, type]] = {
    Reading: ("reading", AskedReading),
    Review: ("review", AskedReview),
    **debate_asked.ASKED,
    **research_asked.ASKED,
}


@functools.cache
def asked(wanted: type) -> tuple[str, dict[str, Any]]:
    """The name and the strict schema of what is asked for; always the same objects for one type."""
    name, shape = ASKED.get(wanted, (wanted.__name__.lower(), wanted))
    return name, strict_schema(form.schema(shape))
