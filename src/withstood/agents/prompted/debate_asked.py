"""The forms that models in the seats of a debate are asked to fill in."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

from withstood.claims.debate import Summary, Turn
from withstood.claims.opinion import Span
from withstood.claims.staged import (
    AspectReview,
    Extraction,
    Revalidation,
    SentimentReview,
    Sentiments,
    Validation,
)

Polarity: TypeAlias = Literal["positive", "negative", "neutral"]
RiskName: TypeAlias = Literal["NEGATION", "CONTRAST", "IRONY", "MISSING_SECOND_ASPECT"]


@dataclass(frozen=True, slots=True)
class AskedAspect:
    term: str
    span: Span | None
    confidence: Decimal
    rationale: str | None


@dataclass(frozen=True, slots=True)
class AskedExtraction:
    aspects: tuple[AskedAspect, ...]


@dataclass(frozen=True, slots=True)
class AskedNamed:
    term: str
    span: Span | None


@dataclass(frozen=True, slots=True)
class AskedSentiment:
    aspect_term: AskedNamed | None
    aspect_ref: str | None
    polarity: Polarity
    opinion_term: str | None
    evidence: str | None
    confidence: Decimal
    is_implicit: bool
    neutral_reason: str | None


@dataclass(frozen=True, slots=True)
class AskedSentiments:
    aspect_sentiments: tuple[AskedSentiment, ...]


@dataclass(frozen=True, slots=True)
class AskedRisk:
    type: RiskName
    scope: Span | None
    severity: Literal["high", "medium", "low"]
    description: str


@dataclass(frozen=True, slots=True)
class AskedProposal:
    target_aspect: str
    proposal_type: Literal["FLIP_POLARITY", "CHECK_SPAN", "DROP_ASPECT", "REVISE_SPAN"]
    rationale: str
    revised_span: Span | None


@dataclass(frozen=True, slots=True)
class AskedValidation:
    structural_risks: tuple[AskedRisk, ...]
    consistency_score: Decimal
    correction_proposals: tuple[AskedProposal, ...]


@dataclass(frozen=True, slots=True)
class AskedTurn:
    speaker: str
    stance: str
    planning: str
    reflection: str
    message: str
    key_points: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AskedSummary:
    winner: str | None
    consensus: str | None
    key_agreements: tuple[str, ...]
    key_disagreements: tuple[str, ...]
    rationale: str
    label: Literal["positive", "negative", "neutral", "mixed"] | None


@dataclass(frozen=True, slots=True)
class AskedAspectAmendment:
    term: str
    action: Literal["keep", "revise_span", "remove", "add"]
    revised_span: Span | None
    reason: str
    provenance: str | None


@dataclass(frozen=True, slots=True)
class AskedAspectReview:
    aspect_review: tuple[AskedAspectAmendment, ...]


@dataclass(frozen=True, slots=True)
class AskedSentimentAmendment:
    aspect_term: str
    action: Literal["maintain", "flip_polarity", "drop", "add", "reduce_confidence"]
    revised_polarity: Polarity | None
    reason: str
    provenance: str | None


@dataclass(frozen=True, slots=True)
class AskedSentimentReview:
    sentiment_review: tuple[AskedSentimentAmendment, ...]


@dataclass(frozen=True, slots=True)
class AskedFinalValidation:
    resolved_risks: tuple[RiskName, ...]
    remaining_risks: tuple[RiskName, ...]
    final_consistency_score: Decimal


@dataclass(frozen=True, slots=True)
class AskedRevalidation:
    final_validation: AskedFinalValidation


ASKED: dict[type, tuple[str, type]] = {
    Extraction: ("aspects", AskedExtraction),
    Sentiments: ("aspect_sentiments", AskedSentiments),
    Validation: ("validation", AskedValidation),
    Turn: ("turn", AskedTurn),
    Summary: ("summary", AskedSummary),
    AspectReview: ("aspect_review", AskedAspectReview),
    SentimentReview: ("sentiment_review", AskedSentimentReview),
    Revalidation: ("final_validation", AskedRevalidation),
}
