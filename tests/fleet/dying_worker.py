"""Workers that have the one unit of a job and kill themselves: `python -m tests.fleet.dying_worker STORE JOB:NTH ...`,
each in a process of its own, at the NTH thing that the engine tells."""

from __future__ import annotations

import asyncio
import signal
import sys

from tests.jobs.dying_research import Fuse, forked
from withstood.fleet.deciding import decide
from withstood.fleet.registry import Registry
from withstood.journal import opening


async def work(named: str, job: str, nth: int) -> None:
    registry = Registry(named)
    registry.beat("dying")
    claim = registry.claim(job, 1, "dying")
    assert claim is not None
    await decide(claim, opening.store(named), registry, lambda watch: Fuse(nth))


def main(named: str, deaths: list[str]) -> int:
    """How many of them did not die."""
    wanted = [death.partition(":")[::2] for death in deaths]
    ends = [forked(lambda job=job, nth=nth: asyncio.run(work(named, job, int(nth)))) for job, nth in wanted]
    return sum(end != -signal.SIGKILL for end in ends)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
