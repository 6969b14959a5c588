"""Whether two texts are one text: a mirror, a reprint, a page under two addresses.

A text is known by its runs of five words. Two texts are alike where at least 8 of 10 runs of the shorter one stand in
the longer one. Of a long text only some runs are kept, always the same ones; a text of fewer than twenty runs is only
like a text with the very same words.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from dataclasses import dataclass

RUN, ALIKE, OF, LEAST, MOST = 5, 8, 10, 20, 4_096
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Likeness:
    """`step`: of all runs, those are kept whose number it divides. `whole` stands for the words as they are."""

    whole: int
    step: int
    runs: frozenset[int]


def likeness(text: str) -> Likeness:
    words = [word.encode() for word in _WORD.findall(unicodedata.normalize("NFC", text).casefold())]
    numbers = {zlib.crc32(b" ".join(words[place : place + RUN])) for place in range(max(0, len(words) - RUN + 1))}
    step = 1
    while len(numbers) > MOST:
        step *= 2
        numbers = {number for number in numbers if number % step == 0}
    return Likeness(zlib.crc32(b" ".join(words)), step, frozenset(numbers))


def alike(one: Likeness, other: Likeness) -> bool:
    if one.whole == other.whole:
        return True
    step = max(one.step, other.step)
    mine, theirs = _kept(one, step), _kept(other, step)
    fewer = min(len(mine), len(theirs))
    return fewer >= LEAST and len(mine & theirs) * OF >= fewer * ALIKE


def _kept(one: Likeness, step: int) -> frozenset[int]:
    return one.runs if one.step == step else frozenset(number for number in one.runs if number % step == 0)
