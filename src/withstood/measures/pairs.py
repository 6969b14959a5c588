"""Pairs: what of an opinion is compared, and how many of the pairs that were said are right.

Pairs of one sample are a set: an opinion that three readers found counts once.

| name | a pair is | remark |
|---|---|---|
| ref-pol | ref, polarity | primary; an opinion without a ref is left out |
| ote-pol | term, polarity | a gold pair with an empty term matches one pair of its polarity that is left, whatever its term |
| attr-pol | attribute, polarity | the part of the ref after `#`; without `#` left out |
| term-pol | term, polarity | as usual elsewhere: an empty term equals an empty term only |
| place-pol | place, polarity | the same by offsets, so that a term that occurs twice is two; without a place left out |
| ref-term-pol | ref, term, polarity | |
| triplet | term, opinion, polarity | |
| quad | ref, term, opinion, polarity | |
| ref | ref | for runs that extract without polarity |
| term | term | for runs that extract without polarity |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from withstood.claims.label import Label
from withstood.measures.normal import UNSAID

Pair: TypeAlias = tuple[str | int, ...]
Pairs: TypeAlias = AbstractSet[Pair]
Pairing: TypeAlias = Callable[[Label], Pair | None]
Matching: TypeAlias = Callable[[Pairs, Pairs], int]


class Hits(NamedTuple):
    """True positives, false positives, false negatives."""

    tp: int
    fp: int
    fn: int

    @property
    def exact(self) -> bool:
        """Precision and recall are 1; with nothing to find they are 0."""
        return self.tp > 0 and self.fp == self.fn == 0


def polarity_of(label: Label) -> str:
    return label.polarity or UNSAID


def _ref(label: Label) -> Pair | None:
    return (label.aspect_ref,) if label.aspect_ref else None


def _term(label: Label) -> Pair:
    return (label.aspect_term,)


def _ref_pol(label: Label) -> Pair | None:
    return (label.aspect_ref, polarity_of(label)) if label.aspect_ref else None


def _term_pol(label: Label) -> Pair:
    return (label.aspect_term, polarity_of(label))


def _attr_pol(label: Label) -> Pair | None:
    _, sign, attribute = label.aspect_ref.partition("#")
    return (attribute, polarity_of(label)) if sign else None


def _place_pol(label: Label) -> Pair | None:
    if label.begin is None or label.end is None or label.begin == label.end:
        return None
    return (label.begin, label.end, polarity_of(label))


def _ref_term_pol(label: Label) -> Pair:
    return (label.aspect_ref, label.aspect_term, polarity_of(label))


def _triplet(label: Label) -> Pair:
    return (label.aspect_term, label.opinion_term or "", polarity_of(label))


def _quad(label: Label) -> Pair:
    return (label.aspect_ref, *_triplet(label))


def equal(said: Pairs, gold: Pairs) -> int:
    return len(said & gold)


def equal_or_implicit(said: Pairs, gold: Pairs) -> int:
    """Gold pairs without a term take what equal pairs have left."""
    left = [polarity for _, polarity in said - gold]
    return len(said & gold) + sum(1 for term, polarity in gold - said if term == "" and polarity in left)


class Kind(NamedTuple):
    """One row of the table. `needs` says what the gold has to know for it to be measured."""

    pair: Pairing
    needs: tuple[str, ...]
    shared: Matching = equal


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "ref-pol": Kind(_ref_pol, ("refs",)),
        "ote-pol": Kind(_term_pol, ("terms",), equal_or_implicit),
        "attr-pol": Kind(_attr_pol, ("refs",)),
        "term-pol": Kind(_term_pol, ("terms",)),
        "place-pol": Kind(_place_pol, ("places",)),
        "ref-term-pol": Kind(_ref_term_pol, ("refs", "terms")),
        "triplet": Kind(_triplet, ("terms", "opinions")),
        "quad": Kind(_quad, ("refs", "terms", "opinions")),
        "ref": Kind(_ref, ("refs",)),
        "term": Kind(_term, ("terms",)),
    }
)


def pairs(kind: str, labels: Iterable[Label]) -> Pairs:
    pair = KINDS[kind].pair
    return {found for label in labels if (found := pair(label)) is not None}


def hits(kind: str, said: Iterable[Label], gold: Iterable[Label]) -> Hits:
    return matched(KINDS[kind].shared, pairs(kind, said), pairs(kind, gold))


def matched(shared: Matching, said: Pairs, gold: Pairs) -> Hits:
    tp = shared(said, gold)
    return Hits(tp, len(said) - tp, len(gold) - tp)


def knowledge(labels: Iterable[Label]) -> frozenset[str]:
    """What these labels know: refs, terms, places, opinions."""
    known: set[str] = set()
    for label in labels:
        known |= {"refs"} if label.aspect_ref else set()
        known |= {"terms"} if label.aspect_term else set()
        known |= {"places"} if label.begin is not None and label.begin != label.end else set()
        known |= {"opinions"} if label.opinion_term is not None else set()
    return frozenset(known)


def measurable(known: AbstractSet[str]) -> tuple[str, ...]:
    """The kinds that labels with this knowledge can measure, in the order of the table."""
    return tuple([name for name, kind in KINDS.items() if set(kind.needs) <= known])
