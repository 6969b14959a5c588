"""Reliability: how often what was said with some certainty was right. Intervals are Wilson's, at 95 percent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import sqrt

Z = 1.959963984540054
PLACES = Decimal("0.0001")
LEAST = 10
"""So many must have been measured before a share is told."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Those that said the same: how many there were, and how many of them were right. `stated` is the mean of the
    confidence that they stated, where they stated one."""

    name: str
    count: int
    right: int
    low: Decimal
    high: Decimal
    stated: Decimal | None = None

    @property
    def share(self) -> Decimal | None:
        return (Decimal(self.right) / self.count).quantize(PLACES) if self.count else None

    @property
    def told(self) -> str:
        if self.share is None:
            return ""
        low, high = (f"{100 * end:.0f}" for end in (self.low, self.high))
        return f"right in {100 * self.share:.0f} % of {self.count:,} such verdicts [{low}, {high}]"


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that was said: in which bins it belongs, how sure it stated to be, whether it was right."""

    item: str
    said: str
    right: bool
    stated: Decimal | None = None


def wilson(right: int, count: int) -> tuple[Decimal, Decimal]:
    """The interval of a share; from 0 to 1 of nothing."""
    if not count:
        return Decimal(0), Decimal(1)
    share = right / count
    middle = share + Z * Z / (2 * count)
    half = Z * sqrt(share * (1 - share) / count + Z * Z / (4 * count * count))
    whole = 1 + Z * Z / count
    ends = (max(0.0, (middle - half) / whole), min(1.0, (middle + half) / whole))
    return Decimal(ends[0]).quantize(PLACES), Decimal(ends[1]).quantize(PLACES)


def binned(name: str, claims: Sequence[Claim]) -> Bin:
    right = sum(one.right for one in claims)
    stated = [one.stated for one in claims if one.stated is not None]
    mean = (sum(stated, Decimal(0)) / len(stated)).quantize(PLACES) if stated else None
    return Bin(name, len(claims), right, *wilson(right, len(claims)), mean)


def by_word(claims: Iterable[Claim]) -> tuple[Bin, ...]:
    """One bin for each word that was said, the most frequent first."""
    found: dict[str, list[Claim]] = {}
    for one in claims:
        found.setdefault(one.said, []).append(one)
    bins = [binned(name, some) for name, some in found.items()]
    return tuple(sorted(bins, key=lambda one: (-one.count, one.name)))


def by_confidence(claims: Iterable[Claim], bins: int = 10) -> tuple[Bin, ...]:
    """Equal steps of the stated confidence from 0 to 1; steps in which nothing lies are left out."""
    found: dict[int, list[Claim]] = {}
    for one in claims:
        if one.stated is not None:
            found.setdefault(min(bins - 1, int(one.stated * bins)), []).append(one)
    return tuple([binned(_step(no, bins), found[no]) for no in sorted(found)])


def _step(no: int, bins: int) -> str:
    low, high = Decimal(no) / bins, Decimal(no + 1) / bins
    return f"{low:f}-{high:f}"


def expected_error(bins: Iterable[Bin]) -> Decimal | None:
    """The mean distance between what was stated and what was so, weighed by how many there are (ECE)."""
    known = [
        (one.count, abs(one.stated - one.share)) for one in bins if one.stated is not None and one.share is not None
    ]
    count = sum(number for number, _ in known)
    return (sum((number * gap for number, gap in known), Decimal(0)) / count).quantize(PLACES) if count else None
