"""Reviews become ballots: scope and gate on the way in, the arbiter at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from withstood.claims.ballot import Absent, Action, Ballot, Decision, Review, ReviewAction, Vote
from withstood.claims.case import Case, Conventions
from withstood.claims.flag import Flag
from withstood.claims.opinion import Candidate
from withstood.protocols.asks import Silent
from withstood.protocols.briefs import REVIEWERS
from withstood.rules import arbiter_w1, conflicts, reason_gate, scope
from withstood.rules.rulebook import ARBITERS, Rulebook
from withstood.verdict import MinorityOpinion, Ruling, Step


@dataclass(frozen=True, slots=True)
class Table:
    """What lies on the table when reviews come in."""

    case: Case
    book: Rulebook
    agreed: Conventions
    candidates: Mapping[str, Candidate]
    conflicts: Mapping[str, str]
    """The conflict type of each flagged tuple."""


@dataclass(frozen=True, slots=True)
class Count:
    """How each candidate was voted on and what was decided, in the order of the candidates; and the steps of it."""

    ballots: tuple[Ballot, ...]
    actions: tuple[Decision, ...]
    steps: tuple[Step, ...]


def decide(
    case: Case,
    book: Rulebook,
    agreed: Conventions,
    stage1: tuple[Candidate, ...],
    flags: Sequence[Flag],
    reviews: Sequence[Review | Silent],
) -> Count:
    """One decision for each candidate, in order; and a step for each refused action, struck code and decision."""
    by_id = {candidate.tuple_id: candidate for candidate in stage1}
    table = Table(case, book, agreed, by_id, conflicts.conflict_types(flags))
    votes: dict[str, Mapping[str, Vote] | None] = dict.fromkeys(REVIEWERS)
    steps: list[Step] = []
    for actor, review in zip(REVIEWERS, reviews, strict=False):
        if isinstance(review, Review):
            steps += _refusals(actor, review)
            votes[actor] = dict(_votes(table, actor, review, steps))
    ballots = tuple([_ballot(candidate.tuple_id, votes) for candidate in stage1])
    decided = [_arbitrate(table, *pair) for pair in zip(stage1, ballots, strict=True)]
    return Count(ballots, tuple([decision for decision, _ in decided]), (*steps, *(step for _, step in decided)))


def _ballot(tuple_id: str, votes: Mapping[str, Mapping[str, Vote] | None]) -> Ballot:
    slots = {actor: Absent() if cast is None else cast.get(tuple_id) for actor, cast in votes.items()}
    return Ballot(**slots)


def _refusals(actor: str, review: Review) -> Iterator[Step]:
    """Actions of a kind that does not exist."""
    for refusal in review.refused:
        ruling = Ruling("refused", "unknown", refusal.action_type)
        yield Step("actions", ",".join(refusal.target_tuple_ids), ruling, (actor,))


def _votes(table: Table, actor: str, review: Review, steps: list[Step]) -> Iterator[tuple[str, Vote]]:
    """The reviewer's admitted actions in order, so that the last on a tuple stands."""
    for action in review.review_actions:
        for tuple_id in action.target_tuple_ids:
            ruling = scope.admit(tuple_id, table.candidates, table.conflicts, table.book.review)
            if ruling.outcome == "admitted":
                yield tuple_id, _gated(table, actor, action, table.candidates[tuple_id], steps)
            else:
                steps.append(Step(scope.TABLE.edition, tuple_id, ruling, (f"{actor}: {action.action_type.value}",)))


def _gated(table: Table, actor: str, action: ReviewAction, candidate: Candidate, steps: list[Step]) -> Vote:
    """The vote; under the gate without a reason code whose cue is not there."""
    vote = Vote(action.action_type, action.reason_code, action.new_value)
    if table.book.arbiter.reason_gate == "off":
        return vote
    cues = _cues(table, candidate)
    ruling = reason_gate.admit(vote.action_type, vote.reason_code, cues)
    if ruling.outcome == "passed":
        return vote
    steps.append(Step(reason_gate.TABLE.edition, candidate.tuple_id, ruling, (actor, *sorted(cues))))
    return replace(vote, reason_code="")


def _cues(table: Table, candidate: Candidate) -> frozenset[reason_gate.Cue]:
    """What code finds in the text and the evidence, whatever anybody says."""
    language, text = table.case.language, f" {table.case.text.lower()} "
    overlap = table.conflicts.get(candidate.tuple_id) == "granularity_overlap_candidate"
    found: dict[reason_gate.Cue, bool] = {
        "negation": any(marker in text for marker in table.agreed.negation.get(language, ())),
        "contrast": any(marker in text for marker in table.agreed.contrast.get(language, ())),
        "weak_evidence": not candidate.evidence_found,
        "upper_ref": overlap and conflicts.is_upper(candidate.aspect_ref),
    }
    return frozenset(cue for cue, there in found.items() if there)


def _arbitrate(table: Table, candidate: Candidate, ballot: Ballot) -> tuple[Decision, Step]:
    edition = table.book.arbiter.edition
    conflict_type = table.conflicts.get(candidate.tuple_id)
    if edition == "w1":
        decision = arbiter_w1.arbitrate(ballot, conflict_type, table.book.arbiter)
    else:
        decision = ARBITERS[edition](ballot, conflict_type, table.book.without(f"arbiter-{edition}"))
    step = Step(
        f"arbiter-{edition}",
        candidate.tuple_id,
        Ruling(decision.action.value, decision.row, decision.reason_code),
        on=tuple([_said(actor, slot) for actor, slot in ballot.slots()]),
        minority=_minority(ballot, decision.action),
    )
    return decision, step


def _said(actor: str, slot: Vote | Absent | None) -> str:
    if isinstance(slot, Absent):
        return f"{actor}: absent"
    if slot is None:
        return f"{actor}: KEEP (named no action)"
    value = ", ".join(f"{name} {value}" for name, value in (slot.new_value or {}).items() if value is not None)
    parts = (f"{actor}: {slot.action_type.value}", slot.reason_code, value and f"→ {value}")
    return " ".join(part for part in parts if part)


def _minority(ballot: Ballot, adopted: Action) -> tuple[MinorityOpinion, ...]:
    """Who named an action that did not carry."""
    return tuple(
        [
            MinorityOpinion(voice.actor, voice.action.value, voice.reason)
            for voice in ballot.voices()
            if voice.named and voice.action is not adopted
        ]
    )
