"""Cases: one thing to decide, and what is agreed about its language before anybody looks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from withstood.claims.debate import Forum


@dataclass(frozen=True, slots=True)
class Target:
    """An aspect that is given beforehand, so that only its polarity is asked: a term in its place, a ref, or both."""

    aspect_term: str = ""
    aspect_ref: str = ""
    begin: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """One text. `no` is its place in the input, from 1; `line` is where it begins in the file.
    Where `given` names targets, only their polarity is asked. `group` and `time` stand beside the text in the input;
    reports count by them, and nothing is decided by them."""

    no: int
    id: str
    text: str
    language: str
    line: int = 0
    given: tuple[Target, ...] = ()
    group: str = ""
    time: str = ""


Task: TypeAlias = Literal["all", "polarity", "targets"]


@dataclass(frozen=True, slots=True)
class Conventions:
    """What a run agrees on beforehand: the refs that may be used, and the markers of each language.

    All are keyed by language. Markers are plain strings, looked for as they stand in
    the lower-cased text; a marker that must be a word of its own carries its spaces. `task` says what is asked:
    targets and their polarity, the polarity of targets that are given, or targets alone. Only a debate has a `forum`.
    """

    refs: dict[str, tuple[str, ...]]
    negation: dict[str, tuple[str, ...]]
    contrast: dict[str, tuple[str, ...]]
    irony: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    task: Task = "all"
    forum: Forum | None = None
