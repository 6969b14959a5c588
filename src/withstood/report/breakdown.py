"""Opinions on each aspect by group or over time, in bounded memory."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from withstood.report.counts import Counts

MOST_COLUMNS = 12
"""So many months are shown as months; more are shown as years."""

_YEAR_FIRST = re.compile(r"(\d{4})\s?[-./년]\s?(\d{1,2})(?!\d)")
_COMPACT = re.compile(r"(\d{4})(\d{2})\d{2}(?!\d)")
_YEAR_LAST = re.compile(r"\d{1,2}[-./]\d{1,2}[-./](\d{4})(?!\d)")


def period(time: str) -> str:
    """The month of a date that begins with its year, the year of one that ends with it (which of the others is the
    month nobody can tell), and anything else as it stands."""
    plain = time.strip()
    found = _YEAR_FIRST.match(plain) or _COMPACT.match(plain)
    if found and 1 <= int(found[2]) <= 12:
        return f"{found[1]}-{int(found[2]):02d}"
    last = _YEAR_LAST.match(plain)
    return last[1] if last else plain


@dataclass(frozen=True, slots=True)
class Square:
    """Opinions on one aspect in one column: how many of each polarity."""

    column: str
    parts: tuple[tuple[str, int], ...]

    @property
    def total(self) -> int:
        return sum(count for _, count in self.parts)


class Breakdown:
    """`add` the opinions of one text under its group or period; `rows` reads them off."""

    def __init__(self, most: int = 6000) -> None:
        self._cells = Counts[tuple[str, str, str]](most)
        self._columns = Counts[str](500)

    def add(self, column: str, opinions: Iterable[tuple[str, str]]) -> None:
        """`opinions` are pairs of aspect and polarity, each once."""
        self._columns.add(column)
        for aspect, polarity in opinions:
            self._cells.add((column, aspect, polarity))

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def short_by(self) -> int:
        """So many at most are lacking in any count."""
        return self._cells.short_by

    def columns(self) -> list[str]:
        """The most frequent, the most frequent first."""
        return [name for name, _ in self._columns.items()[:MOST_COLUMNS]]

    @property
    def hidden(self) -> int:
        """Columns that are not shown."""
        return max(0, len(self._columns) - MOST_COLUMNS)

    def row(self, aspect: str, polarities: Iterable[str]) -> list[Square]:
        return [
            Square(column, tuple([(one, self._cells[column, aspect, one]) for one in polarities]))
            for column in self.columns()
        ]


class Periods(Breakdown):
    """The same over time: in the order of time, by month, or by year where there are many months."""

    def add(self, column: str, opinions: Iterable[tuple[str, str]]) -> None:
        super().add(period(column), opinions)

    def columns(self) -> list[str]:
        return sorted(self._spans())[-MOST_COLUMNS:]

    @property
    def hidden(self) -> int:
        return max(0, len(self._spans()) - MOST_COLUMNS)

    def row(self, aspect: str, polarities: Iterable[str]) -> list[Square]:
        spans, wanted = self._spans(), list(polarities)
        return [
            Square(span, tuple([(one, sum(self._cells[name, aspect, one] for name in spans[span])) for one in wanted]))
            for span in self.columns()
        ]

    def _spans(self) -> dict[str, list[str]]:
        """The columns that are shown, each with the periods in it."""
        names = [name for name, _ in self._columns.items()]
        by_year = len(names) > MOST_COLUMNS and all(re.match(r"\d{4}(-|$)", name) for name in names)
        spans: dict[str, list[str]] = {}
        for name in names:
            spans.setdefault(name[:4] if by_year else name, []).append(name)
        return spans
