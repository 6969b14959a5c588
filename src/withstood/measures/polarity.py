"""Polarity given the target: of the gold targets, how many got the right polarity.

A target is a place; without a place a term, with its ref where the gold has both; without a term a ref. Where
several polarities are said of one target, they are mixed together. A target of which nothing is said is wrong.

| measure | what |
|---|---|
| polarity accuracy | targets with the right polarity / targets |
| polarity macro-F1 | mean of the F1 of the polarities that the gold has |
| targets found | targets of which something was said / targets |
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from withstood.claims.label import Label
from withstood.measures.measure import Measure, Parts, f1, ratio
from withstood.measures.normal import POLARITIES
from withstood.measures.pairs import polarity_of
from withstood.measures.sample import Sample

Target: TypeAlias = tuple[str | int, ...]
_WIDTH = 3


def measures(of: str) -> tuple[Measure, ...]:
    return (
        Measure("polarity accuracy", of, 2, lambda sample: _right(sample, of), ratio),
        Measure("polarity macro-F1", of, _WIDTH * len(POLARITIES), lambda sample: _by_class(sample, of), _macro),
        Measure("targets found", of, 2, lambda sample: _found(sample, of), ratio),
    )


def given(gold: Iterable[Label]) -> Mapping[Target, str]:
    """The gold targets with their polarity, in order."""
    return _merged((target(label), label) for label in gold)


def said(labels: Sequence[Label], targets: Iterable[Target]) -> Mapping[Target, str]:
    """What labels say of these targets: each label is tried by its place, its term with its ref, its term, its ref."""
    wanted = frozenset(targets)
    keyed = [(key, label) for label in labels for key in dict.fromkeys(_keys(label)) if key in wanted]
    return _merged(keyed)


def target(label: Label) -> Target:
    return _keys(label)[0]


def _keys(label: Label) -> list[Target]:
    """From the most telling to the least."""
    keys: list[Target] = []
    if label.begin is not None and label.end is not None and label.begin != label.end:
        keys += [(label.begin, label.end, label.aspect_ref), (label.begin, label.end, "")]
    if label.aspect_term:
        keys += [(label.aspect_term, label.aspect_ref), (label.aspect_term, "")]
    return [*keys, ("", label.aspect_ref)]


def _merged(found: Iterable[tuple[Target, Label]]) -> Mapping[Target, str]:
    merged: dict[Target, str] = {}
    for key, label in found:
        polarity = polarity_of(label)
        merged[key] = polarity if merged.get(key, polarity) == polarity else "mixed"
    return merged


def _right(sample: Sample, of: str) -> Parts:
    gold = given(sample.gold or ())
    found = said(sample.of(of), gold)
    return sum(found.get(key) == polarity for key, polarity in gold.items()), len(gold)


def _found(sample: Sample, of: str) -> Parts:
    gold = given(sample.gold or ())
    return len(said(sample.of(of), gold)), len(gold)


def _by_class(sample: Sample, of: str) -> Parts:
    """tp, fp, fn of each polarity in turn."""
    gold = given(sample.gold or ())
    found = said(sample.of(of), gold)
    counts: list[int] = []
    for one in POLARITIES:
        hits = sum(found.get(key) == one == polarity for key, polarity in gold.items())
        counts += [hits, sum(p == one for p in found.values()) - hits, sum(p == one for p in gold.values()) - hits]
    return tuple(counts)


def _macro(sums: Sequence[int]) -> float | None:
    classes = [sums[start : start + _WIDTH] for start in range(0, len(sums), _WIDTH)]
    found = [f1(counts) or 0.0 for counts in classes if counts[0] + counts[2]]
    return sum(found) / len(found) if found else None
