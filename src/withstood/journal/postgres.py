"""The journal in a PostgreSQL database, in a schema of its own.

A run is held by a lock of the session that writes it: the server lets it go when the session ends, however it ends.
Rows go in with one statement that is one transaction, with `synchronous_commit` on, so that a record that was said to
be kept survives a crash of the server. Bodies are kept as bytes, because PostgreSQL's text cannot hold every text. All
work is done on one thread; records that arrive while a commit is under way share the next one.
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
from withstood.journal.chain import Chain, is_chained
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
        self._torn: list[str] = []
        self._thread = ThreadPoolExecutor(1, "journal")
        self._db: Db | None = None
        self._session = 0
        self._written: set[str] = set()

    @property
    def torn(self) -> Sequence[str]:
        return self._torn

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
            last = await self._last(run, no, hear)
        except BaseException:
            await self._on_thread(lambda db: _unlock(db, no))
            raise
        return self._journal(run, no, last)

    async def _last(self, run: str, no: int, hear: Hear) -> tuple[int, str]:
        last = (0, seed(run))
        async for chunk in self.records(run):
            hear(chunk)
            last = (chunk[-1].seq, chunk[-1].hash)
        await self._on_thread(lambda db: db.execute(CUT, (no, last[0])))
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
            await self._on_thread(lambda db: (same_session(), _insert(db, run, no, rows)))

        async def let_go() -> None:
            self._written.discard(run)
            if self._session == session:
                await self._on_thread(lambda db: _unlock(db, no))

        return GroupedJournal(run, last, commit, let_go)

    async def records(self, run: str) -> AsyncIterator[Sequence[Kept]]:
        no = await self._on_thread(lambda db: _run_no(db, run))
        chain = Chain(self.place, run, await self._on_thread(lambda db: _last_seq(db, no)), self._report)
        while chain.seq < chain.total:
            after = chain.seq
            checked = chain.check(await self._on_thread(lambda db, after=after: _chunk(db, no, after)))
            if not checked:
                return
            yield checked

    def _report(self, torn: str) -> None:
        if torn not in self._torn:
            self._torn.append(torn)

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
    2,
    """
    CREATE TABLE IF NOT EXISTS withstood.run (no integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL UNIQUE);
    CREATE TABLE IF NOT EXISTS withstood.record (run integer NOT NULL REFERENCES withstood.run, seq bigint NOT NULL,
        kind text NOT NULL, item bigint NOT NULL, key bytea, body bytea NOT NULL, hash text NOT NULL,
        PRIMARY KEY (run, seq));
    CREATE INDEX IF NOT EXISTS record_key ON withstood.record (key) WHERE key IS NOT NULL;
    CREATE TABLE IF NOT EXISTS withstood.text (sha256 text PRIMARY KEY, packed bytea NOT NULL);
    ALTER TABLE withstood.text ALTER packed SET STORAGE EXTERNAL;
    """,
)
INSERT = """
    INSERT INTO withstood.record (run, seq, kind, item, key, body, hash)
    SELECT %s, * FROM unnest(%s::bigint[], %s::text[], %s::bigint[], %s::bytea[], %s::bytea[], %s::text[])
"""
CUT = "DELETE FROM withstood.record WHERE run = %s AND seq > %s"
KEEP_TEXT = "INSERT INTO withstood.text VALUES (%s, %s) ON CONFLICT DO NOTHING"
TEXT = "SELECT packed FROM withstood.text WHERE sha256 = %s"
ENTRIES = """
    SELECT run.name, last.seq, first.body, last.kind, last.body, last.hash FROM withstood.run
    CROSS JOIN LATERAL (SELECT body FROM withstood.record WHERE run = run.no ORDER BY seq LIMIT 1) AS first
    CROSS JOIN LATERAL (SELECT seq, kind, body, hash FROM withstood.record WHERE run = run.no
                        ORDER BY seq DESC LIMIT 1) AS last
    ORDER BY run.no
"""
FIND = """
    SELECT record.seq, record.kind, record.item, record.body, record.key, record.hash, run.name,
           (SELECT hash FROM withstood.record AS before WHERE before.run = record.run AND before.seq = record.seq - 1)
    FROM withstood.record JOIN withstood.run ON run.no = record.run WHERE key = %s ORDER BY run.no, record.seq LIMIT 1
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
            _insert(db, run, no, [first])
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


def _last_seq(db: Db, no: int) -> int:
    found = db.execute("SELECT coalesce(max(seq), 0) FROM withstood.record WHERE run = %s", (no,)).fetchone()
    return found[0] if found else 0


def _chunk(db: Db, no: int, after: int) -> Sequence[Kept]:
    rows = db.execute(
        "SELECT seq, kind, item, body, key, hash FROM withstood.record WHERE run = %s AND seq > %s "
        "ORDER BY seq LIMIT %s",
        (no, after, CHUNK),
    )
    return [_kept(*row) for row in rows]


def _kept(seq: int, kind: str, item: int, body: bytes, key: bytes | None, hashed: str) -> Kept:
    return Kept(seq, Record(kind, item, _text(body), None if key is None else _text(key)), hashed)


def _insert(db: Db, run: str, no: int, rows: Sequence[Kept]) -> None:
    """The primary key on the place is the fence: a second writer of the same run fails here."""
    columns = (
        [kept.seq for kept in rows],
        [kept.record.kind for kept in rows],
        [kept.record.item for kept in rows],
        [None if kept.record.key is None else _bytes(kept.record.key) for kept in rows],
        [_bytes(kept.record.body) for kept in rows],
        [kept.hash for kept in rows],
    )
    try:
        db.execute(INSERT, (no, *columns))
    except psycopg.errors.UniqueViolation:
        raise _taken(run) from None


def _entries(db: Db) -> Sequence[RunEntry]:
    return [
        RunEntry(name, seq, _text(first), kind, _text(last), hashed)
        for name, seq, first, kind, last, hashed in db.execute(ENTRIES)
    ]


def _find(db: Db, key: str) -> Record | None:
    found = db.execute(FIND, (_bytes(key),)).fetchone()
    if found is None:
        return None
    *row, run, before = found
    kept = _kept(*row)
    return kept.record if is_chained(before or seed(run), kept) else None


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _text(kept: bytes) -> str:
    """What is no UTF-8 was not written by us: the chain refuses it, and says where."""
    try:
        return kept.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return kept.decode("utf-8", "backslashreplace")


def _unpacked(packed: bytes) -> str | None:
    try:
        return zlib.decompress(packed).decode("utf-8", "surrogatepass")
    except (zlib.error, UnicodeDecodeError):
        return None


def _taken(run: str) -> StoreError:
    return StoreError(f"Run {run} is being written by another process. Wait for it, or stop it.")
