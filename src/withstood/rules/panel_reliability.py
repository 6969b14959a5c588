"""A panel by reliability: every voter weighs by how often it is right, and by how much of that is its own.

The weight of a voter with reliability p among k options is ln(p / (1 - p)) + ln(k - 1), times its independent share;
p is held between 0.01 and 0.99. A voter whose reliability is not known weighs nothing; one that is right less often
than by chance weighs against what it votes for. Options that nobody voted for have no mass. First match decides.

| row | when | then |
|---|---|---|
| 0 | no voter of known reliability voted | nothing is chosen |
| 1 | one option has more mass than any other | that option |
| 2 | two options or more share the lead | nothing is chosen |
| 3 | one option leads, and speaks against itself: its mass is below nothing | nothing is chosen |
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from withstood.claims.pool import Cast, Choice, Votes, first_of_each, heaviest, log_odds
from withstood.form import EXACT
from withstood.rules.table import NoNumbers, Table


def weight(one: Cast, options: int) -> Decimal:
    if one.reliability is None:
        return Decimal(0)
    return EXACT.multiply(log_odds(one.reliability, options), one.independent)


def choose(case: Votes) -> Choice:
    known = [one for one in first_of_each(case.votes) if one.reliability is not None]
    options = case.all()
    mass = dict.fromkeys(options, Decimal(0)) if known else {}
    for one in known:
        mass[one.vote] += weight(one, max(2, len(options)))
    found = heaviest(mass)
    against = found.choice is not None and found.mass[found.choice] < 0
    return replace(found, choice=None, row="3", lead=Decimal(0)) if against else found


def _decide(case: Votes, numbers: NoNumbers) -> Choice:
    return choose(case)


TABLE = Table("panel-reliability-1", __doc__, Votes, Choice, _decide, section="none", aliases=("panel-reliability",))
