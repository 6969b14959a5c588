"""A store of episodes in a PostgreSQL database. It keeps what a file keeps, line by line, in one transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from withstood import databases
from withstood.errors import StoreError
from withstood.memory import store
from withstood.memory.store import EpisodeStore

LAYOUT = databases.Layout(
    "episodes",
    1,
    """
    CREATE TABLE withstood.episode (no bigint PRIMARY KEY, line bytea NOT NULL);
    CREATE TABLE withstood.episodes (edition bigint NOT NULL);
    """,
)
ALONE = 0x77697468_00000001
"""The number of the lock that writers wait for."""


class PostgresEpisodes(EpisodeStore):
    """A session for each piece of work: a run reads when it begins and writes when it ends."""

    def __init__(self, url: str) -> None:
        super().__init__(Path(databases.place(url)))
        self.url = url
        self._place = databases.place(url)
        self._db: psycopg.Connection[Any] | None = None

    @property
    def place(self) -> str:
        return self._place

    def exists(self) -> bool:
        return self._edition() > 0

    def _edition(self) -> int:
        with self._session() as db:
            found = db.execute("SELECT edition FROM withstood.episodes").fetchone()
            return found[0] if found else 0

    def _stamp(self) -> tuple[int, ...]:
        edition = self._edition()
        if not edition:
            raise FileNotFoundError(2, "nothing was written there yet")
        return (edition,)

    def _read(self) -> bytes:
        with self._session() as db:
            lines = [row[0] for row in db.execute("SELECT line FROM withstood.episode ORDER BY no")]
        return b"".join(line + b"\n" for line in lines)

    def _write(self, lines: Sequence[str]) -> None:
        edition = self._edition()
        kept = lines[-store.MOST :]
        with self._session() as db:
            db.execute("DELETE FROM withstood.episode")
            db.execute(
                "INSERT INTO withstood.episode SELECT * FROM unnest(%s::bigint[], %s::bytea[])",
                (list(range(len(kept))), [line.encode() for line in kept]),
            )
            db.execute("DELETE FROM withstood.episodes")
            db.execute("INSERT INTO withstood.episodes VALUES (%s)", (edition + 1,))

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """One writer at a time, and all that it writes at once; the server lets the lock go when the session ends."""
        with self._session() as db, db.transaction():
            try:
                db.execute(f"SET LOCAL lock_timeout = '{round(1000 * store.PATIENCE)}ms'".encode())
                db.execute("SELECT pg_advisory_xact_lock(%s)", (ALONE,))
            except psycopg.errors.LockNotAvailable:
                raise StoreError(
                    f"The memory store {self.place} is being written by another process. Wait for it, or stop it."
                ) from None
            yield

    @contextmanager
    def _session(self) -> Iterator[psycopg.Connection[Any]]:
        """The session that is under way, or one for this alone."""
        if self._db is not None:
            yield self._db
            return
        try:
            self._db = databases.opened(self.url, LAYOUT)
            yield self._db
        except psycopg.Error as fault:
            raise databases.unusable(self.place, fault) from None
        finally:
            if self._db is not None:
                self._db.close()
            self._db = None
