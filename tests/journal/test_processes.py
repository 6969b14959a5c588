"""The SQLite store and real processes: killed, two at once, out of room."""

from __future__ import annotations

import asyncio
import contextlib
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journal.records import FIRST, answer, read, within, written
from withstood.errors import StoreError
from withstood.journal.sqlite import SqliteStore

ROOT = Path(__file__).parents[2]


@contextlib.contextmanager
def writing(path: Path, how: str = "create", room: int | None = None) -> Iterator[subprocess.Popen[str]]:
    """A process that writes the run `one`; no file of it may pass `room` bytes, nor does it leave half a module in the
    cache (-B)."""

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room or resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    command = [sys.executable, "-B", "-m", "tests.journal.writer", str(path), "one", how]
    out = err = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, text=True, preexec_fn=limited, stdout=out, stderr=err) as child:
        try:
            yield child
        finally:
            child.kill()


def lines(child: subprocess.Popen[str], wanted: int) -> list[str]:
    assert child.stdout
    return [child.stdout.readline().strip() for _ in range(wanted)]


def test_what_was_kept_is_there_after_kill_9(tmp_path: Path) -> None:
    path, total = tmp_path / "journal.db", 0
    for sitting in range(8):
        with writing(path, "reopen" if sitting else "create") as child:
            said = lines(child, 2 + 3 * sitting)
            child.kill()
            assert child.stdout
            rest = child.stdout.read()  # `communicate` would pass over what was read ahead
        known = int(([*said, *rest.split()])[-1])
        found = len(all_records(path)) - 1 - total
        assert known <= found <= known + 1
        total += found


def all_records(path: Path) -> list[object]:
    async def story() -> list[object]:
        store = SqliteStore(path)
        try:
            return list(await read(store, "one"))
        finally:
            await store.close()

    return within(story())


def test_a_second_process_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with writing(path) as child:
        lines(child, 1)
        with writing(path, "reopen") as second:
            _, said = second.communicate()
        assert said.strip() == "StoreError: Run one is being written by another process. Wait for it, or stop it."
        assert lines(child, 1)[0].isdigit()
    with writing(path, "reopen") as third:
        assert lines(third, 1) == ["open"]


def test_a_writer_that_lost_its_lock_is_fenced_off(tmp_path: Path) -> None:
    """Whatever happened to the lock: of two writers of one run only one goes on, and the chain stays whole."""

    async def story() -> None:
        one, two = SqliteStore(tmp_path / "journal.db"), SqliteStore(tmp_path / "journal.db")
        first = await one.create("one", FIRST)
        (tmp_path / "journal.db.one.lock").unlink()
        second = await two.reopen("one")
        second.append(answer(1))
        await second.kept()
        first.append(answer(2))
        with pytest.raises(StoreError, match="Run one is being written by another process"):
            await first.kept()
        first.append(answer(3))
        with pytest.raises(StoreError):
            await first.kept()
        second.append(answer(4))
        await second.close()
        with contextlib.suppress(StoreError):
            await first.close()
        assert [kept.record.item for kept in await read(two, "one")] == [0, 1, 4]
        await one.close()
        await two.close()

    within(story())


def test_two_runs_may_be_written_at_once(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with writing(path) as child:
        lines(child, 3)

        async def story() -> None:
            store = SqliteStore(path)
            await written(store, "two", 5)
            await store.close()

        within(story())
        assert lines(child, 3)[-1].isdigit()


# --- no room -----------------------------------------------------------------------------------


def test_a_full_disk_is_said_and_leaves_nothing_half(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with writing(path, room=150_000) as child:
        out, said = child.communicate(timeout=20)
    assert child.returncode == 1
    assert said.startswith("StoreError: The store ")
    assert "go on with --resume" in said
    known = int(out.split()[-1])
    assert known > 10
    assert len(all_records(path)) == known + 1
    with writing(path, "reopen") as again:
        assert lines(again, 2) == ["open", "1"]


def test_a_store_that_is_full_from_the_start(tmp_path: Path) -> None:
    with writing(tmp_path / "journal.db", room=2000) as child:
        _, said = child.communicate(timeout=20)
    assert said.startswith("StoreError: The store ")


def test_a_file_in_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("here first")

    async def story() -> None:
        store = SqliteStore(tmp_path / "file" / "journal.db")
        with pytest.raises(StoreError, match="cannot be used"):
            await store.create("one", FIRST)
        with pytest.raises(StoreError, match="cannot be used"):
            await store.runs()
        await store.close()

    within(story())


@pytest.mark.parametrize("may", [0o555, 0o777])
def test_a_store_that_may_only_be_read(tmp_path: Path, may: int) -> None:
    folder = tmp_path / "store"
    within(_written(folder / "journal.db"))
    (folder / "journal.db").chmod(0o444)
    folder.chmod(may)
    for above in (tmp_path, tmp_path.parent, tmp_path.parents[1]):
        above.chmod(0o755)
    with writing(folder / "journal.db", "powerless") as child:
        out, said = child.communicate(timeout=20)
    assert (out, said[:22]) == ("", "StoreError: The store ")
    assert "readonly" in said or "Permission denied" in said
    assert "make the place writable" in said
    folder.chmod(0o755)
    assert len(all_records(folder / "journal.db")) == 3


async def _written(path: Path) -> None:
    store = SqliteStore(path)
    await written(store, "one", 3)
    await store.close()


def test_a_locked_database_is_waited_for(tmp_path: Path) -> None:
    """Another process may hold the file for a moment: that is not an error."""
    path = tmp_path / "journal.db"
    within(_written(path))
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN EXCLUSIVE")

    async def story() -> None:
        store = SqliteStore(path)
        asyncio.get_running_loop().call_later(0.3, other.execute, "COMMIT")
        journal = await store.reopen("one")
        await journal.close()
        await store.close()

    within(story())
    other.close()
