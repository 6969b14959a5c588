"""A calibration as sections and a plot: what share was right of what was said, and of each step of confidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from withstood.measures.reliability import LEAST, Bin, Claim, by_confidence, by_word, expected_error
from withstood.measures.sheet import Figure
from withstood.report.chart import Chart, Curve
from withstood.report.sections import Cell, Report, Section


@dataclass(frozen=True, slots=True)
class Calibrated:
    runs: tuple[str, ...]
    gold: str
    headlines: tuple[Claim, ...]
    parts: tuple[Claim, ...]

    def words(self) -> tuple[Bin, ...]:
        """Of headlines and of parts; a word that both say is counted by the parts, of which there are more."""
        parts = by_word(self.parts)
        named = {one.name for one in parts}
        return (*parts, *(one for one in by_word(self.headlines) if one.name not in named))


def report(found: Calibrated) -> Report:
    count = len(found.headlines) + len(found.parts)
    steps = by_confidence((*found.parts, *found.headlines))
    data = {
        "runs": found.runs,
        "gold": found.gold,
        "headlines": _told(by_word(found.headlines)),
        "parts": _told(by_word(found.parts)),
        "confidence": _told(steps),
        "expected_error": expected_error(steps),
        "least": LEAST,
    }
    title = f"Calibration of {', '.join(found.runs)} by {found.gold}: {count:,} claims"
    return Report("calibration", title, tuple(_sections(found, steps)), _notes(found), data, tuple(_charts(steps)))


def _notes(found: Calibrated) -> tuple[str, ...]:
    few = [one.name for one in found.words() if one.count < LEAST]
    return (f"Fewer than {LEAST} claims, so their share is not told elsewhere: {', '.join(few)}.",) if few else ()


def _sections(found: Calibrated, steps: Sequence[Bin]) -> Iterator[Section]:
    for title, claims in (("What was said of an item", found.headlines), ("What was said within items", found.parts)):
        if claims:
            yield _section(title, by_word(claims))
    if steps:
        error = expected_error(steps)
        how = (
            "" if error is None else f"Between what was stated and what was so lie {100 * error:.1f} points on average."
        )
        yield _section("By stated strength or confidence", steps, how)


def _section(title: str, bins: Sequence[Bin], how: str = "") -> Section:
    rows: list[tuple[Cell, ...]] = [
        (one.name, one.count, Figure(one.share, one.low, one.high), None if one.stated is None else Figure(one.stated))
        for one in bins
    ]
    return Section(title, ("", "claims", "right", "stated on average"), tuple(rows), how)


def _charts(steps: Sequence[Bin]) -> Iterator[Chart]:
    points = tuple([(one.stated, one.share) for one in steps if one.stated is not None and one.share is not None])
    if points:
        curve = Curve("share right, by what was stated", points)
        yield Chart("Reliability", "stated", "right", (curve,), True, Decimal(0), Decimal(1))


def _told(bins: Sequence[Bin]) -> list[dict[str, object]]:
    return [
        {
            "name": one.name,
            "count": one.count,
            "right": one.right,
            "share": one.share,
            "low": one.low,
            "high": one.high,
            "stated": one.stated,
        }
        for one in bins
    ]
