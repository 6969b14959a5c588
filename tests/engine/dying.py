"""A process that decides a file and kills itself: `python -m tests.engine.dying FOLDER MODEL EVENT NTH [resume]`.

It dies when the engine tells EVENT for the NTH time, by SIGKILL, as if somebody had pulled the plug. Where there is a
withstood.toml in the folder, the model is called by its batch endpoint, as it says.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections import Counter
from pathlib import Path

from withstood.engine.events import Event
from withstood.engine.limits import Limits
from withstood.jobs import sentiment as job
from withstood.jobs import settings
from withstood.journal.sqlite import SqliteStore

IN_FLIGHT = 2


class Fuse:
    """Counts events; at the one that was named, the process is gone."""

    def __init__(self, event: str = "", nth: int = 0) -> None:
        self.counts: Counter[str] = Counter()
        self._event, self._nth = event, nth

    def tell(self, event: Event, case: str, role: str = "") -> None:
        self.counts[event] += 1
        if event == self._event and self.counts[event] == self._nth:
            os.kill(os.getpid(), signal.SIGKILL)


async def decide(folder: Path, model: str, fuse: Fuse, resume: bool = False) -> job.Ending:
    configured = folder / "withstood.toml"
    batch = configured.exists()
    order = job.Order(
        folder / "in.csv",
        out=folder / "out",
        models={"default": model},
        changes={"review.when": "always"},
        limits=None if batch else Limits(in_flight=IN_FLIGHT),
        run="run",
        resume=resume,
        batch=batch,
    )
    config = settings.load(configured) if batch else None
    store = SqliteStore(folder / "journal.db")
    try:
        return await job.run(job.plan(order, config), store, lambda watch: fuse)
    finally:
        await store.close()


if __name__ == "__main__":
    asyncio.run(decide(Path(sys.argv[1]), sys.argv[2], Fuse(sys.argv[3], int(sys.argv[4])), sys.argv[5:] == ["resume"]))
