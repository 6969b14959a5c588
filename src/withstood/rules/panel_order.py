"""A panel of those who agree with themselves: a voter whose votes differ when the order is swapped is absent.

First match decides.

| row | when | then |
|---|---|---|
| 0 | nobody is left | nothing is chosen |
| 1 | one option has more of the consistent voters than any other | that option |
| 2 | two options or more share the lead | nothing is chosen |
"""

from __future__ import annotations

from collections import Counter
from decimal import Decimal

from withstood.claims.pool import Choice, Votes, first_of_each, heaviest
from withstood.rules.table import NoNumbers, Table


def consistent(case: Votes) -> frozenset[str]:
    """The voters that said the same in every order in which they were asked."""
    said: dict[str, set[str]] = {}
    for one in case.votes:
        said.setdefault(one.voter, set()).add(one.vote)
    return frozenset(voter for voter, votes in said.items() if len(votes) == 1)


def choose(case: Votes) -> Choice:
    kept = consistent(case)
    counted = Counter(one.vote for one in first_of_each(case.votes) if one.voter in kept)
    return heaviest({vote: Decimal(count) for vote, count in sorted(counted.items())})


def _decide(case: Votes, numbers: NoNumbers) -> Choice:
    return choose(case)


TABLE = Table("panel-order-1", __doc__, Votes, Choice, _decide, section="none", aliases=("panel-order",))
