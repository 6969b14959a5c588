"""The forms that a model fills in for a research. What the engine computes has no field here."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from withstood import form
from withstood.claims.graph import EdgeType
from withstood.claims.research import Exploration, Ideas, Phrasing, Reached, Resolution


@dataclass(frozen=True, slots=True)
class AskedPhrasing:
    search_query: str
    reason: str


@dataclass(frozen=True, slots=True)
class AskedObservation:
    id: str
    page: str
    summary: str
    quote: str


@dataclass(frozen=True, slots=True)
class AskedClaim:
    id: str
    summary: str
    verify_keywords: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AskedEdge:
    type: EdgeType
    start: str = form.named("from")
    end: str = form.named("to")
    weight: Decimal = Decimal("0.3")


@dataclass(frozen=True, slots=True)
class AskedExploration:
    status: Reached
    observations: tuple[AskedObservation, ...]
    type_a_hypotheses: tuple[AskedClaim, ...]
    edges: tuple[AskedEdge, ...]
    retry_keywords: tuple[str, ...]
    conflict_resolution: Resolution | None


@dataclass(frozen=True, slots=True)
class AskedIdea:
    summary: str
    reasoning_tool: str
    derived_from: tuple[str, ...]
    verify_keywords: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AskedIdeas:
    proposals: tuple[AskedIdea, ...]
    hypothesis: AskedIdea


ASKED: dict[type, tuple[str, type]] = {
    Phrasing: ("phrasing", AskedPhrasing),
    Exploration: ("exploration", AskedExploration),
    Ideas: ("ideas", AskedIdeas),
}
