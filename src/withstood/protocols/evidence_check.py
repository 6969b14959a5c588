"""Evidence is looked for by code before it counts: citations out, pieces with their grades back."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence

from withstood.claims.finding import Evidence
from withstood.claims.inspection import Checked, Citation, Inspection, Piece
from withstood.protocols.asks import Answers, Batch, Silent, put
from withstood.protocols.investigation_briefs import CHECK, CheckBrief
from withstood.protocols.minutes import Minutes
from withstood.rules import citation
from withstood.rules.grouping import Place
from withstood.rules.rulebook import Rulebook
from withstood.verdict import Ruling

NOT_LOOKED_FOR = "it was not looked for"


def check(
    minutes: Minutes, book: Rulebook, language: str, cited: Mapping[str, Evidence]
) -> Generator[Batch, Answers, dict[str, Piece]]:
    """By id, what became of each piece of evidence."""
    if not cited:
        return {}
    citations = tuple([Citation(name, one.type, one.location, one.snippet) for name, one in cited.items()])
    ask = minutes.ask(CHECK, CheckBrief(language, citations, book.evidence.drift), Inspection)
    (answer,) = yield from put([ask])
    seen = {one.id: one for one in answer.pieces} if isinstance(answer, Inspection) else {}
    why = answer.why if isinstance(answer, Silent) else NOT_LOOKED_FOR
    found: dict[str, Piece] = {}
    for one in citations:
        looked = seen.get(one.id) or Checked(one.id, "no-place", why)
        graded = citation.grade(looked.seen, cited[one.id].strength)
        found[one.id] = Piece(one, looked, graded.grade, graded.outcome == "checked", graded.row)
        ruling = Ruling(graded.outcome, graded.row, graded.grade if graded.outcome == "checked" else looked.seen)
        minutes.rule(citation.TABLE.edition, one.id, ruling, (one.type, one.location))
    return found


def place(piece: Piece) -> Place:
    """Where a checked piece stands, for comparing."""
    seen = piece.seen
    return Place(piece.cited.type, seen.path, seen.line, seen.end_line, seen.commit, seen.template)


def origins(pieces: Sequence[Piece], touching: int) -> dict[str, str]:
    """Id to origin: one commit, one template, one run of lines that nearly touch are one origin each."""
    found: dict[str, str] = {}
    lines: list[Piece] = []
    for piece in pieces:
        if piece.seen.commit:
            found[piece.cited.id] = f"commit {piece.seen.commit}"
        elif piece.seen.template:
            found[piece.cited.id] = f"template {piece.seen.template}"
        else:
            lines.append(piece)
    return found | _runs(lines, touching)


def _runs(pieces: Sequence[Piece], touching: int) -> dict[str, str]:
    found: dict[str, str] = {}
    path, end, name = "", 0, ""
    for piece in sorted(pieces, key=lambda one: (one.seen.path, one.seen.line, one.seen.end_line)):
        seen = piece.seen
        if seen.path != path or seen.line > end + touching:
            path, end, name = seen.path, 0, f"lines {seen.path}:{seen.line}"
        end = max(end, seen.end_line)
        found[piece.cited.id] = name
    return found
