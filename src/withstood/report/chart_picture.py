"""Charts drawn as SVG that needs nothing else. What stands in them is text, and no text acts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from withstood.report.chart import Chart, Curve
from withstood.report.page import template

WIDE, HIGH = 640, 300
LEFT, RIGHT, TOP, BELOW = 56, 12, 12, 40
COLOURS = 8
TICKS = 5


@dataclass(frozen=True, slots=True)
class Line:
    """A curve in the units of the drawing."""

    name: str
    colour: int
    path: str
    dots: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    chart: Chart
    lines: tuple[Line, ...]
    across: tuple[tuple[str, str], ...]
    up: tuple[tuple[str, str], ...]
    diagonal: tuple[str, str, str, str] | None
    wide: int = WIDE
    high: int = HIGH
    left: int = LEFT
    right: int = WIDE - RIGHT
    top: int = TOP
    below: int = HIGH - BELOW


@dataclass(frozen=True, slots=True)
class _Scale:
    low: Decimal
    high: Decimal
    start: int
    end: int

    def at(self, value: Decimal) -> str:
        span = self.high - self.low or Decimal(1)
        return f"{self.start + (value - self.low) / span * (self.end - self.start):.1f}"

    def ticks(self) -> tuple[tuple[str, str], ...]:
        step = (self.high - self.low) / (TICKS - 1)
        values = [self.low + step * no for no in range(TICKS)] if step else [self.low]
        return tuple([(self.at(value), f"{value:.3g}") for value in values])


def drawing(chart: Chart) -> Drawing:
    points = [point for curve in chart.curves for point in curve.points]
    across = _scale([x for x, _ in points], None, None, LEFT, WIDE - RIGHT)
    up = _scale([y for _, y in points], chart.low, chart.high, HIGH - BELOW, TOP)
    if chart.diagonal:
        across, up = _same(across, up)
    lines = tuple([_line(no, curve, across, up) for no, curve in enumerate(chart.curves)])
    ends = (across.at(across.low), up.at(across.low), across.at(across.high), up.at(across.high))
    return Drawing(chart, lines, across.ticks(), up.ticks(), ends if chart.diagonal else None)


def _scale(values: Sequence[Decimal], low: Decimal | None, high: Decimal | None, start: int, end: int) -> _Scale:
    least = low if low is not None else min(values, default=Decimal(0))
    most = high if high is not None else max(values, default=Decimal(1))
    return _Scale(least, most, start, end)


def _same(across: _Scale, up: _Scale) -> tuple[_Scale, _Scale]:
    """Both from the least to the most of either."""
    low, high = min(across.low, up.low), max(across.high, up.high)
    return _Scale(low, high, across.start, across.end), _Scale(low, high, up.start, up.end)


def _line(no: int, curve: Curve, across: _Scale, up: _Scale) -> Line:
    at = [(across.at(x), up.at(y), f"{x:f}: {y:.4g}") for x, y in curve.points]
    path = "" if curve.dots else " ".join(f"{x},{y}" for x, y, _ in at)
    return Line(curve.name, no % COLOURS, path, tuple(at))


def svg(chart: Chart) -> str:
    """The chart as a file of its own."""
    return template("chart.svg.j2").render(one=drawing(chart), alone=True)
