"""Marking: what is right of one case, as three counts that can be added up.

A run of sentiment is marked by labels, as pairs that are true, false and missed; any other by an answer key, as
headlines that are right and wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from withstood import form
from withstood.errors import InputError
from withstood.form import Json
from withstood.jobs import kinds
from withstood.jobs.answer_key import AnswerKey
from withstood.jobs.decided import said
from withstood.jobs.gold import Gold
from withstood.jobs.header import Header
from withstood.measures.measure import f1, ratio
from withstood.measures.pairs import hits, measurable
from withstood.report import lines

Counts = tuple[int, int, int]


class Marks(Protocol):
    """`measure` says what the counts come to; `matched` counts the cases that something is known of."""

    @property
    def measure(self) -> str: ...
    @property
    def matched(self) -> int: ...
    def of(self, case: Any, result: Mapping[str, Json]) -> Counts: ...


def marking(known: Header, gold: Path, layout: str | None = None) -> Marks:
    if known.job == "sentiment":
        return _ByLabels(gold, layout)
    return _ByKey(AnswerKey(gold), kinds.of(known).headline)


class _ByLabels:
    def __init__(self, path: Path, layout: str | None) -> None:
        self._gold = Gold(path, layout)
        measured = measurable(self._gold.knowledge)
        if not measured:
            raise InputError(f"{path} has no labels that a run of sentiment can be measured by.")
        self._kind = measured[0]
        self._known: dict[int, Any] = {}

    @property
    def measure(self) -> str:
        return f"F1 {self._kind}"

    @property
    def matched(self) -> int:
        return self._gold.matched

    def of(self, case: Any, result: Mapping[str, Json]) -> Counts:
        if case.no not in self._known:
            self._known = {case.no: self._gold.of(case.id, str(result.get("text_hash")))}
        golden = self._known[case.no]
        if golden is None:
            return 0, 0, 0
        found = hits(self._kind, said(lines.read(result).final), golden.labels)
        return found.tp, found.fp, found.fn


class _ByKey:
    measure = "accuracy"

    def __init__(self, key: AnswerKey, headline: Callable[[Mapping[str, Json]], Json]) -> None:
        self._key, self._headline = key, headline

    @property
    def matched(self) -> int:
        return len(self._key.taken)

    def of(self, case: Any, result: Mapping[str, Json]) -> Counts:
        found = self._headline(result)
        right = self._key.headline(case.id, found if isinstance(found, str) else form.dumps(found))
        return (0, 0, 0) if right is None else (int(right), int(not right), 0)


def value(measure: str, counts: Counts) -> float | None:
    """What the counts come to, undefined where there is nothing to divide by."""
    right, wrong, _ = counts
    return ratio((right, right + wrong)) if measure == _ByKey.measure else f1(counts)
