"""A store by what a user calls it: a file, or the URL of a PostgreSQL database."""

from __future__ import annotations

from pathlib import Path

from withstood import databases
from withstood.errors import MissingExtra
from withstood.journal.port import Store


def store(named: str) -> Store:
    """Nothing is opened yet: the first use does that, and says what is wrong."""
    if not databases.is_url(named):
        from withstood.journal.sqlite import SqliteStore

        return SqliteStore(Path(named))
    try:
        from withstood.journal.postgres import PostgresStore
    except ModuleNotFoundError:
        raise MissingExtra("A store in PostgreSQL", "postgres") from None
    return PostgresStore(named)
