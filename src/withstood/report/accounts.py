"""What happened to each tuple of a text: who found it, what was ruled on it, what became of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeAlias

from withstood.report.lines import Conflict, Line, Opinion
from withstood.verdict import Step

Fate: TypeAlias = Literal["kept", "changed", "marked", "dropped", "added"]
Stands: TypeAlias = Literal["in_text", "implicit", "not_in_text"]
RowTexts: TypeAlias = Mapping[tuple[str, str], str]


@dataclass(frozen=True, slots=True)
class Account:
    """A tuple's way from the reader that found it to the end. `final` is None where it was dropped; `late` is one that
    only the review brought in."""

    found: Opinion
    final: Opinion | None
    conflicts: tuple[Conflict, ...]
    steps: tuple[Step, ...]
    late: bool = False

    @property
    def fate(self) -> Fate:
        if self.late:
            return "added"
        if self.final is None:
            return "dropped"
        if self.final.polarity != self.found.polarity:
            return "changed"
        return "marked" if self.final.flag else "kept"

    @property
    def stands(self) -> Stands:
        if not self.found.aspect_term.strip():
            return "implicit"
        return "not_in_text" if self.found.begin is None or self.found.end is None else "in_text"


def accounts(line: Line, path: Sequence[Step]) -> tuple[Account, ...]:
    """One for each tuple that was found, in order, then one for each that was added."""
    final = {opinion.tuple_id: opinion for opinion in line.final}
    early = {opinion.tuple_id for opinion in line.stage1 or line.final}
    return tuple(
        [
            Account(
                found,
                final.get(found.tuple_id),
                tuple([conflict for conflict in line.flags if found.tuple_id in conflict.tuple_ids]),
                tuple([step for step in path if found.tuple_id in _items(step)]),
                late=found.tuple_id not in early,
            )
            for found in _all(line)
        ]
    )


def _all(line: Line) -> tuple[Opinion, ...]:
    known = {opinion.tuple_id for opinion in line.stage1}
    return (*line.stage1, *[opinion for opinion in line.final if opinion.tuple_id not in known])


def about_the_whole(line: Line, path: Sequence[Step]) -> tuple[Step, ...]:
    """The steps that are on no tuple of the text."""
    known = {opinion.tuple_id for opinion in _all(line)}
    return tuple([step for step in path if known.isdisjoint(_items(step))])


def _items(step: Step) -> list[str]:
    return step.item.split(",")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the text with the tuples whose term it belongs to."""

    text: str
    tuples: tuple[str, ...] = ()
    polarity: str = ""


def pieces(text: str, line: Line) -> tuple[Piece, ...]:
    """The text, cut where a tuple's term begins or ends. Offsets that do not fit the text mark nothing."""
    final = {opinion.tuple_id: opinion for opinion in line.final}
    marks = [
        (opinion.begin, opinion.end, opinion)
        for opinion in line.stage1 or line.final
        if opinion.begin is not None and opinion.end is not None and 0 <= opinion.begin < opinion.end <= len(text)
    ]
    cuts = sorted({0, len(text), *(begin for begin, _, _ in marks), *(end for _, end, _ in marks)})
    return tuple(
        [
            _piece(text[start:stop], [one for begin, end, one in marks if begin <= start and stop <= end], final)
            for start, stop in pairwise(cuts)
        ]
    )


def _piece(text: str, marked: Sequence[Opinion], final: Mapping[str, Opinion]) -> Piece:
    left = [final[one.tuple_id].polarity for one in marked if one.tuple_id in final]
    polarity = "" if not marked else "dropped" if not left else left[0] if len(set(left)) == 1 else "mixed"
    return Piece(text, tuple([one.tuple_id for one in marked]), polarity)
