"""Axes of a sweep: the values that a setting is given, and the points that several of them make together."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from withstood.errors import UsageError
from withstood.form import shown

STEPS = 5
MOST_POINTS = 2000


@dataclass(frozen=True, slots=True)
class Axis:
    setting: str
    values: tuple[str, ...]


def axis(stated: str) -> Axis:
    """`a=1,2,3`, or from one number to another: `a=0.05..0.2` in five steps, `a=0.05..0.2/16` in sixteen."""
    name, equals, values = stated.partition("=")
    if not equals or not name.strip() or not values.strip():
        raise UsageError(f"Wanted setting=values, such as mass.factor=1.5,2,3 or mass.gap=1..5, found {shown(stated)}.")
    found = [one for part in values.split(",") for one in _values(stated, part.strip())]
    return Axis(name.strip(), tuple(dict.fromkeys(found)))


def _values(stated: str, part: str) -> Sequence[str]:
    if ".." not in part:
        return [part]
    ends, slash, steps = part.partition("/")
    first, _, last = ends.partition("..")
    try:
        low, high, count = Decimal(first), Decimal(last), int(steps) if slash else STEPS
    except (InvalidOperation, ValueError):
        count, low, high = 0, Decimal(0), Decimal(0)
    if count < 2 or not low.is_finite() or not high.is_finite():
        raise UsageError(f"Wanted numbers such as 0.05..0.2 or 0.05..0.2/16, found {shown(part)} in {shown(stated)}.")
    step = (high - low) / (count - 1)
    return [_plain(low + step * no) for no in range(count)]


def _plain(value: Decimal) -> str:
    """To six places, which is what a sweep can tell apart."""
    return f"{round(value, 6).normalize():f}"


def points(axes: Sequence[Axis]) -> list[Mapping[str, str]]:
    """Every combination, the last axis fastest."""
    found = [
        dict(zip([one.setting for one in axes], values, strict=True))
        for values in itertools.islice(itertools.product(*(one.values for one in axes)), MOST_POINTS + 1)
    ]
    if len(found) > MOST_POINTS:
        raise UsageError(f"Wanted at most {MOST_POINTS:,} points, found more. Give fewer values.")
    return list(found)
