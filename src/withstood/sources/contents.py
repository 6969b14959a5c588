"""The bytes of an input, such that they can be read twice: a file by its path, a pipe by way of a private spool."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import shutil
import stat
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal, Protocol

from withstood.errors import InputError, StoreError

CHUNK = 1 << 18


class _Place(Protocol):
    def stream(self) -> io.RawIOBase: ...

    def stamp(self) -> tuple[int, ...]:
        """Changes when the bytes do."""
        ...


@dataclass(frozen=True, slots=True)
class Content:
    """An input that has been looked at once. `open` gives its bytes from the start, unpacked, any number of times."""

    name: str
    place: _Place
    packed: bool
    sha256: str
    stamp: tuple[int, ...]

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """The unpacked bytes. A fault of the disk or of the packing is an `InputError`."""
        try:
            with io.BufferedReader(self.place.stream(), CHUNK) as raw:
                if not self.packed:
                    yield raw
                    return
                with gzip.GzipFile(fileobj=raw) as unpacked, io.BufferedReader(unpacked, CHUNK) as plain:
                    yield plain
        except (EOFError, zlib.error, gzip.BadGzipFile) as fault:
            raise InputError(
                f"{self.name} is gzip that cannot be unpacked to its end ({fault}). Copy or download it again."
            ) from None
        except OSError as fault:
            raise InputError(f"{self.name} cannot be read: {fault.strerror or fault}.") from None

    def check_same(self) -> None:
        """Raises where the file was changed since it was first looked at."""
        if self.place.stamp() != self.stamp:
            raise InputError(
                f"{self.name} was changed while it was being read. Run again once nothing writes to it any more."
            )


def collect(path: Path | Literal["-"], piped: BinaryIO | None = None) -> Content:
    """The content at a path; of `-`, and of a named pipe, a spooled copy. No such file, a directory and nothing at
    all are an `InputError`."""
    name, place = _place(path, piped)
    stamp = place.stamp()
    try:
        with place.stream() as raw:
            head = raw.read(2) or b""
        with place.stream() as raw:
            sha256 = hashlib.file_digest(raw, "sha256").hexdigest()  # pyright: ignore[reportArgumentType]
    except OSError as fault:
        raise InputError(f"{name} cannot be read: {fault.strerror or fault}. Check that you may read it.") from None
    if not head:
        raise InputError(f"{name} is empty: wanted a file of reviews, found 0 bytes.")
    return Content(name, place, head == b"\x1f\x8b", sha256, stamp)


def _place(path: Path | Literal["-"], piped: BinaryIO | None) -> tuple[str, _Place]:
    if path == "-":
        source = piped if piped is not None else sys.stdin.buffer
        if source.isatty():
            raise InputError("Reading from standard input, but nothing is piped in. Name a file, or pipe one in.")
        return "standard input", _Spool(source)
    name = str(path)
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        raise InputError(f"No such file: {name}. {_neighbours(path)}") from None
    except (OSError, ValueError) as fault:
        raise InputError(f"{name} cannot be read: {getattr(fault, 'strerror', None) or fault}.") from None
    if stat.S_ISDIR(mode):
        raise InputError(f"{name} is a directory; wanted one file of reviews. Name a file in it.")
    if stat.S_ISFIFO(mode):
        with path.open("rb") as source:
            return name, _Spool(source)
    if not stat.S_ISREG(mode):
        raise InputError(f"{name} is a device or a socket; wanted a file of reviews.")
    return name, _File(path)


def _neighbours(path: Path) -> str:
    if not path.parent.is_dir():
        return f"The directory {path.parent} does not exist either."
    return f"Looked in {path.parent.resolve()}. Check the name, or give the full path."


class _File:
    def __init__(self, path: Path) -> None:
        self._path = path

    def stream(self) -> io.RawIOBase:
        return io.FileIO(self._path)

    def stamp(self) -> tuple[int, ...]:
        try:
            found = self._path.stat()
        except OSError:
            return ()
        return (found.st_ino, found.st_size, found.st_mtime_ns)


class _Spool:
    """A copy that only this program can see: the file has no name, and is gone with the last reference to it."""

    def __init__(self, source: BinaryIO) -> None:
        try:
            with tempfile.TemporaryFile(buffering=0) as copy:
                shutil.copyfileobj(source, copy, CHUNK)
                self._descriptor = os.dup(copy.fileno())
        except OSError as fault:
            raise StoreError(
                f"The piped input cannot be kept in {tempfile.gettempdir()}: {fault.strerror}. "
                "Make room there, or set TMPDIR to a place that has room."
            ) from None

    def stream(self) -> io.RawIOBase:
        return _Reader(self._descriptor)

    def stamp(self) -> tuple[int, ...]:
        return ()

    def __del__(self) -> None:
        descriptor = getattr(self, "_descriptor", None)
        if descriptor is not None:
            os.close(descriptor)


class _Reader(io.RawIOBase):
    """Reads a descriptor from its start, with a place of its own; leaves it open."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor, self._at = descriptor, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]
        found = os.pread(self._descriptor, len(buffer), self._at)
        buffer[: len(found)] = found
        self._at += len(found)
        return len(found)
