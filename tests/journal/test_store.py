"""What every store promises (`journal.port.Store`). Another store is added to STORES and has to keep it too."""

from __future__ import annotations

import asyncio
import itertools
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.postgres_server import Server
from tests.fakes.stores import MemoryStore
from tests.journal.records import FIRST, answer, read, within, written
from withstood.errors import ConfigError, JournalDamaged, StoreError
from withstood.journal import opening
from withstood.journal.port import Kept, Record, Store, link, seed, text_hash
from withstood.journal.sqlite import SqliteStore

STORES = ("sqlite", "memory", "postgres")


@pytest.fixture(params=STORES)
def fresh(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Store]:
    if request.param == "sqlite":
        return lambda: opening.store(str(tmp_path / "journal.db"))
    if request.param == "postgres":
        url = request.getfixturevalue("postgres").database()
        return lambda: opening.store(url)
    return MemoryStore


def test_records_come_back_in_order_and_chained(fresh: Callable[[], Store]) -> None:
    async def story() -> None:
        store = fresh()
        await written(store, "one", 1203)
        found = await read(store, "one")
        assert [kept.seq for kept in found] == list(range(1, 1204))
        assert [kept.record for kept in found] == [FIRST, *(answer(no, f"key-one-{no}") for no in range(1, 1203))]
        before = seed("one")
        for kept in found:
            assert kept.hash == link(before, kept.seq, kept.record)
            before = kept.hash
        await store.close()

    within(story())


def test_chunks_are_some_hundred_records(fresh: Callable[[], Store]) -> None:
    async def story() -> None:
        store = fresh()
        await written(store, "one", 1203)
        sizes = [len(chunk) async for chunk in store.records("one")]
        assert sum(sizes) == 1203
        assert all(sizes)
        await store.close()

    within(story())


def test_the_head_is_the_last_durable_record(fresh: Callable[[], Store]) -> None:
    async def story() -> None:
        store = fresh()
        journal = await store.create("one", FIRST)
        begun = journal.head
        assert begun == link(seed("one"), 1, FIRST)
        journal.append(answer(1))
        assert journal.head == begun
        await journal.kept()
        assert journal.head == link(begun, 2, answer(1))
        await journal.close()
        await store.close()

    within(story())


def test_many_writers_of_one_run_lose_nothing(fresh: Callable[[], Store]) -> None:
    async def story() -> None:
        store = fresh()
        journal = await store.create("one", FIRST)

        async def writer(first: int) -> None:
            for no in range(first, first + 40):
                journal.append(answer(no))
                if no % 3:
                    await journal.kept()

        await asyncio.gather(*(writer(100 * worker) for worker in range(10)))
        await journal.close()
        found = [kept.record.item for kept in await read(store, "one")][1:]
        assert sorted(found) == sorted(100 * worker + no for worker in range(10) for no in range(40))
        for worker in range(10):
            own = [item for item in found if item // 100 == worker]
            assert own == sorted(own)
        await store.close()

    within(story())


def test_runs_are_listed_with_both_ends(fresh: Callable[[], Store]) -> None:
    async def story() -> None:
        store = fresh()
        assert list(await store.runs()) == []
        await written(store, "one", 3)
        await written(store, "two", 1)
        one, two = await store.runs()
        assert (one.name, one.records, one.first, one.last_kind, one.last) == (
            *("one", 3, FIRST.body),
            *("answer", answer(2).body),
        )
        assert (two.name, two.records, two.last_kind, two.last) == ("two", 1, "run", FIRST.body)
        assert one.head == (await read(store, "one"))[-1].hash
        await store.close()

    within(story())


def test_a_run_goes_on_where_it_ended(fresh: Callable[[], Store]) -> None:
    async def story() -> None:
        store = fresh()
        await written(store, "one", 3)
        await written(store, "other", 2)
        journal = await store.reopen("one")
        assert journal.head == (await read(store, "one"))[-1].hash
        journal.append(answer(77))
        await journal.close()
        found = await read(store, "one")
        assert [kept.record.item for kept in found] == [0, 1, 2, 77]
        assert found[3].hash == link(found[2].hash, 4, answer(77))
        assert not store.torn
        await store.close()

    within(story())


def test_a_name_is_given_once(fresh: Callable[[], Store]) -> None:
    async def story() -> None:
        store = fresh()
        await written(store, "one", 2)
        with pytest.raises(ConfigError, match="one"):
            await store.create("one", FIRST)
        assert len(await read(store, "one")) == 2
        journal = await store.reopen("one")  # the refused one left no lock behind
        await journal.close()
        await store.close()

    within(story())


def test_a_run_that_is_not_there(fresh: Callable[[], Store]) -> None:
    async def story() -> None:
        store = fresh()
        with pytest.raises(ConfigError, match="nowhere"):
            await store.reopen("nowhere")
        with pytest.raises(ConfigError, match="nowhere"):
            await read(store, "nowhere")
        await written(store, "nowhere", 1)
        await store.close()

    within(story())


def test_a_run_is_open_once(fresh: Callable[[], Store]) -> None:
    async def story() -> None:
        store = fresh()
        journal = await store.create("one", FIRST)
        with pytest.raises(StoreError, match="another process"):
            await store.reopen("one")
        await journal.close()
        again = await store.reopen("one")
        await again.close()
        await store.close()

    within(story())


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_run_is_taken_over_and_the_one_who_had_it_is_fenced_off(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    place = str(tmp_path / "journal.db") if kind == "sqlite" else request.getfixturevalue("postgres").database()

    async def story() -> None:
        one, two = opening.store(place), opening.store(place)
        first = await one.create("one", FIRST)
        first.append(answer(1))
        await first.kept()
        with pytest.raises(StoreError, match="another process"):
            await two.reopen("one")
        second = await two.reopen("one", take_over=True)
        second.append(answer(2))
        await second.kept()
        for no in (3, 4):
            first.append(answer(no))
            with pytest.raises(StoreError):
                await first.kept()
        with pytest.raises(StoreError):
            await first.close()
        second.append(answer(5))
        await second.close()
        again = await one.reopen("one")  # the one who lost it may have it again, once it is free
        again.append(answer(6))
        await again.close()
        assert [kept.record.item for kept in await read(two, "one")] == [0, 1, 2, 5, 6]
        await one.close()
        await two.close()

    within(story())


def test_an_answer_is_found_by_its_key_in_any_run(fresh: Callable[[], Store]) -> None:
    async def story() -> None:
        store = fresh()
        await written(store, "one", 3)
        journal = await store.create("two", FIRST)
        journal.append(answer(9, "key-one-2", "later"))
        journal.append(answer(10, "own"))
        await journal.close()
        assert await store.find("key-one-2") == answer(2, "key-one-2")
        assert await store.find("own") == answer(10, "own")
        assert await store.find("") is None
        assert await store.find("key-one-9") is None
        await store.close()

    within(story())


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
records = st.builds(
    Record,
    st.sampled_from(["call", "answer", "ruling"]),
    st.integers(0, 2**40),
    texts,
    st.none() | texts.filter(bool),
)


async def written_and_read(store: Store, run: str, said: list[Record]) -> list[Record]:
    journal = await store.create(run, FIRST)
    for record in said:
        journal.append(record)
    await journal.close()
    found: list[Kept] = await read(store, run)
    await store.close()
    return [kept.record for kept in found]


@given(st.lists(records, max_size=12))
def test_any_text_comes_back(said: list[Record]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "journal.db")
        assert within(written_and_read(store, "one", said)) == [FIRST, *said]


@pytest.fixture(scope="module")
def database(postgres: Server) -> str:
    return postgres.database()


runs_of_one_database = itertools.count()


@given(said=st.lists(records, max_size=12))
def test_any_text_comes_back_from_postgres(database: str, said: list[Record]) -> None:
    run = f"run-{next(runs_of_one_database)}"
    assert within(written_and_read(opening.store(database), run, said)) == [FIRST, *said]


@pytest.mark.parametrize("text", ["", "한 줄\r\n두 줄", "lone \ud83d surrogate", "x" * 100_000])
def test_texts_come_back_as_they_were_kept(fresh: Callable[[], Store], text: str) -> None:
    async def story() -> None:
        store = fresh()
        name = await store.keep_text(text)
        assert await store.keep_text(text) == name == text_hash(text)
        assert await store.text(name) == text
        assert await store.text(text_hash(text + "!")) is None
        await store.close()

    within(story())


def test_a_text_that_was_changed_is_refused(tmp_path: Path) -> None:
    async def story() -> None:
        store = SqliteStore(tmp_path / "journal.db")
        name = await store.keep_text("as it was read")
        forged = zlib.compress(b"as somebody would like it")
        for packed in (forged, b"no zlib at all"):
            await store.on_thread(lambda db, packed=packed: db.execute("UPDATE text SET packed = ?", (packed,)))
            with pytest.raises(JournalDamaged, match=name):
                await store.text(name)
        await store.close()

    within(story())
