"""kill -9 at every event of a call's life: the run goes on as if nothing had been, and asks nothing twice that it
has in writing."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, get_args

import pytest

from benchmarks.stub_process import Served, serving
from tests.engine.dying import IN_FLIGHT, Fuse, decide
from withstood.engine.events import Event
from withstood.journal.sqlite import SqliteStore

ROOT = Path(__file__).parents[2]
ROWS = """id,text
a,"The screen is bright, but the battery is weak"
b,소리는 좋지만 배터리가 너무 빨리 닳아요
a,the same id again
c,"The first try of this one fails [[stub:503*1]], the food was fine"
d,Nice staff and a rude cook
"""
CALLS_AT_ONCE = 3
OF_BATCHES = ("gathered", "handed", "looked")
EVENTS = [event for event in get_args(Event) if event not in OF_BATCHES]


class Undisturbed(NamedTuple):
    results: bytes
    counts: Counter[str]
    answers: int


@pytest.fixture(scope="module")
def stub() -> Iterator[Served]:
    with serving("--retry-after", "0") as served:
        yield served


def model(stub: Served) -> str:
    return f"{stub.openai}#stub"


@pytest.fixture(scope="module")
def undisturbed(stub: Served, tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    folder, fuse = tmp_path_factory.mktemp("undisturbed"), Fuse()
    (folder / "in.csv").write_text(ROWS)
    stub.reset()
    ending = asyncio.run(decide(folder, model(stub), fuse))
    assert ending.status == "finished"
    return Undisturbed((folder / "out" / "results.jsonl").read_bytes(), fuse.counts, fuse.counts["answered"])


def test_every_event_happens_in_the_undisturbed_run(undisturbed: Undisturbed) -> None:
    assert set(undisturbed.counts) == set(EVENTS)


@pytest.mark.parametrize("when", ["first", "middle", "last"])
@pytest.mark.parametrize("event", EVENTS)
def test_a_killed_run_goes_on(stub: Served, undisturbed: Undisturbed, tmp_path: Path, event: str, when: str) -> None:
    count = undisturbed.counts[event]
    nth = {"first": 1, "middle": (count + 1) // 2, "last": count}[when]
    (tmp_path / "in.csv").write_text(ROWS)
    stub.reset()
    assert killed(tmp_path, stub, event, nth) == -signal.SIGKILL
    before, failed = stub.requests(), faults(stub)
    written = asyncio.run(standing(tmp_path / "journal.db"))

    ending = asyncio.run(decide(tmp_path, model(stub), Fuse(), resume=True))

    assert ending.status == "finished"
    assert (tmp_path / "out" / "results.jsonl").read_bytes() == undisturbed.results
    after = stub.requests()
    new_answers = sum(after.values()) - sum(before.values()) - (faults(stub) - failed)
    assert new_answers == undisturbed.answers - written.answers
    again = {body: after[body] - before[body] for body in before if after[body] > before[body]}
    assert sum(again.values()) <= written.open_calls <= IN_FLIGHT * CALLS_AT_ONCE


def faults(stub: Served) -> int:
    return sum(stub.bill()["faults"].values())


def killed(folder: Path, stub: Served, event: str, nth: int) -> int:
    command = [sys.executable, "-m", "tests.engine.dying", str(folder), model(stub), event, str(nth)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=30)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    return done.returncode


class Standing(NamedTuple):
    """What stands in the journal: calls with an answer in writing, and calls of which only the intent is known."""

    answers: int
    open_calls: int


async def standing(path: Path) -> Standing:
    store = SqliteStore(path)
    kinds: Counter[str] = Counter()
    async for chunk in store.records("run"):
        kinds.update(kept.record.kind for kept in chunk)
    await store.close()
    answers = kinds["answer"] + kinds["reply"]
    return Standing(answers, kinds["call"] - answers)
