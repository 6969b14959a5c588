"""Connections to PostgreSQL: opened with what durability and lost networks need, explained when they fail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from withstood.errors import ConfigError, MissingExtra, StoreError

if TYPE_CHECKING:
    import psycopg

SCHEMES = ("postgresql://", "postgres://")

DENIED = "42501"
CONNECT_SECONDS = 10
LOST_SECONDS = 30
"""How long a network may be silent before the session counts as lost."""
ALONE = 0x77697468_00000000
"""The number of the lock under which a schema is laid out."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Tables that belong together, and the number of their edition."""

    part: str
    edition: int
    tables: str


def is_url(named: str) -> bool:
    """Whether a store is named as a database of PostgreSQL. Any other URL is no store at all."""
    if named.startswith(SCHEMES):
        return True
    if "://" in named:
        raise ConfigError(
            f"There is no store of the kind {named.partition('://')[0]}://. Name a file, or a database as "
            "postgresql://USER@HOST/NAME."
        )
    return False


def told(named: str) -> str:
    """A store as it may be shown: a file by its name, a database without its password."""
    return place(named) if is_url(named) else named


def opened(url: str, layout: Layout) -> psycopg.Connection[Any]:
    """A session in which every statement is a transaction of its own, and durable when it returns."""
    import psycopg
    from psycopg import conninfo

    db = psycopg.connect(conninfo.make_conninfo(**_settings(url)), autocommit=True)
    try:
        db.execute("SET synchronous_commit = on")
        db.execute("SET client_min_messages = error")
        _lay_out(db, layout, place(url))
    except BaseException:
        db.close()
        raise
    return db


def _settings(url: str) -> dict[str, Any]:
    """What the user says goes before what we would say."""
    ours = {
        "connect_timeout": CONNECT_SECONDS,
        "application_name": "withstood",
        "keepalives_idle": LOST_SECONDS // 3,
        "keepalives_interval": LOST_SECONDS // 6,
        "keepalives_count": 4,
        "tcp_user_timeout": 1000 * LOST_SECONDS,
    }
    return ours | _parsed(url)


def _parsed(url: str) -> dict[str, Any]:
    try:
        import psycopg
        from psycopg import conninfo
    except ModuleNotFoundError:
        raise MissingExtra("A store in PostgreSQL", "postgres") from None
    try:
        return conninfo.conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        raise ConfigError(
            "The URL of the store is none that PostgreSQL takes. Write it as postgresql://USER@HOST:PORT/NAME."
        ) from None


def place(url: str) -> str:
    """The database in words, without its password."""
    parts = _parsed(url)
    port = f":{parts['port']}" if parts.get("port") else ""
    return f"postgresql://{parts.get('host', 'localhost')}{port}/{parts.get('dbname', '')}"


def _lay_out(db: psycopg.Connection[Any], layout: Layout, where: str) -> None:
    with db.transaction():
        db.execute("SELECT pg_advisory_xact_lock(%s)", (ALONE,))
        if _edition(db, layout.part, where) is None:
            db.execute("CREATE SCHEMA IF NOT EXISTS withstood")
            db.execute("CREATE TABLE IF NOT EXISTS withstood.layout (part text PRIMARY KEY, edition integer NOT NULL)")
            db.execute(layout.tables)  # pyright: ignore[reportArgumentType, reportCallIssue]
            db.execute("INSERT INTO withstood.layout VALUES (%s, %s)", (layout.part, layout.edition))
        found = _edition(db, layout.part, where)
    if found != layout.edition:
        raise ConfigError(
            f"{where} has a {layout.part} of layout {found}; this version of withstood reads layout {layout.edition}. "
            "Use the version that wrote it, or name another database with --store."
        )


def _edition(db: psycopg.Connection[Any], part: str, where: str) -> int | None:
    if not _is_there(db, "layout"):
        if _is_there(db, "record"):
            raise ConfigError(f"{where} has a schema withstood that is of something else. Name another database.")
        return None
    found = db.execute("SELECT edition FROM withstood.layout WHERE part = %s", (part,)).fetchone()
    return found[0] if found else None


def _is_there(db: psycopg.Connection[Any], table: str) -> bool:
    return (db.execute("SELECT to_regclass(%s)", (f"withstood.{table}",)).fetchone() or (None,))[0] is not None


def unusable(where: str, fault: psycopg.Error) -> StoreError | ConfigError:
    """What to do about it: the settings are wrong, or a later try may help."""
    said = " ".join(str(fault).split())
    if fault.sqlstate == DENIED:
        return ConfigError(f"The store {where} does not let this user in: {said}. Grant the rights, or name another.")
    return StoreError(
        f"The store {where} cannot be used: {said}. See that the database runs and has room, and go on with --resume, "
        "or name another store with --store."
    )
