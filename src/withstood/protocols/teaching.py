"""A lesson out of what happened to a text, however it was decided."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from withstood.claims.episode import (
    CaseSummary,
    Correction,
    Evaluation,
    Lesson,
    OutcomeDelta,
    Signature,
    Snapshots,
)
from withstood.rules import memory_lesson, memory_principle
from withstood.verdict import Ruling, Step

WORSE = "The change left more at risk than there was."


@dataclass(frozen=True, slots=True)
class Matter:
    """What a lesson is made of: closed words, counts and hashes."""

    query: Signature
    happened: memory_lesson.Input
    carried: memory_principle.Input
    summary: CaseSummary
    stages: Snapshots
    conditions: tuple[str, ...]
    evaluation: Evaluation


def lesson(matter: Matter) -> tuple[Lesson, tuple[Step, ...]]:
    """The lesson, and the rows that classed it."""
    classed = memory_lesson.classify(matter.happened)
    taught = memory_principle.principle(matter.carried)
    before, after = matter.evaluation.risk_before, matter.evaluation.risk_after
    worse = after.severity_sum > before.severity_sum
    learned = Lesson(
        episode_type=classed.episode_type,
        error_category=classed.error_category,
        input_signature=matter.query,
        case_summary=matter.summary,
        stage_snapshot=matter.stages,
        correction=Correction(taught.sentence, matter.conditions, taught.principle_id, WORSE if worse else None),
        evaluation=matter.evaluation,
        risk_type=classed.risk_type,
        action_taken=classed.action_taken,
        outcome_delta=OutcomeDelta(conflict_resolved=not after.tags if before.tags else None),
    )
    steps = [Step(memory_lesson.TABLE.edition, "", ruling) for ruling in _rulings(classed)]
    return learned, (*steps, Step(memory_principle.TABLE.edition, "", Ruling(taught.principle_id, taught.row)))


def _rulings(classed: memory_lesson.Output) -> Iterator[Ruling]:
    kind, risk, taken, *categories = classed.rows
    yield Ruling(classed.episode_type, kind)
    yield Ruling(classed.risk_type or "none", risk)
    yield Ruling(classed.action_taken or "none", taken)
    yield from (Ruling(", ".join(classed.error_category), row) for row in categories)
