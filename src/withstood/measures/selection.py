"""Selection: which measures a run is worth, by what its gold knows and which systems there are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from withstood.measures import agreement, change, debating, finding, polarity, rates
from withstood.measures.baselines import CONSTANT, CONSTANT_POLARITY
from withstood.measures.measure import Measure, Parts
from withstood.measures.pairs import measurable
from withstood.measures.sample import FINAL, STAGE1, Sample
from withstood.measures.subsets import SUBSETS

OF_TEXTS = ("ref-pol", "attr-pol", "ref")
"""A constant has something to say of a text as a whole, and so of these kinds."""
ON_TERMS = ("implicit", "explicit")


@dataclass(frozen=True, slots=True)
class Known:
    """What can be measured. `kinds` are the pairs, the primary one first; `systems` are those that say something."""

    kinds: tuple[str, ...]
    knowledge: AbstractSet[str]
    systems: tuple[str, ...]

    @property
    def primary(self) -> str | None:
        return self.kinds[0] if self.kinds else None

    @property
    def subsets(self) -> tuple[str, ...]:
        return tuple([name for name in SUBSETS if "terms" in self.knowledge or name not in ON_TERMS])

    def systems_of(self, kind: str) -> tuple[str, ...]:
        return (*self.systems, CONSTANT) if kind in OF_TEXTS else self.systems


def known(knowledge: AbstractSet[str], systems: Sequence[str]) -> Known:
    return Known(measurable(knowledge), frozenset(knowledge), tuple(systems))


def of_run(systems: Iterable[str], refs: Collection[str] = ()) -> Iterator[Measure]:
    """Needs no gold."""
    yield from rates.measures()
    for of in systems:
        yield from rates.of_system(of, refs)
    yield change.changed()
    yield from agreement.measures()
    yield from debating.measures()


def of_gold(found: Known, before: str = STAGE1, after: str = FINAL) -> Iterator[Measure]:
    """Needs gold that knows something. Subsets, polarities and fates are of the primary kind."""
    for kind in found.kinds:
        for of in found.systems_of(kind):
            yield from finding.measures(kind, of)
    for of in (*found.systems, CONSTANT_POLARITY):
        yield from polarity.measures(of)
    for of in found.systems:
        yield from rates.against_gold(of)
    if found.primary is not None:
        yield from change.measures(found.primary, before, after)
        for of in dict.fromkeys((before, after)):
            yield from _closer(found, found.primary, of)
        for subset in found.subsets:
            yield Measure("samples", after, 1, _with_gold, _sum, subset)


def _closer(found: Known, kind: str, of: str) -> Iterator[Measure]:
    yield from finding.by_polarity(kind, of)
    for subset in found.subsets[1:]:
        for measure in finding.measures(kind, of):
            yield replace(measure, on=subset)
    if "terms" in found.knowledge:
        yield from finding.by_explicitness(of, "refs" in found.knowledge)


def _with_gold(sample: Sample) -> tuple[int]:
    return (int(bool(sample.gold)),)


def _sum(sums: Sequence[int]) -> float:
    return sums[0]


# --- variants of a run -------------------------------------------------------------------------


def beside(variant: str) -> str:
    """The final opinions of the run itself, on the texts for which there is this variant."""
    return f"{FINAL} beside {variant}"


def of_variants(found: Known, variants: Iterable[str]) -> Iterator[Measure]:
    """Each variant, and the run itself on the same texts. Texts without the variant add nothing to either."""
    for variant in variants:
        yield _where_said(Measure("texts", variant, 1, lambda sample: (1,), _sum))
        yield _where_said(replace(change.changed(FINAL, variant), of=variant))
        for of in (variant, beside(variant)):
            yield from map(_where_said, _of_variant(found, of))


def _of_variant(found: Known, of: str) -> Iterator[Measure]:
    for kind in found.kinds:
        yield from finding.measures(kind, of)
    if found.primary is not None:
        yield replace(finding.measures(found.primary, of)[0], on="mixed")
        yield from polarity.measures(of)


def _where_said(measure: Measure) -> Measure:
    def parts(sample: Sample) -> Parts:
        return measure.parts(sample) if measure.of in sample.said else measure.nothing

    return replace(measure, parts=parts)
