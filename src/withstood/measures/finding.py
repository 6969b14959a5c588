"""Finding: how many of the opinions that are there were found, by precision, recall and F1.

| measure | what |
|---|---|
| PAIR micro | F1 of the pooled tp, fp, fn of all samples |
| PAIR macro | mean of the samples' own F1, over those with a gold pair; 0/0 is 0 |
| PAIR precision, PAIR recall | of the pooled counts |
| ref-pol explicit-only | gold with a term against everything said; samples without such gold are left out |
| ote-pol explicit-only | gold with a term against what was said with a term |
| implicit-only | the set of polarities of implicit gold against the set of polarities of everything said; very lenient |
| PAIR POLARITY | F1 of the pairs of one polarity |

Samples that have no gold opinion are left out of ref-pol, ote-pol and attr-pol; in the other kinds, as is usual
there, whatever is said of them is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from withstood.claims.label import Label
from withstood.measures.measure import Formula, Measure, Parts, f1, mean, precision, recall, share
from withstood.measures.normal import POLARITIES
from withstood.measures.pairs import Hits, equal, hits, matched, pairs, polarity_of
from withstood.measures.sample import Labels, Sample

PUBLISHED = ("ref-pol", "ote-pol", "attr-pol")
_POOLED: tuple[tuple[str, Formula], ...] = (("micro", f1), ("precision", precision), ("recall", recall))
NO_HITS = Hits(0, 0, 0)


def measures(kind: str, of: str) -> tuple[Measure, ...]:
    """Micro, precision, recall and macro of one kind of pair, for one system."""
    counted = _counted(kind, of)
    pooled = [Measure(f"{kind} {name}", of, 3, counted, formula) for name, formula in _POOLED]
    return (*pooled, Measure(f"{kind} macro", of, 2, _averaged(counted), mean))


def by_polarity(kind: str, of: str, found: Iterable[str] = POLARITIES) -> tuple[Measure, ...]:
    return tuple([Measure(f"{kind} {one}", of, 3, _of_polarity(kind, of, one), f1) for one in found])


def by_explicitness(of: str, refs: bool = True) -> tuple[Measure, ...]:
    """Explicit-only and implicit-only, where gold knows terms; the first of them where it knows `refs`."""
    counted = [("ote-pol explicit-only", _explicit_terms), ("implicit-only", _implicit)]
    if refs:
        counted.insert(0, ("ref-pol explicit-only", _explicit_refs))
    return tuple([one for name, count in counted for one in _micro_and_macro(name, of, _with_gold(of, count))])


def _micro_and_macro(name: str, of: str, counted: Callable[[Sample], Parts]) -> tuple[Measure, Measure]:
    return Measure(f"{name} micro", of, 3, counted, f1), Measure(f"{name} macro", of, 2, _averaged(counted), mean)


def _counted(kind: str, of: str) -> Callable[[Sample], Parts]:
    def count(sample: Sample) -> Parts:
        if sample.gold is None or (not sample.gold and kind in PUBLISHED):
            return NO_HITS
        return hits(kind, sample.of(of), sample.gold)

    return count


def _averaged(counted: Callable[[Sample], Parts]) -> Callable[[Sample], Parts]:
    def average(sample: Sample) -> Parts:
        tp, fp, fn = counted(sample)
        return (share(2 * tp, 2 * tp + fp + fn), 1) if tp + fn else (0, 0)

    return average


def _of_polarity(kind: str, of: str, polarity: str) -> Callable[[Sample], Parts]:
    def count(sample: Sample) -> Parts:
        if not sample.gold:
            return NO_HITS
        return hits(kind, _with(polarity, sample.of(of)), _with(polarity, sample.gold))

    return count


def _with(polarity: str, labels: Sequence[Label]) -> list[Label]:
    return [label for label in labels if polarity_of(label) == polarity]


def _with_gold(of: str, count: Callable[[Labels, Labels], Hits]) -> Callable[[Sample], Parts]:
    return lambda sample: count(sample.of(of), sample.gold) if sample.gold else NO_HITS


def _explicit_refs(said: Labels, gold: Labels) -> Hits:
    wanted = _explicit(gold)
    return hits("ref-pol", said, wanted) if wanted else NO_HITS


def _explicit_terms(said: Labels, gold: Labels) -> Hits:
    wanted = _explicit(gold)
    return hits("ote-pol", _explicit(said), wanted) if wanted else NO_HITS


def _explicit(labels: Labels) -> list[Label]:
    return [label for label in labels if label.aspect_term]


def _implicit(said: Labels, gold: Labels) -> Hits:
    wanted = {(polarity_of(label),) for label in gold if not label.aspect_term}
    return matched(equal, {(label.polarity,) for label in said if label.polarity}, wanted) if wanted else NO_HITS


def exact(kind: str, said: Labels, gold: Labels) -> bool:
    """Everything that is there was found, and nothing else."""
    return hits(kind, said, gold).exact


def found_refs(said: Labels, gold: Labels) -> tuple[int, int]:
    """Gold pairs of ref and polarity that were found, and how many there are."""
    wanted = pairs("ref-pol", gold)
    return len(pairs("ref-pol", said) & wanted), len(wanted)
