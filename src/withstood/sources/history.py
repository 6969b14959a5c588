"""What a history says: commits with the paths that they touch, files as they were, who wrote a line, what came when.

Everything is read through `git.Git`. Texts are redacted before anybody sees them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Literal, TypeAlias

from withstood.sources.git import Git, checked
from withstood.sources.redaction import redact

Change: TypeAlias = Literal["added", "modified", "deleted", "retyped"]

_CHANGES: dict[str, Change] = {"A": "added", "M": "modified", "D": "deleted", "T": "retyped"}
_FORMAT = "--format=%H%x00%P%x00%ct%x00%an%x00%B"
_PLAIN = ("--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=all")
_LOG = ("log", "-z", _FORMAT, "--raw", "--root", "--no-abbrev", "--no-renames", *_PLAIN)
_CHUNK = 1 << 16
_BLAMED = re.compile(rb"([0-9a-f]{40,64}) (\d+) (\d+)(?: \d+)?")
_BEGINNING = re.compile(r"[0-9a-f]{7,64}")
MOST_BLOB = 8 << 20


@dataclass(frozen=True, slots=True)
class Touched:
    path: str
    change: Change


@dataclass(frozen=True, slots=True)
class Commit:
    """`when` is the committer's time in seconds since 1970, UTC. A merge touches nothing of its own."""

    name: str
    parents: tuple[str, ...]
    when: int
    author: str
    message: str
    touched: tuple[Touched, ...] = ()

    @property
    def subject(self) -> str:
        return self.message.strip().partition("\n")[0]

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple([one.path for one in self.touched])


@dataclass(frozen=True, slots=True)
class Blamed:
    """Which commit a line comes from, and where it stood in it."""

    line: int
    commit: str
    original_line: int


def commits(git: Git, *, most: int | None = None, paths: Sequence[str] = ()) -> Iterator[Commit]:
    """The commits that HEAD stands on, newest first, read as they are needed."""
    asked = ["--full-history"] if most is None else ["--full-history", f"--max-count={most}"]
    with git.reading([*_LOG, *asked, git.heads.head, "--", *paths]) as stream:
        yield from _commits(_fields(stream))


def commit(git: Git, name: str) -> Commit | None:
    """One commit by its full name; None where there is none."""
    checked(name)
    if not _exists(git, f"{name}^{{commit}}"):
        return None
    with git.reading([*_LOG, "--max-count=1", name, "--"]) as stream:
        return next(_commits(_fields(stream)), None)


def named(git: Git, beginning: str) -> str | None:
    """The full name of the one commit whose name begins so; None where there is none, or more than one."""
    if _BEGINNING.fullmatch(beginning) is None:
        return None
    said = git.run(["cat-file", "--batch-check"], said=f"{beginning}^{{commit}}\n".encode()).split()
    return said[0].decode() if len(said) == 3 and said[1] == b"commit" else None


def _exists(git: Git, wanted: str) -> bool:
    said = git.run(["cat-file", "--batch-check"], said=f"{wanted}\n".encode())
    return not said.rstrip().endswith(b"missing")


def _fields(stream: IO[bytes]) -> Iterator[str]:
    """What stands between NULs; nothing that a repository holds can hold one."""
    rest = b""
    while chunk := stream.read(_CHUNK):
        *whole, rest = (rest + chunk).split(b"\0")
        for field in whole:
            yield field.decode("utf-8", "replace")
    if rest.strip():
        yield rest.decode("utf-8", "replace")


def _commits(fields: Iterator[str]) -> Iterator[Commit]:
    """Five fields to a commit, then pairs of a change (which begins with a colon) and its path."""
    name = next(fields, None)
    while name is not None:
        parents, when, author, message = [next(fields) for _ in range(4)]
        touched, following = _touched(fields)
        said = redact(message)[0], redact(author)[0]
        yield Commit(name.strip(), tuple(parents.split()), int(when), said[1], said[0].rstrip("\n"), touched)
        name = following


def _touched(fields: Iterator[str]) -> tuple[tuple[Touched, ...], str | None]:
    """What a commit touched, and the field that begins the next one."""
    found: list[Touched] = []
    for field in fields:
        told = field.lstrip("\n")
        if not told.startswith(":"):
            if told:
                return tuple(found), told
            continue
        found.append(Touched(next(fields), _CHANGES.get(told[-1], "modified")))
    return tuple(found), None


def file_at(git: Git, commit: str, path: str) -> str | None:
    """The text of a file as it was; None where there was none, or none that is a text."""
    if "\n" in path:
        return None
    said = git.run(["cat-file", "--batch"], said=f"{checked(commit)}:{path}\n".encode(), most=MOST_BLOB + 200)
    head, _, rest = said.partition(b"\n")
    parts = head.split()
    if len(parts) != 3 or parts[1] != b"blob" or b"\0" in rest[:8192]:
        return None
    return redact(rest[: int(parts[2])].decode("utf-8", "replace"))[0]


def patch(git: Git, commit: str, paths: Sequence[str] = (), *, context: int = 3) -> str:
    """What a commit changed, as a patch against its first parent."""
    arguments = ["diff-tree", "-p", "--root", "-r", "-m", "--first-parent", "--no-commit-id", "--no-renames"]
    said = git.run([*arguments, f"--unified={context}", *_PLAIN, checked(commit), "--", *paths])
    return redact(said.decode("utf-8", "replace"))[0]


def blame(git: Git, path: str, first: int, last: int, commit: str | None = None) -> tuple[Blamed, ...]:
    """Which commit each line of a file comes from, as of `commit` or HEAD."""
    at = checked(commit or git.heads.head)
    said = git.run(["blame", "--porcelain", f"-L{int(first)},{int(last)}", at, "--", path])
    found = [_BLAMED.fullmatch(line) for line in said.split(b"\n")]
    return tuple([Blamed(int(one[3]), one[1].decode(), int(one[2])) for one in found if one])


def pickaxe(git: Git, text: str, *, most: int = 20, paths: Sequence[str] = ()) -> tuple[Commit, ...]:
    """The commits that changed how often a text occurs, newest first."""
    if not text:
        return ()
    with git.reading([*_LOG, f"--max-count={most}", f"-S{text}", git.heads.head, "--", *paths]) as stream:
        return tuple(_commits(_fields(stream)))
