"""Polarity names: what a stated polarity means in a debate. First match decides.

| row | when | then |
|---|---|---|
| 1 | nothing is stated | none |
| 2 | pos, neg, neu, positive, negative or neutral, in any case | that polarity |
| 3 | one of the three names is nearer than the others, by one or two changed letters | that polarity |
| 4 | otherwise | none |

None means missing, not neutral. mixed is no polarity of an aspect.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from withstood.rules.table import NoNumbers, Table
from withstood.verdict import Ruling

Polarity: TypeAlias = Literal["positive", "negative", "neutral"]
NAMES: tuple[Polarity, ...] = ("positive", "negative", "neutral")
SHORT: dict[str, Polarity] = {"pos": "positive", "neg": "negative", "neu": "neutral"}
FURTHEST = 2
NONE = "none"


@lru_cache(maxsize=1024)
def named(stated: str | None) -> Ruling:
    """The outcome is a polarity, or `none`."""
    word = (stated or "").strip().lower()
    if not word:
        return Ruling(NONE, "1")
    if word in NAMES or word in SHORT:
        return Ruling(SHORT.get(word, word), "2")
    near = [(distance, name) for name in NAMES if (distance := _distance(word, name)) <= FURTHEST]
    nearest = [name for distance, name in near if distance == min(near)[0]]
    return Ruling(nearest[0], "3") if len(nearest) == 1 else Ruling(NONE, "4")


def polarity(stated: str | None) -> str | None:
    found = named(stated).outcome
    return None if found == NONE else found


def _distance(one: str, other: str) -> int:
    """How many letters have to be put in, taken out or changed; of words too unlike in length, only that it is far."""
    if abs(len(one) - len(other)) > FURTHEST:
        return FURTHEST + 1
    row = list(range(len(other) + 1))
    for no, sign in enumerate(one, 1):
        before, row = row, [no]
        for place, wanted in enumerate(other, 1):
            row.append(min(before[place] + 1, row[-1] + 1, before[place - 1] + (sign != wanted)))
    return row[-1]


@dataclass(frozen=True, slots=True)
class Input:
    polarity: str | None = None


@dataclass(frozen=True, slots=True)
class Output:
    polarity: Polarity | None
    row: str


def _decide(case: Input, numbers: NoNumbers) -> Output:
    ruling = named(case.polarity)
    return Output(next((name for name in NAMES if name == ruling.outcome), None), ruling.row)


TABLE = Table("polarity-names-1", __doc__, Input, Output, _decide, section="none", aliases=("polarity-names",))
