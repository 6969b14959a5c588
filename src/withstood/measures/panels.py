"""How well panels choose: the share of items that each gets right, with intervals, on the same draws; and how much
better the surest choices are.

A tie counts as the share that drawing lots among the tied would get. Where nothing is chosen and nothing is tied,
nothing is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from withstood.claims.pool import Choice
from withstood.measures import bootstrap
from withstood.measures.measure import ONE
from withstood.measures.sheet import PLACES, Figure


@dataclass(frozen=True, slots=True)
class Marked:
    """One item: what each system gets of it, in billionths."""

    item: str
    credits: Mapping[str, int]


def credit(choice: Choice, gold: str) -> int:
    if choice.choice is not None:
        return ONE if choice.choice == gold else 0
    return round(Fraction(ONE, len(choice.tied))) if gold in choice.tied else 0


class Accuracy:
    """The share of items that each system gets right, and what lies between two systems."""

    def __init__(self, systems: Sequence[str], marked: Sequence[Marked], resamples: int = bootstrap.RESAMPLES) -> None:
        self._places = {name: no for no, name in enumerate(systems)}
        self.items = len(marked)
        units: list[int] = []
        for no, one in enumerate(marked):
            unit = bootstrap.unit(no)
            if unit == len(units):
                units.append(0)
            units[unit] += bootstrap.packed([*(one.credits.get(name, 0) for name in systems), 1])
        width = len(systems) + 1
        self._whole = bootstrap.unpacked(sum(units), width)
        self._drawn = bootstrap.resampled(units, width, resamples) if units else []

    def of(self, system: str) -> Figure:
        place = self._places[system]
        return self._figure([(totals[place], totals[-1]) for totals in (self._whole, *self._drawn)])

    def gap(self, system: str, other: str) -> Figure:
        one, two = self._places[system], self._places[other]
        return self._figure([(totals[one] - totals[two], totals[-1]) for totals in (self._whole, *self._drawn)])

    def _figure(self, pairs: Sequence[tuple[int, int]]) -> Figure:
        values = [part / (ONE * count) for part, count in pairs if count]
        if not values:
            return Figure(None)
        ends = bootstrap.interval(values[1:])
        whole = _rounded(values[0])
        return Figure(whole) if ends is None else Figure(whole, _rounded(ends[0]), _rounded(ends[1]))


def _rounded(value: float) -> Decimal:
    return Decimal(value).quantize(PLACES)


def coverage(choices: Sequence[tuple[Choice, int]], steps: int = 10) -> tuple[tuple[Decimal, Decimal], ...]:
    """How much is wrong of the surest tenth of the choices, of the surest two tenths, and so on: share covered, share
    wrong. `choices` come with their credit."""
    surest = sorted(choices, key=lambda pair: -pair[0].lead)
    found: list[tuple[Decimal, Decimal]] = []
    for step in range(1, steps + 1):
        some = surest[: max(1, round(len(surest) * step / steps))]
        right = sum(got for _, got in some) / (ONE * len(some)) if some else 0.0
        found.append((Decimal(step) / steps, _rounded(1 - right)))
    return tuple(found) if surest else ()
