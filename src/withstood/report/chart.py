"""Charts: curves over numbers, as data."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Curve:
    name: str
    points: tuple[tuple[Decimal, Decimal], ...]
    dots: bool = False
    """Points alone, without a line between them."""


@dataclass(frozen=True, slots=True)
class Chart:
    """Curves over one number. `diagonal`: where both numbers are equal. `low` and `high` bound what is upward."""

    title: str
    across: str
    up: str
    curves: tuple[Curve, ...]
    diagonal: bool = False
    low: Decimal | None = None
    high: Decimal | None = None
