"""The stub server as a child of a benchmark or a test: started, asked for its bill, stopped."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SERVER = Path(__file__).with_name("stub_server.py")


@dataclass(frozen=True, slots=True)
class Served:
    """A stub server that runs. Its faults and counts are those of one process."""

    port: int
    pid: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def openai(self) -> str:
        """The base URL that an OpenAI-compatible client is given."""
        return f"{self.url}/v1"

    def bill(self) -> dict[str, Any]:
        return self._json("/bill")

    def requests(self) -> dict[str, int]:
        """SHA-256 of every request body, and how often it came."""
        return dict(self._json("/requests"))

    def reset(self) -> None:
        self._json("/reset")

    def _json(self, path: str) -> Any:
        with urllib.request.urlopen(self.url + path, timeout=10) as reply:
            return json.load(reply)


@contextlib.contextmanager
def serving(*options: str) -> Iterator[Served]:
    """A stub server with these options, on a port of its own; it ends with the block, or with its parent."""
    command = [sys.executable, str(SERVER), "--port", "0", *options]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout
        first = child.stdout.readline()
        if not first:
            raise RuntimeError(f"wanted a port from the stub server, found nothing: {' '.join(command)}")
        try:
            yield Served(int(first), child.pid)
        finally:
            child.terminate()
