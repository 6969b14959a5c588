"""The journal in a PostgreSQL database, in a schema of its own.

A run is held by a lock of the session that writes it: the server lets it go when the session ends, however it ends.
The records of one commit are one row, a block, written with one statement that is one transaction, with
`synchronous_commit` on, so that a record that was said to be kept survives a crash of the server; none is ever torn.
All work is done on one thread; records that arrive while a commit is under way share the next one.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias, TypeVar

import psycopg

from withstood import databases
from withstood.errors import ConfigError, JournalDamaged, StoreError
from withstood.journal.block import Block, pack, rows_of, unpack
from withstood.journal.chain import Chain
from withstood.journal.grouped import GroupedJournal
from withstood.journal.port import Hear, Journal, Kept, Record, RunEntry, deaf, link, seed, text_hash

T = TypeVar("T")
Db: TypeAlias = psycopg.Connection[Any]
CHUNK = 500
LOCKS = 0x77697468
"""The first half of the number of each advisory lock; the second is the number of the run."""


class PostgresStore:
    """See `port.Store`. The first use lays out the schema."""

    def __init__(self, url: str) -> None:
        self.place = databases.place(url)
        self._url = url
        self._thread = ThreadPoolExecutor(1, "journal")
        self._db: Db | None = None
        self._session = 0
        self._written: set[str] = set()

    @property
    def torn(self) -> Sequence[str]:
        return ()

    async def create(self, run: str, first: Record) -> Journal:
        kept = Kept(1, first, link(seed(run), 1, first))
        no = await self._on_thread(lambda db: _new_run(db, run, kept))
        return self._journal(run, no, (1, kept.hash))

    async def reopen(self, run: str, *, take_over: bool = False, hear: Hear = deaf) -> Journal:
        no = await self._on_thread(lambda db: _run_no(db, run))
        if run in self._written:
            raise _taken(run)
        await self._on_thread(lambda db: _lock(db, run, no, take_over))
        try:
            last = await self._last(run, hear)
        except BaseException:
            await self._on_thread(lambda db: _unlock(db, no))
            raise
        return self._journal(run, no, last)

    async def _last(self, run: str, hear: Hear) -> tuple[int, str]:
        last = (0, seed(run))
        async for chunk in self.records(run):
            hear(chunk)
            last = (chunk[-1].seq, chunk[-1].hash)
        return last

    def _journal(self, run: str, no: int, last: tuple[int, str]) -> Journal:
        session = self._session
        self._written.add(run)

        def same_session() -> None:
            if self._session != session:
                raise StoreError(
                    f"The connection to {self.place} was lost while run {run} was being written. Nothing that was kept "
                    "is lost: go on with --resume."
                )

        async def commit(rows: Sequence[Kept]) -> None:
            block = Block(journal.head, rows)
            await self._on_thread(lambda db: (same_session(), _insert(db, run, no, block)))

        async def let_go() -> None:
            self._written.discard(run)
            if self._session == session:
                await self._on_thread(lambda db: _unlock(db, no))

        journal = GroupedJournal(run, last, commit, let_go)
        return journal

    async def records(self, run: str) -> AsyncIterator[Sequence[Kept]]:
        no = await self._on_thread(lambda db: _run_no(db, run))
        chain = Chain(self.place, run)
        while rows := await self._on_thread(lambda db, after=chain.seq: _chunk(db, no, after)):
            yield chain.check(rows)

    async def runs(self) -> Sequence[RunEntry]:
        return await self._on_thread(_entries)

    async def find(self, key: str) -> Record | None:
        return await self._on_thread(lambda db: _find(db, key))

    async def keep_text(self, text: str) -> str:
        sha256, packed = text_hash(text), zlib.compress(_bytes(text))
        await self._on_thread(lambda db: db.execute(KEEP_TEXT, (sha256, packed)))
        return sha256

    async def text(self, sha256: str) -> str | None:
        packed = await self._on_thread(lambda db: db.execute(TEXT, (sha256,)).fetchone())
        text = _unpacked(packed[0]) if packed else None
        if packed and (text is None or text_hash(text) != sha256):
            raise JournalDamaged(
                f"{self.place}: the text {sha256} is not the one that was kept. Restore the database from a copy."
            )
        return text

    async def close(self) -> None:
        if self._db is not None:
            self._db.close()
        self._thread.shutdown()

    async def _on_thread(self, work: Callable[[Db], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._work, work)

    def _work(self, work: Callable[[Db], T]) -> T:
        """One piece of work. A session that ended is followed by a new one, but no run is written over two."""
        try:
            if self._db is None or self._db.closed:
                self._db, self._session = databases.opened(self._url, SCHEMA), self._session + 1
            return work(self._db)
        except psycopg.Error as fault:
            raise databases.unusable(self.place, fault) from None


# --- what is done on the thread ----------------------------------------------------------------

SCHEMA = databases.Layout(
    "journal",
    3,
    """
    CREATE TABLE IF NOT EXISTS withstood.run (no integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL UNIQUE);
    CREATE TABLE IF NOT EXISTS withstood.block (run integer NOT NULL REFERENCES withstood.run, first bigint NOT NULL,
        packed bytea NOT NULL, PRIMARY KEY (run, first));
    CREATE TABLE IF NOT EXISTS withstood.answer (key bytea NOT NULL, run integer NOT NULL, first bigint NOT NULL);
    CREATE INDEX IF NOT EXISTS answer_key ON withstood.answer (key);
    CREATE TABLE IF NOT EXISTS withstood.text (sha256 text PRIMARY KEY, packed bytea NOT NULL);
    ALTER TABLE withstood.block ALTER packed SET STORAGE EXTERNAL;
    ALTER TABLE withstood.text ALTER packed SET STORAGE EXTERNAL;
    """,
)
INSERT = """
    WITH block AS (INSERT INTO withstood.block VALUES (%s, %s, %b) RETURNING run, first)
    INSERT INTO withstood.answer SELECT key, run, first FROM block, unnest(%s::bytea[]) AS key
"""
CHUNKS = """
    SELECT first, packed FROM withstood.block WHERE run = %(run)s AND first > %(after)s AND first <
        (SELECT min(first) FROM withstood.block WHERE run = %(run)s AND first > %(after)s) + %(chunk)s
    ORDER BY first
"""
KEEP_TEXT = "INSERT INTO withstood.text VALUES (%s, %s) ON CONFLICT DO NOTHING"
TEXT = "SELECT packed FROM withstood.text WHERE sha256 = %s"
ENTRIES = """
    SELECT run.name, begin.packed, rest.first, rest.packed FROM withstood.run
    CROSS JOIN LATERAL (SELECT packed FROM withstood.block WHERE run = run.no ORDER BY first LIMIT 1) AS begin
    CROSS JOIN LATERAL (SELECT first, packed FROM withstood.block WHERE run = run.no
                        ORDER BY first DESC LIMIT 1) AS rest
    ORDER BY run.no
"""
FIND = """
    SELECT packed FROM withstood.answer JOIN withstood.block USING (run, first)
    WHERE key = %s ORDER BY run, first LIMIT 1
"""
HOLDERS = """
    SELECT pg_terminate_backend(pid) FROM pg_locks
    WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND classid = %s AND objid = %s AND objsubid = 2 AND granted AND pid <> pg_backend_pid()
"""
LOCK = "SELECT pg_try_advisory_lock(%s, %s)"
UNLOCK = "SELECT pg_advisory_unlock(%s, %s)"


def _new_run(db: Db, run: str, first: Kept) -> int:
    try:
        with db.transaction():
            (no,) = db.execute("INSERT INTO withstood.run (name) VALUES (%s) RETURNING no", (run,)).fetchone() or (0,)
            db.execute(LOCK, (LOCKS, no))
            _insert(db, run, no, Block(seed(run), [first]))
    except psycopg.errors.UniqueViolation:
        raise ConfigError(f"There is a run {run} already. Choose another name, or continue it with --resume.") from None
    return no


def _run_no(db: Db, run: str) -> int:
    found = db.execute("SELECT no FROM withstood.run WHERE name = %s", (run,)).fetchone()
    if found is None:
        raise ConfigError(f"There is no run {run}. `withstood runs` lists those there are.")
    return found[0]


def _lock(db: Db, run: str, no: int, take_over: bool) -> None:
    """Hold the run for this session. To take it over, the session that has it is ended, with all it had not kept."""
    if _locked(db, no):
        return
    if take_over:
        db.execute(HOLDERS, (LOCKS, no))
        db.execute("SET lock_timeout = '20s'")
        db.execute("SELECT pg_advisory_lock(%s, %s)", (LOCKS, no))
        db.execute("RESET lock_timeout")
        return
    raise _taken(run)


def _locked(db: Db, no: int) -> bool:
    return bool((db.execute(LOCK, (LOCKS, no)).fetchone() or (False,))[0])


def _unlock(db: Db, no: int) -> None:
    db.execute(UNLOCK, (LOCKS, no))


def _chunk(db: Db, no: int, after: int) -> Sequence[Kept]:
    return rows_of(db.execute(CHUNKS, {"run": no, "after": after, "chunk": CHUNK}, binary=True))


def _insert(db: Db, run: str, no: int, block: Block) -> None:
    """The primary key on the place is the fence: a second writer of the same run fails here."""
    keys = [_bytes(kept.record.key) for kept in block.rows if kept.record.key is not None]
    try:
        db.execute(INSERT, (no, block.rows[0].seq, pack(block), keys))
    except psycopg.errors.UniqueViolation:
        raise _taken(run) from None


def _entries(db: Db) -> Sequence[RunEntry]:
    found = db.execute(ENTRIES, binary=True)
    return [_entry(name, rows_of([(1, begin)])[0], rows_of([(at, rest)])[-1]) for name, begin, at, rest in found]


def _entry(name: str, first: Kept, last: Kept) -> RunEntry:
    return RunEntry(name, last.seq, first.record.body, last.record.kind, last.record.body, last.hash)


def _find(db: Db, key: str) -> Record | None:
    found = db.execute(FIND, (_bytes(key),), binary=True).fetchone()
    block = unpack(found[0]) if found else None
    return block.find(key) if block else None


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _unpacked(packed: bytes) -> str | None:
    try:
        return zlib.decompress(packed).decode("utf-8", "surrogatepass")
    except (zlib.error, UnicodeDecodeError):
        return None


def _taken(run: str) -> StoreError:
    return StoreError(f"Run {run} is being written by another process. Wait for it, or stop it.")
