"""What is known of voters: how often each is right, and how much of that is its own. Learned from labelled items, or
without labels by Dawid and Skene's alternation with one reliability for each voter.

Without labels it can only be seen who agrees with whom: of two herds of one size it cannot be told which is right.

A reliability is drawn towards the mean of the pool by `PRIOR` imagined items. The independent share of a voter is one in
one plus the sum of its correlations with the others, as far as they are positive and beyond chance: copies of one voter
weigh together like one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations
from math import exp, log, sqrt
from typing import TypeAlias

Ballots: TypeAlias = Mapping[str, str]
"""Voter to vote, of one item."""

PRIOR = 4.0
ROUNDS = 60
STILL = 1e-4
MOST = 0.99
PLACES = Decimal("0.000001")
BETTER = Decimal("0.6")
CHANCE = 1.0
"""Correlations are counted beyond so many standard errors."""


@dataclass(frozen=True, slots=True)
class Known:
    """One voter: how often it is right, the share of its weight that is its own, and on how many items it voted."""

    reliability: Decimal
    independent: Decimal
    items: int


@dataclass(frozen=True, slots=True)
class Item:
    """One item: who voted for what, and the gold where it is known."""

    name: str
    votes: Ballots
    gold: str | None = None


def from_gold(items: Sequence[Item]) -> Mapping[str, Known]:
    """Items without gold say nothing here."""
    right = [
        {voter: 1.0 if vote == item.gold else 0.0 for voter, vote in item.votes.items()}
        for item in items
        if item.gold is not None
    ]
    return _known(right)


def alike(known: Mapping[str, Known]) -> Mapping[str, Known]:
    """The same voters with one reliability, so that weighing them is counting them."""
    items = sum(one.items for one in known.values())
    pool = sum((one.reliability * one.items for one in known.values()), Decimal(0)) / max(1, items)
    held = max(pool, Decimal(1) - pool, BETTER).quantize(PLACES)
    return {voter: Known(held, Decimal(1), one.items) for voter, one in known.items()}


def clearly(gains: Sequence[float]) -> bool:
    """Whether the mean of these gains lies above nothing by more than twice its standard error."""
    count = len(gains)
    if count < 2:
        return False
    mean = sum(gains) / count
    return mean > 2 * sqrt(sum((gain - mean) ** 2 for gain in gains) / (count - 1) / count)


def without_gold(items: Sequence[Item], options: int) -> Mapping[str, Known]:
    """What is right is guessed from reliabilities, and reliabilities from what is right, in turns. Voters that agree
    more than their reliabilities explain follow each other, and weigh together like one."""
    k = max(2, options)
    voters = sorted({voter for item in items for voter in item.votes})
    agreed = _agreement(items, voters)
    reliability = dict.fromkeys(voters, _at_first(agreed, k))
    own = _own(agreed, reliability, k)
    for _ in range(ROUNDS):
        right = [_expected(item.votes, _belief(item.votes, reliability, own, k)) for item in items]
        fresh = {voter: _drawn([one[voter] for one in right if voter in one], 1 / k) for voter in voters}
        moved = max((abs(fresh[voter] - reliability[voter]) for voter in voters), default=0.0)
        reliability, own = fresh, _own(agreed, fresh, k)
        if moved < STILL:
            break
    voted = {voter: sum(voter in item.votes for item in items) for voter in voters}
    return {voter: Known(_places(reliability[voter]), _places(own[voter]), voted[voter]) for voter in voters}


def _agreement(items: Sequence[Item], voters: Sequence[str]) -> Mapping[tuple[str, str], tuple[int, int]]:
    """Of two voters: on how many items they said the same, and on how many both voted."""
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for item in items:
        there = [voter for voter in voters if voter in item.votes]
        for one, other in combinations(there, 2):
            same, both = found.get((one, other), (0, 0))
            found[one, other] = (same + (item.votes[one] == item.votes[other]), both + 1)
    return found


def _at_first(agreed: Mapping[tuple[str, str], tuple[int, int]], k: int) -> float:
    """The reliability that would make two voters agree as often as the pair in the middle does; better than chance, or
    nothing could be learned."""
    shares = sorted(same / both for same, both in agreed.values() if both)
    middle = shares[len(shares) // 2] if shares else 1.0
    inner = max(0.0, 1 - k + middle * k * (k - 1))
    return min(MOST, max(1 / k + 0.1, (1 + sqrt(inner)) / k))


def _own(
    agreed: Mapping[tuple[str, str], tuple[int, int]], reliability: Mapping[str, float], k: int
) -> dict[str, float]:
    shared = dict.fromkeys(reliability, 0.0)
    for (one, other), (same, both) in agreed.items():
        p, q = reliability[one], reliability[other]
        expected = p * q + (1 - p) * (1 - q) / (k - 1)
        noise = CHANCE * sqrt(max(expected * (1 - expected), 0.0) / both)
        excess = max(0.0, same / both - expected - noise) / max(1 - expected, 1 - MOST)
        shared[one] += min(1.0, excess)
        shared[other] += min(1.0, excess)
    return {voter: 1 / (1 + part) for voter, part in shared.items()}


def _belief(votes: Ballots, reliability: Mapping[str, float], own: Mapping[str, float], k: int) -> dict[str, float]:
    """How likely each option is that was voted for; the rest is that it is none of them."""
    held = {voter: min(MOST, max(1 - MOST, reliability[voter])) for voter in votes}
    none = sum(own[voter] * log((1 - held[voter]) / (k - 1)) for voter in votes)
    likely: dict[str, float] = {}
    for option in sorted(set(votes.values())):
        gained = [
            own[voter] * log(held[voter] * (k - 1) / (1 - held[voter])) for voter in votes if votes[voter] == option
        ]
        likely[option] = exp(none + sum(gained))
    total = sum(likely.values()) + max(0, k - len(likely)) * exp(none)
    return {option: part / total for option, part in likely.items()} if total else likely


def _expected(votes: Ballots, belief: Mapping[str, float]) -> dict[str, float]:
    return {voter: belief.get(vote, 0.0) for voter, vote in votes.items()}


def _drawn(values: Sequence[float], towards: float) -> float:
    """The mean of the values with imagined ones beside them."""
    return (sum(values) + PRIOR * towards) / (len(values) + PRIOR)


def _share(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _known(right: Sequence[Mapping[str, float]]) -> Mapping[str, Known]:
    """`right` says of each item how likely each voter was right."""
    voters = sorted({voter for one in right for voter in one})
    by_voter = {voter: {no: one[voter] for no, one in enumerate(right) if voter in one} for voter in voters}
    pool = _share([value for one in by_voter.values() for value in one.values()], 0.5)
    found: dict[str, Known] = {}
    for voter in voters:
        own = by_voter[voter]
        reliability = _drawn(list(own.values()), pool)
        shared = sum(_correlated(own, by_voter[other]) for other in voters if other != voter)
        found[voter] = Known(_places(reliability), _places(1 / (1 + shared)), len(own))
    return found


def _places(value: float) -> Decimal:
    return Decimal(value).quantize(PLACES)


def _correlated(one: Mapping[int, float], other: Mapping[int, float]) -> float:
    """How far two voters are right and wrong on the same items, less what chance would do; never below nothing."""
    both = sorted(one.keys() & other.keys())
    if len(both) < 2:
        return 0.0
    mean_one, mean_other = (_share([side[no] for no in both], 0.0) for side in (one, other))
    covered = sum((one[no] - mean_one) * (other[no] - mean_other) for no in both)
    spread = sqrt(sum((one[no] - mean_one) ** 2 for no in both) * sum((other[no] - mean_other) ** 2 for no in both))
    if not spread:
        return 0.0
    return max(0.0, covered / spread - CHANCE / sqrt(len(both)))
