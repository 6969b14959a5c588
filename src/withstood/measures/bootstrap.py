"""Intervals: the samples are drawn anew with replacement, and the measure is taken of each draw.

Draw `n` takes its numbers from SHAKE-128 of the seed and `n`: the same on every machine, whatever was drawn before.
The interval holds the middle 95 percent of the draws. Beyond so many samples, further ones are
dealt at random into the units of the first ones, and units are drawn: the sums stay small, the interval stays right.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator, Sequence
from typing import TypeAlias

Totals: TypeAlias = tuple[int, ...]

SEED = 20261118
RESAMPLES = 1000
MOST_UNITS = 2000
"""So many units are drawn at most."""
COVERED = 95
_LANE = 8
"""Bytes of one number where many are held in one whole number, so that adding them is one addition."""


def unit(no: int) -> int:
    """The unit of sample `no`, from 0. Dealing in turn would hide what comes back in a file at regular distances."""
    return no if no < MOST_UNITS else next(_numbers(f"deal/{no}", 1, MOST_UNITS))


def draw(seed: int, no: int, units: int) -> Iterator[int]:
    """As many unit numbers as there are units, from 0."""
    return _numbers(f"{seed}/{no}", units, units)


def _numbers(key: str, count: int, below: int) -> Iterator[int]:
    stream = hashlib.shake_128(key.encode()).digest(4 * count)
    return ((number * below) >> 32 for number in struct.unpack(f"<{count}I", stream))


def packed(numbers: Sequence[int]) -> int:
    return int.from_bytes(struct.pack(f"<{len(numbers)}Q", *numbers), "little")


def unpacked(sums: int, width: int) -> Totals:
    return struct.unpack(f"<{width}Q", sums.to_bytes(_LANE * width, "little"))


def resampled(units: Sequence[int], width: int, resamples: int = RESAMPLES, seed: int = SEED) -> list[Totals]:
    """The totals of each draw of these packed units."""
    of = units.__getitem__
    return [unpacked(sum(map(of, draw(seed, no, len(units)))), width) for no in range(resamples)]


def interval(values: Sequence[float], covered: int = COVERED) -> tuple[float, float] | None:
    """The middle of the values, interpolated between ranks; none of nothing."""
    if not values:
        return None
    ordered = sorted(values)
    tail = (100 - covered) / 200
    return _quantile(ordered, tail), _quantile(ordered, 1 - tail)


def _quantile(ordered: Sequence[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)
