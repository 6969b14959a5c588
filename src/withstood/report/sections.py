"""Sections: tables of figures that look alike on a terminal and on a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeAlias
from unicodedata import east_asian_width

from withstood import form
from withstood.measures.sheet import Figure
from withstood.report.chart import Chart
from withstood.report.inert import visible

HOW = "In brackets: the 95 percent interval. A difference with * has zero outside of it."


@dataclass(frozen=True, slots=True)
class Gap:
    """A difference between two systems, on the same samples."""

    figure: Figure


Cell: TypeAlias = str | int | Figure | Gap | None


@dataclass(frozen=True, slots=True)
class Section:
    """A table: the first cell of a row names it. Columns without a value in any row are left out."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    how: str = ""

    @property
    def empty(self) -> bool:
        return all(_is_blank(cell) for row in self.rows for cell in row[1:])

    def filled(self) -> Section:
        """Without the columns and rows that say nothing."""
        kept = [no for no in range(len(self.columns)) if no == 0 or not all(_is_blank(row[no]) for row in self.rows)]
        rows = [tuple([row[no] for no in kept]) for row in self.rows if not all(map(_is_blank, row[1:]))]
        return Section(self.title, tuple([self.columns[no] for no in kept]), tuple(rows), self.how)


@dataclass(frozen=True, slots=True)
class Report:
    """Figures as they are told: under a name for files, with what a reader should know, as data, and drawn."""

    name: str
    title: str
    sections: tuple[Section, ...]
    notes: tuple[str, ...]
    data: Mapping[str, Any]
    charts: tuple[Chart, ...] = ()


def _is_blank(cell: Cell) -> bool:
    figure = cell.figure if isinstance(cell, Gap) else cell
    return figure.value is None if isinstance(figure, Figure) else figure is None


def filled(sections: Sequence[Section]) -> list[Section]:
    return [section.filled() for section in sections if not section.empty]


# --- as text -----------------------------------------------------------------------------------


def text(report: Report) -> str:
    """Plain text for a terminal; ends with a new line."""
    head = f"{visible(report.title)}\n{HOW}\n"
    return "\n".join([head, *(_section(section) for section in filled(report.sections))])


def _section(section: Section) -> str:
    rows = [section.columns, *([shown(cell) for cell in row] for row in section.rows)]
    head = [visible(section.title), *([f"  {visible(section.how)}"] if section.how else [])]
    return "\n".join([*head, *(f"  {row}" for row in aligned(rows))]) + "\n"


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows with their cells below each other, two spaces apart."""
    plain = [[visible(cell) for cell in row] for row in rows]
    wide = [max(map(columns, column)) for column in zip(*plain, strict=True)]
    return [
        "  ".join(cell + " " * (width - columns(cell)) for cell, width in zip(row, wide, strict=True)).rstrip()
        for row in plain
    ]


def columns(words: str) -> int:
    """Columns of a terminal: letters of East Asian scripts take two."""
    return sum(2 if east_asian_width(sign) in "WF" else 1 for sign in words)


def shown(cell: Cell) -> str:
    if isinstance(cell, Gap):
        return _gap(cell.figure)
    if isinstance(cell, Figure):
        return _figure(cell)
    return "" if cell is None else f"{cell:,}" if isinstance(cell, int) else cell


def _figure(figure: Figure) -> str:
    if figure.value is None:
        return ""
    return number(figure.value) + _between(figure, "")


def _gap(figure: Figure) -> str:
    if figure.value is None:
        return ""
    return number(figure.value, "+") + _between(figure, "+") + ("*" if figure.sure else "")


def _between(figure: Figure, sign: str) -> str:
    if figure.low is None or figure.high is None:
        return ""
    return f" [{number(figure.low, sign)}, {number(figure.high, sign)}]"


def number(value: Decimal, sign: str = "") -> str:
    """Three places; whole numbers of more than one as they are."""
    if abs(value) > 1 and value == value.to_integral_value():
        return f"{value:{sign},.0f}"
    plain = f"{value:{sign}.3f}"
    return plain.replace("-0.000", "+0.000" if sign else "0.000") if plain == "-0.000" else plain


# --- as data -----------------------------------------------------------------------------------


def data(figure: Figure) -> Mapping[str, Any]:
    """As JSON numbers, null where it is undefined."""
    parts = {"value": figure.value, "low": figure.low, "high": figure.high}
    return {name: None if part is None else form.plain_number(part) for name, part in parts.items()}
