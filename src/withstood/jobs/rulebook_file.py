"""Rulebooks as files: a preset, and what differs from it, section by section. A file says nothing twice.

    preset = "published"
    hash = "…"          # of all that follows; may be left out

    [arbiter]
    edition = "v2"

What the file leaves out is as the preset has it, and as the protocol sets it. A file that says everything, as
`withstood rules new` writes it, has the hash of the rulebook of a run, in this version and in any later one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, cast

from withstood import form
from withstood.errors import ConfigError, Misfit
from withstood.form import Json
from withstood.rules.rulebook import PRESETS, Rulebook

SUFFIX = ".toml"


@dataclass(frozen=True, slots=True)
class Stated:
    """What a file says: the preset that it begins with, and its settings by their full names."""

    preset: str
    settings: Mapping[str, str]

    def book(self, by_protocol: Mapping[str, str]) -> Rulebook:
        return PRESETS[self.preset].adjusted(by_protocol).adjusted(self.settings)


def is_file(name: str) -> bool:
    return name.endswith(SUFFIX)


def read(path: Path) -> Stated:
    """The file, with every setting checked; `ConfigError` names the place of what is wrong."""
    try:
        return parsed(path.read_text("utf-8"))
    except OSError as fault:
        raise ConfigError(f"The rulebook {path} cannot be read: {fault.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise ConfigError(f"The rulebook {path} is not TOML: {fault}.") from None
    except Misfit as fault:
        raise ConfigError(f"The rulebook {path}, {fault}.") from None


def parsed(text: str) -> Stated:
    """What a file says; `Misfit` or `TOMLDecodeError` names what is wrong."""
    return _stated(tomllib.loads(text, parse_float=Decimal))


def _stated(found: Mapping[str, Any]) -> Stated:
    sections = {name: part for name, part in found.items() if name not in ("preset", "hash")}
    preset = found.get("preset", "published")
    if preset not in PRESETS:
        raise Misfit("preset", f"one of {', '.join(PRESETS)}", form.shown(preset))
    stated = Stated(str(preset), dict(_settings(sections)))
    book = stated.book({})
    wanted = found.get("hash")
    if wanted is not None and wanted != (now := _hash(book, sections)):
        raise Misfit("hash", f"{now}, the hash of what the file says", f"{form.shown(wanted)}: the file was changed")
    return stated


def _settings(sections: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    known = {name.partition(".")[0] for name in Rulebook().settings()}
    for section, settings in sections.items():
        if section not in known:
            raise Misfit(section, f"one of the sections {', '.join(sorted(known))}", "an unknown section")
        if not isinstance(settings, dict):
            raise Misfit(section, "a section with settings", form.shown(settings))
        yield from _of_section(section, cast("Mapping[str, Json]", settings))


def _of_section(section: str, settings: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    for name, value in settings.items():
        full = f"{section}.{name}"
        if full not in Rulebook().settings():
            names = [one for one in Rulebook().settings() if one.startswith(f"{section}.")]
            raise Misfit(full, f"one of the settings {', '.join(names)}", "an unknown setting")
        if isinstance(value, bool) or not isinstance(value, str | int | Decimal):
            raise Misfit(full, "a number or a word", form.shown(value))
        yield full, str(value)


def _hash(book: Rulebook, sections: Mapping[str, Any]) -> str:
    """Of the preset and the settings that the file names, in its order, as the journal writes a rulebook."""
    said: dict[str, Any] = {"preset": book.preset}
    for section, settings in sections.items():
        now = form.write(book.section(section))
        said[section] = {name: now[name] for name in settings}
    return form.digest(form.dumps(said))


def written(book: Rulebook, told: str = "") -> str:
    """The whole rulebook as a file."""
    lines = [f"# {told}"] if told else []
    lines += [f'preset = "{book.preset}"', f'hash = "{book.hash}"']
    section = ""
    for name, value in book.settings().items():
        at, _, setting = name.partition(".")
        if at != section:
            section = at
            lines += ["", f"[{section}]"]
        lines.append(f"{setting} = {_toml(value)}")
    return "\n".join(lines) + "\n"


def _toml(value: str) -> str:
    """Numbers as text, so that every digit stays."""
    return form.dumps(value)
