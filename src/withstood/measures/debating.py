"""Debating: how well the turns of a debate were mapped to aspects, and what the override did.

| measure | what |
|---|---|
| coverage | (direct + fallback) / turns of a sample; the mean of the samples that have turns |
| direct rate, fallback rate, none rate | the same for each outcome |
| fail: REASON | turns that were not mapped directly for this reason / turns, pooled |
| override OUTCOME | how often, summed |
| already confident rate | skipped_already_confident / all outcomes |

| warning on | warn | high |
|---|---|---|
| coverage | under 0.40 | under 0.25 |
| fail: no_match | over 0.40 | over 0.60 |
| fail: neutral_stance | over 0.40 | over 0.60 |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from withstood.measures.measure import Measure, Parts, mean, ratio, share
from withstood.measures.sample import FINAL, Mapped, Sample

REASONS = ("fallback_used", "no_aspects", "neutral_stance", "no_match")
OUTCOMES = ("applied", "skipped_low_signal", "skipped_conflict", "skipped_already_confident")
CONFIDENT_OVER = Decimal("0.5")


@dataclass(frozen=True, slots=True)
class Bound:
    """Where a measure begins to warn, and what helps."""

    measure: str
    under: bool
    warn: Decimal
    high: Decimal
    tip: str


BOUNDS = (
    Bound(
        "coverage",
        True,
        Decimal("0.40"),
        Decimal("0.25"),
        "Name the aspect terms in the speakers' prompts, and widen the synonyms.",
    ),
    Bound("fail: no_match", False, Decimal("0.40"), Decimal("0.60"), "Widen the synonyms."),
    Bound("fail: neutral_stance", False, Decimal("0.40"), Decimal("0.60"), "Sharpen the stances of the speakers."),
)


@dataclass(frozen=True, slots=True)
class Caution:
    """`level` is warn, high or note."""

    level: str
    measure: str
    value: Decimal
    tip: str


def measures() -> tuple[Measure, ...]:
    return (
        _averaged("coverage", lambda mapped: mapped.direct + mapped.fallback),
        _averaged("direct rate", lambda mapped: mapped.direct),
        _averaged("fallback rate", lambda mapped: mapped.fallback),
        _averaged("none rate", lambda mapped: mapped.none),
        *(Measure(f"fail: {reason}", FINAL, 2, _failed(reason), ratio) for reason in REASONS),
        *(Measure(f"override {outcome}", FINAL, 1, _overrode(outcome), _sum) for outcome in OUTCOMES),
        Measure("already confident rate", FINAL, 2, _confident, ratio),
    )


def cautions(values: Mapping[str, Decimal | None]) -> Iterator[Caution]:
    """What the values of `measures`, by name, give cause to say. Where there is no value there is no warning."""
    for bound in BOUNDS:
        value = values.get(bound.measure)
        if value is not None and (level := _level(bound, value)):
            yield Caution(level, bound.measure, value, bound.tip)
    value = values.get("already confident rate")
    if value is not None and value > CONFIDENT_OVER:
        told = "Most debates end where stage 1 was sure already: the override has little left to change."
        yield Caution("note", "already confident rate", value, told)

    yield from _torn(values)


def _torn(values: Mapping[str, Decimal | None]) -> Iterator[Caution]:
    """Said where both sides cancel out more often than not: with the published personas that is to be expected."""
    counts = [values.get(f"override {outcome}") or Decimal(0) for outcome in OUTCOMES]
    torn = counts[OUTCOMES.index("skipped_conflict")]
    if 2 * torn > sum(counts):
        told = "Most overrides were skipped because both sides spoke of the aspect as often: their weights cancel out."
        yield Caution("note", "override skipped_conflict", torn, told)


def _level(bound: Bound, value: Decimal) -> str:
    beyond = [name for name, at in (("high", bound.high), ("warn", bound.warn)) if _beyond(bound, value, at)]
    return beyond[0] if beyond else ""


def _beyond(bound: Bound, value: Decimal, at: Decimal) -> bool:
    return value < at if bound.under else value > at


def _averaged(name: str, part: Callable[[Mapped], int]) -> Measure:
    def measure(sample: Sample) -> Parts:
        mapped = sample.debate
        return (share(part(mapped), mapped.total), 1) if mapped is not None and mapped.total else (0, 0)

    return Measure(name, FINAL, 2, measure, mean)


def _failed(reason: str) -> Callable[[Sample], Parts]:
    def count(sample: Sample) -> Parts:
        mapped = sample.debate
        return (mapped.fail_reasons.get(reason, 0), mapped.total) if mapped is not None else (0, 0)

    return count


def _overrode(outcome: str) -> Callable[[Sample], Parts]:
    return lambda sample: (sample.debate.override.get(outcome, 0) if sample.debate is not None else 0,)


def _confident(sample: Sample) -> Parts:
    found = [sample.debate.override.get(outcome, 0) if sample.debate is not None else 0 for outcome in OUTCOMES]
    return found[-1], sum(found)


def _sum(sums: Sequence[int]) -> float:
    return sums[0]
