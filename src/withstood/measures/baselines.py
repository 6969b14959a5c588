"""Baselines: what a run must beat. A constant guess, and a plain vote of its readers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from withstood.claims.label import Label
from withstood.measures.pairs import polarity_of
from withstood.measures.sample import Labels

CONSTANT, CONSTANT_POLARITY, MAJORITY = "constant guess", "constant polarity", "majority of readers"


@dataclass(frozen=True, slots=True)
class Constant:
    """The guess that is right most often on this very gold: its commonest ref with polarity, its commonest polarity.
    `ref` is "" where the gold knows no refs."""

    ref: str
    ref_polarity: str
    polarity: str

    def on_text(self) -> Labels:
        """Said of every text; nothing where there is no ref to say it of."""
        return (Label("", self.ref, self.ref_polarity),) if self.ref else ()

    def on_targets(self, gold: Iterable[Label]) -> Labels:
        """Said of every gold target."""
        return tuple([replace(label, polarity=self.polarity) for label in gold])


def constant(golds: Iterable[Labels]) -> Constant:
    refs: Counter[tuple[str, str]] = Counter()
    polarities: Counter[tuple[str]] = Counter()
    for gold in golds:
        refs.update({(label.aspect_ref, polarity_of(label)) for label in gold if label.aspect_ref})
        polarities.update((polarity_of(label),) for label in gold)
    ref, ref_polarity = _commonest(refs) or ("", "")
    return Constant(ref, ref_polarity, (_commonest(polarities) or ("",))[0])


def _commonest(found: Counter[tuple[str, ...]]) -> tuple[str, ...] | None:
    """Ties in the order of their names."""
    return min(found, key=lambda name: (-found[name], name), default=None)


def majority(readings: Sequence[Labels], least: int = 2) -> Labels:
    """The opinions that so many readings share: same ref, term and polarity. In order of first appearance."""
    shared: dict[tuple[str, str, str], list[Label]] = {}
    for reading in readings:
        own = {_opinion(label): label for label in reversed(reading)}
        for key, label in reversed(own.items()):
            shared.setdefault(key, []).append(label)
    return tuple([same[0] for same in shared.values() if len(same) >= least])


def _opinion(label: Label) -> tuple[str, str, str]:
    return label.aspect_ref, label.aspect_term, polarity_of(label)


def readings(by_reader: Mapping[str, Labels]) -> Mapping[str, Labels]:
    """Each reader as a system of its own, and their majority where there are several."""
    if len(by_reader) < 2:
        return dict(by_reader)
    return {**by_reader, MAJORITY: majority(list(by_reader.values()))}
