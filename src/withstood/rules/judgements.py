"""What the editions of judgement share: the ladder, with how a side is weighed and who counts left open."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Literal, TypeAlias

from withstood.claims import iid
from withstood.claims.finding import Grade, Outcome, strongest
from withstood.errors import Misfit
from withstood.form import EXACT, Like, Within
from withstood.rules.table import Without, first

Standing: TypeAlias = Literal["AGREED", "DISAGREED", "UNCERTAIN", "NEEDS_MORE"]
Certainty: TypeAlias = Literal["Confirmed", "Likely", "Uncertain"]
Weight: TypeAlias = Annotated[Decimal, Within(0)]
RELIABILITY = r"([A-Z][A-Z0-9]*(-[A-Z][A-Z0-9]*)?:(0|1|0\.[0-9]{1,9})(;|$))*"


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a rulebook may set of these tables. `reliability` says how often investigators are right (w1), by voice or
    by type."""

    strong: Weight = Decimal(3)
    moderate: Weight = Decimal(2)
    weak: Weight = Decimal(1)
    factor: Weight = Decimal(2)
    gap: Weight = Decimal(3)
    edition: Literal["1", "w1"] = "1"
    reliability: Annotated[str, Like(RELIABILITY)] = ""

    def of(self, grade: Grade) -> Decimal:
        return {"STRONG": self.strong, "MODERATE": self.moderate, "WEAK": self.weak}[grade]


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of evidence after its check. Without an origin it is its own: type and location. `by` brought it."""

    type: str
    location: str
    grade: Grade
    checked: bool
    origin: str | None = None
    by: str = ""


@dataclass(frozen=True, slots=True)
class Side:
    name: str
    evidence: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class Input:
    standing: Standing
    challenge: Outcome | None = None
    investigators: tuple[str, ...] = ()
    sides: tuple[Side, ...] = ()


@dataclass(frozen=True, slots=True)
class Output:
    certainty: Certainty
    adopted: str | None
    minority: str | None
    mass: Mapping[str, int | Decimal]
    caveat: str | None
    row: str


Weigh: TypeAlias = Callable[[Sequence[Piece]], Decimal]


def judged(case: Input, numbers: Numbers, without: Without, weigh: Weigh, counts: Callable[[str], bool]) -> Output:
    """`weigh` gives the mass of one side; an investigator that does not count corroborates nothing."""
    mass = {side.name: weigh(side.evidence) for side in case.sides}
    voices = {iid.voice(name) for name in case.investigators if not iid.is_challenger(name) and counts(name)}
    return first(_rows(case, mass, voices, numbers), without)


def _rows(case: Input, mass: Mapping[str, Decimal], voices: set[str], numbers: Numbers) -> Iterator[Output]:
    if case.standing == "AGREED" and case.challenge != "REFUTED":
        yield from _agreed(case, mass, voices)
    elif case.standing in ("AGREED", "DISAGREED"):
        yield from _disagreed(mass, numbers)
    yield Output("Uncertain", None, None, plain(mass), None, "8")


def _agreed(case: Input, mass: Mapping[str, Decimal], voices: set[str]) -> Iterator[Output]:
    pieces = [piece for side in case.sides for piece in side.evidence]
    for row, caveat, holds in (
        ("1", "WEAKENED", case.challenge == "WEAKENED"),
        ("2", "ONE_INVESTIGATOR", len(voices) < 2),
        ("3", "NO_STRONG_EVIDENCE", not any(piece.checked and piece.grade == "STRONG" for piece in pieces)),
        ("4", "ONE_ORIGIN", len(origins(pieces)) < 2),
    ):
        if holds:
            yield Output("Likely", None, None, plain(mass), caveat, row)
    yield Output("Confirmed", None, None, plain(mass), None, "5")


def _disagreed(mass: Mapping[str, Decimal], numbers: Numbers) -> Iterator[Output]:
    """The heaviest against the next; of equal ones the first name."""
    ranked = sorted(mass, key=lambda name: (-mass[name], name))
    top, second = next(iter(ranked), None), next(iter(ranked[1:]), None)
    against = Decimal(0) if second is None else mass[second]
    if top is not None and _much_greater(mass[top], against, numbers):
        yield Output("Likely", top, second, plain(mass), None, "6")
    yield Output("Uncertain", None, None, plain(mass), None, "7")


def _much_greater(one: Decimal, other: Decimal, numbers: Numbers) -> bool:
    return one >= EXACT.multiply(numbers.factor, other) and EXACT.subtract(one, other) >= numbers.gap


def origins(pieces: Sequence[Piece]) -> Mapping[str, Grade]:
    """The origins of what was checked, each with its strongest grade."""
    return {origin: strongest(tuple([one.grade for one in of_it])) for origin, of_it in by_origin(pieces).items()}


def by_origin(pieces: Sequence[Piece]) -> Mapping[str, Sequence[Piece]]:
    """What was checked, by its origin. Origins that share a piece, that is one type and location, are one, named by
    the first of their names."""
    checked = [piece for piece in pieces if piece.checked]
    names = _merged(checked)
    found: dict[str, list[Piece]] = {}
    for piece in checked:
        found.setdefault(names[_origin(piece)], []).append(piece)
    return found


def _merged(checked: Sequence[Piece]) -> Mapping[str, str]:
    """Every origin, and the name of those that it is one with."""
    names = {_origin(piece): _origin(piece) for piece in checked}
    at: dict[tuple[str, str], str] = {}
    for piece in checked:
        place = (piece.type, piece.location)
        old, new = sorted((names[_origin(piece)], names[at.setdefault(place, _origin(piece))]), reverse=True)
        if old != new:
            names = {origin: new if name == old else name for origin, name in names.items()}
    return names


def _origin(piece: Piece) -> str:
    return piece.origin or f"{piece.type} {piece.location}"


def plain(mass: Mapping[str, Decimal]) -> Mapping[str, int | Decimal]:
    """Whole numbers as such."""
    return {name: int(part) if part == part.to_integral_value() else part for name, part in mass.items()}


def check_names(sides: Sequence[Side]) -> None:
    """No two sides have one name, or `Misfit`."""
    seen: set[str] = set()
    for place, side in enumerate(sides):
        if side.name in seen:
            raise Misfit(f"sides[{place}].name", "a name that no earlier side has", f'"{side.name}" again')
        seen.add(side.name)
