"""What an investigation may look at: the files of a repository, its history, logs and release documents; each optional,
all read-only.

Whatever is read is redacted first. A text is known by the SHA-256 of what was read, and never read twice in two
states: the first reading counts for the whole investigation.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from withstood.errors import InputError, MissingProgram, WorldError
from withstood.sources import logs
from withstood.sources.digest import Digest
from withstood.sources.folder import Folder, Found, OutOfBounds
from withstood.sources.git import Git, NotARepository
from withstood.sources.redaction import redact
from withstood.sources.stamps import Clock
from withstood.sources.words import Told, Words

MOST_KEPT = 96 << 20
MOST_HITS = 200
MOST_INDEXED = 256 << 10


@dataclass(frozen=True, slots=True)
class Text:
    """A file as it was read: its lines, and the hash of what was read."""

    path: str
    lines: tuple[str, ...]
    sha256: str


@dataclass(frozen=True, slots=True)
class Hit:
    path: str
    line: int
    said: str


@dataclass(slots=True)
class LogFile:
    """One log: where it is, and the name under which it is cited."""

    name: str
    folder: Folder
    path: str
    clock: Clock


@dataclass(frozen=True, slots=True)
class Shelved:
    """A document that stands outside the repository, and where it is read."""

    folder: Folder
    found: Found


@dataclass(slots=True)
class Workspace:
    """Open for one investigation. `missing` says which source is not there, and why. `documents` are the names of what
    was given as documents; those outside the repository are read as files under these names."""

    folder: Folder | None = None
    git: Git | None = None
    logs: list[LogFile] = field(default_factory=list[LogFile])
    missing: dict[str, str] = field(default_factory=dict[str, str])
    documents: list[str] = field(default_factory=list[str])
    shelf: dict[str, Shelved] = field(default_factory=dict[str, Shelved])
    _files: tuple[Found, ...] | None = None
    _digest: Digest | None = None
    _texts: OrderedDict[str, Text | None] = field(default_factory=OrderedDict[str, "Text | None"])
    _kept: int = 0

    # --- files ---

    def files(self) -> tuple[Found, ...]:
        """All files that may be read, documents from outside among them, in the order of their paths."""
        if self._files is None:
            own = tuple(self.folder.files()) if self.folder else ()
            more = [Found(name, one.found.size) for name, one in self.shelf.items()]
            self._files = tuple(sorted((*own, *more), key=lambda one: one.path)) if more else own
        return self._files

    def text(self, path: str) -> Text | None:
        """A file of the repository; None where there is none that may be read as text."""
        if path in self._texts:
            self._texts.move_to_end(path)
            return self._texts[path]
        found = self._read(path)
        self._texts[path] = found
        self._kept += _size(found)
        while self._kept > MOST_KEPT and len(self._texts) > 1:
            self._kept -= _size(self._texts.popitem(last=False)[1])
        return found

    def _read(self, path: str) -> Text | None:
        try:
            raw = self._raw(path)
        except OutOfBounds:
            return None
        return None if isinstance(raw, str) else text_of(path, raw)

    def _raw(self, path: str) -> bytes | str:
        """The bytes of a text, or why they are not given."""
        if shelved := self.shelf.get(path):
            return shelved.folder.read(shelved.found.path)
        return self.folder.read(path) if self.folder else "hidden"

    def words(self, told: Told, most_bytes: int = MOST_INDEXED) -> Words:
        """Which files hold which words. Files of more than `most_bytes` are passed over, as data are."""
        found = Words(told)
        for file in self.files():
            raw = self._raw(file.path) if file.size <= most_bytes else "large"
            if not isinstance(raw, str):
                found.add(file.path, decoded(raw))
        return found

    def search(self, pattern: str, *, under: Sequence[str] = (), most: int = MOST_HITS) -> Iterator[Hit]:
        """Lines of the repository in which a regular expression is found, file by file."""
        wanted = re.compile(pattern)
        found = 0
        for file in self.files():
            if under and not any(file.path.startswith(one) for one in under):
                continue
            text = self.text(file.path)
            for no, line in enumerate(text.lines if text else (), start=1):
                if wanted.search(line):
                    yield Hit(file.path, no, line)
                    found += 1
                    if found >= most:
                        return

    # --- logs ---

    def digest(self) -> Digest:
        """What all logs come to, read once. A log that cannot be read is told in `missing`."""
        if self._digest is None:
            self._digest = Digest()
            for log in self.logs:
                try:
                    self._digest.take(self.log_events(log))
                except (logs.Unreadable, InputError) as fault:
                    self.missing[log.name] = str(fault)
        return self._digest

    def log_events(self, log: LogFile) -> Iterator[logs.Event]:
        """The events of one log, in order. `Unreadable` where it cannot be read to its end."""
        with _stream(log) as stream:
            yield from logs.events(stream, log.name, log.clock)

    def log_lines(self, name: str, first: int, last: int) -> tuple[str, ...] | None:
        """Some lines of a log, from 1; None where there is no such log."""
        found = self.log_parts(name, [(first, last)])
        return None if found is None else tuple(found.values())

    def log_parts(self, name: str, parts: Sequence[tuple[int, int]]) -> dict[int, str] | None:
        """The lines of a log from any of these to any of these, by their number; read once, to the last of them."""
        log = next((one for one in self.logs if one.name == name), None)
        if log is None:
            return None
        wanted = set[int]().union(*(range(max(1, first), last + 1) for first, last in parts))
        found: dict[int, str] = {}
        try:
            with _stream(log) as stream:
                for no, line in enumerate(logs.lines(stream, log.name), start=1):
                    if no in wanted:
                        found[no] = line
                    if len(found) == len(wanted):
                        break
        except (logs.Unreadable, InputError):
            return None
        return found

    def said_at(self, log: LogFile, line: str) -> str:
        """What one line of a log says, without its time and level; "" where it has neither, and so begins no event."""
        stream = io.BytesIO(line.encode("utf-8", "surrogatepass"))
        event = next(logs.events(stream, log.name, log.clock), None)
        return event.said if event and (event.when is not None or event.level is not None) else ""


def text_of(path: str, raw: bytes) -> Text:
    """Bytes as a text, secrets covered."""
    plain = redact(decoded(raw))[0]
    return Text(path, tuple(plain.splitlines()), hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest())


def decoded(raw: bytes) -> str:
    """UTF-8, else CP949 where that fits, else with signs for what cannot be read."""
    for encoding in ("utf-8-sig", "cp949"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return raw.decode("utf-8", "replace")


def _size(text: Text | None) -> int:
    return 200 if text is None else 200 + sum(len(line) + 60 for line in text.lines)


@contextmanager
def _stream(log: LogFile) -> Iterator[BinaryIO]:
    opened = log.folder.opened(log.path)
    if isinstance(opened, str):
        raise logs.Unreadable(f"{log.name} is left out: {opened}")
    with opened:
        yield opened


@contextmanager
def opened(
    repo: Path | None, log_paths: Sequence[Path] = (), *, documents: Sequence[Path] = (), zone: int = 0
) -> Iterator[Workspace]:
    """A workspace of what is there. Only where nothing at all can be read is it an `InputError`."""
    with ExitStack() as stack:
        space = Workspace()
        if repo is not None:
            _open_repository(space, repo, stack)
        for path in documents:
            _open_documents(space, repo, path, stack)
        for path in log_paths:
            _open_logs(space, path, stack, zone)
        if not (space.folder or space.git or space.logs or space.shelf):
            why = " ".join(told for name, told in space.missing.items() if name != "history")
            told = "There is nothing to look at. Name a repository (--repo), logs (--logs), or both."
            raise InputError(f"{told} {why}".strip())
        yield space


def _open_repository(space: Workspace, repo: Path, stack: ExitStack) -> None:
    """The files and the history; a bare repository has no files checked out."""
    try:
        if not _is_bare(repo):
            space.folder = stack.enter_context(Folder(repo))
        else:
            space.missing["files"] = (
                f"{repo} is a bare repository: no files are checked out. Clone it to have them seen."
            )
    except InputError as fault:
        space.missing |= {"files": str(fault), "history": "its folder is not there"}
        return
    try:
        space.git = stack.enter_context(Git.opened(repo))
    except (NotARepository, MissingProgram, WorldError) as fault:
        space.missing["history"] = str(fault)


def _is_bare(repo: Path) -> bool:
    inside = [(repo / name).is_dir() for name in ("objects", "refs")]
    return all(inside) and (repo / "HEAD").is_file() and not (repo / ".git").exists()


# --- documents and logs ------------------------------------------------------------------------


def _open_documents(space: Workspace, repo: Path | None, path: Path, stack: ExitStack) -> None:
    """One document, or all of a folder. What stands in the repository is read there."""
    top = repo.resolve() if repo else None
    if top and space.folder and path.exists() and path.resolve().is_relative_to(top):
        space.documents.append(path.resolve().relative_to(top).as_posix())
        return
    try:
        found = _found_at(path, stack)
    except InputError as fault:
        space.missing[str(path)] = str(fault)
        return
    space.documents.append(str(path))
    space.shelf |= {name: Shelved(folder, one) for name, folder, one in found}


def _open_logs(space: Workspace, path: Path, stack: ExitStack, zone: int) -> None:
    """One log, or all files of a folder; those that are none are told."""
    try:
        found = _found_at(path, stack)
    except InputError as fault:
        space.missing[str(path)] = str(fault)
        return
    for name, folder, one in found:
        top = path if path.is_dir() else path.resolve().parent
        log = LogFile(name, folder, one.path, Clock(_year(top / one.path), zone))
        why = _unreadable(log)
        if why:
            space.missing[name] = why
        else:
            space.logs.append(log)
    if not found:
        space.missing[str(path)] = f"There is no file in {path} that may be read."


def _found_at(path: Path, stack: ExitStack) -> list[tuple[str, Folder, Found]]:
    """What stands there: the name that it is shown under, its folder, and its place in it."""
    whole = path.is_dir()
    if not whole and not path.is_file():
        raise InputError(f"There is no log or document {path}. Check the name, or give the full path.")
    real = path.resolve()  # what somebody names may be a link; what stands in a folder may not
    folder = stack.enter_context(Folder(real if whole else real.parent))
    if not whole:
        return [(path.name, folder, Found(real.name, real.stat().st_size))]
    within = path.name or path.resolve().name
    return [(f"{within}/{one.path}", folder, one) for one in folder.files()]


def _unreadable(log: LogFile) -> str:
    """Why a log cannot be read from its beginning; nothing where it can."""
    try:
        with _stream(log) as stream:
            return "" if next(logs.lines(stream, log.name), None) is not None else f"{log.name} is empty"
    except (logs.Unreadable, InputError) as fault:
        told = str(fault)
        return told if log.name in told else f"{log.name}: {told}"


def _year(path: Path) -> int:
    """Of the last change: the year of a syslog line that names none."""
    return datetime.fromtimestamp(path.lstat().st_mtime, UTC).year
