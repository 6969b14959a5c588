"""What an investigation may look at: the files of a repository, its history, and logs; each optional, all read-only.

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


@dataclass(slots=True)
class Workspace:
    """Open for one investigation. `missing` says which source is not there, and why."""

    folder: Folder | None = None
    git: Git | None = None
    logs: list[LogFile] = field(default_factory=list[LogFile])
    missing: dict[str, str] = field(default_factory=dict[str, str])
    _files: tuple[Found, ...] | None = None
    _digest: Digest | None = None
    _texts: OrderedDict[str, Text | None] = field(default_factory=OrderedDict[str, "Text | None"])
    _kept: int = 0

    # --- files ---

    def files(self) -> tuple[Found, ...]:
        """All files of the repository that may be read, in the order of their paths."""
        if self._files is None:
            self._files = tuple(self.folder.files()) if self.folder else ()
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
            raw = self.folder.read(path) if self.folder else "hidden"
        except OutOfBounds:
            return None
        return None if isinstance(raw, str) else text_of(path, raw)

    def words(self, told: Told, most_bytes: int = MOST_INDEXED) -> Words:
        """Which files hold which words. Files of more than `most_bytes` are passed over, as data are."""
        found = Words(told)
        for file in self.files():
            raw = self.folder.read(file.path) if self.folder and file.size <= most_bytes else "large"
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
def opened(repo: Path | None, log_paths: Sequence[Path] = (), *, zone: int = 0) -> Iterator[Workspace]:
    """A workspace of what is there. Only where nothing at all can be read is it an `InputError`."""
    with ExitStack() as stack:
        space = Workspace()
        if repo is not None:
            space.folder = stack.enter_context(Folder(repo))
            try:
                space.git = stack.enter_context(Git.opened(repo))
            except (NotARepository, MissingProgram, WorldError) as fault:
                space.missing["history"] = str(fault)
        for path in log_paths:
            space.logs += _logs_at(path, stack, zone)
        if repo is None and not space.logs:
            raise InputError("There is nothing to look at. Name a repository (--repo), logs (--logs), or both.")
        yield space


def _logs_at(path: Path, stack: ExitStack, zone: int) -> list[LogFile]:
    """One log, or all files of a folder."""
    top = path if path.is_dir() else path.parent
    folder = stack.enter_context(Folder(top))
    names = [found.path for found in folder.files()] if path.is_dir() else [path.name]
    if not path.is_dir() and not path.is_file():
        raise InputError(f"There is no log {path}. Check the name, or give the full path.")
    shown = f"{path.name}/" if path.is_dir() else ""
    return [LogFile(f"{shown}{name}", folder, name, Clock(_year(top / name), zone)) for name in names]


def _year(path: Path) -> int:
    """Of the last change: the year of a syslog line that names none."""
    return datetime.fromtimestamp(path.lstat().st_mtime, UTC).year
