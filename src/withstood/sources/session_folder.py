"""The folder of a research: written whole or not at all, by one process at a time."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from withstood.errors import InputError, OutputError

MOST_BYTES = 256 << 20


class SessionFolder:
    """Held until it is closed, or until the process ends, however it ends."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with _explained(path):
            path.mkdir(parents=True, exist_ok=True)
            self._folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(self._folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._folder)
            raise OutputError(
                f"Another process works on the research in {path}. Wait for it, or name another folder with -o."
            ) from None

    def close(self) -> None:
        if self._folder >= 0:
            os.close(self._folder)
            self._folder = -1

    def write(self, name: str, text: str) -> None:
        """A file takes its name when it is whole and durable."""
        self._put(name, text, durable=True)
        with _explained(self.path):
            os.fsync(self._folder)

    def write_page(self, name: str, text: str) -> None:
        """The same for what can be written again from the graph: whole, but durable only in time."""
        self._put(name, text, durable=False)

    def _put(self, name: str, text: str, *, durable: bool) -> None:
        target = self.path / name
        with _explained(self.path):
            target.parent.mkdir(exist_ok=True)
            part = target.with_name(f".{target.name}.part")
            with part.open("w", encoding="utf-8", errors="surrogatepass") as stream:
                stream.write(text)
                stream.flush()
                if durable:
                    os.fsync(stream.fileno())
            part.replace(target)

    def remove(self, name: str) -> None:
        with _explained(self.path):
            (self.path / name).unlink(missing_ok=True)


def read(path: Path) -> str:
    """A file of a research, which somebody may have edited by hand."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"{path} is larger than {MOST_BYTES >> 20} MiB; wanted the file of a research.")
        return path.read_text("utf-8")
    except UnicodeDecodeError as fault:
        raise InputError(f"{path} is not UTF-8: found another byte at place {fault.start + 1}.") from None
    except OSError as fault:
        raise InputError(f"{path} cannot be read: {fault.strerror or fault}.") from None


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as fault:
        raise OutputError(
            f"The research cannot be written to {path}: {fault.strerror or fault}. Nothing that was decided is lost: "
            "make room and go on with `withstood research resume`."
        ) from None
