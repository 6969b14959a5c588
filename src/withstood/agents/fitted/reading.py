"""What a model finds in a text: targets, and what each way of looking says of their polarity."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from withstood.agents.fitted import features
from withstood.agents.fitted.catalogue import grams
from withstood.agents.fitted.chain import Chain, Row, Sums
from withstood.agents.fitted.features import Aim
from withstood.agents.fitted.model import Parts
from withstood.agents.fitted.outline import Bounds, Outline, Outliner
from withstood.claims.case import Target

OUT, BEGIN, INSIDE = "O", "B", "I"

_KEPT = 64
_WORTH = 0.35
"""A target that is right with less than this chance costs more than it brings: half of the F1 that readers come to."""

Shares = dict[str, float]


@dataclass(frozen=True, slots=True)
class Found:
    """A target with the shares of the polarities: by the text as a whole, by its clause, and by both weighed alike.
    `opinion_term` is the opinion word beside it, where the model knows such; `clause` is what it stands in."""

    target: Target
    whole: Shares
    narrow: Shares
    both: Shares
    opinion_term: str | None
    clause: str | None


class Reading:
    """Applies one model. The same text gives the same, and is looked at once for all seats that ask."""

    def __init__(self, parts: Parts, outliner: Outliner) -> None:
        self._parts = parts
        self._of_tokens = Sums(*filter(None, (parts.terms, parts.opinions)))
        self._of_targets = Sums(parts.whole, parts.narrow)
        self._of_refs = Sums(*filter(None, (parts.ref_of,)))
        self._outline = functools.lru_cache(_KEPT)(outliner.outline)
        self._look = functools.lru_cache(_KEPT)(self._looked)

    def find(self, text: str, language: str) -> tuple[Found, ...]:
        """The targets that the model finds, each with its polarities."""
        return self._look(text, language, None)

    def judge(self, text: str, language: str, targets: tuple[Target, ...]) -> tuple[Found, ...]:
        """The polarities of targets that are given, in the order of the text."""
        return self._look(text, language, targets)

    def _looked(self, text: str, language: str, targets: tuple[Target, ...] | None) -> tuple[Found, ...]:
        outline = self._outline(text, language)
        terms, opinions = self._spans(outline, targets is None)
        aimed = self._aims(outline, list(terms)) if targets is None else _given(outline, targets)
        aimed = dict(sorted(aimed.items(), key=lambda one: order(one[0])))
        whole, narrow = self._polarities(outline, list(aimed))
        found = {
            aim: Found(target, one, other, _both(one, other), _beside(aim, opinions, outline), _clause(aim, outline))
            for (aim, target), one, other in zip(aimed.items(), whole, narrow, strict=True)
        }
        return tuple(
            [one for aim, one in found.items() if aim.bounds not in terms or _is_worth(aim, one, terms[aim.bounds])]
        )

    def _polarities(self, outline: Outline, aims: Sequence[Aim]) -> tuple[list[Shares], list[Shares]]:
        """By the text as a whole, and by the clause."""
        whole, narrow = self._of_targets.of(features.of_targets(outline, aims, narrow=False))
        return _told(self._parts.whole, whole), _told(self._parts.narrow, narrow)

    def _spans(self, outline: Outline, finds: bool) -> tuple[dict[Bounds, float], list[Bounds]]:
        """Terms with their shares, where they are looked for, and opinion words, as runs of tokens."""
        terms, opinions = self._parts.terms, self._parts.opinions
        if opinions is None and not (terms and finds):
            return {}, []
        rows = self._of_tokens.of(features.of_tokens(outline))
        found = _shared(terms, rows[0]) if terms and finds else {}
        return found, list(_runs(opinions.best(rows[-1]))) if opinions else []

    def _aims(self, outline: Outline, terms: Sequence[Bounds]) -> dict[Aim, Target]:
        refs = self._refs(outline)
        by_term = self._ref_of(outline, terms, refs)
        found = {
            Aim(first, last, ref): Target(*_words(outline, first, last, ref))
            for (first, last), ref in zip(terms, by_term, strict=True)
        }
        for ref in refs:
            if ref not in by_term:
                found[Aim(0, 0, ref)] = Target(aspect_ref=ref)
        return found

    def _refs(self, outline: Outline) -> list[str]:
        catalogue = self._parts.refs
        if catalogue is None:
            return []
        shares = catalogue.shares(grams(outline.text), features.marks(outline))
        return [catalogue.refs[no] for no in catalogue.of(shares)]

    def _ref_of(self, outline: Outline, terms: Sequence[Bounds], refs: Sequence[str]) -> list[str]:
        """The likeliest ref of each term, out of those that the text has."""
        chain = self._parts.ref_of
        if chain is None or not terms:
            return [""] * len(terms)
        allowed = [no for no, ref in enumerate(chain.labels) if ref in refs] or list(range(len(chain.labels)))
        rows = self._of_refs.of(features.of_targets(outline, [Aim(*term) for term in terms], narrow=True))
        shares = chain.shares(rows[0])
        return [chain.labels[max(allowed, key=lambda no, one=one: (one[no], -no))] for one in shares]


def order(aim: Aim) -> tuple[bool, int, int, str]:
    """As in the text; targets without a place at the end."""
    return (not aim.placed, aim.first, aim.last, aim.ref)


def _told(chain: Chain, rows: Sequence[Row]) -> list[Shares]:
    return [dict(zip(chain.labels, one, strict=True)) for one in chain.shares(rows)]


def _both(one: Shares, other: Shares) -> Shares:
    names = dict.fromkeys((*one, *other))
    return {name: (one.get(name, 0.0) + other.get(name, 0.0)) / 2 for name in names}


def _given(outline: Outline, targets: Sequence[Target]) -> dict[Aim, Target]:
    found: dict[Aim, Target] = {}
    for target in targets:
        placed = target.aspect_term and target.begin is not None and target.end is not None
        bounds = outline.range_of(target.begin or 0, target.end or 0) if placed else (0, 0)
        found.setdefault(Aim(*(bounds if bounds[1] > bounds[0] else (0, 0)), target.aspect_ref), target)
    return found


def _runs(tags: Sequence[str]) -> Iterator[Bounds]:
    """Runs that begin with BEGIN, or with INSIDE where nothing was begun."""
    first: int | None = None
    for place, tag in enumerate((*tags, OUT)):
        if first is not None and tag != INSIDE:
            yield first, place
            first = None
        if first is None and tag != OUT:
            first = place


def _shared(chain: Chain, rows: Sequence[Row]) -> dict[Bounds, float]:
    """The likeliest runs, each with the share of its unlikeliest mark, the end included."""
    found = list(_runs(chain.best(rows)))
    marks = [dict(zip(chain.labels, one, strict=True)) for one in chain.shares(rows)] if found else []
    return {(first, last): min(_marked(marks, first, last)) for first, last in found}


def _marked(marks: Sequence[Shares], first: int, last: int) -> Iterator[float]:
    yield 1.0 - marks[first].get(OUT, 0.0)
    yield from (marks[place].get(INSIDE, 0.0) for place in range(first + 1, last))
    if last < len(marks):
        yield 1.0 - marks[last].get(INSIDE, 0.0)


def _is_worth(aim: Aim, found: Found, share: float) -> bool:
    """A term that stands for a category does: the category was found by itself."""
    return bool(aim.ref) or share * max(found.both.values()) >= _WORTH


def _words(outline: Outline, first: int, last: int, ref: str) -> tuple[str, str, int, int]:
    begin, end = outline.begins[first], outline.ends[last - 1]
    return outline.text[begin:end], ref, begin, end


def _beside(aim: Aim, opinions: Sequence[Bounds], outline: Outline) -> str | None:
    """The opinion word that stands nearest to a term."""
    if not aim.placed or not opinions:
        return None
    first, last = min(opinions, key=lambda one: (max(one[0] - aim.last, aim.first - one[1]), one))
    return outline.part(first, last)


def _clause(aim: Aim, outline: Outline) -> str | None:
    if not aim.placed:
        return None
    return outline.part(*outline.clause(aim.first, aim.last))
