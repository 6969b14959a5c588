"""The lines of a store: an episode, or the tombstone of one that was revoked. Read at the door, with the place of every
fault."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from withstood import form
from withstood.claims.episode import Episode, EpisodeId, Provenance
from withstood.errors import ConfigError, InputError, Misfit
from withstood.rules import memory_forbidden

VERSION = "1.1"


@dataclass(frozen=True, slots=True)
class Revocation:
    timestamp: str
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """What is left of a revoked episode: its number and where it came from."""

    schema_version: Literal["1.1"] = "1.1"
    episode_id: EpisodeId
    provenance: Provenance
    revoked: Revocation


Entry: TypeAlias = Episode | Tombstone


@dataclass(frozen=True, slots=True)
class Contents:
    """What a store holds, and the lines as they stand there. `torn` says what was torn and is left out."""

    entries: tuple[Entry, ...] = ()
    lines: tuple[str, ...] = ()
    torn: str | None = None

    @property
    def episodes(self) -> tuple[Episode, ...]:
        return tuple(entry for entry in self.entries if isinstance(entry, Episode))

    @property
    def last(self) -> int:
        """The highest number that was given."""
        return max((number(entry.episode_id) for entry in self.entries), default=0)


def number(episode_id: str) -> int:
    return int(episode_id.removeprefix("epi_"))


def line(entry: Entry) -> str:
    """The entry as it is kept; a `Misfit` where it has a field that no episode may carry."""
    for place in memory_forbidden.places(form.write(entry)):
        raise _forbidden(place)
    return form.line(entry)


def read(place: str, raw: bytes) -> Contents:
    """All lines of a file. A last line that was torn is left out and reported; any other fault is an error."""
    entries: dict[str, Entry] = {}
    lines, torn = list[str](), None
    told = raw.split(b"\n")
    for no, text in enumerate(told, start=1):
        if not text.strip():
            continue
        value = _json(place, no, text, last=no == len(told))
        if value is None:
            torn = f"{place}: the last line ({no}) was torn and is left out"
            continue
        entry = _entry(place, no, value)
        if entry.episode_id in entries:
            raise _at(place, no, Misfit("episode_id", "a number that stands once", f"{entry.episode_id} again"))
        entries[entry.episode_id] = entry
        lines.append(text.decode().strip())
    return Contents(tuple(entries.values()), tuple(lines), torn)


def _json(place: str, no: int, text: bytes, *, last: bool) -> dict[str, Any] | None:
    """The object of a line; None where it is the last one and was torn."""
    try:
        value: Any = form.loads(text)
    except Misfit as fault:
        if last:
            return None
        raise _at(place, no, fault) from None
    if not isinstance(value, dict):
        raise _at(place, no, Misfit("", "an episode", form.shown(value)))
    return value


def _entry(place: str, no: int, value: dict[str, Any]) -> Entry:
    version = value.get("schema_version", VERSION)
    if str(version) != VERSION:
        raise ConfigError(
            f"{place}, line {no}: an episode of version {form.shown(version)}; this version of withstood reads "
            f"{VERSION}. Use what wrote it, or name another store with --memory-store."
        )
    try:
        for forbidden in memory_forbidden.places(value):
            raise _forbidden(forbidden)
        return form.read(Tombstone if "revoked" in value else Episode, _without_empty(value) | _SAME_VERSION)
    except Misfit as fault:
        raise _at(place, no, fault) from None


_SAME_VERSION = {"schema_version": VERSION}


def _forbidden(place: memory_forbidden.Place) -> Misfit:
    return Misfit(
        place.at, "no such field in an episode", f"one that is not empty (memory-forbidden-1, row {place.row})"
    )


def _without_empty(value: Any) -> Any:
    """The same without the forbidden fields, which carry nothing by now."""
    if isinstance(value, dict):
        return {name: _without_empty(part) for name, part in value.items() if name not in memory_forbidden.ROWS}
    return [_without_empty(part) for part in value] if isinstance(value, list) else value


def _at(place: str, no: int, fault: Misfit) -> InputError:
    return InputError(f"{place}, line {no}: {fault}. Correct the line or take it out, or name another store.")
