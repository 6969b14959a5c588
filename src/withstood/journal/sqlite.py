"""The journal in one SQLite file.

Rollback journal and `synchronous=EXTRA`, so that a record that was said to be kept survives a loss of power; WAL with
FULL only where SQLite has no WAL-reset bug (3.51.3 and later). All work is done on one thread; records that arrive
while a commit is under way share the next one.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import sqlite3
import zlib
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from withstood.errors import ConfigError, JournalDamaged, StoreError
from withstood.journal.chain import Chain, is_chained
from withstood.journal.grouped import GroupedJournal
from withstood.journal.port import Hear, Journal, Kept, Record, RunEntry, deaf, link, seed, text_hash

T = TypeVar("T")
LAYOUT = 2
MAGIC = b"SQLite format 3\0"
CHUNK = 500

SCHEMA = """
CREATE TABLE run (no INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE record (
    no INTEGER PRIMARY KEY, run INTEGER NOT NULL, seq INTEGER NOT NULL,
    kind TEXT NOT NULL, item INTEGER NOT NULL, key TEXT, body TEXT NOT NULL, hash TEXT NOT NULL
);
CREATE UNIQUE INDEX record_place ON record (run, seq);
CREATE INDEX record_key ON record (key) WHERE key IS NOT NULL;
CREATE TABLE text (sha256 TEXT PRIMARY KEY, packed BLOB NOT NULL) WITHOUT ROWID;
"""


class SqliteStore:
    """See `port.Store`. Opening creates the file and its folder; the folder keeps itself out of git."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._torn: list[str] = []
        self._thread = ThreadPoolExecutor(1, "journal")
        self._db: sqlite3.Connection | None = None

    @property
    def torn(self) -> Sequence[str]:
        return self._torn

    async def create(self, run: str, first: Record) -> Journal:
        lock = self._lock(run)
        kept = Kept(1, first, link(seed(run), 1, first))
        try:
            no = await self.on_thread(lambda db: _new_run(db, run, kept))
        except BaseException:
            self.unlock(run, lock)
            raise
        return self._journal(run, no, (1, kept.hash), lock)

    async def reopen(self, run: str, *, take_over: bool = False, hear: Hear = deaf) -> Journal:
        await self.on_thread(lambda db: _run_no(db, run))
        lock = self._lock(run, take_over)
        try:
            return await self._reopened(run, lock, hear)
        except BaseException:
            self.unlock(run, lock)
            raise

    async def _reopened(self, run: str, lock: int, hear: Hear) -> Journal:
        last = Kept(0, Record("", 0, ""), seed(run))
        async for chunk in self.records(run):
            hear(chunk)
            last = chunk[-1]
        no = await self.on_thread(lambda db: _run_no(db, run))
        await self.on_thread(lambda db: _cut(db, no, last.seq))
        return self._journal(run, no, (last.seq, last.hash), lock)

    def _journal(self, run: str, no: int, last: tuple[int, str], lock: int) -> Journal:
        async def commit(rows: Sequence[Kept]) -> None:
            await self.on_thread(lambda db: _insert(db, no, rows))

        async def let_go() -> None:
            self.unlock(run, lock)

        return GroupedJournal(run, last, commit, let_go)

    async def records(self, run: str) -> AsyncIterator[Sequence[Kept]]:
        no = await self.on_thread(lambda db: _run_no(db, run))
        total = await self.on_thread(lambda db: _last_seq(db, no))
        chain = Chain(str(self.path), run, total, self._report)
        while chain.seq < total:
            after = chain.seq
            rows = await self.on_thread(lambda db, after=after: _chunk(db, no, after))
            checked = chain.check(rows)
            if not checked:
                return
            yield checked

    def _report(self, torn: str) -> None:
        if torn not in self._torn:
            self._torn.append(torn)

    async def runs(self) -> Sequence[RunEntry]:
        return await self.on_thread(_entries)

    async def find(self, key: str) -> Record | None:
        return await self.on_thread(lambda db: _find(db, key))

    async def keep_text(self, text: str) -> str:
        sha256, packed = text_hash(text), zlib.compress(text.encode("utf-8", "surrogatepass"))
        await self.on_thread(lambda db: db.execute("INSERT OR IGNORE INTO text VALUES (?, ?)", (sha256, packed)))
        return sha256

    async def text(self, sha256: str) -> str | None:
        packed = await self.on_thread(lambda db: _packed(db, sha256))
        text = None if packed is None else _unpacked(packed)
        if packed is not None and (text is None or text_hash(text) != sha256):
            raise JournalDamaged(
                f"{self.path}: the text {sha256} is not the one that was kept. Restore the file from a copy."
            )
        return text

    async def close(self) -> None:
        if self._db is not None:
            await self.on_thread(lambda db: db.close())
        self._thread.shutdown()

    def _lock(self, run: str, take_over: bool = False) -> int:
        """Held while the run is written; the system lets it go when the process ends, however it ends. Whoever holds
        a lock that is taken over is fenced off by the place of its next record."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if take_over:
                Path(f"{self.path}.{run}.lock").unlink(missing_ok=True)
            handle = os.open(f"{self.path}.{run}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as fault:
            raise _unusable(self.path, fault) from None
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(handle)
            raise _taken(run) from None
        if self._is_gone(run, handle):
            os.close(handle)
            return self._lock(run)
        return handle

    def _is_gone(self, run: str, handle: int) -> bool:
        """Whether the one who had the lock took the file away between our opening and our locking it."""
        try:
            return not os.path.samestat(os.fstat(handle), os.stat(f"{self.path}.{run}.lock"))  # noqa: PTH116
        except FileNotFoundError:
            return True

    def unlock(self, run: str, handle: int) -> None:
        if not self._is_gone(run, handle):  # it may be another's by now
            Path(f"{self.path}.{run}.lock").unlink(missing_ok=True)
        os.close(handle)

    async def on_thread(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._work, work)

    def _work(self, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            if self._db is None:
                self._db = _opened(self.path)
            return work(self._db)
        except (sqlite3.Error, OSError) as fault:
            raise _unusable(self.path, fault) from None


# --- what is done on the thread ----------------------------------------------------------------


def _opened(path: Path) -> sqlite3.Connection:
    _own_folder(path.parent)
    _refuse_other_files(path)
    db = sqlite3.connect(path, timeout=60, isolation_level=None, check_same_thread=False)
    try:
        _set_up(db, path)
    except BaseException:
        db.close()
        raise
    return db


def _refuse_other_files(path: Path) -> None:
    """SQLite takes a short file of something else for an empty database, and writes over it."""
    if path.exists():
        with path.open("rb") as there:
            begins = there.read(len(MAGIC))
        if begins and begins != MAGIC:
            raise JournalDamaged(f"{path} is no journal, or a damaged one. Name another store with --store.")


def _set_up(db: sqlite3.Connection, path: Path) -> None:
    # A flipped bit may leave what is no UTF-8; the chain is then what refuses it, and says where.
    db.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
    wal_is_safe = sqlite3.sqlite_version_info >= (3, 51, 3)
    layout = db.execute("PRAGMA user_version").fetchone()[0]
    _refuse_foreign(db, path, layout)
    db.execute(f"PRAGMA journal_mode={'WAL' if wal_is_safe else 'DELETE'}")
    db.execute(f"PRAGMA synchronous={'FULL' if wal_is_safe else 'EXTRA'}")
    if layout == 0:
        _lay_out(db)


def _refuse_foreign(db: sqlite3.Connection, path: Path, layout: int) -> None:
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if (tables or layout) and not {"run", "record"} <= tables:
        raise ConfigError(f"{path} is a database of something else. Name another store with --store.")
    if layout not in (0, LAYOUT):
        raise ConfigError(
            f"{path} is a store of layout {layout}; this version of withstood reads layout {LAYOUT}. "
            "Use the version that wrote it, or name another store with --store."
        )


def _own_folder(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if folder.name == ".withstood" and not (folder / ".gitignore").exists():
        (folder / ".gitignore").write_text("*\n")


def _lay_out(db: sqlite3.Connection) -> None:
    db.execute("BEGIN IMMEDIATE")
    if db.execute("PRAGMA user_version").fetchone()[0] == 0:
        for statement in SCHEMA.strip().split(";"):
            db.execute(statement)
        db.execute(f"PRAGMA user_version={LAYOUT}")
    db.execute("COMMIT")


def _new_run(db: sqlite3.Connection, run: str, first: Kept) -> int:
    """The run and its first record at once: there is never a run that nothing is known of."""
    try:
        with _transaction(db):
            no = db.execute("INSERT INTO run (name) VALUES (?)", (run,)).lastrowid or 0
            db.execute(INSERT, _row(no, first))
    except sqlite3.IntegrityError:
        raise ConfigError(f"There is a run {run} already. Choose another name, or continue it with --resume.") from None
    return no


def _run_no(db: sqlite3.Connection, run: str) -> int:
    found = db.execute("SELECT no FROM run WHERE name = ?", (run,)).fetchone()
    if found is None:
        raise ConfigError(f"There is no run {run}. `withstood runs` lists those there are.")
    return found[0]


def _last_seq(db: sqlite3.Connection, no: int) -> int:
    return db.execute("SELECT coalesce(max(seq), 0) FROM record WHERE run = ?", (no,)).fetchone()[0]


def _chunk(db: sqlite3.Connection, no: int, after: int) -> Sequence[Kept]:
    rows = db.execute(
        "SELECT seq, kind, item, body, key, hash FROM record WHERE run = ? AND seq > ? ORDER BY seq LIMIT ?",
        (no, after, CHUNK),
    )
    return [Kept(seq, Record(kind, item, body, key), hashed) for seq, kind, item, body, key, hashed in rows]


INSERT = "INSERT INTO record (run, seq, kind, item, key, body, hash) VALUES (?, ?, ?, ?, ?, ?, ?)"


def _row(no: int, kept: Kept) -> tuple[int | str | None, ...]:
    kind, item, body, key = kept.record
    return (no, kept.seq, kind, item, key, body, kept.hash)


def _insert(db: sqlite3.Connection, no: int, rows: Sequence[Kept]) -> None:
    """The unique index on the place is the fence: a second writer of the same run fails here."""
    try:
        with _transaction(db):
            db.executemany(INSERT, [_row(no, kept) for kept in rows])
    except sqlite3.IntegrityError:
        (run,) = db.execute("SELECT name FROM run WHERE no = ?", (no,)).fetchone()
        raise _taken(run) from None


@contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _cut(db: sqlite3.Connection, no: int, last: int) -> None:
    db.execute("DELETE FROM record WHERE run = ? AND seq > ?", (no, last))


def _entries(db: sqlite3.Connection) -> Sequence[RunEntry]:
    query = """
        SELECT run.name, place.most, first.body, last.kind, last.body, last.hash FROM run
        JOIN (SELECT run, min(seq) AS least, max(seq) AS most FROM record GROUP BY run) AS place ON place.run = run.no
        JOIN record AS first ON first.run = run.no AND first.seq = place.least
        JOIN record AS last ON last.run = run.no AND last.seq = place.most
        ORDER BY run.no
    """
    return [RunEntry(*row) for row in db.execute(query)]


def _find(db: sqlite3.Connection, key: str) -> Record | None:
    query = """
        SELECT record.seq, record.kind, record.item, record.body, record.hash, run.name,
               (SELECT hash FROM record AS before WHERE before.run = record.run AND before.seq = record.seq - 1)
        FROM record JOIN run ON run.no = record.run WHERE key = ? ORDER BY record.no LIMIT 1
    """
    found = db.execute(query, (key,)).fetchone()
    if found is None:
        return None
    seq, kind, item, body, hashed, run, before = found
    kept = Kept(seq, Record(kind, item, body, key), hashed)
    return kept.record if is_chained(before or seed(run), kept) else None


def _packed(db: sqlite3.Connection, sha256: str) -> bytes | None:
    found = db.execute("SELECT packed FROM text WHERE sha256 = ?", (sha256,)).fetchone()
    return found[0] if found else None


def _unpacked(packed: bytes) -> str | None:
    try:
        return zlib.decompress(packed).decode("utf-8", "surrogatepass")
    except (zlib.error, UnicodeDecodeError, TypeError):
        return None


def _taken(run: str) -> StoreError:
    return StoreError(f"Run {run} is being written by another process. Wait for it, or stop it.")


def _unusable(path: Path, fault: Exception) -> StoreError | JournalDamaged:
    if "malformed" in str(fault) or "not a database" in str(fault):
        return JournalDamaged(
            f"{path} is damaged: {fault}. Restore it from a copy, or name another store with --store."
        )
    return StoreError(
        f"The store {path} cannot be used: {fault}. Free the disk or make the place writable and go on with --resume, "
        "or name another store with --store."
    )
