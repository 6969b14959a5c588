"""Which files hold a word: every file as a short row of numbers, read once.

A number is enough to tell that a word may stand in a file, and too little to read it: whoever wants the text asks for
it, and gets it with its secrets covered.
"""

from __future__ import annotations

import zlib
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable

Told = Callable[[str], Iterable[str]]


class Words:
    """`told` takes the words out of a text. Two words may share a number, seldom: an answer is a list of candidates."""

    def __init__(self, told: Told) -> None:
        self._told = told
        self._paths: list[str] = []
        self._rows: list[array[int]] = []

    def add(self, path: str, text: str) -> None:
        self._paths.append(path)
        self._rows.append(array("I", sorted({_number(word) for word in self._told(text)})))

    def __len__(self) -> int:
        return len(self._paths)

    def files_with(self, word: str) -> list[str]:
        """In the order in which they were added."""
        number = _number(word)
        return [path for path, row in zip(self._paths, self._rows, strict=True) if _has(row, number)]


def _number(word: str) -> int:
    return zlib.crc32(word.encode("utf-8", "replace"))


def _has(row: array[int], number: int) -> bool:
    place = bisect_left(row, number)
    return place < len(row) and row[place] == number
