"""A store of episodes: one file of JSON Lines, one episode a line, the oldest first.

The file is never changed in place: whoever adds or revokes writes it anew beside itself and moves it there, so that a
reader finds it whole at any time. Writers wait for each other. Of more than 5,000 lines the oldest go. Numbers rise and
are never given twice.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from withstood.__about__ import __version__
from withstood.claims.episode import Episode, Lesson, Provenance
from withstood.errors import InputError, StoreError, UsageError
from withstood.memory.entries import Contents, Entry, Revocation, Tombstone, line, read

MOST = 5000
MOST_BYTES = 200_000_000
PATIENCE = 10
"""Seconds that a writer waits for another one."""


@dataclass(frozen=True, slots=True)
class New:
    """A lesson that is to be kept. `source` says where it comes from; a store keeps one episode for each."""

    lesson: Lesson
    source: str


class EpisodeStore:
    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen: tuple[tuple[int, ...], Contents] | None = None

    @property
    def id(self) -> str:
        return self.path.name

    @property
    def place(self) -> str:
        """The store in words."""
        return str(self.path)

    def exists(self) -> bool:
        return self.path.exists()

    def contents(self) -> Contents:
        """What is there now. `errors.InputError` and `errors.ConfigError` name the line that cannot be taken."""
        try:
            stamp = self._stamp()
            if self._seen is None or self._seen[0] != stamp:
                self._seen = (stamp, read(self.place, self._read()))
        except OSError as fault:
            raise InputError(
                f"The memory store {self.path} cannot be read: {fault.strerror}. Name another with --memory-store, or "
                "let a run make one that also writes (--memory M2)."
            ) from None
        return self._seen[1]

    def prepare(self) -> None:
        """For a run that will write: an empty store is made where there is none, so that a fault shows at once."""
        with self._alone():
            if not self.exists():
                self._write(())

    def add(self, news: Sequence[New]) -> tuple[Entry, ...]:
        """Keep these in order. What came from the same source before, revoked or not, stands instead."""
        with self._alone():
            held = self.contents() if self.exists() else Contents()
            known: dict[str, Entry] = {entry.provenance.created_from_split: entry for entry in held.entries}
            fresh = [new for new in news if new.source not in known]
            episodes = [_numbered(new, no) for no, new in enumerate(fresh, start=held.last + 1)]
            known |= {episode.provenance.created_from_split: episode for episode in episodes}
            if episodes:
                self._write([*held.lines, *map(line, episodes)])
        return tuple([known[new.source] for new in news])

    def revoke(self, wanted: Sequence[str], why: str = "") -> tuple[str, ...]:
        """Take back what these episodes say; the numbers of those that had not been revoked before."""
        with self._alone():
            held = self.contents()
            there = {entry.episode_id for entry in held.entries}
            for missing in (one for one in wanted if one not in there):
                raise UsageError(f"There is no episode {missing} in {self.place}. `withstood memory list` names all.")
            taken = {one.episode_id: line(_tombstone(one, why)) for one in held.episodes if one.episode_id in wanted}
            if taken:
                there = zip(held.entries, held.lines, strict=True)
                self._write([taken.get(entry.episode_id, text) for entry, text in there])
        return tuple(taken)

    def _read(self) -> bytes:
        return self.path.read_bytes()

    def _stamp(self) -> tuple[int, ...]:
        """Changes when the file does."""
        seen = self.path.stat()
        if not self.path.is_file() or seen.st_size > MOST_BYTES:
            raise InputError(
                f"The memory store {self.path}: wanted a file of at most {MOST_BYTES:,} bytes, found something else."
            )
        return seen.st_ino, seen.st_size, seen.st_mtime_ns

    def _write(self, lines: Sequence[str]) -> None:
        try:
            replace_lines(self.path, lines[-MOST:])
        except OSError as fault:
            raise _unusable(self.path, fault) from None

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """One writer at a time; the system lets the lock go when the process ends, however it ends."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock = os.open(f"{self.path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as fault:
            raise _unusable(self.path, fault) from None
        try:
            _wait_for(lock, self.path)
            yield
        finally:
            os.close(lock)


def replace_lines(path: Path, lines: Sequence[str]) -> None:
    """All of the file anew: written beside it, made durable, then moved into its place."""
    beside = path.with_name(f"{path.name}.part")
    try:
        with beside.open("w", encoding="utf-8") as stream:
            stream.writelines(f"{text}\n" for text in lines)
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(path)
        _settle(path.parent)
    except OSError:
        with suppress(OSError):  # the fault that is told is the first one
            beside.unlink(missing_ok=True)
        raise


def _wait_for(lock: int, path: Path) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise StoreError(
                    f"The memory store {path} is being written by another process. Wait for it, or stop it."
                ) from None
            time.sleep(PATIENCE / 200)
        else:
            return


def _numbered(new: New, no: int) -> Episode:
    told = {name: getattr(new.lesson, name) for name in Lesson.__dataclass_fields__}
    return Episode(episode_id=f"epi_{no:06}", provenance=Provenance(new.source, _now(), __version__), **told)


def _tombstone(episode: Episode, why: str) -> Tombstone:
    return Tombstone(episode_id=episode.episode_id, provenance=episode.provenance, revoked=Revocation(_now(), why))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _settle(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _unusable(path: Path, fault: OSError) -> StoreError:
    return StoreError(
        f"The memory store {path} cannot be written: {fault.strerror or fault}. Nothing in it was changed, and nothing "
        "that was decided is lost: make room or make the place writable and go on with --resume."
    )
