"""The data files: ours, and beside them those of a directory that the user gives.

A file of the same name there adds to ours. With `replace = true` on top it stands instead of ours. A list may be
written as a TOML list, or as one text with commas between the entries.
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from withstood import form
from withstood.errors import ConfigError

T = TypeVar("T")
OURS = Path(__file__).parent / "data"


def stack(name: str, wanted: type[T], extra: Path | None) -> tuple[T, ...]:
    """The file of this name as ours and as the user's, in this order; only the user's where that replaces ours."""
    ours = OURS / name
    theirs = extra / name if extra is not None else None
    if theirs is None or not theirs.exists():
        return (read(ours, wanted)[0],) if ours.exists() else ()
    found, replaces = read(theirs, wanted)
    return (found,) if replaces or not ours.exists() else (read(ours, wanted)[0], found)


def read(path: Path, wanted: type[T]) -> tuple[T, bool]:
    """One file as a `wanted`, and whether it replaces ours; a `ConfigError` names the file and the key."""
    table = _toml(path)
    replaces = table.pop("replace", False)
    try:
        if not isinstance(replaces, bool):
            raise form.Misfit("replace", "true or false", form.shown(replaces))
        return form.read(wanted, _listed(table, wanted)), replaces
    except form.Misfit as fault:
        raise ConfigError(
            f"{path}: at {fault.at}: wanted {fault.wanted}, found {fault.found}. Correct it, or take the file out."
        ) from None


def check(extra: Path | None, known: Iterator[str] | tuple[str, ...]) -> None:
    """A directory that is not there, and a data file that nobody would read, are a `ConfigError`."""
    if extra is None:
        return
    if not extra.is_dir():
        raise ConfigError(f"{extra}: wanted a directory with data files, found none. Name one that is there.")
    wanted = set(known)
    for path in sorted(extra.glob("*/*.toml")) + sorted(extra.glob("*.toml")):
        name = path.relative_to(extra).as_posix()
        if name not in wanted and path.parent.name != "taxonomies":
            raise ConfigError(
                f"{path}: wanted one of {', '.join(sorted(wanted))} or taxonomies/NAME.toml, found {name}. Rename it."
            )


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"), parse_float=Decimal)
    except tomllib.TOMLDecodeError as fault:
        raise ConfigError(f"{path}: wanted TOML, found a fault: {fault}. Correct it there.") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: wanted text in UTF-8, found other bytes. Save the file as UTF-8.") from None
    except OSError as fault:
        raise ConfigError(
            f"{path}: wanted a file to read, found: {fault.strerror}. Name one that can be read."
        ) from None


def _listed(value: Any, wanted: Any) -> Any:
    """The same data, with every text that stands where a list is wanted taken apart at its commas and line ends."""
    parts: tuple[Any, ...] = get_args(wanted)
    if get_origin(wanted) is tuple:
        if isinstance(value, str):
            return [entry for line in value.splitlines() for entry in map(str.strip, line.split(",")) if entry]
        return [_listed(item, parts[0]) for item in value] if isinstance(value, list) else value
    if dataclasses.is_dataclass(wanted) and isinstance(value, dict):
        hints = get_type_hints(wanted)
        return {name: _listed(part, hints.get(name)) for name, part in value.items()}
    if len(parts) == 2 and isinstance(value, dict):
        return {name: _listed(part, parts[1]) for name, part in value.items()}
    return value
