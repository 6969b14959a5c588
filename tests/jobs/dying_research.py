"""Researches that kill themselves, and are gone on with: `python -m tests.jobs.dying_research FOLDER EVENT...`.

For each EVENT of `tell:N` (when the engine tells something for the Nth time) or `put:N` (before the Nth file takes its
name) a research is begun in a process of its own that dies there by SIGKILL, and another process resumes it. What
stands in the folders afterwards is printed as JSON.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from tests.jobs import studies
from withstood.engine.events import Event

ITERATIONS = 5


class Fuse:
    """Counts what is told; at the one that was named, the process is gone."""

    def __init__(self, nth: int = 0) -> None:
        self.counted, self._nth = 0, nth

    def tell(self, event: Event, case: str, role: str = "") -> None:
        self.counted += 1
        if self.counted == self._nth:
            os.kill(os.getpid(), signal.SIGKILL)


def mined(nth: int) -> None:
    """Before the Nth file takes its name, the process is gone."""
    plain, count = Path.replace, [0]

    def replace(path: Path, target: Any) -> Path:
        count[0] += 1
        if count[0] == nth:
            os.kill(os.getpid(), signal.SIGKILL)
        return plain(path, target)

    Path.replace = replace  # pyright: ignore[reportAttributeAccessIssue]


def forked(work: Any) -> int:
    child = os.fork()
    if child == 0:
        work()
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def begin(folder: Path, event: str) -> None:
    kind, _, nth = event.partition(":")
    fuse = Fuse(int(nth) if kind == "tell" else 0)
    if kind == "put":
        mined(int(nth))
    model = f"scripted:{folder.parent / 'answers.jsonl'}"
    studies.studied(folder, iterations=ITERATIONS, models={"default": model}, watching=lambda watch: fuse)


def standing(folder: Path) -> dict[str, str]:
    names = [path for path in sorted((folder / "out").rglob("*")) if path.is_file() and path.suffix != ".part"]
    texts = {str(path.relative_to(folder / "out")): path.read_bytes() for path in names if path.name != "session.json"}
    return {name: hashlib.sha256(text).hexdigest() for name, text in texts.items()}


def told(folder: Path, event: str) -> dict[str, Any]:
    studies.shelf(folder / "shelf")
    died = forked(lambda: begin(folder, event))
    first = (folder / "out" / "cognigraph.json").exists()
    went_on = forked(lambda: studies.resumed(folder)) if first and died else 0
    return {"event": event, "died": died, "first": first, "went_on": went_on, "standing": standing(folder)}


def main(root: Path, events: list[str]) -> None:
    studies.script(root / "answers.jsonl", ITERATIONS)
    print(json.dumps([told(root / event.replace(":", "-"), event) for event in events]))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
