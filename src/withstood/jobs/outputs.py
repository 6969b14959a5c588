"""What a run leaves in its folder. Every file is written beside its name and moved there when it is whole."""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Literal, Protocol

from withstood.errors import OutputError


class Results(Protocol):
    """Takes the lines of the results as they come, and says when they are whole."""

    def write(self, name: str, text: str) -> None: ...

    def finish(self, others: Mapping[str, str]) -> None: ...

    def close(self) -> None: ...


class Folder:
    """Streams files into a folder; `finish` moves them, and others that are written whole, into place. A name may lead
    into a folder within."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._open: dict[str, IO[str]] = {}
        with _explained(path):
            path.mkdir(parents=True, exist_ok=True)
            self._folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self._alone()

    def _alone(self) -> None:
        """Held until the process ends, however it ends."""
        try:
            fcntl.flock(self._folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._folder)
            raise OutputError(
                f"Another run writes to {self.path}. Wait for it, or name another folder with -o."
            ) from None

    def write(self, name: str, text: str) -> None:
        """Append to a file that is being streamed."""
        with _explained(self.path):
            if name not in self._open:
                self._open[name] = (self.path / f"{name}.part").open("w", encoding="utf-8")
            self._open[name].write(text)

    def finish(self, others: Mapping[str, str]) -> None:
        """Close what was streamed, write the other files whole, and make all of it durable."""
        with _explained(self.path):
            for stream in self._open.values():
                _settle(stream)
            within = {(self.path / name).parent for name in others} - {self.path}
            for folder in sorted(within):
                folder.mkdir(parents=True, exist_ok=True)
            for name, text in others.items():
                with (self.path / f"{name}.part").open("w", encoding="utf-8") as stream:
                    stream.write(text)
                    _settle(stream)
            for name in (*self._open, *others):
                (self.path / f"{name}.part").replace(self.path / name)
            for folder in within:
                _keep(folder)
            os.fsync(self._folder)

    def close(self) -> None:
        for stream in self._open.values():
            with suppress(OSError):  # it was reported when it was met
                stream.close()
        os.close(self._folder)


class Piped:
    """No folder: the results go to standard output, and nothing else is left."""

    def write(self, name: str, text: str) -> None:
        if name == "results.jsonl":
            with _explained("standard output"):
                sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))

    def finish(self, others: Mapping[str, str]) -> None:
        with _explained("standard output"):
            sys.stdout.buffer.flush()

    def close(self) -> None:
        return


class Kept:
    """No files: for whoever calls from Python."""

    def write(self, name: str, text: str) -> None:
        return

    def finish(self, others: Mapping[str, str]) -> None:
        return

    def close(self) -> None:
        return


def whole(path: Path | Literal["-"], pieces: Iterable[str]) -> None:
    """One file, written beside its name and moved there when it is whole; or standard output."""
    if path == "-":
        with _explained("standard output"):
            for piece in pieces:
                sys.stdout.buffer.write(piece.encode())
            sys.stdout.buffer.flush()
        return
    part = path.with_name(f"{path.name}.part")
    with _explained(path), part.open("w", encoding="utf-8", newline="") as stream:
        for piece in pieces:
            stream.write(piece)
        _settle(stream)
        part.replace(path)


def _keep(folder: Path) -> None:
    """Make the names in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def whole_bytes(path: Path, content: bytes) -> None:
    """The same for what is no text."""
    part = path.with_name(f"{path.name}.part")
    with _explained(path), part.open("wb") as stream:
        stream.write(content)
        _settle(stream)
        part.replace(path)


def _settle(stream: IO[Any]) -> None:
    stream.flush()
    os.fsync(stream.fileno())
    stream.close()


@contextmanager
def _explained(place: Path | str) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise OutputError("Nobody reads the results any more: the pipe is closed.") from None
    except OSError as fault:
        raise OutputError(
            f"The results cannot be written to {place}: {fault.strerror or fault}. Nothing that was decided is lost: "
            "make room or name another folder with -o, and go on with --resume."
        ) from None
