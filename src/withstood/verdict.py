"""What a table decides, and what a protocol ends with."""

from __future__ import annotations

from dataclasses import dataclass, field

from withstood.form import Json

NOTHING_TO_ASK = "nothing was flagged"
"""Why a seat was not asked, where there was nothing to ask it. It is a saving, not an absence."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """One row of one published table fired: what came out, which row, which reason code."""

    outcome: str
    row: str
    because: str = ""


@dataclass(frozen=True, slots=True)
class MinorityOpinion:
    """What a voter said that did not carry. It is always kept."""

    voter: str
    said: str
    because: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """A ruling in its place: the table and the item it was made on, what it looked at, who dissented."""

    table: str
    item: str
    ruling: Ruling
    on: tuple[str, ...] = ()
    minority: tuple[MinorityOpinion, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """The end of a flow: the result as it is written out, every step that led to it, and what may be learned from it
    (the lesson, in a form of its protocol)."""

    result: dict[str, Json] = field(default_factory=dict[str, Json])
    path: tuple[Step, ...] = ()
    lesson: Json = None
