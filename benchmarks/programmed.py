"""Many texts with programmed agents: texts a second, and whether memory stays flat.

    python benchmarks/programmed.py --texts 100000

Texts are synthetic: clauses of a small grammar, Korean and English. Prints one JSON object; memory is sampled at every
hundredth of the run, and the mean of the last quarter is set against that of the first.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import tempfile
import time
from pathlib import Path
from typing import Any

from withstood.engine.events import Event
from withstood.jobs import sentiment as job
from withstood.jobs.settings import Config
from withstood.journal.sqlite import SqliteStore

KOREAN = (
    ("배송", "품질", "가격", "디자인", "향", "용기", "화면", "소리"),
    ("은", "이"),
    ("좋아요", "별로예요", "만족스러워요", "안 좋네요", "빠른데", "괜찮지만", "최고입니다", "실망했어요"),
)
ENGLISH = (
    ("The screen", "The food", "Our waiter", "The battery", "The price", "The keyboard"),
    ("is", "was"),
    ("great", "not good", "terrible", "fine but slow", "excellent", "hardly worth it", "wonderful"),
)


def sentence(draw: random.Random) -> str:
    if draw.random() < 0.5:
        subject, particle, judgement = (draw.choice(part) for part in KOREAN)
        return f"{subject}{particle} {judgement}"
    return " ".join(draw.choice(part) for part in ENGLISH) + "."


def write_texts(path: Path, count: int, seed: int = 11) -> None:
    draw = random.Random(seed)
    with path.open("w", encoding="utf-8") as out:
        for no in range(count):
            text = " ".join(sentence(draw) for _ in range(draw.randint(1, 4)))
            out.write(json.dumps({"id": f"r{no}", "text": text}, ensure_ascii=False) + "\n")


def resident_kib() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() // 1024


class Meter:
    """Samples memory as results are written."""

    def __init__(self, total: int) -> None:
        self._every, self._count = max(1, total // 100), 0
        self.samples: list[int] = []

    def tell(self, event: Event, case: str, role: str = "") -> None:
        if event == "written":
            self._count += 1
            if self._count % self._every == 0:
                self.samples.append(resident_kib())


async def decide(source: Path, out: Path, store: SqliteStore, meter: Meter) -> job.Ending:
    try:
        return await job.run(job.plan(job.Order(source, out=out), Config()), store, lambda watch: meter)
    finally:
        await store.close()


def measure(count: int) -> dict[str, Any]:
    meter = Meter(count)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "texts.jsonl"
        write_texts(source, count)
        begun, before = time.perf_counter(), time.process_time()
        ending = asyncio.run(decide(source, Path(folder) / "out", SqliteStore(Path(folder) / "journal.db"), meter))
        span, cpu = time.perf_counter() - begun, time.process_time() - before
        size = (Path(folder) / "journal.db").stat().st_size
    quarter = max(1, len(meter.samples) // 4)
    first, last = (sum(part) / quarter for part in (meter.samples[:quarter], meter.samples[-quarter:]))
    return {
        "status": ending.status,
        "texts": ending.tally.texts,
        "texts_per_second": round(count / span),
        "cpu_ms_per_text": round(1000 * cpu / count, 2),
        "asks": ending.tally.asks,
        "asks_saved": ending.tally.saved,
        "memory_last_over_first_quarter": round(last / first, 3),
        "memory_peak_mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        "journal_bytes_per_text": round(size / count),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Many texts with programmed agents.")
    parser.add_argument("--texts", type=int, default=100_000)
    print(json.dumps(measure(parser.parse_args().texts), indent=2))


if __name__ == "__main__":
    main()
