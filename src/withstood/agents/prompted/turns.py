"""The form that a model fills in on its turn: a wish to look, or what it was asked for. The door is `tiered`."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from withstood import form
from withstood.agents.tools import requests
from withstood.claims.finding import CounterReview, Grade, Kind, Level, Outcome, Report
from withstood.models.strict import strict_schema


@dataclass(frozen=True, slots=True)
class AskedEvidence:
    type: Kind
    location: str
    snippet: str
    strength: Grade


@dataclass(frozen=True, slots=True)
class AskedHeadline:
    id: str
    strength: Grade


@dataclass(frozen=True, slots=True)
class AskedHead:
    confidence: Level
    one_liner: str
    findings: tuple[AskedHeadline, ...]
    needs_further: bool
    reason: str
    scope: str
    not_looked_at: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AskedFinding:
    id: str
    description: str
    cause: str
    direction: str
    evidence: tuple[AskedEvidence, ...]
    confidence: Level
    alternatives: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AskedBody:
    findings: tuple[AskedFinding, ...]


@dataclass(frozen=True, slots=True)
class AskedReport:
    kind: Literal["report"]
    layer1: AskedHead
    layer2: AskedBody
    layer3: str


@dataclass(frozen=True, slots=True)
class AskedChallenge:
    item: str
    verdict: Outcome
    challenge: str
    evidence: tuple[AskedEvidence, ...]
    impact: str


@dataclass(frozen=True, slots=True)
class AskedReview:
    kind: Literal["review"]
    challenges: tuple[AskedChallenge, ...]
    full: str


ASKED: Mapping[type, tuple[str, type]] = {
    Report: ("investigation_turn", AskedReport),
    CounterReview: ("review_turn", AskedReview),
}


@functools.cache
def asked_turn(wanted: type, tools: tuple[str, ...]) -> tuple[str, dict[str, Any]]:
    """The name and the strict schema of one turn; the same objects for the same arguments. Providers want an object at
    the root, so what may be one of two stands one level down."""
    name, answer = ASKED[wanted]
    look = {
        "type": "object",
        "properties": {"kind": {"enum": ["look"]}, "requests": {"type": "array", "items": requests.schema(tools)}},
    }
    shapes = [look, form.schema(answer)] if tools else [form.schema(answer)]
    return name, strict_schema({"type": "object", "properties": {"turn": {"anyOf": shapes}}})
