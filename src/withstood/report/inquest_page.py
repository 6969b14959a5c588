"""The final report of an investigation as one HTML file that needs nothing else: no script, no remote load, no font.

Every text goes through `inert.visible_lines` and the template's escaping.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

from withstood.report import inquest_told as told
from withstood.report import inquest_words
from withstood.report.inquest import Evidence, Excerpt, Found, Inquest, Judged, Opinion, Tried
from withstood.report.page import template

MOST_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Line:
    no: int
    text: str
    cited: bool


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of evidence with the lines around it."""

    evidence: Evidence
    lines: tuple[Line, ...]
    sha256: str


@dataclass(frozen=True, slots=True)
class Side:
    """A side with its mass, and how wide its bar is, in hundredths of the heaviest."""

    name: str
    mass: Decimal
    share: str
    own: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """A finding with all that its part of the page shows."""

    finding: Found
    judged: Judged
    cause: str
    direction: str
    caveats: tuple[str, ...]
    follow_ups: tuple[str, ...]
    pieces: tuple[Piece, ...]
    more: int
    sides: tuple[Side, ...]
    challenges: tuple[Tried, ...]
    others: tuple[tuple[Opinion, str], ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """One batch in the course of the investigation."""

    round: str
    asked: tuple[tuple[str, str], ...]
    again: bool


def render(found: Inquest) -> str:
    say = inquest_words.of(found.language)
    return template("inquest.html.j2").render(
        say=say,
        language=found.language,
        report=found.report,
        record=found.record,
        warnings=_warnings(found, say),
        figures=_figures(found, say),
        findings=[_shown(found, one, say) for one in found.report.findings],
        recommendations=list(told.recommendations(found, say)),
        missing=told.missing(found),
        not_looked=told.not_looked(found),
        course=list(_course(found)),
        about=told.about(found, say),
        again=told.again(found, say),
    )


def _warnings(found: Inquest, say: Mapping[str, str]) -> list[str]:
    lines = [f"{say['stopped']}: {found.why}"] if found.why else []
    single = told.single(found, say)
    return [*lines, f"{say['single']}. {single}"] if single else lines


def _figures(found: Inquest, say: Mapping[str, str]) -> list[tuple[str, str]]:
    tags = [(tag, str(len(found.tagged(tag)))) for tag in ("Confirmed", "Likely", "Uncertain")]
    more = [(say["investigators"], str(told.looked(found))), (say["round_count"], str(found.report.rounds))]
    return [*tags, *more, (say["struck"], str(len(found.report.struck)))]


def _shown(found: Inquest, one: Found, say: Mapping[str, str]) -> Shown:
    judged = found.judged(one.id)
    cause, direction = told.named(found, one)
    item = found.item(one.id)
    return Shown(
        one,
        judged,
        cause,
        direction,
        tuple([told.caveat(said, say) for said in one.caveats]),
        tuple(told.follow_ups(found, one, say)) if one.tag == "Uncertain" else (),
        tuple([_piece(found, piece) for piece in one.evidence[:MOST_SHOWN]]),
        max(0, len(one.evidence) - MOST_SHOWN),
        tuple(_sides(one, judged)),
        item.challenges,
        tuple([(other, told.pieces(other, say)) for other in one.minority or ()]),
    )


def _piece(found: Inquest, one: Evidence) -> Piece:
    excerpt = found.excerpt(one)
    if excerpt is None:
        return Piece(one, tuple([Line(0, line, True) for line in one.snippet.splitlines()]), "")
    return Piece(one, tuple(_lines(excerpt)), excerpt.sha256)


def _lines(excerpt: Excerpt) -> Iterator[Line]:
    """Lines of a commit have no numbers of their own."""
    for no, line in enumerate(excerpt.lines, start=excerpt.first):
        yield Line(0 if excerpt.commit else no, line, bool(excerpt.commit) or excerpt.line <= no <= excerpt.end_line)


def _sides(one: Found, judged: Judged) -> Iterator[Side]:
    most = max(judged.mass.values(), default=Decimal(0))
    for name, mass in sorted(judged.mass.items(), key=lambda side: (-side[1], side[0])):
        share = f"{100 * mass / most:.4g}" if most else "0"
        yield Side(name, mass, share, name == (judged.adopted or one.id))


def _course(found: Inquest) -> Iterator[Moment]:
    """Batch by batch; who was silent is asked again at once."""
    said = {one.iid: one.one_liner for one in found.record.heard} | _verdicts(found)
    silent: tuple[str, ...] = ()
    for batch in found.record.batches:
        first = all(iid.endswith("-R1") for iid in batch.asked)
        told = tuple([(iid, "" if iid in batch.silent else said.get(iid, "…")) for iid in batch.asked])
        yield Moment("1" if first else "3", told, bool(silent) and batch.asked == silent)
        silent = batch.silent


def _verdicts(found: Inquest) -> dict[str, str]:
    """What each challenger came to, item by item."""
    tried = [(one.iid, f"{item.id} {one.verdict}") for item in found.record.items for one in item.challenges]
    return {iid: ", ".join(said for name, said in tried if name == iid) for iid, _ in tried}
