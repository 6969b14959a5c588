"""A panel by evidence: every voter brings the grade of its evidence, and mass decides. First match decides.

STRONG, MODERATE and WEAK weigh as in the settings `mass.*`; a voter without a grade weighs nothing. Much greater: at
least `mass.factor` times the next and `mass.gap` more. A voter that voted in several orders counts with that of the
first, by name.

| row | when | then |
|---|---|---|
| 0 | nobody brought evidence | nothing is chosen |
| 1 | the mass of one option is much greater than that of any other | that option |
| 2 | two options or more share the lead | nothing is chosen |
| 3 | one option leads, and not by much | that option |
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Protocol

from withstood.claims.pool import Choice, Grade, Votes, first_of_each, heaviest
from withstood.form import EXACT
from withstood.rules.table import Table


class Mass(Protocol):
    """The settings of the section `mass`."""

    @property
    def factor(self) -> Decimal: ...
    @property
    def gap(self) -> Decimal: ...
    def of(self, grade: Grade) -> Decimal: ...


def choose(case: Votes, numbers: Mass) -> Choice:
    mass: dict[str, Decimal] = {}
    for one in first_of_each(case.votes):
        if one.grade is not None:
            mass[one.vote] = EXACT.add(mass.get(one.vote, Decimal(0)), numbers.of(one.grade))
    found = heaviest(mass)
    return found if found.choice is None or _much(found, numbers) else replace(found, row="3")


def _much(found: Choice, numbers: Mass) -> bool:
    first = found.mass[found.choice or ""]
    second = max([mass for name, mass in found.mass.items() if name != found.choice], default=Decimal(0))
    return first >= EXACT.multiply(numbers.factor, second) and EXACT.subtract(first, second) >= numbers.gap


def _decide(case: Votes, numbers: Mass) -> Choice:
    return choose(case, numbers)


TABLE = Table("panel-evidence-1", __doc__, Votes, Choice, _decide, section="mass", aliases=("panel-evidence",))
