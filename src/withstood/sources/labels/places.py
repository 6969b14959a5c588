"""Where a term stands in its text, in code points, end exclusive."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple


class Target(NamedTuple):
    """A term in its place. An implicit one has the term "" and no place."""

    term: str
    begin: int | None = None
    end: int | None = None


def places(term: str, text: str) -> Iterator[tuple[int, int]]:
    """Every place, those that overlap too."""
    begin = text.find(term) if term else -1
    while begin >= 0:
        yield begin, begin + len(term)
        begin = text.find(term, begin + 1)


def found(term: str, text: str) -> Target:
    """The term in its place where that is the only one; of several none is better than another."""
    first = list(islice(places(term, text), 2))
    return Target(term, *first[0]) if len(first) == 1 else Target(term)


def ordinal(term: str, begin: int, text: str) -> int:
    """How many places of the term come before this one."""
    return sum(start < begin for start, _ in places(term, text))
