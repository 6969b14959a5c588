"""What each seat of a debated text is given. The answers are those of `claims.staged` and `claims.debate`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from withstood.claims.debate import Persona
from withstood.claims.opinion import Span

ATE1, ATSA1, VALIDATOR1 = "ATE1", "ATSA1", "VALIDATOR1"
RAPPORTEUR = "rapporteur"
ATE2, ATSA2, VALIDATOR2 = "ATE2", "ATSA2", "VALIDATOR2"
STAGE1 = (ATE1, ATSA1, VALIDATOR1)
STAGE2 = (ATE2, ATSA2, VALIDATOR2)
SPEAKER = "SPEAKER"
"""The prompt of all personas."""


@dataclass(frozen=True, slots=True)
class ShownAspect:
    term: str
    span: Span
    confidence: str


@dataclass(frozen=True, slots=True)
class ShownSentiment:
    """`polarity` is None where it is missing; an implicit sentiment has the term "". `evidence_found` is what code
    found of the evidence; None: none was given."""

    aspect_term: str
    span: Span
    polarity: str | None
    evidence: str | None
    evidence_found: bool | None
    confidence: str
    is_implicit: bool
    is_backfilled: bool


@dataclass(frozen=True, slots=True)
class ShownRisk:
    type: str
    scope: Span | None
    severity: str


@dataclass(frozen=True, slots=True)
class ShownProposal:
    target_aspect: str
    proposal_type: str
    rationale: str


@dataclass(frozen=True, slots=True)
class ExtractionBrief:
    """For ATE1: the text. The answer is an `Extraction`."""

    text: str
    language: str


@dataclass(frozen=True, slots=True)
class SentimentBrief:
    """For ATSA1: the text, the aspects that stand in it, and the refs. The answer is `Sentiments`."""

    text: str
    language: str
    refs: tuple[str, ...]
    aspects: tuple[ShownAspect, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """What stage 1 has come to, as everybody after it sees it."""

    aspects: tuple[ShownAspect, ...] = ()
    aspect_sentiments: tuple[ShownSentiment, ...] = ()
    structural_risks: tuple[ShownRisk, ...] = ()
    correction_proposals: tuple[ShownProposal, ...] = ()


@dataclass(frozen=True, slots=True)
class ValidationBrief:
    """For VALIDATOR1: the text and what the other two of stage 1 have come to. The answer is a `Validation`."""

    text: str
    language: str
    stage1: Table


@dataclass(frozen=True, slots=True)
class TurnBrief:
    """For a speaker: who it is, what stage 1 has come to, and what was said before it, a line for each turn. The
    answer is a `Turn`."""

    text: str
    language: str
    persona: Persona
    stage1: Table
    history: str
    memory: str = ""


@dataclass(frozen=True, slots=True)
class ShownTurn:
    round_index: int
    speaker: str
    stance: str
    planning: str
    reflection: str
    message: str
    key_points: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SummaryBrief:
    """For the rapporteur: all turns. The answer is a `Summary`."""

    text: str
    language: str
    stage1: Table
    turns: tuple[ShownTurn, ...]


@dataclass(frozen=True, slots=True)
class ShownSummary:
    winner: str | None
    consensus: str | None
    key_agreements: tuple[str, ...]
    key_disagreements: tuple[str, ...]
    rationale: str


@dataclass(frozen=True, slots=True)
class RebuttalPoint:
    """A turn, and which aspects it speaks of. Published as `aspect_terms` too."""

    speaker: str
    stance: str
    key_points: tuple[str, ...]
    message: str
    aspect_refs: tuple[str, ...]
    mapping_confidence: str
    mapping_fail_reason: str
    weight: Decimal
    polarity_hint: str
    provenance_hint: str


@dataclass(frozen=True, slots=True)
class AspectHint:
    speaker: str
    stance: str
    weight: Decimal
    polarity_hint: str


@dataclass(frozen=True, slots=True)
class ReviewContext:
    """What the reviews of stage 2 are told of the debate."""

    summary: ShownSummary | None = None
    rebuttal_points: tuple[RebuttalPoint, ...] = ()
    aspect_terms: tuple[str, ...] = ()
    synonym_hints: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    aspect_map: Mapping[str, str] = field(default_factory=dict[str, str])
    aspect_hints: Mapping[str, tuple[AspectHint, ...]] = field(default_factory=dict[str, tuple[AspectHint, ...]])
    mapping_stats: Mapping[str, int] = field(default_factory=dict[str, int])
    mapping_fail_reasons: Mapping[str, int] = field(default_factory=dict[str, int])
    review_guidance: str = ""
    provenance_template: str = ""
    fallback_mapping_policy: str = ""


@dataclass(frozen=True, slots=True)
class AmendmentBrief:
    """For ATE2, ATSA2 and VALIDATOR2: stage 1, and the debate where one was held. The answers are an `AspectReview`,
    a `SentimentReview`, a `Revalidation`."""

    text: str
    language: str
    stage1: Table
    debate: ReviewContext | None
    memory: str = ""
