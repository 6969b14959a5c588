"""What an investigation finds to look at, told in words, and known by a hash: a run goes on only over the same."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from withstood import form
from withstood.claims.cast import Source
from withstood.claims.inquiry import SourceNote
from withstood.sources.workspace import LogFile, Workspace


def notes(space: Workspace, repo: Path | None, documents: Sequence[Path]) -> tuple[SourceNote, ...]:
    """Every source in a fixed order, those that are not there with the reason."""
    found = [*_repository(space, repo), *_logs(space)]
    found += [SourceNote("documents", name) for name in space.documents]
    told = {str(path) for path in documents}
    for name, why in space.missing.items():
        if name not in ("files", "history"):
            found.append(SourceNote("documents" if name in told else "logs", name, missing=why))
    return tuple(found)


def _repository(space: Workspace, repo: Path | None) -> Iterator[SourceNote]:
    if repo is None:
        return
    name = repo.resolve().name or str(repo)
    for kind in _PARTS:
        if why := space.missing.get(kind):
            yield SourceNote(kind, name, missing=why)
        elif kind == "files":
            yield SourceNote(kind, name, _files(space)) if space.files() else SourceNote(kind, name, missing=_EMPTY)
        elif space.git:
            yield SourceNote(kind, name, _history(space))


_PARTS: tuple[Source, ...] = ("files", "history")
_EMPTY = "there is no file in it that may be read"


def _files(space: Workspace) -> str:
    left_out = space.folder.left_out.items() if space.folder else ()
    out = ", ".join(f"{count} {reason}" for reason, count in sorted(left_out))
    count = len(space.files())
    return f"{count:,} {'file' if count == 1 else 'files'}" + (f"; left out: {out}" if out else "")


def _history(space: Workspace) -> str:
    assert space.git is not None
    heads = space.git.heads
    where = f"at {heads.head[:12]}" + (f" on {heads.branch}" if heads.branch else "")
    return f"{where}; a shallow clone: older commits are not there" if heads.shallow else where


def _logs(space: Workspace) -> Iterator[SourceNote]:
    """One note for each log, or for each folder of them."""
    by_top: dict[str, list[LogFile]] = {}
    for log in space.logs:
        by_top.setdefault(log.name.partition("/")[0], []).append(log)
    for top, several in by_top.items():
        size = sum(_size(log) for log in several)
        told = f"{len(several)} files, {size:,} bytes" if len(several) > 1 else f"{size:,} bytes"
        yield SourceNote("logs", top if len(several) > 1 else several[0].name, told)


def _size(log: LogFile) -> int:
    return _stat(log)[0]


def _stat(log: LogFile) -> tuple[int, int]:
    stream = log.folder.opened(log.path)
    if isinstance(stream, str):
        return (0, 0)
    with stream:
        found = os.fstat(stream.fileno())
    return (found.st_size, found.st_mtime_ns)


def known_by(space: Workspace) -> str:
    """Changes when a file comes, goes or changes its size, when the history moves, and when a log is written to."""
    head = space.git.heads.head if space.git else ""
    files = [(one.path, one.size) for one in space.files()]
    logs = [(log.name, *_stat(log)) for log in space.logs]
    return form.digest(form.dumps([head, files, logs, sorted(space.missing)]))
