"""Readings become candidates: numbered, marked, with offsets and evidence that code has looked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from withstood.claims import quote
from withstood.claims.case import Case, Conventions
from withstood.claims.flag import Flag
from withstood.claims.opinion import Candidate, Reading, Triplet
from withstood.protocols.asks import Silent
from withstood.rules import candidates, conflicts, evidence
from withstood.verdict import Ruling, Step

CONFLICT_ROWS = {
    "ref_polarity_mismatch": "1",
    "semantic_conflict_candidate": "2",
    "term_polarity_mismatch": "3",
    "granularity_overlap_candidate": "4",
}


def lay_out(
    case: Case, agreed: Conventions, roles: Sequence[str], answers: Sequence[Reading | Silent]
) -> tuple[tuple[Candidate, ...], list[Step]]:
    """All triplets in the order of the roles, ids t0, t1, ... running through. Nothing is merged or left out."""
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


def flag_step(flag: Flag) -> Step:
    where = flag.aspect_ref or flag.aspect_term
    ruling = Ruling(flag.conflict_type, CONFLICT_ROWS[flag.conflict_type])
    return Step(conflicts.TABLE.edition, ",".join(flag.tuple_ids), ruling, on=(where,))
