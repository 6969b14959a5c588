"""Sections as one HTML file that needs nothing else. Each figure has its interval drawn beside it, on the scale of its
column; the drawing is inline SVG made here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from withstood.measures.sheet import Figure
from withstood.report import chart_picture
from withstood.report.page import template
from withstood.report.sections import HOW, Cell, Gap, Report, Section, filled, shown

_WIDE = 100


@dataclass(frozen=True, slots=True)
class Plot:
    """A value with its interval, from 0 to 100 across. `zero` is where zero is, for differences."""

    told: str
    at: str
    low: str | None
    high: str | None
    zero: str | None
    gap: bool
    sure: bool
    worse: bool


@dataclass(frozen=True, slots=True)
class Shown:
    told: str
    plot: Plot | None = None


@dataclass(frozen=True, slots=True)
class Drawn:
    """A section whose figures are drawn. `plotted` says which columns have a drawing."""

    title: str
    how: str
    columns: tuple[str, ...]
    plotted: tuple[bool, ...]
    rows: tuple[tuple[Shown, ...], ...]


def render(report: Report) -> str:
    drawn = [_drawn(section) for section in filled(report.sections)]
    page = template("figures.html.j2")
    charts = [chart_picture.drawing(one) for one in report.charts]
    return page.render(title=report.title, sections=drawn, notes=report.notes, kicker=HOW, charts=charts, alone=False)


def _drawn(section: Section) -> Drawn:
    scales = [_scale([row[no] for row in section.rows]) for no in range(len(section.columns))]
    rows = [
        tuple([Shown(shown(cell), _plot(cell, scale)) for cell, scale in zip(row, scales, strict=True)])
        for row in section.rows
    ]
    return Drawn(
        section.title, section.how, section.columns, tuple([scale is not None for scale in scales]), tuple(rows)
    )


def _scale(cells: Sequence[Cell]) -> tuple[Decimal, Decimal] | None:
    """What a column reaches over: differences as far to the left of zero as to the right; shares from 0 to 1. A column
    in which nothing has an interval, or whose figures are counts, has none."""
    figures = [found for cell in cells if (found := _figure(cell)) is not None and found.low is not None]
    ends = [abs(end) for one in figures for end in (one.low, one.high) if end is not None]
    if not ends:
        return None
    if any(isinstance(cell, Gap) for cell in cells):
        reach = max(*ends, Decimal("0.01"))
        return -reach, reach
    return (Decimal(0), Decimal(1)) if max(ends) <= 1 else None


def _figure(cell: Cell) -> Figure | None:
    figure = cell.figure if isinstance(cell, Gap) else cell
    return figure if isinstance(figure, Figure) and figure.value is not None else None


def _plot(cell: Cell, scale: tuple[Decimal, Decimal] | None) -> Plot | None:
    figure, gap = _figure(cell), isinstance(cell, Gap)
    if figure is None or figure.value is None or scale is None:
        return None
    low, high = (None if end is None else _at(end, scale) for end in (figure.low, figure.high))
    zero = _at(Decimal(0), scale) if gap else None
    return Plot(shown(cell), _at(figure.value, scale), low, high, zero, gap, gap and figure.sure, figure.value < 0)


def _at(value: Decimal, scale: tuple[Decimal, Decimal]) -> str:
    low, high = scale
    inside = min(max(value, low), high)
    return f"{_WIDE * (inside - low) / (high - low):.1f}"
