"""A journal that is not what was written is refused, with the place; only a torn last record is cut."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.journal.records import FIRST, answer, read, within, written
from withstood.errors import ConfigError, JournalDamaged, StoreError
from withstood.journal.port import Kept
from withstood.journal.sqlite import SqliteStore

COUNT = 1200


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a store with a run of 1,200 records and another of 5."""
    path = tmp_path_factory.mktemp("whole") / "journal.db"

    async def story() -> None:
        store = SqliteStore(path)
        await written(store, "other", 5)
        await written(store, "long", COUNT)
        await store.close()

    within(story())
    return path.read_bytes()


@pytest.fixture
def path(whole: bytes, tmp_path: Path) -> Path:
    copy = tmp_path / "journal.db"
    copy.write_bytes(whole)
    return copy


def forge(path: Path, *statements: str) -> None:
    db = sqlite3.connect(path)
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()


def found_in(path: Path, run: str = "long") -> tuple[list[Kept], list[str]]:
    async def story() -> tuple[list[Kept], list[str]]:
        store = SqliteStore(path)
        try:
            return await read(store, run), list(store.torn)
        finally:
            await store.close()

    return within(story())


def reopened(path: Path) -> tuple[int, list[str]]:
    """How many records are left after the run was opened for writing, and what was reported."""

    async def story() -> tuple[int, list[str]]:
        store = SqliteStore(path)
        try:
            journal = await store.reopen("long")
            await journal.close()
            return len(await read(store, "long")), list(store.torn)
        finally:
            await store.close()

    return within(story())


LONG = "run = (SELECT no FROM run WHERE name = 'long')"
FORGERIES: dict[str, tuple[tuple[str, ...], int]] = {
    "changed body": ((f"UPDATE record SET body = replace(body, '좋아요', '싫어요') WHERE {LONG} AND seq = 700",), 700),
    "changed body of the last record": ((f"UPDATE record SET body = '{{}}' WHERE {LONG} AND seq = {COUNT}",), COUNT),
    "body of the last record as bytes": (
        (f"UPDATE record SET body = CAST(body AS BLOB) WHERE {LONG} AND seq = 8",),
        8,
    ),
    "body that is no UTF-8": ((f"UPDATE record SET body = CAST(x'7bffc328' AS TEXT) WHERE {LONG} AND seq = 9",), 9),
    "kind that is no UTF-8": ((f"UPDATE record SET kind = CAST(x'ffc3' AS TEXT) WHERE {LONG} AND seq = 9",), 9),
    "changed first record": ((f"UPDATE record SET body = '{{}}' WHERE {LONG} AND seq = 1",), 1),
    "changed kind": ((f"UPDATE record SET kind = 'ruling' WHERE {LONG} AND seq = 3",), 3),
    "changed item": ((f"UPDATE record SET item = item + 1 WHERE {LONG} AND seq = 501",), 501),
    "changed key": ((f"UPDATE record SET key = 'mine' WHERE {LONG} AND seq = 20",), 20),
    "key taken away": ((f"UPDATE record SET key = NULL WHERE {LONG} AND seq = 20",), 20),
    "changed hash": ((f"UPDATE record SET hash = 'ab' || substr(hash, 3) WHERE {LONG} AND seq = 20",), 20),
    "moved place": ((f"UPDATE record SET seq = 90000 WHERE {LONG} AND seq = 600",), 600),
    "removed first record": ((f"DELETE FROM record WHERE {LONG} AND seq = 1",), 1),
    "removed record": ((f"DELETE FROM record WHERE {LONG} AND seq = 600",), 600),
    "removed record, gap closed": (
        (
            f"DELETE FROM record WHERE {LONG} AND seq = 600",
            f"UPDATE record SET seq = -seq WHERE {LONG} AND seq > 600",
            f"UPDATE record SET seq = -seq - 1 WHERE {LONG} AND seq < 0",
        ),
        600,
    ),
    "swapped records": (
        (
            f"UPDATE record SET seq = -1 WHERE {LONG} AND seq = 40",
            f"UPDATE record SET seq = 40 WHERE {LONG} AND seq = 41",
            f"UPDATE record SET seq = 41 WHERE {LONG} AND seq = -1",
        ),
        40,
    ),
    "inserted record": (
        (
            f"UPDATE record SET seq = -seq WHERE {LONG} AND seq >= 600",
            f"UPDATE record SET seq = -seq + 1 WHERE {LONG} AND seq < 0",
            "INSERT INTO record (run, seq, kind, item, key, body, hash) "
            f"SELECT run, 600, kind, item, key, body, hash FROM record WHERE {LONG} AND seq = 599",
        ),
        600,
    ),
    "record of another run": (
        (
            "UPDATE record SET body = (SELECT body FROM record WHERE run = 1 AND seq = 3), "
            "hash = (SELECT hash FROM record WHERE run = 1 AND seq = 3), "
            f"key = (SELECT key FROM record WHERE run = 1 AND seq = 3) WHERE {LONG} AND seq = 3",
        ),
        3,
    ),
    "another run's name": (("UPDATE run SET name = name || 'er'", "UPDATE run SET name = 'long' WHERE no = 1"), 1),
}


@pytest.mark.parametrize("kind", FORGERIES)
def test_a_forged_record_is_refused_with_its_place(path: Path, kind: str) -> None:
    statements, place = FORGERIES[kind]
    forge(path, *statements)
    with pytest.raises(JournalDamaged, match=f"run long, record {place}:"):
        found_in(path)
    with pytest.raises(JournalDamaged, match=f"run long, record {place}:"):
        reopened(path)


def test_nothing_after_the_forged_place_is_given_out(path: Path) -> None:
    forge(path, f"UPDATE record SET item = 0 WHERE {LONG} AND seq = 700")
    given: list[int] = []

    async def story() -> None:
        store = SqliteStore(path)
        try:
            async for chunk in store.records("long"):
                given.extend(kept.seq for kept in chunk)
        finally:
            await store.close()

    with pytest.raises(JournalDamaged):
        within(story())
    assert given == list(range(1, len(given) + 1))
    assert len(given) < 700


def test_another_run_is_not_touched_by_the_forgery(path: Path) -> None:
    forge(path, f"UPDATE record SET item = 0 WHERE {LONG} AND seq = 700")
    assert len(found_in(path, "other")[0]) == 5


def test_a_refused_run_keeps_no_lock(path: Path) -> None:
    forge(path, f"UPDATE record SET item = 7 WHERE {LONG} AND seq = 700")
    with pytest.raises(JournalDamaged):
        reopened(path)
    forge(path, f"UPDATE record SET item = 699 WHERE {LONG} AND seq = 700")
    assert reopened(path) == (COUNT, [])


TORN = (
    f"UPDATE record SET body = substr(body, 1, 5) WHERE {LONG} AND seq = {COUNT}",
    f"UPDATE record SET body = '' WHERE {LONG} AND seq = {COUNT}",
    f"UPDATE record SET body = CAST(x'7b22eb' AS TEXT) WHERE {LONG} AND seq = {COUNT}",
)


@pytest.mark.parametrize("how", TORN)
def test_a_torn_last_record_is_cut_and_reported_once(path: Path, how: str) -> None:
    forge(path, how)
    records, torn = found_in(path)
    assert len(records) == COUNT - 1
    assert torn == [f"run long: the last record ({COUNT}) was torn and has been cut"]
    left, told = reopened(path)
    assert (left, len(told)) == (COUNT - 1, 1)
    assert reopened(path) == (COUNT - 1, [])


def test_a_torn_record_in_the_middle_is_damage(path: Path) -> None:
    forge(path, f"UPDATE record SET body = '{{' WHERE {LONG} AND seq = {COUNT - 1}")
    with pytest.raises(JournalDamaged, match=f"record {COUNT - 1}:"):
        found_in(path)


@pytest.mark.parametrize(
    "how",
    [
        "UPDATE record SET body = replace(body, '좋아요', '싫어요') WHERE key = 'key-long-50'",
        "UPDATE record SET key = 'key-long-50' WHERE key = 'key-other-1'",
        "UPDATE record SET body = CAST(body AS BLOB) WHERE key = 'key-long-50'",
    ],
)
def test_a_forged_answer_is_not_found(path: Path, how: str) -> None:
    async def story() -> object:
        store = SqliteStore(path)
        try:
            return await store.find("key-long-50")
        finally:
            await store.close()

    assert within(story()) == answer(50, "key-long-50")
    forge(path, how)
    assert within(story()) is None


# --- files that are no store -------------------------------------------------------------------


def test_another_layout_is_refused(path: Path) -> None:
    forge(path, "PRAGMA user_version = 99")
    with pytest.raises(ConfigError, match="layout 99"):
        found_in(path)


@pytest.mark.parametrize("version", [0, 1])
def test_the_database_of_something_else_is_left_alone(tmp_path: Path, version: int) -> None:
    path = tmp_path / "theirs.db"
    forge(path, "CREATE TABLE theirs (one)", f"PRAGMA user_version = {version}")
    before = path.read_bytes()
    with pytest.raises(ConfigError, match="something else"):
        found_in(path)
    assert path.read_bytes() == before


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "not a database": lambda whole: b"no database at all, but quite long\n" * 300,
    "short text": lambda whole: b"x",
    "cut in the first page": lambda whole: whole[:1000],
    "cut in the middle": lambda whole: whole[: len(whole) // 2],
    "cut before the end": lambda whole: whole[:-5000],
    "a page of zeros": lambda whole: whole[:8192] + bytes(4096) + whole[12288:],
}


@pytest.mark.parametrize("how", DAMAGES)
def test_a_damaged_file_is_refused(path: Path, whole: bytes, how: str) -> None:
    path.write_bytes(DAMAGES[how](whole))
    with pytest.raises(JournalDamaged, match=r"journal\.db"):
        found_in(path)


def test_a_flipped_byte_never_changes_a_record(path: Path, whole: bytes) -> None:
    """In each of many places of the file: refused, or without effect on what is read. A flip in the index may hide
    the end of a run, which no chain can tell from a run that was killed there."""
    good = found_in(path)[0]
    refused = 0
    for at in range(50, len(whole), len(whole) // 60):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x81]) + whole[at + 1 :])
        try:
            records, _ = found_in(path)
            assert records == good[: len(records)]
        except (JournalDamaged, ConfigError, StoreError):
            refused += 1
    assert refused > 10


def test_the_folder_of_our_own_keeps_out_of_git(tmp_path: Path) -> None:
    async def story() -> None:
        store = SqliteStore(tmp_path / ".withstood" / "journal.db")
        journal = await store.create("one", FIRST)
        await journal.close()
        await store.close()

    within(story())
    assert (tmp_path / ".withstood" / ".gitignore").read_text() == "*\n"
    assert sorted(found.name for found in (tmp_path / ".withstood").iterdir()) == [".gitignore", "journal.db"]
