"""What may be learned from a text that was reviewed: closed words, counts and hashes, and a sentence of ours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from withstood import form
from withstood.claims import quote
from withstood.claims.ballot import REASON_CODES, Action, Ballot, Decision, Review
from withstood.claims.episode import (
    CaseSummary,
    Dissent,
    Evaluation,
    Lesson,
    RiskVector,
    Signature,
    Snapshot,
    Snapshots,
)
from withstood.claims.flag import Flag
from withstood.claims.opinion import Candidate
from withstood.protocols import teaching
from withstood.protocols.asks import Silent
from withstood.protocols.teaching import Matter
from withstood.rules import conflicts, memory_lesson, memory_principle
from withstood.rules.memory_lesson import Held
from withstood.rules.memory_principle import Carried
from withstood.verdict import Step

POLARITIES = frozenset({"positive", "negative", "neutral", "mixed"})


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A text whose conflicts were reviewed: before, what was voted and decided, after."""

    query: Signature
    refs: Collection[str]
    stage1: tuple[Candidate, ...]
    flags: tuple[Flag, ...]
    reviews: tuple[Review | Silent, ...]
    ballots: tuple[Ballot, ...]
    actions: tuple[Decision, ...]
    final: tuple[Candidate, ...]
    flags_after: tuple[Flag, ...]


def learn(told: Reviewed) -> tuple[Lesson, tuple[Step, ...]]:
    """The lesson, and the rows that classed it."""
    matter = Matter(
        query=told.query,
        happened=_happened(told),
        carried=memory_principle.Input(tuple(_carried(told)), 0, told.query.language),
        summary=_summary(told),
        stages=Snapshots(_snapshot(told.stage1, told.refs), _snapshot(told.final, told.refs)),
        conditions=tuple(_conditions(told)),
        evaluation=_evaluation(told, _risk(told.flags), _risk(told.flags_after)),
    )
    return teaching.lesson(matter)


def aspect(candidate: Candidate, refs: Collection[str]) -> str:
    """What an episode calls an aspect: its ref where that is one of those agreed on, else the hash of its term."""
    ref, term = candidate.aspect_ref.strip(), quote.normal(candidate.aspect_term).casefold()
    if ref in refs and "#" in ref:
        return ref
    return f"term:{form.digest(term)[:16]}" if term else "implicit"


def polarity(said: str) -> str:
    """A polarity as a closed word."""
    word = said.strip().lower()
    return word if word in POLARITIES else "other"


def reason(code: str) -> str:
    """A reason code as a closed word: free words are none."""
    word = code.strip().upper()
    return word if word in REASON_CODES else ""


def _risk(flags: Sequence[Flag]) -> RiskVector:
    return memory_lesson.risk_of_flags([flag.conflict_type for flag in flags])


def _happened(told: Reviewed) -> memory_lesson.Input:
    heard = [review for review in told.reviews if isinstance(review, Review)]
    return memory_lesson.Input(
        opinions=tuple([_held(candidate, told.refs) for candidate in told.stage1]),
        structure=told.query.detected_structure,
        flags=tuple([flag.conflict_type for flag in told.flags]),
        reasons=tuple(
            [reason(voice.reason) for ballot in told.ballots for voice in ballot.voices() if reason(voice.reason)]
        ),
        actions=tuple([decision.action for decision in told.actions]),
        refused=sum(len(review.refused) for review in heard),
        changed=_changed(told),
    )


def _held(candidate: Candidate, refs: Collection[str]) -> Held:
    implicit = not candidate.aspect_term.strip()
    return Held(aspect(candidate, refs), polarity(candidate.polarity), implicit)


def _changed(told: Reviewed) -> bool:
    before = [(one.tuple_id, one.polarity) for one in told.stage1]
    return before != [(one.tuple_id, one.polarity) for one in told.final]


def _carried(told: Reviewed) -> Iterator[Carried]:
    kinds = conflicts.conflict_types(told.flags)
    for candidate, ballot, decision in zip(told.stage1, told.ballots, told.actions, strict=True):
        named = [voice.reason for voice in ballot.voices() if voice.named and voice.action is decision.action]
        kind = kinds.get(candidate.tuple_id)
        yield Carried(decision.action, decision.reason_code, tuple([reason(code) for code in named]), kind)


def _summary(told: Reviewed) -> CaseSummary:
    flagged = conflicts.conflict_types(told.flags)
    first = next((one for one in told.stage1 if one.tuple_id in flagged), told.stage1[0] if told.stage1 else None)
    kinds = Counter(decision.action.value for decision in told.actions)
    actions = ", ".join(f"{action.value} {kinds[action.value]}" for action in Action if kinds[action.value])
    return CaseSummary(
        target_aspect_type=aspect(first, told.refs) if first else "none",
        symptom=told.flags[0].conflict_type if told.flags else "none",
        rationale_summary=f"Tuples: {len(told.stage1)}, flagged: {len(flagged)}. Actions: {actions or 'none'}.",
    )


def _snapshot(candidates: Sequence[Candidate], refs: Collection[str]) -> Snapshot:
    polarities = {aspect(candidate, refs): polarity(candidate.polarity) for candidate in candidates}
    return Snapshot(tuple(polarities), polarities)


def _conditions(told: Reviewed) -> Iterator[str]:
    yield from (f"structure:{structure}" for structure in told.query.detected_structure)
    yield from dict.fromkeys(f"flag:{flag.conflict_type}" for flag in told.flags)


def _evaluation(told: Reviewed, before: RiskVector, after: RiskVector) -> Evaluation:
    changed = _changed(told)
    return Evaluation(
        risk_before=before,
        risk_after=after,
        override_applied=changed,
        override_success=changed and after.severity_sum < before.severity_sum,
        override_harm=changed and after.severity_sum > before.severity_sum,
        arbiter_reason_code=next((one.reason_code for one in told.actions if one.reason_code), None),
        facet_dissent=tuple(dict.fromkeys(_dissent(told))),
    )


def _dissent(told: Reviewed) -> Iterator[Dissent]:
    for ballot, decision in zip(told.ballots, told.actions, strict=True):
        for voice in ballot.voices():
            if voice.named and voice.action is not decision.action:
                yield Dissent(voice.actor, voice.action.value, reason(voice.reason))
