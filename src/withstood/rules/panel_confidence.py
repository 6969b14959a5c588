"""A panel by confidence: every voter once, with the confidence that it stated. First match decides.

A voter that stated none weighs 0.5. A voter that voted in several orders counts with that of the first, by name.

| row | when | then |
|---|---|---|
| 0 | nobody voted | nothing is chosen |
| 1 | one option has more confidence behind it than any other | that option |
| 2 | two options or more share the lead | nothing is chosen |
"""

from __future__ import annotations

from decimal import Decimal

from withstood.claims.pool import Choice, Votes, first_of_each, heaviest
from withstood.form import EXACT
from withstood.rules.table import NoNumbers, Table

UNSTATED = Decimal("0.5")


def choose(case: Votes) -> Choice:
    mass: dict[str, Decimal] = {}
    for one in first_of_each(case.votes):
        stated = UNSTATED if one.confidence is None else one.confidence
        mass[one.vote] = EXACT.add(mass.get(one.vote, Decimal(0)), stated)
    return heaviest(mass)


def _decide(case: Votes, numbers: NoNumbers) -> Choice:
    return choose(case)


TABLE = Table("panel-confidence-1", __doc__, Votes, Choice, _decide, section="none", aliases=("panel-confidence",))
