"""Change: what the review mends and what it spoils, against stage 1 or any other system.

A sample is right where precision and recall of its pairs are 1.

| measure | what |
|---|---|
| fix, break, still, keep | samples: wrong to right, right to wrong, wrong both times, right both times |
| fix rate | fix / (fix + still) |
| break rate | break / (break + keep) |
| net gain | (fix - break) / samples |
| CDA | fix / (fix + still where the opinions changed) |
| changed | samples whose opinions or label differ / samples |
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from withstood.measures.finding import exact
from withstood.measures.measure import Measure, Parts, ratio
from withstood.measures.pairs import Pairs, pairs
from withstood.measures.sample import FINAL, STAGE1, Sample

FATES = ("fix", "break", "still", "keep")
_FATE = {(False, True): "fix", (True, False): "break", (False, False): "still", (True, True): "keep"}


def measures(kind: str, before: str = STAGE1, after: str = FINAL) -> tuple[Measure, ...]:
    """Of one kind of pair. The counts are per sample, so that their sums are the counts."""
    fate = _fate(kind, before, after)
    counts = [Measure(one, after, 1, _is(fate, one), _sum) for one in FATES]
    return (
        *counts,
        Measure("fix rate", after, 2, _among(fate, "fix", ("fix", "still")), ratio),
        Measure("break rate", after, 2, _among(fate, "break", ("break", "keep")), ratio),
        Measure("net gain", after, 3, _gained(fate), _net),
        Measure("CDA", after, 2, _mended(fate, before, after), ratio),
    )


def changed(before: str = STAGE1, after: str = FINAL) -> Measure:
    """Needs no gold."""

    def differ(sample: Sample) -> Parts:
        called = [sample.called[system] for system in (before, after) if system in sample.called]
        relabelled = sample.relabelled or len(set(called)) > 1
        return int(relabelled or _whole(sample, before) != _whole(sample, after)), 1

    return Measure("changed", after, 2, differ, ratio)


def _fate(kind: str, before: str, after: str) -> Callable[[Sample], str]:
    def tell(sample: Sample) -> str:
        if not sample.gold:
            return ""
        return _FATE[exact(kind, sample.of(before), sample.gold), exact(kind, sample.of(after), sample.gold)]

    return tell


def _is(fate: Callable[[Sample], str], wanted: str) -> Callable[[Sample], Parts]:
    return lambda sample: (int(fate(sample) == wanted),)


def _among(fate: Callable[[Sample], str], wanted: str, whole: Sequence[str]) -> Callable[[Sample], Parts]:
    def count(sample: Sample) -> Parts:
        found = fate(sample)
        return int(found == wanted), int(found in whole)

    return count


def _gained(fate: Callable[[Sample], str]) -> Callable[[Sample], Parts]:
    def count(sample: Sample) -> Parts:
        found = fate(sample)
        return int(found == "fix"), int(found == "break"), int(found != "")

    return count


def _mended(fate: Callable[[Sample], str], before: str, after: str) -> Callable[[Sample], Parts]:
    def count(sample: Sample) -> Parts:
        found = fate(sample)
        tried = found == "still" and _whole(sample, before) != _whole(sample, after)
        return int(found == "fix"), int(found == "fix" or tried)

    return count


def _whole(sample: Sample, system: str) -> Pairs:
    return pairs("ref-term-pol", sample.of(system))


def _sum(sums: Sequence[int]) -> float:
    return sums[0]


def _net(sums: Sequence[int]) -> float | None:
    fixed, broken, samples = sums
    return (fixed - broken) / samples if samples else None
