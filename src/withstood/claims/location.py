"""Where evidence is said to stand: lines of a file or a log, or a commit."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

_LINES = re.compile(r"(?P<path>.+?):[Ll]?(?P<first>[0-9]{1,9})(?:\s*[-–]\s*[Ll]?(?P<last>[0-9]{1,9}))?(?::[0-9]+)?")
_COMMIT = re.compile(r"(?:commit[: ]\s*)?(?P<name>[0-9a-fA-F]{4,64})")


@dataclass(frozen=True, slots=True)
class Lines:
    path: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class CommitName:
    """Hexadecimal, in lower case; whole or its beginning."""

    name: str


Location: TypeAlias = Lines | CommitName


def parse(text: str) -> Location | None:
    """None where it names neither lines nor a commit."""
    bare = text.strip().strip("`")
    if commit := _COMMIT.fullmatch(bare):
        return CommitName(commit["name"].lower())
    lines = _LINES.fullmatch(bare)
    if lines is None:
        return None
    first, last = int(lines["first"]), int(lines["last"] or lines["first"])
    if first < 1 or last < first:
        return None
    return Lines(lines["path"].removeprefix("./"), first, last)
