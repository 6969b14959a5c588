"""A panel by majority: every voter once, all alike. First match decides.

A voter that voted in several orders counts with that of the first, by name.

| row | when | then |
|---|---|---|
| 0 | nobody voted | nothing is chosen |
| 1 | one option has more voters than any other | that option |
| 2 | two options or more share the lead | nothing is chosen |
"""

from __future__ import annotations

from collections import Counter
from decimal import Decimal

from withstood.claims.pool import Choice, Votes, first_of_each, heaviest
from withstood.rules.table import NoNumbers, Table


def choose(case: Votes) -> Choice:
    counted = Counter(one.vote for one in first_of_each(case.votes))
    return heaviest({vote: Decimal(count) for vote, count in sorted(counted.items())})


def _decide(case: Votes, numbers: NoNumbers) -> Choice:
    return choose(case)


TABLE = Table("panel-majority-1", __doc__, Votes, Choice, _decide, section="none", aliases=("panel-majority",))
