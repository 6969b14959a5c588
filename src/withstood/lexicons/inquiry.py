"""What an investigation agrees on beforehand, from data files: the cast table, and the vocabularies."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from withstood.claims.cast import CastTable, Perspective, Profile, QuestionKind, Source, Type
from withstood.claims.inquiry import Agreed
from withstood.claims.vocabulary import Term, Vocabulary
from withstood.lexicons import files

T = TypeVar("T")
FILES = ("inquiry/cast.toml", "inquiry/causes.toml", "inquiry/directions.toml", "inquiry/kin.toml")


@dataclass(frozen=True, slots=True)
class _Named:
    en: str
    ko: str = ""
    cues: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Terms:
    terms: Mapping[str, _Named] = field(default_factory=dict[str, _Named])


@dataclass(frozen=True, slots=True)
class _Perspective:
    name: str
    en: str = ""
    ko: str = ""


@dataclass(frozen=True, slots=True)
class _Type:
    name: str = ""
    reads: tuple[Source, ...] = ()
    needs: tuple[Source, ...] = ()
    perspectives: Mapping[str, _Perspective] = field(default_factory=dict[str, _Perspective])


@dataclass(frozen=True, slots=True)
class _Kind:
    cues: tuple[str, ...]
    cast: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Profile:
    investigators: int
    passes: int
    challengers: tuple[str, ...]
    quick: bool


@dataclass(frozen=True, slots=True)
class _Cast:
    fill: tuple[str, ...] = ()
    types: Mapping[str, _Type] = field(default_factory=dict[str, _Type])
    kinds: Mapping[str, _Kind] = field(default_factory=dict[str, _Kind])
    profiles: Mapping[str, _Profile] = field(default_factory=dict[str, _Profile])


@functools.lru_cache(maxsize=16)
def agreed(extra: Path | None = None) -> Agreed:
    """Ours, and what the user's folder `extra` adds to it."""
    return Agreed(
        _cast(extra), _vocabulary("inquiry/causes.toml", extra), _vocabulary("inquiry/directions.toml", extra)
    )


def _vocabulary(name: str, extra: Path | None) -> Vocabulary:
    found = _merged([part.terms for part in files.stack(name, _Terms, extra)])
    return Vocabulary(tuple([Term(id, {"en": one.en, "ko": one.ko or one.en}, one.cues) for id, one in found.items()]))


def _cast(extra: Path | None) -> CastTable:
    parts = files.stack("inquiry/cast.toml", _Cast, extra)
    types: dict[str, _Type] = {}
    for part in parts:
        for prefix, one in part.types.items():
            types[prefix] = _widened(types.get(prefix, _Type()), one)
    return CastTable(
        types=tuple([_type(prefix, one) for prefix, one in types.items()]),
        kinds=tuple(
            [QuestionKind(name, one.cues, one.cast) for name, one in _merged([part.kinds for part in parts]).items()]
        ),
        fill=next(part.fill for part in reversed(parts) if part.fill),
        profiles=tuple(
            [
                Profile(name, one.investigators, one.passes, one.challengers, one.quick)
                for name, one in _merged([part.profiles for part in parts]).items()
            ]
        ),
    )


def _merged(parts: list[Mapping[str, T]]) -> dict[str, T]:
    """Later parts stand instead of earlier ones of the same name, in its place."""
    found: dict[str, T] = {}
    for part in parts:
        found |= part
    return found


def _widened(ours: _Type, theirs: _Type) -> _Type:
    return _Type(
        theirs.name or ours.name,
        theirs.reads or ours.reads,
        theirs.needs or ours.needs,
        {**ours.perspectives, **theirs.perspectives},
    )


def _type(prefix: str, one: _Type) -> Type:
    perspectives = [
        Perspective(id, said.name, {"en": said.en, "ko": said.ko or said.en}) for id, said in one.perspectives.items()
    ]
    return Type(prefix, one.name, one.reads, one.needs, tuple(perspectives))
