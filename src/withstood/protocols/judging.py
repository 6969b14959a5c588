"""Round 4: every item is judged by the table, and items that tell of one disagreement are told once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from withstood.claims import iid
from withstood.claims.inspection import Piece
from withstood.claims.vocabulary import normal
from withstood.protocols.docket import Docket, Entry
from withstood.protocols.evidence_check import origins
from withstood.protocols.minutes import Minutes
from withstood.rules import judgements, ranking
from withstood.rules.judgements import Side
from withstood.rules.rulebook import JUDGEMENTS, Rulebook
from withstood.verdict import MinorityOpinion, Ruling, Step

LEAST_WORD = 3


@dataclass(frozen=True, slots=True)
class Against:
    """A side that was not adopted: an item of the docket, or a challenger."""

    name: str
    entry: Entry | None
    says: str
    iids: tuple[str, ...]
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """An item with its ruling. `mass` is that of its own side; `against` are the other sides, the heaviest first."""

    entry: Entry
    ruling: judgements.Output
    mass: Decimal
    against: tuple[Against, ...]
    related: int


def judge(docket: Docket, book: Rulebook, minutes: Minutes, question: str) -> list[Judged]:
    """In the order in which they are reported. An item whose opponent was adopted is told of there."""
    wanted = _words(question)
    judged = [_judged(docket, entry, book, minutes, wanted) for entry in docket.entries.values() if entry.held]
    order = ranking.rank([_ranked(one) for one in judged])
    by_id = {one.entry.id: one for one in judged}
    kept = _once([by_id[name] for name in order])
    for place, one in enumerate(kept, start=1):
        minutes.rule(ranking.TABLE.edition, one.entry.id, Ruling(f"place {place}", ""), (str(one.related),))
    return kept


def _judged(docket: Docket, entry: Entry, book: Rulebook, minutes: Minutes, wanted: set[str]) -> Judged:
    against = _against(docket, entry)
    pieces = [*entry.checked, *(piece for one in against for piece in one.pieces)]
    origin = origins(pieces, book.grouping.touching)
    sides = (_side(entry.id, entry.checked, origin), *(_side(one.name, one.pieces, origin) for one in against))
    case = judgements.Input(entry.standing, entry.challenge, _founded(entry), sides if against else sides[:1])
    edition = f"judgement-{book.mass.edition}"
    ruling = JUDGEMENTS[book.mass.edition](case, book.mass, book.without(edition))
    mass = {name: Decimal(part) for name, part in ruling.mass.items()}
    heaviest = tuple(sorted(against, key=lambda one: (-mass[one.name], one.name)))
    told = [f"{name}: mass {part}" for name, part in ruling.mass.items()]
    minutes.path.append(
        Step(
            edition,
            entry.id,
            Ruling(ruling.certainty, ruling.row, ruling.caveat or ""),
            (f"{entry.standing} {entry.challenge or 'not challenged'}", *told),
            tuple([MinorityOpinion(one.name, one.says) for one in heaviest if one.name != ruling.adopted]),
        )
    )
    return Judged(entry, ruling, mass[entry.id], heaviest, _related(entry.checked, wanted))


def _against(docket: Docket, entry: Entry) -> list[Against]:
    found = [
        Against(other.id, other, other.speaker.finding.description, other.iids, other.checked)
        for other in docket.opponents(entry)
    ]
    if entry.challenge == "REFUTED":
        refuted = [one for one in entry.tried if one.said.verdict == "REFUTED" and one.checked]
        for iid in sorted({one.iid for one in refuted}):
            own = [one for one in refuted if one.iid == iid]
            pieces = tuple([piece for one in own for piece in one.checked])
            found.append(Against(iid, None, own[0].said.challenge, (iid,), pieces))
    return found


def _founded(entry: Entry) -> tuple[str, ...]:
    """The investigators that brought checked evidence: whose evidence was all struck corroborates nothing."""
    return tuple(sorted({one.iid for one in entry.held if one.checked}))


def _side(name: str, pieces: Sequence[Piece], origin: dict[str, str]) -> Side:
    return Side(
        name,
        tuple(
            [
                judgements.Piece(one.cited.type, place_of(one), one.grade, one.checked, origin[one.cited.id], _by(one))
                for one in pieces
            ]
        ),
    )


def _by(piece: Piece) -> str:
    """Who brought it, in any round."""
    return iid.voice(piece.cited.id.partition("/")[0])


def place_of(piece: Piece) -> str:
    """Where a checked piece really stands, whatever was cited."""
    seen = piece.seen
    return seen.commit or f"{seen.path}:{seen.line}-{seen.end_line}"


def _words(text: str) -> set[str]:
    return {word for word in normal(text).split() if len(word) >= LEAST_WORD or not word.isascii()}


def _related(pieces: Sequence[Piece], wanted: set[str]) -> int:
    """How many words of the question stand in what was cited, or in the names of the files."""
    said = " ".join([f"{one.seen.path} {one.cited.snippet}" for one in pieces]).replace("_", " ")
    return len(wanted & set(normal(said).split()))


def _ranked(one: Judged) -> ranking.Ranked:
    return ranking.Ranked(
        one.entry.id,
        one.ruling.certainty,
        one.related,
        one.mass,
        len(one.entry.voices),
        one.entry.confidence,
    )


def _once(ranked: Sequence[Judged]) -> list[Judged]:
    """Without those whose opponent is adopted, and without the second telling of one and the same disagreement."""
    kept: list[Judged] = []
    told: list[set[str]] = []
    for one in ranked:
        sides = set(one.ruling.mass)
        adopted = one.ruling.adopted
        overruled = (
            adopted is not None and adopted != one.entry.id and any(a.name == adopted and a.entry for a in one.against)
        )
        if overruled or (len(sides) > 1 and sides in told):
            continue
        kept.append(one)
        told.append(sides)
    return kept
