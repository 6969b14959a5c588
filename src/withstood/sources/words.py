"""Which files hold a word: every word of every file as one number, read once.

A number is enough to tell that a word may stand in a file, and too little to read it: whoever wants the text asks for
it, and gets it with its secrets covered.
"""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Callable, Iterable

Told = Callable[[str], Iterable[str]]
BUCKETS = 1 << 14


class Words:
    """`told` takes the words out of a text. Two words may share a number, seldom: an answer is a list of candidates."""

    def __init__(self, told: Told) -> None:
        self._told = told
        self._paths: list[str] = []
        self._buckets = [array("Q") for _ in range(BUCKETS)]

    def add(self, path: str, text: str) -> None:
        """A number of 64 bits for each word: the word's own in the upper half, the file's in the lower."""
        place = len(self._paths)
        self._paths.append(path)
        buckets = self._buckets
        for number in {_number(word) for word in self._told(text)}:
            buckets[number % BUCKETS].append(number << 32 | place)

    def __len__(self) -> int:
        return len(self._paths)

    def files_with(self, word: str) -> list[str]:
        """In the order in which they were added."""
        number = _number(word)
        return [self._paths[one & 0xFFFFFFFF] for one in self._buckets[number % BUCKETS] if one >> 32 == number]


def _number(word: str) -> int:
    return zlib.crc32(word.encode("utf-8", "replace"))
