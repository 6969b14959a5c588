"""Casting: who is called to an investigation. First match decides; the kind of question is the one with the most cues,
of equal ones the first, and the first of all where no kind has one.

| row | when | then |
|---|---|---|
| 1 | the user names the cast | those, as named |
| 2 | quick mode | the first of the kind's cast that has its sources |
| 3 | otherwise | as many as wanted, of two types at least: the kind's cast, then those that fill up, where they have their sources |
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Annotated

from withstood.form import Within
from withstood.rules.table import NoNumbers, Table


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of question: how many of its cues stand in the question, and who is called for it."""

    name: str
    cues: int
    cast: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Input:
    """`ready` are the voices whose sources are there."""

    kinds: tuple[Kind, ...]
    ready: tuple[str, ...]
    fill: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    wanted: Annotated[int, Within(1, 20)] = 4
    quick: bool = False


@dataclass(frozen=True, slots=True)
class Output:
    """`without_source` are those that would have been called."""

    kind: str
    cast: tuple[str, ...]
    without_source: tuple[str, ...]
    row: str


def cast(case: Input) -> Output:
    kind = max(case.kinds, key=lambda one: one.cues, default=Kind("", 0, ()))
    if case.named:
        return Output(kind.name, tuple(dict.fromkeys(case.named)), (), "1")
    missing = tuple([voice for voice in kind.cast if voice not in case.ready])
    candidates = _ready((*kind.cast, *case.fill), case.ready)
    if case.quick:
        return Output(kind.name, tuple(candidates[:1]), missing, "2")
    return Output(kind.name, _of_two_types(candidates, case.wanted), missing, "3")


def _ready(voices: Sequence[str], ready: Collection[str]) -> list[str]:
    return [voice for voice in dict.fromkeys(voices) if voice in ready]


def _of_two_types(candidates: Sequence[str], wanted: int) -> tuple[str, ...]:
    """The first so many; where all are of one type, the last gives its place to the first of another."""
    chosen = list(candidates[:wanted])
    types = {_type(voice) for voice in chosen}
    other = next((voice for voice in candidates[wanted:] if _type(voice) not in types), None)
    if len(types) == 1 and len(chosen) > 1 and other is not None:
        chosen[-1] = other
    return tuple(chosen)


def _type(voice: str) -> str:
    return voice.partition("-")[0]


def _decide(case: Input, numbers: NoNumbers) -> Output:
    return cast(case)


TABLE = Table("casting-1", __doc__, Input, Output, _decide, section="none", aliases=("casting",))
