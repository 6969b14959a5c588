"""What a program sees in a text, before any seat looks at it through its own lens."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

from withstood.lexicons.lexicon import Polarity

Marker: TypeAlias = Literal["", "negation", "contrast"]
Basis: TypeAlias = Literal["stated", "cue", "whole", "passing", "setting"]

_STOP = re.compile(r"[.!?\n…]")

TURNED: dict[Polarity, Polarity] = {"positive": "negative", "negative": "positive", "neutral": "neutral"}


@dataclass(frozen=True, slots=True)
class Sighting:
    """One opinion and its target, if it has one.

    `near` is the polarity under what stands right beside the opinion word, `far` under the whole of its clause; they
    differ only where a denial stands further off. `marker` says what turned it, or that a contrast is beside it.
    `basis`: an opinion word that is stated, a cue that only implies it, praise of the whole that names no aspect,
    a word on something that is only named in passing, or on something that only says where, when or what for.
    """

    begin: int
    end: int
    clause: tuple[int, int]
    term: tuple[int, int] | None
    kind: str
    about: str
    near: Polarity
    far: Polarity
    marker: Marker
    basis: Basis
    sure: Decimal

    @property
    def stands_apart(self) -> bool:
        """The target is in another clause, or not in the text."""
        return self.term is None or not self.clause[0] <= self.term[0] < self.clause[1]

    @property
    def describes(self) -> bool:
        """The opinion stands before the target."""
        return self.term is not None and self.begin < self.term[0]

    @property
    def gap(self) -> int:
        """How many signs are between the opinion and the target."""
        return max(self.begin - self.term[1], self.term[0] - self.end, 0) if self.term else 0


@dataclass(frozen=True, slots=True)
class Analysis:
    """A text, its clauses in order, and what was seen in it from left to right."""

    text: str
    clauses: tuple[tuple[int, int], ...]
    sightings: tuple[Sighting, ...]

    def in_one_sentence(self, one: int, other: int) -> bool:
        """Whether no mark that ends a sentence stands between these places."""
        return not _STOP.search(self.text, *sorted((one, other)))


def lowered(text: str) -> str:
    """The text in lower case with every sign at its own place, and a straight apostrophe for a curly one."""
    low = text.lower()
    if len(low) != len(text):
        low = "".join(sign.lower() if len(sign.lower()) == 1 else sign for sign in text)
    return low.replace("’", "'")


def trimmed(text: str, begin: int, end: int) -> tuple[int, int]:
    """The span without white space at its ends."""
    part = text[begin:end]
    return begin + len(part) - len(part.lstrip()), end - len(part) + len(part.rstrip())
