"""Advisories: what a review is told of earlier episodes. They hint at no label and force nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Literal, TypeAlias

from withstood.claims.episode import EpisodeId
from withstood.claims.opinion import Confidence
from withstood.form import Like, Long, Within

MemoryMode: TypeAlias = Literal["off", "on", "silent"]
AdvisoryType: TypeAlias = Literal["successful_override", "failed_override_warning", "consistency_anchor"]


@dataclass(frozen=True, slots=True)
class AdvisoryEvidence:
    source_episode_ids: tuple[EpisodeId, ...]
    risk_tags: tuple[str, ...] = ()
    principle_id: str | None = None
    risk_before_tags: tuple[str, ...] = ()
    risk_after_tags: tuple[str, ...] = ()
    stats: Mapping[str, Decimal] | None = None


@dataclass(frozen=True, slots=True)
class Constraints:
    no_label_hint: Literal[True] = True
    no_forcing: Literal[True] = True
    no_confidence_boost: Literal[True] = True


@dataclass(frozen=True, slots=True)
class Advisory:
    """Published as AdvisoryV1_1."""

    advisory_id: Annotated[str, Like("adv_[0-9]{6,}")]
    advisory_type: AdvisoryType
    message: Annotated[str, Long(most=800)]
    strength: Literal["weak", "moderate", "strong"]
    relevance_score: Confidence
    evidence: AdvisoryEvidence
    constraints: Constraints = Constraints()


@dataclass(frozen=True, slots=True)
class BundleMeta:
    memory_mode: MemoryMode
    topk: Annotated[int, Within(0, 3)]
    masked_injection: bool
    retrieval_executed: bool


@dataclass(frozen=True, slots=True)
class AdvisoryBundle:
    """Published as AdvisoryBundleV1_1: what stands in the memory slot."""

    meta: BundleMeta
    memory_on: bool = False
    retrieved: Annotated[tuple[Advisory, ...], Long(most=3)] = ()
    warnings: Annotated[tuple[Advisory, ...], Long(most=5)] = ()
    schema_version: Literal["1.1"] = "1.1"
