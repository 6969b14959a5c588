"""A sweep as a table and as curves: how many verdicts move from point to point, and how well they do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from withstood.errors import Misfit
from withstood.form import loads
from withstood.measures.sheet import PLACES, Figure
from withstood.report.chart import Chart, Curve
from withstood.report.sections import Cell, Report, Section

HOW = "Changed: cases whose result is not the recorded one. Open: cases that would ask something nobody has answered."


@dataclass(frozen=True, slots=True)
class Point:
    """One point: the value of each setting, and what the run came to there. `marked` is what gold makes of it."""

    values: tuple[str, ...]
    decided: int
    changed: int
    open: int
    answers: int
    headlines: Mapping[str, int]
    moves: Mapping[str, int]
    marked: float | None


@dataclass(frozen=True, slots=True)
class Sweep:
    run: str
    settings: tuple[str, ...]
    cases: int
    measure: str
    matched: int
    points: tuple[Point, ...]


def report(found: Sweep) -> Report:
    return Report("sweep", _title(found), tuple(_sections(found)), _notes(found), _data(found), tuple(_charts(found)))


def _title(found: Sweep) -> str:
    cases = f"{found.cases:,} case{'' if found.cases == 1 else 's'}"
    return f"Sweep of {found.run} over {', '.join(found.settings)}: {len(found.points):,} points, {cases}"


def _notes(found: Sweep) -> tuple[str, ...]:
    answers = sum(point.answers for point in found.points)
    open_ = f"{answers:,} answers were never given, and none was invented: those cases are open." if answers else ""
    matched = f"{found.measure} of {found.matched:,} cases that the gold knows." if found.measure else ""
    return tuple([note for note in (matched, open_) if note])


def _sections(found: Sweep) -> Iterator[Section]:
    headlines = sorted({name for point in found.points for name in point.headlines})
    columns = ("point", "changed", "open", *([found.measure] if found.measure else []), *headlines)
    yield Section("At each point", columns, tuple([_row(found, point, headlines) for point in found.points]), HOW)
    moves = sorted({move for point in found.points for move in point.moves})
    if moves:
        rows = [(_name(found, point), *[point.moves.get(move) for move in moves]) for point in found.points]
        yield Section("Headlines that are not as recorded", ("point", *moves), tuple(rows))


def _row(found: Sweep, point: Point, headlines: Sequence[str]) -> tuple[Cell, ...]:
    marked = [_figure(point.marked)] if found.measure else []
    counts = [point.headlines.get(name, 0) for name in headlines]
    return (_name(found, point), point.changed, point.open, *marked, *counts)


def _name(found: Sweep, point: Point) -> str:
    return " ".join(f"{name}={value}" for name, value in zip(found.settings, point.values, strict=True))


def _figure(value: float | None) -> Figure:
    return Figure(None if value is None else Decimal(value).quantize(PLACES))


# --- curves ------------------------------------------------------------------------------------


def _charts(found: Sweep) -> Iterator[Chart]:
    """Over the first setting that has numbers; a curve for each combination of the others."""
    axis = next((no for no, _ in enumerate(found.settings) if _numbers(found, no)), None)
    if axis is None:
        return
    across = found.settings[axis]
    changed = [(point, _share(point.changed, point.decided)) for point in found.points if point.decided]
    yield Chart("verdicts changed", across, "share of cases changed", _curves(found, axis, changed), low=Decimal(0))
    marked = [(point, Decimal(point.marked).quantize(PLACES)) for point in found.points if point.marked is not None]
    if marked:
        yield Chart(f"{found.measure} by {across}", across, found.measure, _curves(found, axis, marked))


def _numbers(found: Sweep, axis: int) -> bool:
    values = {point.values[axis] for point in found.points}
    return len(values) > 1 and all(_number(value) is not None for value in sorted(values))


def _number(value: str) -> Decimal | None:
    try:
        number = loads(value)
    except Misfit:
        return None
    return Decimal(number) if isinstance(number, int | Decimal) and not isinstance(number, bool) else None


def _share(part: int, whole: int) -> Decimal:
    return (Decimal(part) / whole).quantize(PLACES)


def _curves(found: Sweep, axis: int, values: Sequence[tuple[Point, Decimal]]) -> tuple[Curve, ...]:
    lines: dict[str, list[tuple[Decimal, Decimal]]] = {}
    for point, value in values:
        others = [
            f"{name}={there}"
            for no, (name, there) in enumerate(zip(found.settings, point.values, strict=True))
            if no != axis
        ]
        lines.setdefault(" ".join(others) or found.settings[axis], []).append((_at(point, axis), value))
    return tuple([Curve(name, tuple(sorted(line))) for name, line in lines.items()])


def _at(point: Point, axis: int) -> Decimal:
    return _number(point.values[axis]) or Decimal(0)


# --- data --------------------------------------------------------------------------------------


def _data(found: Sweep) -> Mapping[str, Any]:
    return {
        "run": found.run,
        "cases": found.cases,
        "measure": found.measure or None,
        "matched": found.matched,
        "points": [
            {
                "settings": dict(zip(found.settings, point.values, strict=True)),
                "decided": point.decided,
                "changed": point.changed,
                "open": point.open,
                "answers_needed": point.answers,
                "headlines": point.headlines,
                "moves": point.moves,
                "value": None if point.marked is None else Decimal(point.marked).quantize(PLACES),
            }
            for point in found.points
        ],
    }
