"""Pages and PDFs as text: asked of a process that reads each in a child, see `reading`."""

from __future__ import annotations

import importlib.util
import json
import os
import select
import signal
import subprocess
import sys
import threading
from types import TracebackType
from typing import Any, Literal, TypeAlias

from withstood.errors import CallFailed, MissingExtra
from withstood.sources.reading import MOST_SECONDS, Text

Kind: TypeAlias = Literal["html", "pdf"]

PARTS = {"html": ("trafilatura", "Reading pages", "web"), "pdf": ("pypdfium2", "Reading PDF", "documents")}
_PATIENCE = 3 * MOST_SECONDS


class Reader:
    """Starts its process with the first document, and anew where it ended. Any thread may ask; one is answered at a
    time. `kinds` are those that it will be asked for."""

    def __init__(self, *kinds: Kind) -> None:
        self._kinds = kinds
        self._turn = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, kind: Kind, raw: bytes) -> Text:
        """Title and text. `CallFailed` says why it cannot be read, `MissingExtra` what is to be installed."""
        module, wanted_for, extra = PARTS[kind]
        if importlib.util.find_spec(module) is None:
            raise MissingExtra(wanted_for, extra)
        with self._turn:
            found = self._asked(kind, raw)
        if "fault" in found:
            raise CallFailed(f"the {kind.upper()} cannot be read: {found['fault']}", again=False)
        return str(found["title"]), str(found["text"])

    def close(self) -> None:
        """Whoever waits for a document waits no longer."""
        if (process := self._process) is not None and process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        with self._turn:
            self._end()

    def __enter__(self) -> Reader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _asked(self, kind: Kind, raw: bytes) -> dict[str, Any]:
        process = self._running()
        assert process.stdin and process.stdout
        try:
            process.stdin.write(f"{kind} {len(raw)}\n".encode() + raw)
            process.stdin.flush()
            if not select.select([process.stdout], [], [], _PATIENCE)[0]:
                raise EOFError(f"it was not read within {_PATIENCE} seconds")
            length = int(process.stdout.readline() or b"0")
            found: dict[str, Any] = json.loads(process.stdout.read(length) or b"null") or {}
        except (OSError, EOFError, ValueError) as fault:
            self._end()
            return {"fault": f"its reader ended: {fault}"}
        return found or {"fault": "its reader ended without an answer"}

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._end()
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-m", "withstood.sources.reading", *self._ready()],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                env={name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ},
            )
        return self._process

    def _ready(self) -> list[str]:
        return [kind for kind in self._kinds if importlib.util.find_spec(PARTS[kind][0]) is not None]

    def _end(self) -> None:
        """The process and the child that it may be waiting for."""
        if self._process is None:
            return
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                _shut(stream)
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process = None


def _shut(stream: Any) -> None:
    try:
        stream.close()
    except OSError:
        return  # what could not be written is of no use to anybody now
