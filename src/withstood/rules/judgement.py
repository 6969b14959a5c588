"""Judgement: what an item is in the end, by the weight of checked evidence and never by heads. First match decides.

The mass of a side is the sum over its checked pieces: STRONG 3, MODERATE 2, WEAK 1. Pieces of one type and location are
one piece, and so are pieces of one origin; the strongest grade counts. One mass is much greater than another where it is
at least `factor` times as great, and greater by at least `gap`.

| row | when | then |
|---|---|---|
| 1 | AGREED and WEAKENED | Likely (WEAKENED) |
| 2 | AGREED, upheld or not challenged, with fewer than two investigators | Likely (ONE_INVESTIGATOR) |
| 3 | AGREED, upheld or not challenged, without a checked piece of grade STRONG | Likely (NO_STRONG_EVIDENCE) |
| 4 | AGREED, upheld or not challenged, with checked evidence of fewer than two origins | Likely (ONE_ORIGIN) |
| 5 | AGREED, upheld or not challenged | Confirmed |
| 6 | DISAGREED, or AGREED and REFUTED: the heaviest side is much heavier than the next | Likely: that side is adopted, the next is the minority |
| 7 | DISAGREED, or AGREED and REFUTED: otherwise | Uncertain |
| 8 | UNCERTAIN, or NEEDS_MORE | Uncertain |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Literal, TypeAlias

from withstood.claims import iid
from withstood.claims.finding import GRADES, Grade, Outcome, strongest
from withstood.errors import Misfit
from withstood.form import EXACT, Within
from withstood.rules.table import Table

Standing: TypeAlias = Literal["AGREED", "DISAGREED", "UNCERTAIN", "NEEDS_MORE"]
Certainty: TypeAlias = Literal["Confirmed", "Likely", "Uncertain"]
Weight: TypeAlias = Annotated[Decimal, Within(0)]


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a rulebook may set of this table."""

    strong: Weight = Decimal(3)
    moderate: Weight = Decimal(2)
    weak: Weight = Decimal(1)
    factor: Weight = Decimal(2)
    gap: Weight = Decimal(3)

    def of(self, grade: Grade) -> Decimal:
        return {"STRONG": self.strong, "MODERATE": self.moderate, "WEAK": self.weak}[grade]


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of evidence after its check. Without an origin it is its own: type and location."""

    type: str
    location: str
    grade: Grade
    checked: bool
    origin: str | None = None


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


def judge(case: Input, numbers: Numbers) -> Output:
    mass = {side.name: weigh(side.evidence, numbers) for side in case.sides}
    if case.standing == "AGREED" and case.challenge != "REFUTED":
        return _agreed(case, mass)
    if case.standing in ("AGREED", "DISAGREED"):
        return _disagreed(mass, numbers)
    return Output("Uncertain", None, None, _plain(mass), None, "8")


def _agreed(case: Input, mass: Mapping[str, Decimal]) -> Output:
    pieces = [piece for side in case.sides for piece in side.evidence]
    voices = {iid.voice(name) for name in case.investigators if not iid.is_challenger(name)}
    for row, caveat, holds in (
        ("1", "WEAKENED", case.challenge == "WEAKENED"),
        ("2", "ONE_INVESTIGATOR", len(voices) < 2),
        ("3", "NO_STRONG_EVIDENCE", not any(piece.checked and piece.grade == "STRONG" for piece in pieces)),
        ("4", "ONE_ORIGIN", len(origins(pieces)) < 2),
    ):
        if holds:
            return Output("Likely", None, None, _plain(mass), caveat, row)
    return Output("Confirmed", None, None, _plain(mass), None, "5")


def _disagreed(mass: Mapping[str, Decimal], numbers: Numbers) -> Output:
    """The heaviest against the next; of equal ones the first name."""
    ranked = sorted(mass, key=lambda name: (-mass[name], name))
    first, second = next(iter(ranked), None), next(iter(ranked[1:]), None)
    against = Decimal(0) if second is None else mass[second]
    if first is not None and _much_greater(mass[first], against, numbers):
        return Output("Likely", first, second, _plain(mass), None, "6")
    return Output("Uncertain", None, None, _plain(mass), None, "7")


def _much_greater(one: Decimal, other: Decimal, numbers: Numbers) -> bool:
    return one >= EXACT.multiply(numbers.factor, other) and EXACT.subtract(one, other) >= numbers.gap


def weigh(pieces: Sequence[Piece], numbers: Numbers) -> Decimal:
    """The mass of one side."""
    mass = Decimal(0)
    for grade in origins(pieces).values():
        mass = EXACT.add(mass, numbers.of(grade))
    return mass


def origins(pieces: Sequence[Piece]) -> Mapping[str, Grade]:
    """The origins of what was checked, each with its strongest grade. Origins that share a piece, that is one type and
    location, are one, named by the first of their names."""
    checked = [piece for piece in pieces if piece.checked]
    names = _merged(checked)
    found: dict[str, Grade] = {}
    for piece in checked:
        origin = names[_origin(piece)]
        found[origin] = strongest((found.get(origin, GRADES[0]), piece.grade))
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


def _plain(mass: Mapping[str, Decimal]) -> Mapping[str, int | Decimal]:
    """Whole numbers as such."""
    return {name: int(part) if part == part.to_integral_value() else part for name, part in mass.items()}


def _decide(case: Input, numbers: Numbers) -> Output:
    seen: set[str] = set()
    for place, side in enumerate(case.sides):
        if side.name in seen:
            raise Misfit(f"sides[{place}].name", "a name that no earlier side has", f'"{side.name}" again')
        seen.add(side.name)
    return judge(case, numbers)


TABLE = Table("judgement-1", __doc__, Input, Output, _decide, section="mass", aliases=("judgement",))
