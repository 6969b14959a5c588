"""The history, read once: who touched which file and when, what a commit changed, and where that stands today."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from withstood.errors import WorldError
from withstood.sources import history
from withstood.sources.git import Git
from withstood.sources.history import Commit

MOST_COMMITS = 60_000
MOST_PATHS = 400
_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


@dataclass(frozen=True, slots=True)
class Hunk:
    """One place that a commit changed: the lines that went and came, with the numbers that they had then."""

    commit: str
    path: str
    old: int
    new: int
    gone: tuple[str, ...] = ()
    came: tuple[str, ...] = ()


@dataclass(slots=True)
class _Row:
    """A commit as it is kept: without the long part of its message, paths by number."""

    commit: Commit
    paths: tuple[str, ...]
    wide: int


@dataclass(slots=True)
class Chronicle:
    """Commits newest first. `touching` is by path."""

    git: Git
    rows: list[_Row] = field(default_factory=list[_Row])
    by_path: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    _hunks: dict[str, tuple[Hunk, ...]] = field(default_factory=dict[str, tuple[Hunk, ...]])

    @classmethod
    def read(cls, git: Git) -> Chronicle:
        found = cls(git)
        for no, commit in enumerate(history.commits(git, most=MOST_COMMITS)):
            paths = tuple(dict.fromkeys(map(_shared, commit.paths[:MOST_PATHS])))
            bare = Commit(commit.name, commit.parents, commit.when, commit.author, commit.subject)
            found.rows.append(_Row(bare, paths, len(commit.touched)))
            for path in paths:
                found.by_path.setdefault(path, []).append(no)
        return found

    def touching(self, path: str) -> list[Commit]:
        return [self.rows[no].commit for no in self.by_path.get(path, ())]

    def wide(self, name: str) -> int:
        """How many files a commit touched."""
        return next((row.wide for row in self.rows if row.commit.name == name), 0)

    def commit(self, name: str) -> Commit | None:
        """One of the commits that were read."""
        return next((row.commit for row in self.rows if row.commit.name == name), None)

    def hunks(self, commit: Commit, paths: Sequence[str]) -> tuple[Hunk, ...]:
        """What a commit changed in some files. A patch that cannot be read has none."""
        wanted = tuple(path for path in paths if f"{commit.name}:{path}" not in self._hunks)
        if wanted:
            try:
                text = history.patch(self.git, commit.name, wanted, context=0)
            except WorldError:
                text = ""
            found = list(_hunks(commit.name, text.split("\n")))
            for path in wanted:
                self._hunks[f"{commit.name}:{path}"] = tuple(hunk for hunk in found if hunk.path == path)
        return tuple(hunk for path in paths for hunk in self._hunks[f"{commit.name}:{path}"])

    def then(self, path: str, when: int) -> str | None:
        """The commit that a file was of at a time (milliseconds), where it was changed since; None where it was not."""
        numbers = self.by_path.get(path, [])
        if not numbers or self.rows[numbers[0]].commit.when * 1000 <= when:
            return None
        older = [self.rows[no].commit for no in numbers if self.rows[no].commit.when * 1000 <= when]
        return older[0].name if older else None


def line_now(git: Git, commit: str, path: str, line: int, lines: Sequence[str]) -> int | None:
    """Where a line of a file as it was at a commit stands in it now; None where it is gone."""
    text = history.file_at(git, commit, path)
    then = text.splitlines() if text is not None else []
    return standing(then[line - 1], line, lines) if 1 <= line <= len(then) else None


def standing(text: str, near: int, lines: Sequence[str]) -> int | None:
    """The line with this text that is nearest to a number."""
    bare = text.strip()
    found = [no for no, line in enumerate(lines, start=1) if line.strip() == bare]
    return min(found, key=lambda no: (abs(no - near), no), default=None) if bare else None


def place(hunk: Hunk, lines: Sequence[str]) -> tuple[int, int] | None:
    """Where what a hunk brought stands now; of what it only took away, the line before which that stood. None where
    none of it is left."""
    told = [(hunk.new + no, line) for no, line in enumerate(hunk.came) if re.search(r"\w", line)]
    if not told:
        return _gap(hunk, lines)
    held = [now for near, line in told if (now := standing(line, near, lines))]
    if not held:
        return None
    first = held[0]
    last = max((no for no in held if 0 <= no - first <= len(hunk.came)), default=first)
    return first, last


def _gap(hunk: Hunk, lines: Sequence[str]) -> tuple[int, int] | None:
    if any(standing(line, hunk.new, lines) for line in hunk.gone if re.search(r"\w{3}", line)):
        return None
    at = next((no for no in range(hunk.new + 1, len(lines) + 1) if lines[no - 1].strip()), 0)
    at = at or next((no for no in range(min(hunk.new, len(lines)), 0, -1) if lines[no - 1].strip()), 0)
    return (at, at) if at else None


@functools.lru_cache(maxsize=1 << 17)
def _shared(path: str) -> str:
    """One text for each path, however many commits name it."""
    return path


def _hunks(commit: str, lines: Sequence[str]) -> Iterator[Hunk]:
    path, at = "", 0
    while at < len(lines):
        line = lines[at]
        if line.startswith("--- ") and at + 1 < len(lines) and lines[at + 1].startswith("+++ "):
            told = lines[at + 1][4:] if not lines[at + 1].startswith("+++ /dev/null") else line[4:]
            path = told.rstrip("\t")[2:]
            at += 2
        elif found := _HUNK.match(line):
            old, new = int(found[2] or 1), int(found[4] or 1)
            at, gone, came = _sides(lines, at + 1, old, new)
            yield Hunk(commit, path, int(found[1]), int(found[3]), gone, came)
        else:
            at += 1


def _sides(lines: Sequence[str], at: int, old: int, new: int) -> tuple[int, tuple[str, ...], tuple[str, ...]]:
    gone: list[str] = []
    came: list[str] = []
    while at < len(lines) and (len(gone) < old or len(came) < new or lines[at].startswith("\\")):
        sign, text = lines[at][:1], lines[at][1:]
        if sign not in "-+\\" or not sign:
            break
        if sign == "-":
            gone.append(text)
        elif sign == "+":
            came.append(text)
        at += 1
    return at, tuple(gone), tuple(came)
