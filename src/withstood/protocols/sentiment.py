"""Sentiment by conflict review: three readers, each alone; flags; three reviewers; the arbiter decides.

    text ── P-NEG, P-IMP, P-LIT ── candidates ── flags ──┬── A, B, C ── scope ── gate ── arbiter ──┬── final, label
                                                         └── no flag: nothing to review ───────────┘

`single` is the baseline: one reader that considers all three lenses, and no review.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from types import MappingProxyType

from withstood import form
from withstood.claims import quote
from withstood.claims.ballot import Absent, Action, Ballot, Decision, Review, Vote
from withstood.claims.case import Case, Conventions
from withstood.claims.flag import Flag
from withstood.claims.opinion import Candidate, Reading, Triplet
from withstood.form import Json
from withstood.protocols.asks import Answers, Ask, Batch, Flow, Silent, put
from withstood.protocols.briefs import READERS, REVIEWERS, SINGLE, ReadingBrief, ReviewBrief, TableTuple
from withstood.rules import application, candidates, conflicts, evidence, reason_gate, scope, sentence_label
from withstood.rules.rulebook import ARBITERS, Rulebook
from withstood.verdict import NOTHING_TO_ASK, MinorityOpinion, Ruling, Step, Verdict

PROTOCOLS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "cr-v1": {"arbiter.edition": "v1", "conflicts.granularity": "off"},
        "cr-v2": {"arbiter.edition": "v2", "conflicts.granularity": "on"},
        "single": {},
    }
)
"""What each protocol presets in the rulebook. What the user sets comes after it."""

Marked = tuple[tuple[Candidate, ...], list[Step]]


def seats(protocol: str) -> tuple[str, ...]:
    return (SINGLE,) if protocol == "single" else READERS + REVIEWERS


def flow(protocol: str, case: Case, book: Rulebook, agreed: Conventions) -> Flow[Verdict]:
    if protocol == "single":
        return single(case, book, agreed)
    return conflict_review(case, book, agreed)


def single(case: Case, book: Rulebook, agreed: Conventions) -> Flow[Verdict]:
    answers = yield from _read(case, agreed, (SINGLE,))
    stage1, path = _lay_out(case, agreed, (SINGLE,), answers)
    found = conflicts.flags(stage1, book.conflicts)
    path += [_flag_step(flag) for flag in found]
    return _conclude(case, Outcome(stage1, found, (), stage1, answers, (), _silences((SINGLE,), answers)), path)


def conflict_review(case: Case, book: Rulebook, agreed: Conventions) -> Flow[Verdict]:
    readings = yield from _read(case, agreed, READERS)
    stage1, path = _lay_out(case, agreed, READERS, readings)
    found = conflicts.flags(stage1, book.conflicts)
    path += [_flag_step(flag) for flag in found]
    held = bool(found) or book.review.when == "always"
    reviews = (yield from _review(case, stage1, found)) if held else ()
    ballots, steps = _ballots(case, book, agreed, stage1, found, reviews)
    path += steps
    decisions = [
        _arbitrate(book, candidate, ballots[candidate.tuple_id], conflict)
        for candidate, conflict in _with_conflicts(stage1, found)
    ]
    path += [step for _, step in decisions]
    actions = tuple([decision for decision, _ in decisions])
    applied = [application.apply(*pair) for pair in zip(stage1, actions, strict=True)]
    final = tuple([candidate for candidate in applied if candidate is not None])
    skipped = _silences(READERS, readings) + (_silences(REVIEWERS, reviews) if held else _not_held())
    return _conclude(case, Outcome(stage1, found, actions, final, readings, reviews, skipped), path)


# --- stage 1: readings become candidates -------------------------------------------------------


def _read(
    case: Case, agreed: Conventions, roles: Sequence[str]
) -> Generator[Batch, Answers, tuple[Reading | Silent, ...]]:
    brief = ReadingBrief(case.text, case.language, agreed.refs.get(case.language, ()))
    return (yield from put([Ask(role, brief, Reading) for role in roles]))


def _lay_out(case: Case, agreed: Conventions, roles: Sequence[str], answers: Sequence[Reading | Silent]) -> Marked:
    refs = frozenset(agreed.refs.get(case.language, ()))
    stated = [
        (role, triplet)
        for role, answer in zip(roles, answers, strict=True)
        if isinstance(answer, Reading)
        for triplet in answer.triplets
    ]
    laid = tuple([_candidate(f"t{no}", role, triplet, case, refs) for no, (role, triplet) in enumerate(stated)])
    return laid, [step for candidate in laid for step in _entry_steps(candidate)]


def _candidate(tuple_id: str, role: str, said: Triplet, case: Case, refs: AbstractSet[str]) -> Candidate:
    marks = candidates.marks(said.aspect_term, said.aspect_ref, refs, case.language)
    begin, end = _offsets(said, case.text)
    return Candidate(
        tuple_id=tuple_id,
        aspect_term=said.aspect_term,
        aspect_ref=said.aspect_ref or "",
        polarity=said.polarity,
        begin=begin,
        end=end,
        opinion_term=said.opinion_term,
        evidence=said.evidence,
        evidence_found=quote.stands(said.evidence, case.text) if said.evidence else None,
        confidence=candidates.confidence(said.confidence, marks),
        origin=role,
        invalid=marks,
    )


def _offsets(said: Triplet, text: str) -> tuple[int | None, int | None]:
    if not said.aspect_term.strip():
        return 0, 0
    place = quote.place(said.aspect_term, text, said.span, said.evidence)
    return (place.start, place.end) if place else (None, None)


def _entry_steps(candidate: Candidate) -> Iterator[Step]:
    who = (candidate.origin,)
    for mark in candidate.invalid:
        yield Step(candidates.TABLE.edition, candidate.tuple_id, Ruling("marked", candidates.ROWS[mark], mark), who)
    checked = evidence.ruling(candidate.evidence, candidate.evidence_found)
    yield Step(evidence.TABLE.edition, candidate.tuple_id, checked, (*who, candidate.evidence or ""))


CONFLICT_ROWS = {
    "ref_polarity_mismatch": "1",
    "semantic_conflict_candidate": "2",
    "term_polarity_mismatch": "3",
    "granularity_overlap_candidate": "4",
}


def _flag_step(flag: Flag) -> Step:
    where = flag.aspect_ref or flag.aspect_term
    ruling = Ruling(flag.conflict_type, CONFLICT_ROWS[flag.conflict_type])
    return Step(conflicts.TABLE.edition, ",".join(flag.tuple_ids), ruling, on=(where,))


# --- the review: actions become ballots --------------------------------------------------------


def _review(
    case: Case, stage1: Sequence[Candidate], found: tuple[Flag, ...]
) -> Generator[Batch, Answers, tuple[Review | Silent, ...]]:
    brief = ReviewBrief(case.text, case.language, tuple([_as_shown(candidate) for candidate in stage1]), found)
    return (yield from put([Ask(role, brief, Review) for role in REVIEWERS]))


def _as_shown(candidate: Candidate) -> TableTuple:
    return TableTuple(
        candidate.tuple_id,
        candidate.aspect_term,
        candidate.aspect_ref,
        candidate.polarity,
        candidate.opinion_term,
        candidate.evidence,
        candidate.evidence_found,
        candidate.begin,
        candidate.end,
        str(candidate.confidence),
        candidate.origin,
    )


def _ballots(
    case: Case,
    book: Rulebook,
    agreed: Conventions,
    stage1: Sequence[Candidate],
    found: tuple[Flag, ...],
    reviews: Sequence[Review | Silent],
) -> tuple[dict[str, Ballot], list[Step]]:
    """One ballot for each candidate, and a step for each action that was refused or whose code was struck."""
    table = {candidate.tuple_id: candidate for candidate in stage1}
    named = conflicts.conflict_types(found)
    ballots = dict.fromkeys(table, Ballot(Absent(), Absent(), Absent()))
    steps: list[Step] = []
    for actor, review in zip(REVIEWERS, reviews, strict=False):
        if isinstance(review, Silent):
            continue
        votes = _votes(actor, review, table, named, book, steps)
        for tuple_id, ballot in ballots.items():
            vote = votes.get(tuple_id)
            if vote and book.arbiter.reason_gate == "on":
                vote = _gated(actor, vote, case, agreed, table[tuple_id], named.get(tuple_id), steps)
            ballots[tuple_id] = replace(ballot, **{actor: vote})
    return ballots, steps


def _votes(
    actor: str,
    review: Review,
    table: Mapping[str, Candidate],
    named: Mapping[str, str],
    book: Rulebook,
    steps: list[Step],
) -> dict[str, Vote]:
    """The reviewer's last admitted action on each tuple."""
    steps += [
        Step("actions", ",".join(refusal.target_tuple_ids), Ruling("refused", "unknown", refusal.action_type), (actor,))
        for refusal in review.refused
    ]
    votes: dict[str, Vote] = {}
    for action in review.review_actions:
        for tuple_id in action.target_tuple_ids:
            ruling = scope.admit(tuple_id, table, named, book.review)
            if ruling.outcome == "admitted":
                votes[tuple_id] = Vote(action.action_type, action.reason_code, action.new_value)
            else:
                steps.append(Step(scope.TABLE.edition, tuple_id, ruling, (f"{actor}: {action.action_type.value}",)))
    return votes


def _gated(
    actor: str,
    vote: Vote,
    case: Case,
    agreed: Conventions,
    candidate: Candidate,
    conflict: str | None,
    steps: list[Step],
) -> Vote:
    cues = _cues(case, agreed, candidate, conflict)
    ruling = reason_gate.admit(vote.action_type, vote.reason_code, cues)
    if ruling.outcome == "passed":
        return vote
    steps.append(Step(reason_gate.TABLE.edition, candidate.tuple_id, ruling, (actor, *sorted(cues))))
    return replace(vote, reason_code="")


def _cues(case: Case, agreed: Conventions, candidate: Candidate, conflict: str | None) -> frozenset[reason_gate.Cue]:
    text = f" {case.text.lower()} "
    overlap = conflict == "granularity_overlap_candidate"
    found: dict[reason_gate.Cue, bool] = {
        "negation": any(marker in text for marker in agreed.negation.get(case.language, ())),
        "contrast": any(marker in text for marker in agreed.contrast.get(case.language, ())),
        "weak_evidence": not candidate.evidence_found,
        "upper_ref": overlap and conflicts.is_upper(candidate.aspect_ref),
    }
    return frozenset(cue for cue, there in found.items() if there)


# --- the arbiter, and the end ------------------------------------------------------------------


def _with_conflicts(stage1: Sequence[Candidate], found: Sequence[Flag]) -> list[tuple[Candidate, str | None]]:
    types = conflicts.conflict_types(found)
    return [(candidate, types.get(candidate.tuple_id)) for candidate in stage1]


def _arbitrate(book: Rulebook, candidate: Candidate, ballot: Ballot, conflict: str | None) -> tuple[Decision, Step]:
    decision = ARBITERS[book.arbiter.edition](ballot, conflict)
    step = Step(
        f"arbiter-{book.arbiter.edition}",
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
    return " ".join(
        part for part in (f"{actor}: {slot.action_type.value}", slot.reason_code, value and f"→ {value}") if part
    )


def _minority(ballot: Ballot, adopted: Action) -> tuple[MinorityOpinion, ...]:
    return tuple(
        [
            MinorityOpinion(voice.actor, voice.action.value, voice.reason)
            for voice in ballot.voices()
            if voice.named and voice.action is not adopted
        ]
    )


def _silences(roles: Sequence[str], answers: Sequence[object]) -> tuple[tuple[str, str], ...]:
    return tuple(
        [(role, answer.why) for role, answer in zip(roles, answers, strict=False) if isinstance(answer, Silent)]
    )


def _not_held() -> tuple[tuple[str, str], ...]:
    return tuple([(role, NOTHING_TO_ASK) for role in REVIEWERS])


@dataclass(frozen=True, slots=True)
class Outcome:
    """All that a case came to, before it is written out."""

    stage1: tuple[Candidate, ...]
    flags: tuple[Flag, ...]
    actions: tuple[Decision, ...]
    final: tuple[Candidate, ...]
    readings: tuple[Reading | Silent, ...]
    reviews: tuple[Review | Silent, ...]
    skipped: tuple[tuple[str, str], ...]


RATIONALE = "The label follows from the final tuples."
NOBODY = "No reader gave an answer, so there is no verdict."
MEMORY: Mapping[str, Json] = MappingProxyType(
    {"mode": "off", "retrieved_k": 0, "write_enabled": False, "store_id": None, "retrieval_stage": "review_only"}
)


def _conclude(case: Case, outcome: Outcome, path: list[Step]) -> Verdict:
    nobody = all(isinstance(answer, Silent) for answer in outcome.readings)
    ruling = sentence_label.label([candidate.polarity for candidate in outcome.final])
    result: dict[str, Json] = {
        "id": case.id,
        "text_hash": form.digest(case.text),
        "stage1": [_tuple(candidate) for candidate in outcome.stage1],
        "flags": [form.write(flag) for flag in outcome.flags],
        "actions": [_action(*pair) for pair in zip(outcome.stage1, outcome.actions, strict=False)],
        "final": [_tuple(candidate) for candidate in outcome.final],
        "label": None if nobody else ruling.outcome,
        "confidence": None if nobody else sentence_label.CONFIDENCE,
        "rationale": NOBODY if nobody else RATIONALE,
        "applied_rules": [],
        "memory": dict(MEMORY),
        "asks": len(outcome.readings) + len(outcome.reviews),
        "skipped": [{"role": role, "why": why} for role, why in outcome.skipped],
    }
    end = [] if nobody else [Step(sentence_label.TABLE.edition, "", ruling)]
    return Verdict(result, tuple(path + end))


def _tuple(candidate: Candidate) -> dict[str, Json]:
    return {
        "tuple_id": candidate.tuple_id,
        "aspect_term": candidate.aspect_term,
        "aspect_ref": candidate.aspect_ref,
        "polarity": candidate.polarity or "neutral",
        "begin": candidate.begin,
        "end": candidate.end,
        "opinion_term": candidate.opinion_term,
        "confidence": candidate.confidence,
        "origin": candidate.origin,
        "flag": candidate.flag,
    }


def _action(candidate: Candidate, decision: Decision) -> dict[str, Json]:
    return {
        "tuple_id": candidate.tuple_id,
        "action": decision.action.value,
        "reason_code": decision.reason_code,
        "row": decision.row,
    }
