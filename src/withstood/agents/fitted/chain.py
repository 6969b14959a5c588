"""A linear chain of labels: what each feature says for each label, and what follows what, in whole thousandths.

Applying one is adding up whole numbers, so every machine finds the same labels.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

Features = Sequence[str]
Row = Sequence[int]
"""What the features of one item say for each label."""

THOUSAND = 1000


@dataclass(frozen=True, slots=True)
class Chain:
    """`transitions` has a row for each label that is left. `weights` has, for a feature, numbers of labels with their
    weights in turn."""

    labels: tuple[str, ...]
    transitions: tuple[tuple[int, ...], ...]
    weights: Mapping[str, tuple[int, ...]]

    def best(self, rows: Sequence[Row]) -> list[str]:
        """The likeliest labels of a sequence; of equal ones those that come first."""
        if not rows:
            return []
        sums, back = rows[0], list[list[int]]()
        for row in rows[1:]:
            sums, came = self._step(sums, row)
            back.append(came)
        place = sums.index(max(sums))
        found = [place]
        for came in reversed(back):
            place = came[place]
            found.append(place)
        return [self.labels[place] for place in reversed(found)]

    def _step(self, before: Row, row: Row) -> tuple[list[int], list[int]]:
        sums: list[int] = []
        came: list[int] = []
        for place, own in enumerate(row):
            reached = [one + self.transitions[left][place] for left, one in enumerate(before)]
            top = max(reached)
            sums.append(top + own)
            came.append(reached.index(top))
        return sums, came

    def shares(self, sums: Sequence[Row]) -> list[list[float]]:
        """How likely each label is at each place, all sequences considered."""
        rows = [[one / THOUSAND for one in row] for row in sums]
        moves = [[weight / THOUSAND for weight in row] for row in self.transitions]
        turned = [list(column) for column in zip(*moves, strict=True)]
        forth = _passed(rows, turned)
        back = _passed(rows[::-1], moves)[::-1]
        return [
            _normal([f + b - r for f, b, r in zip(*three, strict=True)])
            for three in zip(forth, back, rows, strict=True)
        ]


class Sums:
    """Adds up what features say for several chains at once: each feature is looked up once for all of them."""

    def __init__(self, *chains: Chain) -> None:
        ends = [0, *accumulate(len(chain.labels) for chain in chains)]
        self._bounds = list(pairwise(ends))
        self._nothing = (0,) * ends[-1]
        told: dict[str, list[int]] = {}
        for chain, first in zip(chains, ends, strict=False):
            for feature, found in chain.weights.items():
                row = told.setdefault(feature, list(self._nothing))
                for place in range(0, len(found), 2):
                    row[first + found[place]] += found[place + 1]
        self._told = {feature: tuple(row) for feature, row in told.items()}

    def of(self, items: Sequence[Features]) -> list[list[Row]]:
        """For each chain the rows of the items."""
        whole = [self._added(features) for features in items]
        return [[row[first:last] for row in whole] for first, last in self._bounds]

    def _added(self, features: Features) -> Row:
        return list(map(sum, zip(self._nothing, *filter(None, map(self._told.get, features)), strict=True)))


def _passed(rows: Sequence[Sequence[float]], into: Sequence[Sequence[float]]) -> list[list[float]]:
    """What reaches each label from one end, its own sum included. `into[label]` are the weights of coming to it."""
    found: list[list[float]] = []
    for row in rows:
        before = found[-1] if found else None
        found.append([own + (_log_sum(before, into[place]) if before else 0.0) for place, own in enumerate(row)])
    return found


def _log_sum(sums: Sequence[float], moves: Sequence[float]) -> float:
    reached = [one + move for one, move in zip(sums, moves, strict=True)]
    top = max(reached)
    return top + math.log(sum(math.exp(one - top) for one in reached))


def _normal(sums: Sequence[float]) -> list[float]:
    top = max(sums)
    parts = [math.exp(one - top) for one in sums]
    whole = sum(parts)
    return [part / whole for part in parts]
