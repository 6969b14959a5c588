"""Which rulebook a run is judged by: a preset or a file, then what the protocol sets, then what the user sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from withstood.errors import UsageError
from withstood.jobs import header as headers
from withstood.jobs import recorded, rulebook_file
from withstood.journal.port import Shelf
from withstood.rules.rulebook import PRESETS, Rulebook


def book(preset: str, by_protocol: Mapping[str, str], changes: Mapping[str, str]) -> Rulebook:
    """`preset` is the name of one, or a file that ends in `.toml`; a file goes before what the protocol sets."""
    preset, changes = spelled_out(preset, changes)
    if preset not in PRESETS:
        raise UsageError(
            f"There is no rulebook {preset!r}. There are: {', '.join(PRESETS)}; or name a file that ends in .toml."
        )
    return PRESETS[preset].adjusted(by_protocol).adjusted(changes)


def spelled_out(preset: str, changes: Mapping[str, str]) -> tuple[str, Mapping[str, str]]:
    """The same without a file: the preset that it begins with, and what it and the user set."""
    if not rulebook_file.is_file(preset):
        return preset, changes
    stated = rulebook_file.read(Path(preset))
    return stated.preset, {**stated.settings, **changes}


@dataclass(frozen=True, slots=True)
class Named:
    """A rulebook with what it is called and the hash that it is known by."""

    name: str
    book: Rulebook
    hash: str


async def named(name: str, store: Shelf) -> Named:
    """A preset, a file, or the rulebook of a run."""
    if rulebook_file.is_file(name) or name in PRESETS:
        found = book(name, {}, {})
        return Named(name, found, found.hash)
    entry = await recorded.find(store, name)
    known = headers.read(entry.name, entry.first)
    return Named(f"run {entry.name}", known.rulebook, known.rulebook_hash)
