"""Rates: how often something happens in a run. Those of the first table need no gold.

| measure | what |
|---|---|
| conflict detection rate | samples with a conflict flag / samples |
| review action rate | samples on which a reviewer named an action / samples whose record says so |
| arbiter intervention rate | samples with a decision of the arbiter / samples; near 1, since a KEEP is a decision |
| arbiter change rate | samples with a DROP, FLIP or FLAG of the arbiter / samples |
| polarity conflict rate | samples with one ref that carries two or more polarities / samples |
| ref fill | opinions with a ref / opinions |
| ref valid | those whose ref may be used / opinions with a ref |
| invalid_ref, invalid_language, invalid_target | marks / candidates of stage 1 |

| measure | what |
|---|---|
| ref coverage | gold pairs of ref and polarity that were found / gold pairs |
| implicit invalid rate | of samples with implicit gold, those where nobody answered or no polarity was named / those samples |
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from withstood.measures.finding import found_refs
from withstood.measures.measure import Measure, Parts, ratio
from withstood.measures.sample import FINAL, STAGE1, Labels, Sample

MARKS = ("invalid_ref", "invalid_language", "invalid_target")


def measures() -> tuple[Measure, ...]:
    """What the record of a run says without gold."""
    return (
        _share("conflict detection rate", lambda sample: sample.held.flags > 0),
        Measure("review action rate", FINAL, 2, _named, ratio),
        _share("arbiter intervention rate", lambda sample: sample.held.arbitrated > 0),
        _share("arbiter change rate", lambda sample: sample.held.changed > 0),
        *(Measure(mark, STAGE1, 2, _marked(mark), ratio) for mark in MARKS),
    )


def of_system(of: str, refs: Collection[str] = ()) -> tuple[Measure, ...]:
    """What needs only the opinions of one system. `refs` are those that may be used."""
    return (
        Measure("polarity conflict rate", of, 2, lambda sample: (int(_torn(sample.of(of))), 1), ratio),
        Measure("ref fill", of, 2, lambda sample: _filled(sample.of(of)), ratio),
        *((Measure("ref valid", of, 2, lambda sample: _valid(sample.of(of), refs), ratio),) if refs else ()),
    )


def against_gold(of: str) -> tuple[Measure, ...]:
    return (
        Measure("ref coverage", of, 2, lambda sample: found_refs(sample.of(of), sample.gold or ()), ratio),
        Measure("implicit invalid rate", of, 2, _lost(of), ratio),
    )


def _share(name: str, holds: Callable[[Sample], bool]) -> Measure:
    return Measure(name, FINAL, 2, lambda sample: (int(holds(sample)), 1), ratio)


def _named(sample: Sample) -> Parts:
    named = sample.held.named
    return (0, 0) if named is None else (int(named > 0), 1)


def _marked(mark: str) -> Callable[[Sample], Parts]:
    def count(sample: Sample) -> Parts:
        marks = sample.held.marks
        return (0, 0) if marks is None else (marks.get(mark, 0), sample.held.candidates)

    return count


def _torn(labels: Labels) -> bool:
    by_ref: dict[str, str] = {}
    return any(
        label.polarity and by_ref.setdefault(label.aspect_ref, label.polarity) != label.polarity
        for label in labels
        if label.aspect_ref
    )


def _filled(labels: Labels) -> Parts:
    return sum(1 for label in labels if label.aspect_ref), len(labels)


def _valid(labels: Labels, refs: Collection[str]) -> Parts:
    stated = [label.aspect_ref for label in labels if label.aspect_ref]
    return sum(1 for ref in stated if ref in refs), len(stated)


def _lost(of: str) -> Callable[[Sample], Parts]:
    def count(sample: Sample) -> Parts:
        if all(label.aspect_term for label in sample.gold or ()):
            return 0, 0
        return int(not sample.answered or not any(label.polarity for label in sample.of(of))), 1

    return count
