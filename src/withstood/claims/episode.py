"""Episodes: what is kept of a decided text so that later reviews may be advised. Version 1.1 of the published schemas.

An episode holds closed words, counts, hashes and sentences of our own: never the text, never a gold label, never
anybody's reasoning. An aspect stands there as a ref of the taxonomy, or as the hash of its term.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Literal, TypeAlias

from withstood.claims.opinion import Confidence
from withstood.form import Like, Long, Within

Language: TypeAlias = Literal["ko", "en", "other"]
Structure: TypeAlias = Literal["negation", "contrast", "irony", "none"]
LengthBucket: TypeAlias = Literal["short", "medium", "long"]
EpisodeType: TypeAlias = Literal["success", "harm", "neutral"]
ErrorCategory: TypeAlias = Literal[
    "negation", "contrast", "irony", "aspect_conflict", "implicit_opinion", "format_error", "none"
]
RiskType: TypeAlias = Literal["L3", "conflict", "implicit"]
ActionTaken: TypeAlias = Literal["polarity_flip", "abstain", "defer", "confidence_reduce", "neutral_fallback"]

EpisodeId: TypeAlias = Annotated[str, Like("epi_[0-9]{6,}")]
Count: TypeAlias = Annotated[int, Within(0)]
Severity: TypeAlias = Annotated[Decimal, Within(0)]


@dataclass(frozen=True, slots=True)
class Signature:
    """What a text is like, without the text: published as InputSignatureV1_1."""

    language: Language = "ko"
    detected_structure: tuple[Structure, ...] = ()
    contrast_marker: str | None = None
    has_negation: bool | None = None
    num_aspects: Count = 0
    length_bucket: LengthBucket = "short"


@dataclass(frozen=True, slots=True)
class CaseSummary:
    target_aspect_type: str
    symptom: str
    rationale_summary: Annotated[str, Long(most=500)]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The aspects of a stage and their polarities; where an aspect has several, the last."""

    aspects_norm: tuple[str, ...] = ()
    polarities: Mapping[str, str] = field(default_factory=dict[str, str])
    confidence: Confidence = Decimal("0.5")


@dataclass(frozen=True, slots=True)
class Snapshots:
    stage1: Snapshot
    final: Snapshot


@dataclass(frozen=True, slots=True)
class Correction:
    corrective_principle: Annotated[str, Long(most=400)]
    applicable_conditions: Annotated[tuple[str, ...], Long(1)]
    principle_id: str | None = None
    anti_pattern: Annotated[str, Long(most=200)] | None = None


@dataclass(frozen=True, slots=True)
class RiskVector:
    severity_sum: Severity = Decimal(0)
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dissent:
    """Who named an action that did not carry."""

    actor: str
    action_type: str
    reason_code: str = ""


@dataclass(frozen=True, slots=True)
class Evaluation:
    risk_before: RiskVector
    risk_after: RiskVector
    override_applied: bool = False
    override_success: bool = False
    override_harm: bool = False
    arbiter_reason_code: str | None = None
    facet_dissent: tuple[Dissent, ...] = ()


@dataclass(frozen=True, slots=True)
class OutcomeDelta:
    delta_f1: Decimal | None = None
    conflict_resolved: bool | None = None


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where an episode comes from. `created_from_split` names the run and the text's place in its input."""

    created_from_split: str
    timestamp: str
    version: str
    used_in_eval: bool = False
    has_gold: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """An episode before it is kept: without a number and without a provenance."""

    schema_version: Literal["1.1"] = "1.1"
    episode_type: EpisodeType
    error_category: Annotated[tuple[ErrorCategory, ...], Long(1)]
    input_signature: Signature | None
    case_summary: CaseSummary
    stage_snapshot: Snapshots
    correction: Correction
    evaluation: Evaluation
    risk_type: RiskType | None = None
    action_taken: ActionTaken | None = None
    outcome_delta: OutcomeDelta | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode(Lesson):
    """Published as EpisodicMemoryEntryV1_1: one line of a store."""

    episode_id: EpisodeId
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class Recalled:
    """What a store gave: the episodes that were chosen, out of how many, and the hash of all that it held then."""

    store_id: str
    snapshot: str
    held: Count
    episodes: tuple[Episode, ...] = ()
