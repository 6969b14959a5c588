"""Pools of voters made up: their reliabilities are known, and some of them follow each other."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from withstood.claims.pool import Cast
from withstood.jobs.pool import Ballot, Pool


@dataclass(frozen=True, slots=True)
class Voter:
    """Right so often; `follows` another voter so often instead of looking for itself."""

    name: str
    reliability: float
    follows: str = ""
    often: float = 0.0


Made: TypeAlias = tuple[tuple[Voter, ...], int]
"""Voters, and how many options they have."""


def pool(voters: Sequence[Voter], items: int, seed: int, options: int = 2, gold: bool = True) -> Pool:
    dice = random.Random(seed)
    names = [f"option {no}" for no in range(options)]
    ballots: list[Ballot] = []
    for no in range(items):
        right, votes = dice.choice(names), dict[str, str]()
        for voter in voters:
            wrong = dice.choice([name for name in names if name != right])
            own = right if dice.random() < voter.reliability else wrong
            votes[voter.name] = votes[voter.follows] if dice.random() < voter.often else own
        cast = tuple([Cast(name, vote) for name, vote in votes.items()])
        ballots.append(Ballot(f"item {no}", cast, right if gold else None))
    return Pool(tuple(ballots))


def _herd(leader: float, followers: int, often: float, *others: float) -> tuple[Voter, ...]:
    herd = [Voter("leader", leader), *[Voter(f"follower {no}", leader, "leader", often) for no in range(followers)]]
    return (*herd, *[Voter(f"other {no}", one) for no, one in enumerate(others)])


def _alone(*reliabilities: float) -> tuple[Voter, ...]:
    return tuple([Voter(f"voter {no}", one) for no, one in enumerate(reliabilities)])


WINNABLE: dict[str, Made] = {
    "two experts among the poor": (_alone(0.82, 0.65, 0.65, 0.6, 0.6, 0.77), 2),
    "mixed and independent": (_alone(0.85, 0.8, 0.7, 0.65, 0.6, 0.55, 0.55), 2),
    "four options": (_alone(0.75, 0.7, 0.6, 0.45, 0.4, 0.35, 0.3), 4),
    "a herd against three who look": (_herd(0.6, 3, 0.9, 0.8, 0.8, 0.75), 2),
    "a large herd": (_herd(0.65, 5, 0.95, 0.8, 0.78, 0.76, 0.74), 2),
}
"""Pools in which there is something to win: voters differ, or some follow others."""

EVEN: dict[str, Made] = {
    "all alike": (_alone(0.7, 0.7, 0.7, 0.7, 0.7), 2),
    "all by chance": (_alone(0.5, 0.5, 0.5, 0.5, 0.5), 2),
    "all good": (_alone(0.95, 0.95, 0.95), 2),
    "two herds": ((*_herd(0.7, 2, 0.8), Voter("b", 0.7), Voter("b1", 0.7, "b", 0.8), Voter("b2", 0.7, "b", 0.8)), 2),
    "one follows": (_herd(0.7, 1, 0.5, 0.7, 0.7, 0.7), 3),
}
"""Pools in which there is little to win, and something to lose."""
