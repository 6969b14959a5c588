"""Cited words are looked for among lines: contiguous, in whole words, near the place that was named.

The normalisation is that of `claims.quote`, over the ends of lines. A citation that begins right after a denial, or
ends right before one, would say the opposite of what stands there, and is refused.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from withstood.claims import quote

LEAST_SIGNS = 4
"""Fewer letters and digits than that mean something only where they are all that stands there."""
MOST_LINES = 5

_DENIES = re.compile(r"(?:\b(?:not|no|never|without|cannot|neither|nor)|n't|(?<![=!])!|\b(?:안|못))\s*$", re.IGNORECASE)
_DENIED = re.compile(r"\s*(?:지\s*(?:않|못|마)|않|못하|아니|없)")


@dataclass(frozen=True, slots=True)
class Stands:
    """The lines on which cited words stand, counted from 1 like those of an editor."""

    first: int
    last: int


def lines_of(snippet: str) -> int:
    """How many lines of a citation hold anything."""
    return sum(bool(line.strip()) for line in snippet.splitlines())


def find(snippet: str, lines: Sequence[str], first: int, wanted: tuple[int, int]) -> Stands | None:
    """Where the words stand, the nearest to `wanted`; `first` is the number of the first of `lines`. None: nowhere."""
    plain = quote.normal(snippet)
    if not plain:
        return None
    normal = [quote.normal(line) for line in lines]
    whole, starts, numbers = _joined(normal, first)
    found = [
        Stands(numbers[bisect_right(starts, at) - 1], numbers[bisect_right(starts, at + len(plain) - 1) - 1])
        for at in quote.places(plain, whole)
        if _means(plain, whole, at, starts) and not _turned(plain, whole, at)
    ]
    return min(found, key=lambda one: (_away(one, wanted), one.first), default=None)


def _joined(normal: Sequence[str], first: int) -> tuple[str, list[int], list[int]]:
    """All lines as one text, where each begins in it, and its number. Blank lines are folded away."""
    kept = [(number, line) for number, line in enumerate(normal, start=first) if line]
    starts, at = list[int](), 0
    for _, line in kept:
        starts.append(at)
        at += len(line) + 1
    return " ".join(line for _, line in kept), starts, [number for number, _ in kept]


def _means(plain: str, whole: str, at: int, starts: Sequence[int]) -> bool:
    signs, end = sum(map(str.isalnum, plain)), at + len(plain)
    whole_lines = at in starts and (end == len(whole) or end + 1 in starts)
    return signs >= LEAST_SIGNS or (whole_lines and signs >= quote.LEAST_SIGNS)


def _turned(plain: str, whole: str, at: int) -> bool:
    end = at + len(plain)
    return bool(_DENIES.search(whole[max(0, at - 16) : at])) or bool(_DENIED.match(whole[end : end + 8]))


def _away(found: Stands, wanted: tuple[int, int]) -> int:
    """How many lines lie between: 0 where they overlap."""
    return max(0, found.first - wanted[1], wanted[0] - found.last)
