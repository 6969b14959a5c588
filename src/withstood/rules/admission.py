"""Admission: which observations come into the graph. First match decides.

| row | when | then |
|---|---|---|
| 1 | its words do not stand in the page that it is from, up to white space, NFC, typographic quotes and ligatures | dropped (QUOTE_NOT_FOUND) |
| 2 | there is no page to look in, unless the setting research.unchecked is `kept` | dropped (NO_SOURCE) |
| 3 | its words are a copy of an observation from the same page | merged with that one (KNOWN) |
| 4 | its words are a copy of an observation from another page | admitted as a copy (COPY): it weighs as part of the first |
| 5 | there was no page to look in | admitted (NOT_CHECKED) |
| 6 | otherwise | admitted |

Words are a copy where at least 8 of 10 runs of five signs are shared, or where all runs of the shorter one stand in the
longer one and the shorter one has 24 or more; and where their negations are the same, and their numbers too or, where
one stands in the other, those of the longer one hold those of the shorter one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from withstood.claims import quote
from withstood.rules.table import Table

Place: TypeAlias = Literal["same_page", "other_page"]

SHINGLE, ALIKE, OF, LEAST = 5, 8, 10, 24
NEGATIONS = frozenset(
    "not no never none nor neither without cannot 안 못 않 않는 않는다 않았다 아니다 없다 없는".split()
)
_SIGNS = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Numbers:
    unchecked: Literal["kept", "dropped"] = "kept"


@dataclass(frozen=True, slots=True)
class Input:
    """`found` None: there was nothing to look in. `copy`: where the words stood first."""

    found: bool | None
    copy: Place | None = None


@dataclass(frozen=True, slots=True)
class Output:
    outcome: Literal["admitted", "merged", "dropped"]
    reason: str
    row: str


def admit(case: Input, numbers: Numbers) -> Output:
    if case.found is False:
        return Output("dropped", "QUOTE_NOT_FOUND", "1")
    if case.found is None and numbers.unchecked == "dropped":
        return Output("dropped", "NO_SOURCE", "2")
    if case.copy == "same_page":
        return Output("merged", "KNOWN", "3")
    if case.copy == "other_page":
        return Output("admitted", "COPY", "4")
    return Output("admitted", "NOT_CHECKED", "5") if case.found is None else Output("admitted", "", "6")


class Words(NamedTuple):
    """A text as copies are told by: its runs of signs, its numbers, its negations."""

    runs: frozenset[str]
    numbers: frozenset[str]
    negations: frozenset[str]


def copied(words: str, known: Mapping[str, str]) -> str | None:
    """The name of the first text that these words are a copy of."""
    mine = _words(words)
    return next((name for name, text in known.items() if _alike(mine, _words(text))), None)


@lru_cache(maxsize=8192)
def _words(text: str) -> Words:
    found = _SIGNS.findall(quote.normal(text).casefold())
    plain = "".join(found)
    runs = frozenset(plain[place : place + SHINGLE] for place in range(max(1, len(plain) - SHINGLE + 1)))
    negations = frozenset(word for word in found if word in NEGATIONS)
    return Words(runs, frozenset(word for word in found if not word.isalpha()), negations)


def _alike(one: Words, other: Words) -> bool:
    if one.negations != other.negations:
        return False
    shared, shorter = len(one.runs & other.runs), min(len(one.runs), len(other.runs))
    if one.numbers == other.numbers and shared * OF >= ALIKE * len(one.runs | other.runs):
        return True
    return shared == shorter >= LEAST and (one.numbers <= other.numbers or other.numbers <= one.numbers)


def _decide(case: Input, numbers: Numbers) -> Output:
    return admit(case, numbers)


TABLE = Table("admission-1", __doc__, Input, Output, _decide, section="research", aliases=("admission",))
