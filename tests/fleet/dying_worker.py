"""A worker that has the one unit of a job and kills itself: `python -m tests.fleet.dying_worker STORE JOB NTH`, at the
NTH thing that the engine tells."""

from __future__ import annotations

import asyncio
import sys

from tests.jobs.dying_research import Fuse
from withstood.fleet.deciding import decide
from withstood.fleet.registry import Registry
from withstood.journal import opening


async def work(named: str, job: str, nth: int) -> None:
    registry = Registry(named)
    registry.beat("dying")
    claim = registry.claim(job, 1, "dying")
    assert claim is not None
    await decide(claim, opening.store(named), registry, lambda watch: Fuse(nth))


if __name__ == "__main__":
    asyncio.run(work(sys.argv[1], sys.argv[2], int(sys.argv[3])))
