"""A pool of voters: who voted for what, as anybody may have recorded it. Tables of panels judge it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from typing import Annotated, Literal, TypeAlias

from withstood.form import EXACT, Within

Share: TypeAlias = Annotated[Decimal, Within(0, 1)]
Grade: TypeAlias = Literal["STRONG", "MODERATE", "WEAK"]


@dataclass(frozen=True, slots=True)
class Cast:
    """One vote. `order` names the order in which a voter was shown the options; one voter may vote once in each.
    `reliability` is how often it is right, `independent` what share of its weight it has of itself."""

    voter: str
    vote: str
    order: str = ""
    confidence: Share | None = None
    grade: Grade | None = None
    reliability: Share | None = None
    independent: Share = Decimal(1)


@dataclass(frozen=True, slots=True)
class Votes:
    """What a panel decides on. `options` are what may be voted for; those that were voted for where none are named."""

    votes: tuple[Cast, ...]
    options: tuple[str, ...] = ()

    def all(self) -> tuple[str, ...]:
        return tuple(sorted({*self.options, *(one.vote for one in self.votes)}))


@dataclass(frozen=True, slots=True)
class Choice:
    """What a panel chose; None where nothing leads. `tied` are those that share the lead, `lead` how far the first is
    before the second, as a share of all mass."""

    choice: str | None
    row: str
    mass: Mapping[str, Decimal]
    lead: Decimal
    tied: tuple[str, ...] = ()


LEAST, MOST = Decimal("0.01"), Decimal("0.99")
PLACES = Decimal("0.000000001")
_EIGHTEEN = Context(prec=18)


def log_odds(reliability: Decimal, options: int) -> Decimal:
    """What one vote tells, in natural units of information, to nine places: ln(p / (1 - p)) + ln(k - 1)."""
    held = min(max(reliability, LEAST), MOST)
    odds = _EIGHTEEN.ln(_EIGHTEEN.divide(held, 1 - held)) + _EIGHTEEN.ln(Decimal(max(1, options - 1)))
    return odds.quantize(PLACES, context=_EIGHTEEN)


def first_of_each(votes: Sequence[Cast]) -> tuple[Cast, ...]:
    """One vote for each voter: that of its first order, by name."""
    found: dict[str, Cast] = {}
    for one in sorted(votes, key=lambda one: (one.voter, one.order)):
        found.setdefault(one.voter, one)
    return tuple(found.values())


def heaviest(mass: Mapping[str, Decimal], rows: tuple[str, str, str] = ("0", "1", "2")) -> Choice:
    """The heaviest of these. `rows` are for nothing there, for one that leads, for several that share the lead."""
    ranked = sorted(mass, key=lambda name: (-mass[name], name))
    if not ranked:
        return Choice(None, rows[0], mass, Decimal(0))
    first = mass[ranked[0]]
    tied = tuple([name for name in ranked if mass[name] == first])
    if len(tied) > 1:
        return Choice(None, rows[2], mass, Decimal(0), tied)
    return Choice(ranked[0], rows[1], mass, _lead(mass, ranked))


def _lead(mass: Mapping[str, Decimal], ranked: Sequence[str]) -> Decimal:
    total = sum((abs(part) for part in mass.values()), Decimal(0))
    second = mass[ranked[1]] if len(ranked) > 1 else Decimal(0)
    gap = EXACT.subtract(mass[ranked[0]], second)
    return (gap / total).quantize(Decimal("0.000001")) if total else Decimal(0)
