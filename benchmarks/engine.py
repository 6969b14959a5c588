"""The engine beside the floor: a conflict review of 500 texts against the stub server, journal on.

    python benchmarks/engine.py

Prints one JSON object: span over the schedule's lower bound, CPU of this process per call, the journal's share of it,
and the same for a bare httpx2 client that sends the very same number of calls in the same minute.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import random
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import floor
import stub_process
from withstood.engine.events import Event
from withstood.engine.limits import Limits
from withstood.jobs import sentiment as job
from withstood.jobs.settings import Config
from withstood.journal.sqlite import SqliteStore

T = TypeVar("T")
WORDS = "screen battery food staff price quality service design is was bright slow great rude cheap but and not".split()


T = TypeVar("T")


class Clock:
    """Listens for the first request and the last answer."""

    def __init__(self) -> None:
        self.first = self.last = 0.0
        self.calls = 0

    def tell(self, event: Event, case: str, role: str = "") -> None:
        if event == "sending":
            self.calls += 1
            self.first = self.first or time.perf_counter()
        elif event == "replied":
            self.last = time.perf_counter()


class TimedStore(SqliteStore):
    """Adds up the CPU of the journal's own thread."""

    cpu = 0.0

    async def on_thread(self, work: Callable[[Any], T]) -> T:
        def timed(db: Any) -> T:
            before = time.thread_time()
            try:
                return work(db)
            finally:
                self.cpu += time.thread_time() - before

        return await super().on_thread(timed)


def texts(count: int, seed: int = 7) -> tuple[str, ...]:
    draw = random.Random(seed)
    return tuple(f"{no}: {' '.join(draw.choices(WORDS, k=18))}." for no in range(count))


async def decide(url: str, count: int, in_flight: int, store: SqliteStore, clock: Clock) -> job.Ending:
    order = job.Order(
        texts(count),
        models={"default": f"{url}#stub"},
        changes={"review.when": "always"},
        limits=Limits(in_flight=in_flight),
        out=None,
    )
    return await job.run(job.plan(order, Config()), store, lambda watch: clock)


def measure(count: int, in_flight: int, latency: float) -> dict[str, Any]:
    clock = Clock()
    with tempfile.TemporaryDirectory() as folder, stub_process.serving("--latency", str(latency)) as stub:
        store = TimedStore(Path(folder) / "journal.db")
        before = floor.cpu_seconds()
        ending = asyncio.run(decide(stub.openai, count, in_flight, store, clock))
        cpu = floor.cpu_seconds() - before
        bill = stub.bill()
        size = store.path.stat().st_size
    bound = math.ceil(clock.calls / in_flight) * latency
    return {
        "status": ending.status,
        "calls": clock.calls,
        "bill": bill["requests"],
        "span_seconds": round(clock.last - clock.first, 3),
        "span_over_bound": round((clock.last - clock.first) / bound, 3) if bound else None,
        "cpu_ms_per_call": round(1000 * cpu / clock.calls, 3),
        "journal_share_of_cpu": round(store.cpu / cpu, 3),
        "journal_bytes_per_call": round(size / clock.calls),
        "threads": threading.active_count(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="The engine beside the floor.")
    parser.add_argument("--texts", type=int, default=500)
    parser.add_argument("--in-flight", type=int, default=64)
    parser.add_argument("--latency", type=float, default=0.2)
    given = parser.parse_args()
    measure(10, given.in_flight, latency=0)  # imports and word lists are no part of what a call costs
    engine = measure(given.texts, given.in_flight, given.latency)
    bare = floor.floor(engine["calls"], given.in_flight, given.latency)
    ratio = engine["cpu_ms_per_call"] / bare["cpu_ms_per_call"]
    print(json.dumps({"engine": engine, "floor": bare, "cpu_over_floor": round(ratio, 2)}, indent=2))


if __name__ == "__main__":
    main()
