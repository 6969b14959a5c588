"""The smallest sets of changes that flip something: found by trying all of them, the small ones first.

A change is one option of one lever; a set takes at most one option of each lever. A set is told where it flips and no
smaller set within it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import TypeAlias

Pick: TypeAlias = tuple[int, int]
"""A lever and one of its options, both by their places."""
Picks: TypeAlias = tuple[Pick, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """`sets` are complete for up to `complete` changes at a time; `exact` says that these are all there are. `bound`
    is a set that flips, found where no small one did: nothing within it can be left out, but others may be smaller."""

    sets: tuple[Picks, ...]
    complete: int
    exact: bool
    tried: int
    bound: Picks | None = None


def smallest(options: Sequence[int], flips: Callable[[Picks], bool], most: int) -> Found:
    """`options` says how many each lever has; at most `most` sets are tried."""
    found: list[Picks] = []
    tried = 0
    for size in range(1, len(options) + 1):
        for picks in _sets(options, size):
            if any(set(one) <= set(picks) for one in found):
                continue
            if tried == most:
                return _cut(options, flips, found, size - 1, tried)
            tried += 1
            if flips(picks):
                found.append(picks)
    return Found(tuple(found), len(options), True, tried)


def _sets(options: Sequence[int], size: int) -> Iterator[Picks]:
    for levers in combinations(range(len(options)), size):
        for chosen in product(*(range(options[lever]) for lever in levers)):
            yield tuple(zip(levers, chosen, strict=True))


def _cut(
    options: Sequence[int], flips: Callable[[Picks], bool], found: Sequence[Picks], complete: int, tried: int
) -> Found:
    """Only sets that were looked for completely are told; where there is none, one that is not known to be smallest."""
    whole = tuple([one for one in found if len(one) <= complete])
    bound = None if whole else next(iter(found), None) or _reduced(options, flips)
    return Found(whole, complete, False, tried, bound)


def _reduced(options: Sequence[int], flips: Callable[[Picks], bool]) -> Picks | None:
    """From all levers at once, what can be left out one after the other."""
    for option in range(max(options, default=0)):
        picks = tuple([(lever, min(option, count - 1)) for lever, count in enumerate(options)])
        if flips(picks):
            return _without_needless(picks, flips)
    return None


def _without_needless(picks: Picks, flips: Callable[[Picks], bool]) -> Picks:
    for pick in picks:
        fewer = tuple([one for one in picks if one != pick])
        if flips(fewer):
            picks = fewer
    return picks
