"""Episodes for tests: one that is plain, and what is wanted of it said by name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from withstood.claims.episode import (
    CaseSummary,
    Correction,
    Episode,
    Evaluation,
    OutcomeDelta,
    Provenance,
    RiskVector,
    Signature,
    Snapshot,
    Snapshots,
    Structure,
)
from withstood.claims.principles import sentence

PLAIN = Episode(
    episode_id="epi_000001",
    episode_type="success",
    error_category=("none",),
    input_signature=Signature("ko", ("negation",)),
    case_summary=CaseSummary("본품#품질", "ref_polarity_mismatch", "2 tuples, 2 flagged."),
    stage_snapshot=Snapshots(Snapshot(), Snapshot()),
    correction=Correction(sentence("LEFT_OPEN", "ko"), ("negation",), "LEFT_OPEN"),
    evaluation=Evaluation(RiskVector(), RiskVector()),
    provenance=Provenance("run#1", "2026-11-19T00:00:00Z", "0.1.0"),
)


def episode(
    no: int = 1,
    *structure: Structure,
    language: Any = "ko",
    final: dict[str, str] | None = None,
    evaluation: Evaluation | None = None,
    resolved: bool | None = None,
    **changes: Any,
) -> Episode:
    """Number `no`, of a text with this structure, with these polarities at its end."""
    told = dict[str, Any](changes)
    if final is not None:
        told["stage_snapshot"] = Snapshots(Snapshot(), Snapshot(tuple(final), final))
    if evaluation is not None:
        told["evaluation"] = evaluation
    if resolved is not None:
        told["outcome_delta"] = OutcomeDelta(conflict_resolved=resolved)
    told.setdefault("input_signature", Signature(language, structure or ("negation",)))
    return replace(PLAIN, episode_id=f"epi_{no:06}", **told)
