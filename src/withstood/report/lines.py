"""A line of results, typed, as reports read it. What a report does not know is passed over."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from withstood import form
from withstood.form import Json
from withstood.verdict import NOTHING_TO_ASK

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Opinion:
    """A tuple: `begin` is None where its term does not stand in the text, an implicit aspect has no term."""

    tuple_id: str = ""
    aspect_term: str = ""
    aspect_ref: str = ""
    polarity: str = "neutral"
    begin: int | None = None
    end: int | None = None
    opinion_term: str | None = None
    evidence: str | None = None
    evidence_found: bool | None = None
    confidence: object = None
    origin: str = ""
    flag: str | None = None

    @property
    def sure(self) -> str:
        return plain(self.confidence)

    @property
    def name(self) -> str:
        """Its term, else its ref."""
        return self.aspect_term or self.aspect_ref


@dataclass(frozen=True, slots=True)
class Conflict:
    conflict_type: str
    aspect_ref: str = ""
    aspect_term: str = ""
    tuple_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Acted:
    tuple_id: str
    action: str
    reason_code: str = ""
    row: str = ""


@dataclass(frozen=True, slots=True)
class Absence:
    """A seat without an answer: it failed, or there was nothing to ask it."""

    role: str = ""
    why: str = ""

    @property
    def saved(self) -> bool:
        return self.why == NOTHING_TO_ASK


@dataclass(frozen=True, slots=True)
class Fault:
    code: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """All that reports show of one text. `label` is None where nobody answered; a row that was refused has `error`."""

    id: str
    label: str | None = None
    confidence: object = None
    rationale: str = ""
    stage1: tuple[Opinion, ...] = ()
    flags: tuple[Conflict, ...] = ()
    actions: tuple[Acted, ...] = ()
    final: tuple[Opinion, ...] = ()
    asks: int = 0
    skipped: tuple[Absence, ...] = ()
    error: Fault | None = None


def read(result: Mapping[str, Json]) -> Line:
    """The line of a result. A field of another kind than the specification's is a `form.Misfit`."""
    parts: dict[str, Json] = {name: result[name] for name in _PLAIN if result.get(name) is not None}
    error = result.get("error")
    return dataclasses.replace(
        form.read(Line, {"id": plain(result.get("id"))} | parts),
        confidence=result.get("confidence"),
        stage1=_each(Opinion, result.get("stage1")),
        flags=_each(Conflict, result.get("flags")),
        actions=_each(Acted, result.get("actions")),
        final=_each(Opinion, result.get("final")),
        skipped=_each(Absence, result.get("skipped")),
        error=_known(Fault, error) if isinstance(error, Mapping) else None,
    )


def final(result: Mapping[str, Json]) -> tuple[Opinion, ...]:
    """The final tuples of a result alone."""
    return _each(Opinion, result.get("final"))


_PLAIN = ("label", "rationale", "asks")


def _each(kind: type[T], value: Json) -> tuple[T, ...]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        return ()
    return tuple([_known(kind, item) for item in value if isinstance(item, Mapping)])


def _known(kind: type[T], value: Mapping[str, Json]) -> T:
    names = _names(kind)
    return form.read(kind, {name: part for name, part in value.items() if name in names})


@cache
def _names(kind: type) -> frozenset[str]:
    return frozenset(field.name for field in dataclasses.fields(kind))


def plain(value: object) -> str:
    """A number or a word as it is written, nothing for none."""
    return "" if value is None else str(value)
