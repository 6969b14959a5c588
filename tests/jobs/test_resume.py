"""Wherever a run stops, going on gives the bytes of a run that did not stop."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from withstood.engine.limits import Limits
from withstood.jobs import sentiment as job
from withstood.journal.sqlite import SqliteStore

TEXTS = 4
CALLS = 6 * TEXTS


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Reviews, one of them refused, and answers that differ from text to text."""
    folder = tmp_path_factory.mktemp("job")
    rows = [f"c{no},The screen of number {no} is bright" for no in range(1, TEXTS + 1)]
    (folder / "in.csv").write_text("\n".join(["id,text", *rows[:2], "c1,the same id", *rows[2:], ""]))
    (folder / "answers.jsonl").write_text("".join(json.dumps(line) + "\n" for line in _script()))
    return folder


def _script() -> Iterator[dict[str, Any]]:
    for no in range(1, TEXTS + 1):
        for role, polarity in (("P-NEG", "negative"), ("P-IMP", "positive"), ("P-LIT", "neutral")):
            triplet = {"aspect_term": f"screen {no}", "aspect_ref": "display#quality", "polarity": polarity}
            yield {"case": f"c{no}", "role": role, "answer": {"triplets": [triplet] * (no % 3)}}
        for place, role in enumerate("ABC"):
            action = {"action_type": ("DROP", "KEEP", "FLAG")[(no + place) % 3], "target_tuple_ids": ["t0"]}
            yield {"case": f"c{no}", "role": role, "answer": {"review_actions": [action]}}


def sitting(folder: Path, out: Path, limits: Limits, resume: bool, run: str | None = None) -> job.Ending:
    async def story() -> job.Ending:
        order = job.Order(
            folder / "in.csv",
            out=out / "out",
            models={"default": f"scripted:{folder / 'answers.jsonl'}"},
            changes={"review.when": "always"},
            limits=limits,
            resume=resume,
            run=run,
        )
        store = SqliteStore(out / "journal.db")
        try:
            return await job.run(job.plan(order), store)
        finally:
            await store.close()

    return asyncio.run(asyncio.wait_for(story(), 20))


@pytest.fixture(scope="module")
def whole(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    out = tmp_path_factory.mktemp("whole")
    assert sitting(folder, out, Limits(), resume=False, run="mine").status == "finished"
    return {name: (out / "out" / name).read_bytes() for name in ("results.jsonl", "opinions.csv", "report.md")}


@pytest.mark.parametrize("in_flight", [1, 3])
@pytest.mark.parametrize("calls", range(CALLS + 1))
def test_stopped_at_any_call(folder: Path, whole: dict[str, bytes], tmp_path: Path, calls: int, in_flight: int) -> None:
    first = sitting(folder, tmp_path, Limits(in_flight=in_flight, calls=calls), resume=False, run="mine")
    assert (first.status, first.spent.calls) == ("finished" if calls == CALLS else "stopped", calls)
    partial = (tmp_path / "out" / "results.jsonl").read_bytes()
    if in_flight == 1:
        assert whole["results.jsonl"].startswith(partial)
    second = sitting(folder, tmp_path, Limits(in_flight=in_flight), resume=True, run="mine")
    assert (second.status, second.spent.calls, second.undecided) == ("finished", CALLS, 0)
    for name in ("results.jsonl", "opinions.csv"):
        assert (tmp_path / "out" / name).read_bytes() == whole[name]


def test_one_call_at_a_time_in_many_sittings(folder: Path, whole: dict[str, bytes], tmp_path: Path) -> None:
    for calls in range(CALLS):
        ending = sitting(folder, tmp_path, Limits(in_flight=2, calls=calls), resume=calls > 0)
        assert (ending.status, ending.spent.calls) == ("stopped", calls)
    assert sitting(folder, tmp_path, Limits(), resume=True).status == "finished"
    assert (tmp_path / "out" / "results.jsonl").read_bytes() == whole["results.jsonl"]


def test_a_finished_run_can_write_its_results_again(folder: Path, whole: dict[str, bytes], tmp_path: Path) -> None:
    sitting(folder, tmp_path, Limits(), resume=False, run="mine")
    (tmp_path / "out" / "results.jsonl").unlink()
    again = sitting(folder, tmp_path, Limits(calls=CALLS), resume=True, run="mine")
    assert (again.status, again.spent.calls) == ("finished", CALLS)
    assert (tmp_path / "out" / "results.jsonl").read_bytes() == whole["results.jsonl"]


def test_a_limit_that_was_set_is_the_limit(folder: Path, tmp_path: Path) -> None:
    """A limit of tokens that the user gave goes before the forecast, also upwards."""
    ending = sitting(folder, tmp_path, Limits(tokens=1), resume=False)
    assert ending.status == "stopped"
    assert "limit of 1 tokens" in str(ending.error)
    assert sitting(folder, tmp_path, Limits(tokens=10**9), resume=True).status == "finished"
