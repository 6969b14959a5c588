"""Physical lines of a text stream, with a limit that holds before a line is in memory, and the way back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

MOST_CHARACTERS = 1 << 20
_SKIP = 1 << 16


class TooLong(Exception):
    """A line, or a record of several lines, that is longer than the limit. It has been read past."""


class Lines:
    """An iterator of lines, each with its ending. `number` is that of the line last given, from 1."""

    def __init__(self, stream: TextIO, most: int = MOST_CHARACTERS) -> None:
        self.number, self.most = 0, most
        self._stream, self._given_back = stream, list[str]()

    def __iter__(self) -> Lines:
        return self

    def __next__(self) -> str:
        self.number += 1
        if self._given_back:
            return self._given_back.pop()
        line = self._stream.readline(self.most + 2)
        if not line:
            self.number -= 1
            raise StopIteration
        if len(line) > self.most and len(line.rstrip("\r\n")) > self.most:
            self._skip_rest(line)
            raise TooLong
        return line

    def give_back(self, lines: Sequence[str]) -> None:
        """The lines last given come again, in the same order."""
        self._given_back.extend(reversed(lines))
        self.number -= len(lines)

    def _skip_rest(self, line: str) -> None:
        while line and not line.endswith(("\n", "\r")):
            line = self._stream.readline(_SKIP)
