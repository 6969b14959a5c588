"""What a run would have come to without its parts, as a table and as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from withstood.measures.sheet import PLACES, Figure
from withstood.report.sections import Cell, Report, Section

HOW = "Of the cases that have the part. Open: a question would have been another, or nobody was asked it."


@dataclass(frozen=True, slots=True)
class Without:
    """One part. `there` counts the cases that have it; `marked` is what gold makes of the run without it."""

    part: str
    there: int
    changed: int
    headlines: int
    open: int
    moves: Mapping[str, int]
    marked: float | None


@dataclass(frozen=True, slots=True)
class Parted:
    run: str
    cases: int
    measure: str
    own: float | None
    parts: tuple[Without, ...]


def report(found: Parted) -> Report:
    columns = ("", "cases", "results changed", "headlines changed", "open", found.measure or "gold")
    own: tuple[Cell, ...] = ("the run itself", found.cases, None, None, None, _figure(found.own))
    rows: list[tuple[Cell, ...]] = [
        (one.part, one.there, one.changed, one.headlines, one.open, _figure(one.marked)) for one in found.parts
    ]
    moves: list[tuple[Cell, ...]] = [
        (one.part, ", ".join(f"{move} ({count:,})" for move, count in sorted(one.moves.items())))
        for one in found.parts
        if one.moves
    ]
    sections = (
        Section("Without each part", columns, (own, *rows), HOW),
        Section("Headlines that would have been others", ("", "then → now"), tuple(moves)),
    )
    title = f"Parts of {found.run}: {found.cases:,} case{'' if found.cases == 1 else 's'}"
    return Report("parts", title, sections, (), _data(found))


def _figure(value: float | None) -> Figure | None:
    return None if value is None else Figure(Decimal(value).quantize(PLACES))


def _data(found: Parted) -> Mapping[str, Any]:
    return {
        "run": found.run,
        "cases": found.cases,
        "measure": found.measure or None,
        "value": None if found.own is None else Decimal(found.own).quantize(PLACES),
        "parts": [
            {
                "part": one.part,
                "cases": one.there,
                "changed": one.changed,
                "headlines_changed": one.headlines,
                "open": one.open,
                "moves": one.moves,
                "value": None if one.marked is None else Decimal(one.marked).quantize(PLACES),
            }
            for one in found.parts
        ],
    }
