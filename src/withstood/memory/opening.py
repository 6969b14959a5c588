"""A store of episodes by what a user calls it: a file, or the URL of a PostgreSQL database."""

from __future__ import annotations

from pathlib import Path

from withstood import databases
from withstood.errors import MissingExtra
from withstood.memory.store import EpisodeStore


def episodes(named: str) -> EpisodeStore:
    if not databases.is_url(named):
        return EpisodeStore(Path(named))
    try:
        from withstood.memory.postgres import PostgresEpisodes
    except ModuleNotFoundError:
        raise MissingExtra("Episodes in PostgreSQL", "postgres") from None
    return PostgresEpisodes(named)
