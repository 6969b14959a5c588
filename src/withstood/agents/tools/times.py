"""Times in requests and results: UTC, as 2026-11-19 01:02:03."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from withstood.agents.tools.answering import Refused
from withstood.form import shown
from withstood.sources.stamps import Clock, find

_SINCE = datetime(1970, 1, 1, tzinfo=UTC)


def moment(said: str, name: str) -> int | None:
    """Milliseconds since 1970; a day alone begins at midnight."""
    if not said.strip():
        return None
    plain = said.strip()
    found = find(plain, Clock()) or find(f"{plain} 00:00:00", Clock()) or find(f"{plain}:00", Clock())
    if found is None:
        raise Refused(f"wanted {name} as 2026-11-19 01:02:03 (UTC), found {shown(said)}")
    return found.when


def stamp(when: int | None) -> str:
    if when is None:
        return "no time"
    return (_SINCE + timedelta(milliseconds=when)).strftime("%Y-%m-%d %H:%M:%S")
