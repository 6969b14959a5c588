"""The categories of a text: a linear model for each ref, over character n-grams and what the lexicon sees."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from withstood.agents.fitted.chain import THOUSAND

LONGEST = 3
_OF_LEXICON = 0.7


@dataclass(frozen=True, slots=True)
class Catalogue:
    """`weights` has, for a feature, its rarity and then numbers of refs with their weights in turn, in thousandths.
    `always`: a text that reaches no ref's `threshold` has the likeliest one."""

    refs: tuple[str, ...]
    bias: tuple[int, ...]
    weights: Mapping[str, tuple[int, ...]]
    threshold: int
    always: bool

    def shares(self, grams: Mapping[str, float], marks: Iterable[str]) -> list[float]:
        """How likely each ref is."""
        sums = list(map(float, self.bias))
        for values in self._valued(grams, marks):
            for feature, value in values.items():
                found = self.weights[feature]
                for place in range(1, len(found), 2):
                    sums[found[place]] += found[place + 1] * value
        return [1 / (1 + math.exp(-max(-50.0, min(50.0, one / THOUSAND)))) for one in sums]

    def _valued(self, grams: Mapping[str, float], marks: Iterable[str]) -> Sequence[Mapping[str, float]]:
        known = {gram: times for gram, times in grams.items() if gram in self.weights}
        rarity = {gram: self.weights[gram][0] / THOUSAND for gram in known}
        return valued(known, [mark for mark in marks if mark in self.weights], rarity)

    def of(self, shares: Sequence[float]) -> list[int]:
        """The numbers of the refs that a text has, the likeliest first."""
        ranked = sorted(range(len(shares)), key=lambda no: (-shares[no], no))
        found = [no for no in ranked if shares[no] * THOUSAND >= self.threshold]
        return found or (ranked[:1] if self.always else [])


def grams(text: str) -> Mapping[str, float]:
    """Runs of one to three characters within words and at their ends, with how much their number counts."""
    counted: Counter[str] = Counter()
    for word in text.lower().split():
        padded = f" {word} "
        for length in range(1, LONGEST + 1):
            counted.update(padded[place : place + length] for place in range(len(padded) - length + 1))
    return {gram: 1 + math.log(times) for gram, times in counted.items() if gram != " "}


def valued(
    grams: Mapping[str, float], marks: Sequence[str], rarity: Mapping[str, float]
) -> tuple[Mapping[str, float], Mapping[str, float]]:
    """N-grams and marks as numbers: each kind of length one, so that long texts do not outweigh short ones."""
    weighed = {gram: times * rarity[gram] for gram, times in grams.items()}
    return _of_length(weighed, 1.0), _of_length(dict.fromkeys(marks, 1.0), _OF_LEXICON)


def _of_length(values: Mapping[str, float], length: float) -> Mapping[str, float]:
    norm = math.sqrt(math.fsum(value * value for value in values.values()))
    return {name: value * length / norm for name, value in values.items()} if norm else {}
