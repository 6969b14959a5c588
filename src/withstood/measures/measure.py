"""A measure: what each sample adds, and a formula of the sums.

Sums are whole numbers, so they do not depend on the order of the samples, and any interval is a matter of adding up
again. A share of a sample is held in billionths.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from withstood.measures.sample import Sample

Parts: TypeAlias = tuple[int, ...]
Formula: TypeAlias = Callable[[Sequence[int]], float | None]

ONE = 10**9


@dataclass(frozen=True, slots=True)
class Measure:
    """`name` says what is measured, `of` of which system, `on` on which samples. `parts` has always `width` numbers,
    none of them negative."""

    name: str
    of: str
    width: int
    parts: Callable[[Sample], Parts]
    formula: Formula
    on: str = "all"

    @property
    def nothing(self) -> Parts:
        return (0,) * self.width


def share(part: int, whole: int) -> int:
    """A share in billionths, rounded; 0/0 is 0."""
    return round(Fraction(part * ONE, whole)) if whole else 0


def ratio(sums: Sequence[int]) -> float | None:
    """The first sum in the second; undefined where there is nothing to divide by."""
    part, whole = sums
    return part / whole if whole else None


def mean(sums: Sequence[int]) -> float | None:
    """The mean of shares: their sum, and how many there were."""
    shares, samples = sums
    return shares / (ONE * samples) if samples else None


def f1(sums: Sequence[int]) -> float | None:
    """Of pooled tp, fp, fn; undefined where there is neither gold nor anything said."""
    tp, fp, fn = sums
    return 2 * tp / (2 * tp + fp + fn) if tp + fp + fn else None


def precision(sums: Sequence[int]) -> float | None:
    tp, fp, fn = sums
    return tp / (tp + fp) if tp + fp else (0.0 if fn else None)


def recall(sums: Sequence[int]) -> float | None:
    tp, fp, fn = sums
    return tp / (tp + fn) if tp + fn else (0.0 if fp else None)
