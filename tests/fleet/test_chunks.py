"""From rows to chunks to results, without a queue: the store and the register are real, the models are scripted."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.stores import MemoryStore
from tests.fleet.work import planned, reviews, script
from withstood import form
from withstood.engine.limits import Limits
from withstood.errors import ConfigError, JournalDamaged, LimitReached, StoreError, UsageError
from withstood.fleet import jobs, merging
from withstood.fleet.commission import Entry, read_lines
from withstood.fleet.cutting import cut
from withstood.fleet.deciding import Sat, Unable, decide
from withstood.fleet.registry import Claim, Job, Registry
from withstood.jobs import sentiment
from withstood.jobs.settings import Config
from withstood.journal.port import Record
from withstood.journal.sqlite import SqliteStore

STORE = "postgresql://somebody:s3cret@database/withstood"


def test_every_row_stands_in_one_chunk_and_every_text_in_the_first_ones(tmp_path: Path) -> None:
    store = MemoryStore()
    source = planned(reviews(tmp_path / "in.csv", 10, copies=4)).source
    found = asyncio.run(cut(source.matters(), store, 4))
    assert [(piece.no, piece.phase, piece.rows) for piece in found] == [(1, 0, 4), (2, 0, 4), (3, 0, 3), (4, 1, 4)]
    rows: list[list[Entry]] = [read_lines(Entry, store.texts[piece.source]) for piece in found]
    assert [entry.no for chunk in rows for entry in chunk] == list(range(1, 16))
    assert [entry.no for chunk in rows for entry in chunk if entry.unfit] == [4]
    texts = [entry.case.text for chunk in rows[:3] for entry in chunk if entry.case]
    assert len(set(texts)) == len(texts) == 10
    assert {entry.case.text for entry in rows[3] if entry.case} <= set(texts)


class Place:
    """A folder with a store, a register, and what a worker would do."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.store = folder, SqliteStore(folder / "s.db")
        self.registry = Registry(str(folder / "s.db"))
        self.registry.beat("w")

    async def submit(self, order: sentiment.Order, config: Config | None = None, chunk: int = 4) -> Job:
        return await jobs.submit("j", sentiment.plan(order, config or Config()), self.store, self.registry, chunk=chunk)

    def claim(self, no: int) -> Claim:
        found = self.registry.claim("j", no, "w")
        assert found is not None
        return found

    async def decide(self, no: int) -> Sat | None:
        claim = self.claim(no)
        sat = await decide(claim, self.store, self.registry)
        if sat and sat.outcome:
            assert self.registry.settle(claim, sat.outcome)
        elif sat:
            self.registry.release(claim, spent=sat.spent)
        return sat

    async def collect(self, out: str) -> sentiment.Ending:
        return await merging.collect(self.registry.job("j"), self.registry, self.store, self.folder / out)

    def bytes(self, path: str) -> bytes:
        return (self.folder / path).read_bytes()


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    found = Place(tmp_path)
    yield found
    asyncio.run(found.store.close())
    found.registry.close()


def test_a_job_comes_to_what_one_run_comes_to(place: Place) -> None:
    source = reviews(place.folder / "in.csv", 10, copies=3)

    async def story() -> None:
        job = await place.submit(sentiment.Order(source))
        for no in (3, 1, 4, 2):
            assert len(job.chunks) == 4
            sat = await place.decide(no)
            assert sat is not None
            assert sat.outcome is not None
        ending = await place.collect("out")
        assert (ending.refused, ending.undecided) == (1, 0)
        order = sentiment.Order(source, out=place.folder / "alone", run="alone")
        await sentiment.run(sentiment.plan(order, Config()), place.store)

    asyncio.run(story())
    for name in ("results.jsonl", "opinions.csv", "worklist.csv"):
        assert place.bytes(f"out/{name}") == place.bytes(f"alone/{name}"), name


def scripted(place: Place, count: int) -> tuple[Path, Config]:
    source = reviews(place.folder / "in.csv", count, copies=2)
    answers = script(place.folder / "answers.jsonl", [f"r{no}" for no in range(1, count + 1)])
    return source, Config(models={"default": f"scripted:{answers}"}, set={"review.when": "always"})


def test_a_text_that_comes_again_is_not_asked_again(place: Place) -> None:
    """The script has no answer for the copies: they are found under the originals."""
    source, config = scripted(place, 3)

    async def story() -> None:
        await place.submit(sentiment.Order(source), config, chunk=5)
        first, copies = await place.decide(1), await place.decide(2)
        assert first is not None and first.outcome is not None
        assert first.outcome.spent.calls == 18
        assert copies is not None and copies.outcome is not None
        assert copies.outcome.spent.calls == 0
        await place.collect("out")

    asyncio.run(story())
    lines = [json.loads(line) for line in place.bytes("out/results.jsonl").splitlines()]
    assert [line["id"] for line in lines] == ["r1", "r2", "r3", "r1", "c1", "c2"]
    assert lines[4]["final"] == lines[0]["final"]


@pytest.mark.parametrize(("limits", "limit"), [({"calls": 20}, "calls"), ({"tokens": 15_000}, "tokens")])
def test_a_limit_holds_for_all_chunks_together(place: Place, limits: dict[str, Any], limit: str) -> None:
    source, config = scripted(place, 8)
    config = replace(config, limits=form.read(Limits, limits))

    async def story() -> None:
        await place.submit(sentiment.Order(source), config, chunk=2)
        sats = [await place.decide(no) for no in (1, 2, 3, 4)]
        stopped = [sat for sat in sats if sat and sat.error]
        assert stopped, "the limit was never reached"
        assert all(isinstance(sat.error, LimitReached) for sat in stopped)
        spent = place.registry.job("j").spent
        assert getattr(spent, limit) <= limits[limit]

    asyncio.run(story())


def test_a_chunk_goes_on_where_it_was_taken_over(place: Place) -> None:
    """The one who had it stands still in the middle, and wakes up when another has it."""
    source, config = scripted(place, 4)

    async def story() -> None:
        await place.submit(sentiment.Order(source, limits=Limits(calls=9)), config, chunk=10)
        first = await place.decide(1)
        assert first is not None and isinstance(first.error, LimitReached)
        place.registry.recommission("j", replace(place.registry.job("j").commission, config=config))
        other = SqliteStore(place.folder / "s.db")
        held = await other.reopen("j.000001")  # somebody who still believes that the run is theirs
        second = await place.decide(1)
        assert second is not None and second.outcome is not None
        assert second.outcome.spent.calls == 24
        held.append(Record("answer", 1, "{}"))
        with pytest.raises(StoreError, match="another process"):
            await held.kept()
        with pytest.raises(StoreError, match="another process"):
            await held.close()
        await other.close()

    asyncio.run(story())


def test_a_worker_with_other_rules_leaves_the_chunk_alone(place: Place) -> None:
    source = reviews(place.folder / "in.csv", 3)

    async def story() -> None:
        await place.submit(sentiment.Order(source))
        known = place.registry.job("j").commission
        place.registry.recommission("j", replace(known, config=replace(known.config, rules="strict")))
        with pytest.raises(Unable, match="other prompts, word lists or rules"):
            await place.decide(1)
        assert [run.name for run in await place.store.runs()] == [], "nothing was begun"

    asyncio.run(story())


def test_a_worker_without_the_key_says_so_and_begins_nothing(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    source = reviews(place.folder / "in.csv", 3)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-one-who-submits")

    async def story() -> None:
        await place.submit(sentiment.Order(source), Config(STORE, models={"default": "openai:some-model"}))
        monkeypatch.delenv("OPENAI_API_KEY")
        with pytest.raises(Unable, match="OPENAI_API_KEY"):
            await place.decide(1)
        assert [run.name for run in await place.store.runs()] == []
        told = form.dumps(place.registry.job("j").commission)
        assert "sk-of" not in told and "s3cret" not in told

    asyncio.run(story())


def test_what_cannot_be_a_job_is_refused_before_anything_is_kept(place: Place) -> None:
    source = reviews(place.folder / "in.csv", 3)

    async def story() -> None:
        with pytest.raises(UsageError, match="does not recall episodes"):
            await place.submit(sentiment.Order(source, memory="M2", memory_store=str(place.folder / "m.jsonl")))
        with pytest.raises(UsageError, match="no limit in time"):
            await place.submit(sentiment.Order(source, limits=Limits(seconds=Decimal(60))))
        await place.submit(sentiment.Order(source))
        with pytest.raises(ConfigError, match="There is a job j already"):
            await place.submit(sentiment.Order(source))
        with pytest.raises(UsageError, match="no results yet"):
            await place.collect("out")

    asyncio.run(story())
    with pytest.raises(ConfigError, match="Wanted a job's name"):
        jobs.checked("a/b")


def test_a_job_is_collected_as_far_as_it_has_come(place: Place) -> None:
    source = reviews(place.folder / "in.csv", 9)

    async def story() -> None:
        await place.submit(sentiment.Order(source))
        await place.decide(2)
        ending = await place.collect("out")
        assert (ending.status, ending.undecided) == ("interrupted", 6)

    asyncio.run(story())
    assert len(place.bytes("out/results.jsonl").splitlines()) == 4


def test_results_are_collected_only_from_runs_that_are_whole(place: Place) -> None:
    source = reviews(place.folder / "in.csv", 3)

    async def story() -> None:
        await place.submit(sentiment.Order(source))
        await place.decide(1)
        await place.store.on_thread(lambda db: db.execute("DELETE FROM record WHERE kind = 'end'"))
        with pytest.raises(JournalDamaged, match=r"Run j\.000001 does not end as it was decided"):
            await place.collect("out")

    asyncio.run(story())
