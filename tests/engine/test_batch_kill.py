"""kill -9 at every point of a batch's life: whatever the provider has is taken, nothing is handed over twice, and the
ledger has what the provider bills."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import pytest

from benchmarks.stub_process import Served, serving
from tests.engine.dying import Fuse, decide

ROOT = Path(__file__).parents[2]
ROWS = """id,text
a,"The screen is bright, but the battery is weak"
b,소리는 좋지만 배터리가 너무 빨리 닳아요
c,The food was fine
d,Nice staff and a rude cook
"""
CONFIGURATION = """
[endpoints.stub]
kind = "{kind}"
url = "{url}"
batch = true
price_in = 3
price_out = 15

[batch]
calls = 5
gather_seconds = 0.05
look_seconds = 0.05
"""
KINDS = ("openai", "anthropic")
# in the life of a batch, and before and after it
POINTS = ("sending", "gathered", "handed", "looked", "answered")
FEWEST = 5
"""24 calls make so many batches at least, and each is looked at."""


class Undisturbed(NamedTuple):
    results: bytes
    counts: Counter[str]
    cost: Decimal | None


@pytest.fixture(scope="module")
def stub() -> Iterator[Served]:
    with serving("--batch-seconds", "0.12") as served:
        yield served


def laid_out(folder: Path, stub: Served, kind: str) -> Path:
    (folder / "in.csv").write_text(ROWS)
    (folder / "withstood.toml").write_text(CONFIGURATION.format(kind=kind, url=stub.openai))
    return folder


@pytest.fixture(scope="module", params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def undisturbed(stub: Served, kind: str, tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    folder, fuse = laid_out(tmp_path_factory.mktemp(kind), stub, kind), Fuse()
    stub.reset()
    ending = asyncio.run(decide(folder, "stub:m", fuse))
    assert ending.status == "finished"
    assert billed(stub) == ending.spent.cost
    return Undisturbed((folder / "out" / "results.jsonl").read_bytes(), fuse.counts, ending.spent.cost)


@pytest.mark.parametrize("when", ["first", "last"])
@pytest.mark.parametrize("point", POINTS)
def test_a_killed_run_takes_what_the_provider_has(
    stub: Served, kind: str, undisturbed: Undisturbed, tmp_path: Path, point: str, when: str
) -> None:
    stub.reset()
    folder = laid_out(tmp_path, stub, kind)
    last = FEWEST if point in ("gathered", "handed", "looked") else undisturbed.counts[point]
    killed(folder, point, 1 if when == "first" else last)

    ending = asyncio.run(decide(folder, "stub:m", Fuse(), resume=True))

    assert ending.status == "finished"
    assert (folder / "out" / "results.jsonl").read_bytes() == undisturbed.results
    assert set(stub.requests().values()) == {1}
    assert ending.spent.cost == billed(stub) == undisturbed.cost


def test_killed_again_and_again(stub: Served, undisturbed: Undisturbed, kind: str, tmp_path: Path) -> None:
    stub.reset()
    folder = laid_out(tmp_path, stub, kind)
    killed(folder, "gathered", 1)
    for point in ("looked", "handed", "gathered", "replied", "looked", "handed"):
        killed(folder, point, 1, "resume")
    ending = asyncio.run(decide(folder, "stub:m", Fuse(), resume=True))
    assert (folder / "out" / "results.jsonl").read_bytes() == undisturbed.results
    assert set(stub.requests().values()) == {1}
    assert ending.spent.cost == billed(stub)


def killed(folder: Path, point: str, nth: int, *resume: str) -> None:
    command = [sys.executable, "-m", "tests.engine.dying", str(folder), "stub:m", point, str(nth), *resume]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=60)
    assert done.returncode == -9, done.stderr.decode()


def billed(stub: Served) -> Decimal:
    """In a batch a call costs half."""
    bill = stub.bill()
    return (bill["tokens_in"] * Decimal(3) + bill["tokens_out"] * Decimal(15)) / 2 / 1_000_000
