"""The PostgreSQL store on a real server: what another hand changed, a server that stops, a database of something else,
processes that are killed. What it promises as a store is in `test_store`."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from benchmarks import postgres_server
from benchmarks.postgres_server import Server
from tests.journal.records import FIRST, answer, read, within, written
from withstood.errors import ConfigError, JournalDamaged, StoreError
from withstood.journal import opening
from withstood.journal.block import Block, pack, unpack
from withstood.journal.port import Kept

ROOT = Path(__file__).parents[2]


def changed(url: str, statement: str) -> None:
    with psycopg.connect(url, autocommit=True) as db:
        db.execute(statement)  # pyright: ignore[reportArgumentType, reportCallIssue]


def all_records(url: str, run: str = "one") -> list[Kept]:
    async def story() -> list[Kept]:
        store = opening.store(url)
        try:
            return await read(store, run)
        finally:
            await store.close()

    return within(story())


async def begun(url: str, count: int = 1203) -> None:
    store = opening.store(url)
    await written(store, "one", count)
    await store.close()


def another(kept: Kept, **changes: object) -> Kept:
    return kept._replace(record=kept.record._replace(**changes))


def forged(url: str, seq: int, forge: Callable[[list[Kept], int], object]) -> None:
    """The block that holds a record is packed anew by another hand, who is given its rows and the record's place."""
    with psycopg.connect(url, autocommit=True) as db:
        for run, first, packed in db.execute("SELECT run, first, packed FROM withstood.block").fetchall():
            before, rows = unpack(packed) or ("", [])
            at = next((at for at, kept in enumerate(rows) if kept.seq == seq), None)
            if at is not None:
                forge(changed_rows := list(rows), at)
                again = pack(Block(before, changed_rows))
                db.execute("UPDATE withstood.block SET packed = %s WHERE run = %s AND first = %s", (again, run, first))


FORGERIES: dict[str, Callable[[list[Kept], int], object]] = {
    "body": lambda rows, at: rows.__setitem__(at, another(rows[at], body="{}")),
    "body that is none": lambda rows, at: rows.__setitem__(at, another(rows[at], body=7)),
    "key": lambda rows, at: rows.__setitem__(at, another(rows[at], key="other")),
    "item": lambda rows, at: rows.__setitem__(at, another(rows[at], item=5)),
    "removed": lambda rows, at: rows.pop(at),
    "place": lambda rows, at: rows.__setitem__(at, rows[at]._replace(seq=9)),
}


def is_refused(url: str, place: int) -> None:
    with pytest.raises(JournalDamaged, match=f"record {place}:"):
        all_records(url)

    async def resumed() -> None:
        store = opening.store(url)
        with pytest.raises(JournalDamaged):
            await store.reopen("one")
        await store.close()

    within(resumed())


@pytest.mark.parametrize("how", FORGERIES)
@pytest.mark.parametrize("place", [2, 501, 1202])
def test_a_record_that_another_hand_changed_is_refused_with_its_place(postgres: Server, how: str, place: int) -> None:
    url = postgres.database()
    within(begun(url))
    forged(url, place, FORGERIES[how])
    is_refused(url, place)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM withstood.block WHERE first = 2",
        "UPDATE withstood.block SET first = first + 9000 WHERE first = 2",
        "UPDATE withstood.block SET packed = substr(packed, 30) WHERE first = 2",
        "UPDATE withstood.block SET packed = (SELECT packed FROM withstood.block WHERE first = 1) WHERE first = 2",
        "UPDATE withstood.block SET packed = '' WHERE first = 2",
    ],
)
def test_a_block_that_another_hand_changed_is_refused(postgres: Server, statement: str) -> None:
    """Block after block, as when each record waits for the one before."""
    url = postgres.database()

    async def story() -> None:
        store = opening.store(url)
        journal = await store.create("one", FIRST)
        for no in range(1, 5):
            journal.append(answer(no))
            await journal.kept()
        await journal.close()
        await store.close()

    within(story())
    changed(url, statement)
    is_refused(url, 2)


def test_an_answer_that_was_changed_is_not_found(postgres: Server) -> None:
    url = postgres.database()
    within(begun(url, 3))
    forged(url, 3, FORGERIES["body"])

    async def story() -> None:
        store = opening.store(url)
        assert await store.find("key-one-1") == answer(1, "key-one-1")
        assert await store.find("key-one-2") is None
        changed(url, "UPDATE withstood.block SET packed = 'no block at all'")
        assert await store.find("key-one-1") is None
        assert [run.name for run in await store.runs()] == ["one"]
        await store.close()

    within(story())


def test_a_text_that_was_changed_is_refused(postgres: Server) -> None:
    url = postgres.database()

    async def story() -> None:
        store = opening.store(url)
        name = await store.keep_text("as it was read")
        changed(url, "UPDATE withstood.text SET packed = 'no zlib at all'")
        with pytest.raises(JournalDamaged, match=name):
            await store.text(name)
        await store.close()

    within(story())


# --- the server --------------------------------------------------------------------------------


@pytest.fixture
def own() -> Iterator[Server]:
    """A server that a test may stop."""
    if postgres_server.programs() is None:
        pytest.skip("PostgreSQL is not installed")
    with postgres_server.serving() as server:
        yield server


def test_a_server_that_crashes_keeps_what_was_kept_and_the_run_goes_on(own: Server) -> None:
    url = own.database()

    async def story() -> None:
        store = opening.store(url)
        journal = await store.create("one", FIRST)
        journal.append(answer(1))
        await journal.kept()
        own.stop(postgres_server.signal.SIGQUIT)
        journal.append(answer(2))
        with pytest.raises(StoreError, match="go on with --resume"):
            await journal.kept()
        with pytest.raises(StoreError, match="See that the database runs"):
            await store.runs()
        own.start()
        assert [run.name for run in await store.runs()] == ["one"], "the store finds the server again"
        journal.append(answer(3))
        with pytest.raises(StoreError):
            await journal.close()  # the run was not held all the time, so nothing more is written to it
        again = await store.reopen("one")
        again.append(answer(4))
        await again.close()
        assert [kept.record.item for kept in await read(store, "one")] == [0, 1, 4]
        await store.close()

    within(story())


def test_a_run_is_not_written_over_two_sessions(postgres: Server) -> None:
    url = postgres.database()

    async def story() -> None:
        store = opening.store(url)
        journal = await store.create("one", FIRST)
        changed(url, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'withstood'")
        with pytest.raises(StoreError):
            await store.runs()
        await store.runs()
        journal.append(answer(1))
        with pytest.raises(StoreError, match="was lost while run one"):
            await journal.kept()
        await store.close()

    within(story())
    assert len(all_records(url)) == 1


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("postgresql://withstood:geheim@127.0.0.1:1/nothing", "127.0.0.1:1/nothing cannot be used"),
        ("postgresql://withstood:geheim@/nothing?host=/nowhere", "/nowhere/nothing cannot be used"),
    ],
)
def test_a_database_that_is_not_reached_is_named_without_its_password(url: str, said: str) -> None:
    async def story() -> None:
        store = opening.store(url)
        with pytest.raises(StoreError, match=said) as fault:
            await store.create("one", FIRST)
        assert "geheim" not in str(fault.value)
        await store.close()

    within(story())


def test_a_url_that_is_none() -> None:
    with pytest.raises(ConfigError, match="postgresql://USER@HOST"):
        opening.store("postgresql://user:geheim@host/name?colour=blue")
    with pytest.raises(ConfigError, match="no store of the kind mysql://"):
        opening.store("mysql://host/name")


def test_a_store_of_another_layout(postgres: Server) -> None:
    url = postgres.database()
    within(begun(url, 2))
    changed(url, "UPDATE withstood.layout SET edition = 77")
    with pytest.raises(ConfigError, match="layout 77; this version of withstood reads layout"):
        all_records(url)


def test_a_schema_of_something_else(postgres: Server) -> None:
    url = postgres.database()
    changed(url, "CREATE SCHEMA withstood; CREATE TABLE withstood.record (colour text)")
    with pytest.raises(ConfigError, match="of something else"):
        all_records(url)


def test_a_user_without_rights(postgres: Server) -> None:
    url = postgres.database()
    changed(url, "CREATE ROLE guest LOGIN")
    with pytest.raises(ConfigError, match="does not let this user in"):
        all_records(url.replace("withstood@", "guest@"))
    changed(url, "DROP ROLE guest")


def test_many_that_lay_out_at_once(postgres: Server) -> None:
    url = postgres.database()
    command = [sys.executable, "-m", "tests.journal.writer", url, "{}", "create"]
    with contextlib.ExitStack() as running:
        children = [running.enter_context(_writing(command, f"run-{no}")) for no in range(4)]
        for child in children:
            assert child.stdout
            assert child.stdout.readline() == "open\n"
            child.kill()
    assert {child.wait() for child in children} == {-9}
    assert [len(all_records(url, f"run-{no}")) > 0 for no in range(4)] == [True] * 4


def _writing(command: list[str], run: str) -> subprocess.Popen[Any]:
    told = [part.format(run) for part in command]
    return subprocess.Popen(told, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_what_was_kept_is_there_after_kill_9(postgres: Server) -> None:
    url, total = postgres.database(), 0
    for sitting in range(4):
        how = "reopen" if sitting else "create"
        command = [sys.executable, "-m", "tests.journal.writer", url, "{}", how]
        with _writing(command, "one") as child:
            assert child.stdout
            said = [child.stdout.readline().strip() for _ in range(2 + 3 * sitting)]
            child.kill()
            rest = child.stdout.read()  # `communicate` would pass over what was read ahead
        known = int(([*said, *rest.split()])[-1])
        found = len(all_records(url)) - 1 - total
        assert known <= found <= known + 1
        total += found
