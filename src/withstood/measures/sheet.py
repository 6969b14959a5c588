"""A sheet: samples go in one at a time, figures with their intervals come out. Its size does not grow with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate
from typing import TypeAlias

from withstood.measures import bootstrap
from withstood.measures.bootstrap import Totals
from withstood.measures.measure import Measure
from withstood.measures.sample import Sample
from withstood.measures.subsets import SUBSETS

Key: TypeAlias = tuple[str, str, str]
"""Name, system, subset."""

PLACES = Decimal("0.000001")


@dataclass(frozen=True, slots=True)
class Figure:
    """A value with its 95 percent interval; `value` is None where it is undefined."""

    value: Decimal | None
    low: Decimal | None = None
    high: Decimal | None = None

    @property
    def sure(self) -> bool:
        """The interval leaves out zero: for differences."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


class Sheet:
    """Every measure over all samples, unit by unit. `figures` is what there is so far."""

    def __init__(self, measures: Iterable[Measure]) -> None:
        self.measures = {(one.name, one.of, one.on): one for one in measures}
        self.samples = 0
        self._units: list[int] = []

    def add(self, sample: Sample) -> None:
        held = {name: holds(sample) for name, holds in SUBSETS.items()}
        parts = [number for one in self.measures.values() for number in _parts(one, sample, held[one.on])]
        unit = bootstrap.unit(self.samples)
        if unit == len(self._units):
            self._units.append(0)
        self._units[unit] += bootstrap.packed(parts)
        self.samples += 1

    def figures(self, resamples: int = bootstrap.RESAMPLES) -> Figures:
        return Figures(self.measures, self._units, resamples)


class Figures:
    """The figures of a sheet; two systems of it are set against each other on the same draws."""

    def __init__(self, measures: Mapping[Key, Measure], units: Sequence[int], resamples: int) -> None:
        ends = list(accumulate((one.width for one in measures.values()), initial=0))
        self.keys = tuple(measures)
        self._measures = dict(measures)
        self._places = {key: slice(*ends[no : no + 2]) for no, key in enumerate(measures)}
        self._totals = bootstrap.unpacked(sum(units), ends[-1])
        self._drawn = bootstrap.resampled(units, ends[-1], resamples) if units else []

    def has(self, name: str, of: str, on: str = "all") -> bool:
        return (name, of, on) in self._measures

    def point(self, name: str, of: str, on: str = "all") -> Figure:
        """The value without its interval."""
        value = self._value((name, of, on), self._totals)
        return Figure(None if value is None else _rounded(value))

    def figure(self, name: str, of: str, on: str = "all") -> Figure:
        key = (name, of, on)
        return _figure(self._value(key, self._totals), self._draws(lambda totals: self._value(key, totals)))

    def difference(self, name: str, of: str, against: str, on: str = "all") -> Figure:
        """How much better `of` is than `against`."""
        value = self._gap(name, of, against, on)
        return _figure(value(self._totals), self._draws(value))

    def _gap(self, name: str, of: str, against: str, on: str) -> Callable[[Totals], float | None]:
        def gap(totals: Totals) -> float | None:
            one, other = self._value((name, of, on), totals), self._value((name, against, on), totals)
            return None if one is None or other is None else one - other

        return gap

    def _value(self, key: Key, totals: Totals) -> float | None:
        return self._measures[key].formula(totals[self._places[key]])

    def _draws(self, value: Callable[[Totals], float | None]) -> list[float]:
        return [found for totals in self._drawn if (found := value(totals)) is not None]


def _parts(measure: Measure, sample: Sample, held: bool) -> Totals:
    return measure.parts(sample) if held else measure.nothing


def _figure(value: float | None, drawn: Sequence[float]) -> Figure:
    middle = None if value is None else bootstrap.interval(drawn)
    if value is None or middle is None:
        return Figure(None if value is None else _rounded(value))
    return Figure(_rounded(value), *map(_rounded, middle))


def _rounded(value: float) -> Decimal:
    return Decimal(value).quantize(PLACES)
