"""What an investigation came to, written out: the report as published, and the record beside it.

`report` has the published fields and no other; `record` is what whoever draws the report in full needs besides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from withstood.claims import iid, location, tiers
from withstood.claims.inquiry import Agreed, Inquiry
from withstood.claims.inspection import Piece
from withstood.claims.location import CommitName, Lines
from withstood.form import Json
from withstood.protocols.docket import Docket, Entry, Tried
from withstood.protocols.judging import Against, Judged
from withstood.protocols.minutes import Heard, Minutes
from withstood.protocols.summoning import Plan

NOTHING = {"en": "No finding is left after the evidence was checked.", "ko": "증거를 확인한 뒤 남은 발견이 없습니다."}
NOBODY = {
    "en": "No investigator gave a result, so there is no verdict.",
    "ko": "결과를 낸 조사관이 없어 판정이 없습니다.",
}


@dataclass(frozen=True, slots=True)
class Course:
    """How the investigation went. `single`: why there is one source alone; "" where there are more."""

    planned: Plan
    rounds: int
    passes: int
    single: str = ""


def result(
    matter: Inquiry,
    agreed: Agreed,
    course: Course,
    minutes: Minutes,
    docket: Docket,
    judged: Sequence[Judged],
    heard: Sequence[Heard],
    pieces: Sequence[Piece],
    percent: int,
) -> dict[str, Json]:
    return {
        "report": _report(matter, agreed, course, minutes, judged, heard, pieces),
        "record": _record(matter, agreed, course, minutes, docket, judged, heard, pieces, percent),
    }


# --- the published report ----------------------------------------------------------------------


def _report(
    matter: Inquiry,
    agreed: Agreed,
    course: Course,
    minutes: Minutes,
    judged: Sequence[Judged],
    heard: Sequence[Heard],
    pieces: Sequence[Piece],
) -> dict[str, Json]:
    findings = [_finding(one, agreed, matter.language) for one in judged]
    said = {"ko": "ko"}.get(matter.language, "en")
    nothing = (NOTHING if heard else NOBODY)[said]
    return {
        "id": matter.id,
        "question": matter.question,
        "conclusion": findings[0]["text"] if findings else nothing,
        "certainty": findings[0]["tag"] if findings else "Uncertain",
        "findings": findings,
        "struck": [_struck(piece) for piece in pieces if not piece.checked],
        "rounds": course.rounds,
        "excluded": [{"iid": one.iid, "why": one.why} for one in minutes.excluded],
    }


def _finding(one: Judged, agreed: Agreed, language: str) -> dict[str, Json]:
    """The side that stands. Where a challenger's was adopted, it is the finding, and the item the minority."""
    own = _own(one.entry)
    adopted = next((side for side in one.against if side.name == one.ruling.adopted), None)
    stands = adopted or own
    others = [side for side in (own, *one.against) if side is not stands]
    said = _opinion(stands)
    return {
        "id": one.entry.id,
        "tag": one.ruling.certainty,
        "text": said["text"],
        "cause": said["cause"],
        "direction": said["direction"],
        "evidence": said["evidence"],
        "investigators": said["investigators"],
        "caveats": list(_caveats(one)),
        "minority": [_opinion(side) for side in others] or None,
    }


def _own(entry: Entry) -> Against:
    pieces = tuple([piece for held in entry.held for piece in held.pieces])
    return Against(entry.id, entry, entry.speaker.finding.description, entry.iids, pieces)


def _opinion(side: Against) -> dict[str, Json]:
    speaker = side.entry.speaker if side.entry else None
    return {
        "id": side.name,
        "text": side.says,
        "cause": speaker.cause if speaker else "",
        "direction": speaker.direction if speaker else "",
        "evidence": [_evidence(piece) for piece in distinct(side.pieces)],
        "investigators": list(side.iids),
    }


def distinct(pieces: Sequence[Piece]) -> list[Piece]:
    """One of each type and place, the strongest; checked ones first, in the order of their strength."""
    ranked = sorted(pieces, key=lambda one: (not one.checked, ("STRONG", "MODERATE", "WEAK").index(one.grade)))
    found: dict[tuple[str, str, bool], Piece] = {}
    for piece in ranked:
        found.setdefault((piece.cited.type, _where(piece), piece.checked), piece)
    return list(found.values())


def _where(piece: Piece) -> str:
    if not piece.checked:
        return piece.cited.location
    return piece.seen.commit or f"{piece.seen.path}:{piece.seen.line}"


def _evidence(piece: Piece) -> dict[str, Json]:
    """What was not found is told as it was cited."""
    seen, cited = piece.seen, location.parse(piece.cited.location)
    lines = cited if isinstance(cited, Lines) else None
    named = cited.name if isinstance(cited, CommitName) else None
    return {
        "type": piece.cited.type,
        "path": seen.path or (lines.path if lines else None),
        "line": seen.line or (lines.first if lines else None),
        "end_line": seen.end_line or (lines.last if lines else None),
        "commit": seen.commit or named,
        "snippet": piece.cited.snippet,
        "grade": piece.grade,
        "checked": piece.checked,
        "drift": seen.drift,
    }


def _struck(piece: Piece) -> dict[str, Json]:
    who, _, ref = piece.cited.id.partition("/")
    return {
        "iid": who,
        "finding": ref.rpartition("/")[0],
        "type": piece.cited.type,
        "location": piece.cited.location,
        "snippet": piece.cited.snippet,
        "why": f"{piece.seen.seen}: {piece.seen.why}" if piece.seen.why else piece.seen.seen,
    }


def _caveats(one: Judged) -> list[str]:
    """Codes of the tables, then what challengers say that weakened it."""
    entry = one.entry
    found = [one.ruling.caveat] if one.ruling.caveat else []
    if not entry.checked:
        found.append("NO_CHECKED_EVIDENCE")
    elif any(not piece.checked for held in entry.held for piece in held.pieces):
        found.append("SOME_EVIDENCE_STRUCK")
    return found + [f"{tried.iid}: {tried.said.challenge}" for tried in entry.tried if tried.said.verdict != "UPHELD"]


# --- the record beside it ----------------------------------------------------------------------


def _record(
    matter: Inquiry,
    agreed: Agreed,
    course: Course,
    minutes: Minutes,
    docket: Docket,
    judged: Sequence[Judged],
    heard: Sequence[Heard],
    pieces: Sequence[Piece],
    percent: int,
) -> dict[str, Json]:
    planned = course.planned
    entries = [*docket.entries.values(), *docket.given_up]
    return {
        "language": matter.language,
        "plan": {
            "kind": planned.kind,
            "profile": planned.profile.name,
            "quick": planned.quick,
            "cast": list(planned.cast),
            "challengers": list(planned.challengers),
            "without_source": list(planned.without_source),
            "key_questions": list(planned.key_questions),
        },
        "sources": [
            {"kind": one.kind, "name": one.name, "note": one.note, "missing": one.missing} for one in matter.sources
        ],
        "passes": course.passes,
        "single": course.single,
        "heard": [_heard(one, pieces, percent) for one in heard],
        "items": [_item(entry, judged) for entry in entries],
        "given_up": [entry.id for entry in docket.given_up],
        "judged": [_judged(one, agreed, matter.language) for one in judged],
        "excerpts": _excerpts(pieces),
        "events": list(minutes.events),
        "batches": [{"asked": list(one.asked), "silent": list(one.silent)} for one in minutes.batches],
        "peak_prompt_tokens": minutes.peak,
    }


def _heard(one: Heard, pieces: Sequence[Piece], percent: int) -> dict[str, Json]:
    """Who reported, how long the layers are, and how much of the evidence was struck."""
    sizes = tiers.sizes(one.answer)
    own = [piece for piece in pieces if piece.cited.id.startswith(f"{one.label}/")]
    struck = sum(not piece.checked for piece in own)
    return {
        "iid": one.iid,
        "label": one.label,
        "one_liner": one.answer.one_liner,
        "confidence": one.answer.confidence,
        "findings": len(one.answer.findings),
        "needs_further": one.answer.needs_further,
        "not_looked_at": list(one.answer.not_looked_at),
        "reduced": one.answer.reduced,
        "layer1_tokens": sizes.head,
        "layer2_tokens": sizes.findings,
        "over": list(sizes.over),
        "pieces": len(own),
        "struck": struck,
        "unreliable": bool(own) and struck * 100 > percent * len(own),
    }


def _item(entry: Entry, judged: Sequence[Judged]) -> dict[str, Json]:
    return {
        "id": entry.id,
        "standing": entry.standing,
        "text": entry.speaker.finding.description if entry.held else entry.scope,
        "findings": [held.ref for held in entry.held],
        "investigators": list(entry.iids) or [entry.asker],
        "opposes": list(entry.opposes),
        "linked": list(entry.linked),
        "scope": entry.scope,
        "challenge": entry.challenge,
        "challenges": [_tried(one) for one in entry.tried],
        "reported": any(one.entry.id == entry.id for one in judged),
    }


def _tried(one: Tried) -> dict[str, Json]:
    return {
        "iid": one.iid,
        "verdict": one.said.verdict,
        "challenge": one.said.challenge,
        "impact": one.said.impact,
        "evidence": [_evidence(piece) for piece in one.pieces],
    }


def _judged(one: Judged, agreed: Agreed, language: str) -> dict[str, Json]:
    speaker = one.entry.speaker
    return {
        "id": one.entry.id,
        "row": one.ruling.row,
        "mass": dict(one.ruling.mass),
        "adopted": one.ruling.adopted,
        "cause_name": agreed.causes.name(speaker.cause, language),
        "direction_name": agreed.directions.name(speaker.direction, language),
        "alternatives": list(dict.fromkeys([text for held in one.entry.held for text in held.finding.alternatives])),
        "who": [
            {
                "iid": held.iid,
                "ref": held.ref,
                "text": held.finding.description,
                "grade": held.grade if held.checked else None,
                "pieces": [piece.cited.id for piece in held.pieces],
            }
            for held in one.entry.held
        ],
        "voices": sorted({iid.voice(name) for name in one.entry.iids}),
    }


def _excerpts(pieces: Sequence[Piece]) -> list[Json]:
    """What stands where checked evidence points, each place once."""
    found: dict[tuple[str, str, int], Json] = {}
    for piece in pieces:
        seen = piece.seen
        if piece.checked and seen.excerpt:
            found.setdefault(
                (seen.path, seen.commit, seen.excerpt_line),
                {
                    "path": seen.path,
                    "commit": seen.commit,
                    "line": seen.line,
                    "end_line": seen.end_line,
                    "from": seen.excerpt_line,
                    "lines": list(seen.excerpt),
                    "sha256": seen.sha256,
                },
            )
    return list(found.values())
