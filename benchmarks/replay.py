"""Judging again: a recorded run of many texts under another arbiter, at twenty points, and the arbiter alone.

    python benchmarks/replay.py --texts 10000

The run is recorded first with scripted reviewers that disagree, so that the arbiter has something to decide.
Prints one JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

from withstood.claims.ballot import Absent, Action, Ballot, Vote
from withstood.cli import sweep_part
from withstood.jobs import header as headers
from withstood.jobs import rejudging, sweeping
from withstood.jobs import sentiment as job
from withstood.jobs.settings import Config
from withstood.jobs.sweeping import Order
from withstood.journal.sqlite import SqliteStore
from withstood.rules.rulebook import ARBITERS

ACTIONS = ("KEEP", "DROP", "FLIP", "FLAG")


def write_script(path: Path, texts: int) -> None:
    """Two readers that contradict each other on every text, and reviewers that rarely agree."""
    with path.open("w", encoding="utf-8") as out:
        for no in range(1, texts + 1):
            for role, polarity in (("P-NEG", "negative"), ("P-LIT", "positive")):
                triplet = {
                    "aspect_term": "품질",
                    "aspect_ref": "본품#품질",
                    "polarity": polarity,
                    "evidence": "품질은 별로",
                }
                _line(out, no, role, {"triplets": [triplet]})
            for place, role in enumerate("ABC"):
                action = {
                    "action_type": ACTIONS[(no >> place) % 4],
                    "target_tuple_ids": ["t0", "t1"],
                    "new_value": "neutral",
                }
                _line(out, no, role, {"review_actions": [action]})


def _line(out: Any, no: int, role: str, answer: object) -> None:
    out.write(json.dumps({"case": str(no), "role": role, "answer": answer}, ensure_ascii=False) + "\n")


async def record(folder: Path, texts: int) -> str:
    write_script(folder / "script.jsonl", texts)
    store = SqliteStore(folder / "journal.db")
    order = job.Order(
        tuple(f"{no} 배송은 빠른데 품질은 별로예요" for no in range(texts)),
        models={"default": f"scripted:{folder}/script.jsonl"},
    )
    ending = await job.run(job.plan(order, Config()), store)
    await store.close()
    return ending.run


async def judge_again(folder: Path, run: str, arbiter: str) -> dict[str, Any]:
    store = SqliteStore(folder / "journal.db")
    begun, count, changed = time.perf_counter(), 0, 0
    entry = (await store.runs())[0]
    known = headers.read(run, entry.first)
    async for again in rejudging.rejudged(store, run, known, known.rulebook.adjusted({"arbiter": arbiter})):
        count, changed = count + 1, changed + again.changed
    span = time.perf_counter() - begun
    await store.close()
    return {"texts": count, "changed": changed, "seconds": round(span, 2), "texts_per_second": round(count / span)}


async def sweep(folder: Path, run: str, points: int = 20) -> dict[str, Any]:
    """Half of the points with each arbiter, at as many thetas; beside it the same in one process."""
    order = Order(
        store=str(folder / "journal.db"),
        run=run,
        points=tuple(
            {"arbiter": arbiter, "conflicts.theta": f"0.{50 + no}"}
            for no in range(points // 2)
            for arbiter in ("v1", "v2")
        ),
    )
    store = SqliteStore(folder / "journal.db")
    spans = {processes: await _timed(order, store, processes) for processes in (1, os.cpu_count() or 1)}
    await store.close()
    (alone, cases), (together, _) = spans[1], spans[os.cpu_count() or 1]
    return {
        "points": points,
        "cases": cases,
        "seconds": round(together, 2),
        "rejudged_per_second": round(points * cases / together),
        "times_one_process": round(alone / together, 2),
    }


async def _timed(order: Order, store: SqliteStore, processes: int) -> tuple[float, int]:
    begun = time.perf_counter()
    found = await sweeping.sweep(order, store, sweep_part.COMMAND, processes)
    return time.perf_counter() - begun, found.cases


def decisions_per_second(edition: str, seconds: float = 1.0) -> int:
    votes = [None, Absent(), *(Vote(action, reason) for action in Action for reason in ("", "NEGATION_SCOPE"))]
    ballots = [Ballot(*slots) for slots in itertools.product(votes, repeat=3)]
    arbitrate, count, begun = ARBITERS[edition], 0, time.perf_counter()
    while time.perf_counter() - begun < seconds:
        for ballot in ballots:
            arbitrate(ballot, "granularity_overlap_candidate")
        count += len(ballots)
    return round(count / (time.perf_counter() - begun))


def main() -> None:
    parser = argparse.ArgumentParser(description="Judging again.")
    parser.add_argument("--texts", type=int, default=10_000)
    texts = parser.parse_args().texts
    with tempfile.TemporaryDirectory() as name:
        run = asyncio.run(record(Path(name), texts))
        same, other = (asyncio.run(judge_again(Path(name), run, arbiter)) for arbiter in ("v2", "v1"))
        swept = asyncio.run(sweep(Path(name), run))
    alone = {edition: decisions_per_second(edition) for edition in ARBITERS}
    print(
        json.dumps(
            {"same_rules": same, "arbiter_v1": other, "sweep": swept, "arbiter_decisions_per_second": alone}, indent=2
        )
    )


if __name__ == "__main__":
    main()
