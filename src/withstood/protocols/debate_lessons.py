"""What may be learned from a text that was debated: closed words, counts and hashes, and a sentence of ours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from withstood import form
from withstood.claims import quote
from withstood.claims.ballot import Action
from withstood.claims.episode import (
    CaseSummary,
    Evaluation,
    Lesson,
    RiskVector,
    Signature,
    Snapshot,
    Snapshots,
)
from withstood.claims.sentiment import Sentiment
from withstood.protocols import teaching
from withstood.protocols.debate_opening import Opening
from withstood.protocols.debate_patching import Change, Patched
from withstood.protocols.teaching import Matter
from withstood.rules import aggregation, memory_lesson, memory_principle
from withstood.rules.memory_lesson import Held
from withstood.rules.memory_principle import Carried
from withstood.verdict import Step

TAKEN = {"FLIP": Action.FLIP, "DROP": Action.DROP}


@dataclass(frozen=True, slots=True)
class Told:
    """A debated text: before, after, and what it is like."""

    query: Signature
    refs: Collection[str]
    opening: Opening
    patched: Patched


def learn(told: Told) -> tuple[Lesson, tuple[Step, ...]]:
    """The lesson, and the rows that classed it."""
    opening, carried = told.opening, tuple([Carried(action) for action in _actions(told)])
    matter = Matter(
        query=told.query,
        happened=_happened(told),
        carried=memory_principle.Input(carried, len(opening.risks), told.query.language),
        summary=_summary(told),
        stages=Snapshots(_snapshot(opening.sentiments, told.refs), _snapshot(told.patched.sentiments, told.refs)),
        conditions=tuple(_conditions(told)),
        evaluation=_evaluation(told, _risk_before(opening), _risk_after(told)),
    )
    return teaching.lesson(matter)


def _changes(told: Told) -> list[Change]:
    return list((told.patched.changes or {}).values())


def _actions(told: Told) -> list[Action]:
    return [TAKEN[change.action] for change in _changes(told) if change.action in TAKEN]


def _happened(told: Told) -> memory_lesson.Input:
    return memory_lesson.Input(
        opinions=tuple(
            [Held(aspect(one, told.refs), one.polarity or "other", one.implicit) for one in told.opening.sentiments]
        ),
        structure=told.query.detected_structure,
        risks=tuple([risk.type for risk in told.opening.risks]),
        actions=tuple(_actions(told)),
        changed=any(change.action != "KEEP" for change in _changes(told)),
    )


def aspect(one: Sentiment, refs: Collection[str]) -> str:
    """What an episode calls an aspect: its ref where that is one of those agreed on, else the hash of its term."""
    if one.ref in refs and "#" in one.ref:
        return one.ref
    term = quote.normal(one.term).casefold()
    return f"term:{form.digest(term)[:16]}" if term and not one.implicit else "implicit"


def _summary(told: Told) -> CaseSummary:
    first = next(iter(told.opening.sentiments), None)
    kinds = Counter(change.action for change in _changes(told))
    named = ", ".join(f"{name} {kinds[name]}" for name in ("FLIP", "DROP", "ADD") if kinds[name])
    return CaseSummary(
        target_aspect_type=aspect(first, told.refs) if first else "none",
        symptom=told.opening.risks[0].type if told.opening.risks else "none",
        rationale_summary=f"Sentiments: {len(told.opening.sentiments)}. Changes: {named or 'none'}.",
    )


def _snapshot(sentiments: Sequence[Sentiment], refs: Collection[str]) -> Snapshot:
    polarities = {aspect(one, refs): one.polarity or "other" for one in sentiments}
    sure = aggregation.mean([one.confidence for one in sentiments])
    return Snapshot(tuple(polarities), polarities, sure)


def _conditions(told: Told) -> Iterator[str]:
    yield from (f"structure:{structure}" for structure in told.query.detected_structure)
    yield from dict.fromkeys(f"risk:{risk.type}" for risk in told.opening.risks)


def _risk_before(opening: Opening) -> RiskVector:
    return memory_lesson.risk([(risk.type, risk.severity) for risk in opening.risks])


def _risk_after(told: Told) -> RiskVector:
    """The risks that the validator says remain; where it did not look again, all of them."""
    remaining = told.patched.reviews.remaining
    levels = {risk.type: risk.severity for risk in told.opening.risks}
    if remaining is None:
        return _risk_before(told.opening)
    return memory_lesson.risk([(kind, levels.get(kind, "")) for kind in remaining])


def _evaluation(told: Told, before: RiskVector, after: RiskVector) -> Evaluation:
    overridden = any(change.reason == "DEBATE_OVERRIDE" for change in _changes(told))
    return Evaluation(
        risk_before=before,
        risk_after=after,
        override_applied=overridden,
        override_success=overridden and after.severity_sum < before.severity_sum,
        override_harm=overridden and after.severity_sum > before.severity_sum,
    )
