"""Stages: what the seats of a debated text answer, before the debate and after it. Nothing here has been checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from withstood.claims.opinion import Confidence, Span

ZERO = Decimal(0)


@dataclass(frozen=True, slots=True)
class Aspect:
    """What an opinion may be about, as ATE1 states it."""

    term: str = ""
    span: Span | None = None
    normalized: str | None = None
    syntactic_head: str | None = None
    confidence: Confidence = ZERO
    rationale: str | None = None


@dataclass(frozen=True, slots=True)
class Extraction:
    """The answer of ATE1."""

    aspects: tuple[Aspect, ...] = ()


@dataclass(frozen=True, slots=True)
class Named:
    """An aspect by its term, where it stands."""

    term: str = ""
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class AspectSentiment:
    """One sentiment as ATSA1 states it. No aspect term: the aspect is implicit. `aspect_ref` is a ref of the taxonomy,
    `opinion_term` the word that tells the opinion, where they are known."""

    aspect_term: Named | None = None
    polarity: str | None = None
    evidence: str | None = None
    confidence: Confidence = ZERO
    polarity_distribution: Mapping[str, Decimal] | None = None
    is_implicit: bool = False
    is_backfilled: bool = False
    neutral_reason: str | None = None
    aspect_ref: str | None = None
    opinion_term: str | None = None


@dataclass(frozen=True, slots=True)
class Sentiments:
    """The answer of ATSA1."""

    aspect_sentiments: tuple[AspectSentiment, ...] = ()


@dataclass(frozen=True, slots=True)
class Risk:
    """What may lead a reading astray: NEGATION, CONTRAST, IRONY or MISSING_SECOND_ASPECT; high, medium or low."""

    type: str
    scope: Span | None = None
    severity: str = "medium"
    description: str = ""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What VALIDATOR1 would have done: FLIP_POLARITY, CHECK_SPAN, DROP_ASPECT or REVISE_SPAN."""

    target_aspect: str
    proposal_type: str
    rationale: str = ""
    revised_span: Span | None = None


@dataclass(frozen=True, slots=True)
class Validation:
    """The answer of VALIDATOR1."""

    structural_risks: tuple[Risk, ...] = ()
    consistency_score: Confidence = ZERO
    correction_proposals: tuple[Proposal, ...] = ()


@dataclass(frozen=True, slots=True)
class AspectAmendment:
    """keep (maintain), revise_span (revise), remove (drop) or add."""

    term: str
    action: str = "keep"
    revised_span: Span | None = None
    reason: str = ""
    provenance: str | None = None


@dataclass(frozen=True, slots=True)
class AspectReview:
    """The answer of ATE2."""

    aspect_review: tuple[AspectAmendment, ...] = ()


@dataclass(frozen=True, slots=True)
class SentimentAmendment:
    """maintain (keep), flip_polarity, drop (remove), add or reduce_confidence."""

    aspect_term: str
    action: str = "maintain"
    revised_polarity: str | None = None
    reason: str = ""
    provenance: str | None = None


@dataclass(frozen=True, slots=True)
class SentimentReview:
    """The answer of ATSA2."""

    sentiment_review: tuple[SentimentAmendment, ...] = ()


@dataclass(frozen=True, slots=True)
class FinalValidation:
    """Risks by their types."""

    resolved_risks: tuple[str, ...] = ()
    remaining_risks: tuple[str, ...] = ()
    final_consistency_score: Confidence = ZERO


@dataclass(frozen=True, slots=True)
class Revalidation:
    """The answer of VALIDATOR2."""

    final_validation: FinalValidation = FinalValidation()
