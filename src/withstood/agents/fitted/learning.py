"""Learning a reader from labelled texts. Here, and only here, the extra `fit` is needed; applying needs none of it."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from withstood.agents.fitted import crf, features
from withstood.agents.fitted.catalogue import Catalogue, grams, valued
from withstood.agents.fitted.chain import THOUSAND, Chain, Features
from withstood.agents.fitted.crf import Costs
from withstood.agents.fitted.features import Aim
from withstood.agents.fitted.model import Parts
from withstood.agents.fitted.outline import Outline
from withstood.agents.fitted.reading import BEGIN, INSIDE, OUT, order
from withstood.claims.label import Label, Labelled
from withstood.errors import MissingExtra

_LEAST = 2
"""An n-gram that stands in fewer texts says nothing of others."""
_OF_TOKENS: Costs = (0.0, 2.0, 60)
_OF_KOREAN_TOKENS: Costs = (0.0, 0.3, 120)
"""Words that come in so many forms are rare, and at a high cost nothing is left of them."""
_OF_POLARITY: Costs = (0.0, 5.0, 60)
_OF_REFS: Costs = (0.2, 1.0, 60)
_MANY = 5_000
"""With so many labels words are known well enough: runs of letters are no help any more, but a hindrance."""
_THRESHOLD = 300
_MOSTLY = 0.9
_C, _TOLERANCE = 8, 0.01
_SLIGHT = 5
"""A weight of less than so many thousandths is left out."""

Sequence_ = tuple[Sequence[Features], Sequence[str]]
Place = tuple[int | None, int | None]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A labelled text, laid out. Each target once; of several polarities the first."""

    outline: Outline
    labels: tuple[Label, ...]


def lessons(rows: Iterable[Labelled], outline: Callable[[str], Outline]) -> list[Lesson]:
    return [Lesson(outline(row.text), row.labels) for row in rows]


def learned(taught: Sequence[Lesson]) -> Parts:
    """Everything that these rows can teach. The same rows give the same parts."""
    _installed()
    with ThreadPoolExecutor() as threads:  # crfsuite learns without the lock of the interpreter
        begun = {name: threads.submit(_chain, rows, costs) for name, rows, costs in _taught_to_chains(taught)}
        refs = _catalogue(taught) if any(label.aspect_ref for lesson in taught for label in lesson.labels) else None
        chains = {name: chain.result() for name, chain in begun.items()}
    return Parts(
        terms=chains.get("terms"),
        opinions=chains.get("opinions"),
        whole=chains["whole"],
        narrow=chains["narrow"],
        refs=refs,
        ref_of=chains.get("ref_of"),
    )


def _taught_to_chains(taught: Sequence[Lesson]) -> Iterator[tuple[str, list[Sequence_], Costs]]:
    """What each chain learns from, by its name in `Parts`."""
    labels = [label for lesson in taught for label in lesson.labels]
    knows_terms = any(label.begin is not None and label.end for label in labels)
    knows_opinions = any(label.opinion_begin is not None and label.opinion_end for label in labels)
    tokens = [features.of_tokens(lesson.outline) for lesson in taught] if knows_terms or knows_opinions else []
    korean = sum(lesson.outline.language == "ko" for lesson in taught) * 2 > len(taught)
    costs = _OF_KOREAN_TOKENS if korean else _OF_TOKENS
    if knows_terms:
        yield "terms", _marked(taught, tokens, _terms), costs
    if knows_opinions:
        yield "opinions", _marked(taught, tokens, _opinions), costs
    runs = len(labels) < _MANY
    yield "whole", [_targets(lesson, False, runs) for lesson in taught], _OF_POLARITY
    yield "narrow", [_targets(lesson, True, runs) for lesson in taught], _OF_POLARITY
    if knows_terms and any(label.aspect_ref for label in labels):
        yield "ref_of", [_refs(lesson) for lesson in taught], _OF_REFS


def _installed() -> None:
    try:
        crf.crfsuite()
        importlib.import_module("sklearn.linear_model")
    except ImportError:
        raise MissingExtra("Fitting a reader", "fit") from None


# --- what a lesson teaches ---------------------------------------------------------------------


def _marked(
    taught: Sequence[Lesson], tokens: Iterable[Sequence[Features]], places: Callable[[Label], Place]
) -> list[Sequence_]:
    return [(items, _marks(lesson, places)) for lesson, items in zip(taught, tokens, strict=True)]


def _terms(label: Label) -> Place:
    return label.begin, label.end


def _opinions(label: Label) -> Place:
    return label.opinion_begin, label.opinion_end


def _marks(lesson: Lesson, places: Callable[[Label], Place]) -> list[str]:
    """A place is marked where nothing of it is marked yet."""
    marks = [OUT] * len(lesson.outline.words)
    for begin, end in map(places, lesson.labels):
        if begin is None or end is None or begin >= end:
            continue
        first, last = lesson.outline.range_of(begin, end)
        if all(mark == OUT for mark in marks[first:last]):
            marks[first:last] = [INSIDE if place > first else BEGIN for place in range(first, last)]
    return marks


def aims(outline: Outline, labels: Iterable[Label]) -> dict[Aim, Label]:
    """The targets of a text in their order, those without a place at the end."""
    found: dict[Aim, Label] = {}
    for label in labels:
        placed = label.begin is not None and label.end is not None and label.begin < label.end
        bounds = outline.range_of(label.begin or 0, label.end or 0) if placed else (0, 0)
        found.setdefault(Aim(*(bounds if bounds[1] > bounds[0] else (0, 0)), label.aspect_ref), label)
    return dict(sorted(found.items(), key=lambda one: order(one[0])))


def _targets(lesson: Lesson, narrow: bool, runs: bool) -> Sequence_:
    found = aims(lesson.outline, lesson.labels)
    told = [label.polarity or "neutral" for label in found.values()]
    items = features.of_targets(lesson.outline, list(found), narrow)
    return items if runs else [[name for name in item if not features.is_run(name)] for item in items], told


def _refs(lesson: Lesson) -> Sequence_:
    found = [(aim, label.aspect_ref) for aim, label in aims(lesson.outline, lesson.labels).items() if label.aspect_ref]
    placed = {Aim(aim.first, aim.last): ref for aim, ref in found if aim.placed}
    return features.of_targets(lesson.outline, list(placed), narrow=True), list(placed.values())


# --- chains ------------------------------------------------------------------------------------


def _chain(taught: Iterable[Sequence_], costs: Costs) -> Chain:
    """A conditional random field as a chain: what crfsuite learned, in whole numbers."""
    numbers: dict[str, int] = {}
    places: dict[str, int] = {}
    rows = [([_numbered(item, numbers) for item in items], _numbered(told, places)) for items, told in taught if items]
    labels = tuple(places)
    if len(labels) < 2:
        return Chain(labels or ("neutral",), ((0,),), {})
    found = crf.learned(rows, costs)
    moves = [[0] * len(labels) for _ in labels]
    for left, right, weight in found.moves:
        moves[left][right] = round(weight * THOUSAND)
    return Chain(labels, tuple(map(tuple, moves)), _weights(found, list(numbers)))


def _numbered(names: Sequence[str], numbers: dict[str, int]) -> list[str]:
    return [str(numbers.setdefault(name, len(numbers))) for name in names]


def _weights(found: crf.Learned, names: Sequence[str]) -> dict[str, tuple[int, ...]]:
    weights: dict[str, tuple[int, ...]] = {}
    for number, label, weight in sorted(found.weights):
        if abs(whole := round(weight * THOUSAND)) >= _SLIGHT:
            weights[names[number]] = (*weights.get(names[number], ()), label, whole)
    return weights


# --- categories --------------------------------------------------------------------------------


def _catalogue(taught: Sequence[Lesson]) -> Catalogue:
    """One logistic regression for each ref, over n-grams weighed by their rarity and what the lexicon sees."""
    from math import log

    counted = [grams(lesson.outline.text) for lesson in taught]
    seen = Counter(gram for one in counted for gram in one)
    rarity = {
        gram: round(log((1 + len(taught)) / (1 + times)) + 1, 3) for gram, times in seen.items() if times >= _LEAST
    }
    rows: list[Mapping[str, float]] = []
    for lesson, one in zip(taught, counted, strict=True):
        known = {gram: times for gram, times in one.items() if gram in rarity}
        by_gram, by_mark = valued(known, features.marks(lesson.outline), rarity)
        rows.append({**by_gram, **by_mark})
    wanted = [frozenset(label.aspect_ref for label in lesson.labels if label.aspect_ref) for lesson in taught]
    refs = tuple(sorted(frozenset().union(*wanted)))
    bias, weights = _regressions(rows, wanted, refs)
    always = sum(map(bool, wanted)) >= _MOSTLY * len(wanted)
    kept = {name: (round(rarity.get(name, 1.0) * THOUSAND), *found) for name, found in sorted(weights.items()) if found}
    return Catalogue(refs, bias, kept, _THRESHOLD, always)


def _regressions(
    rows: Sequence[Mapping[str, float]], wanted: Sequence[frozenset[str]], refs: Sequence[str]
) -> tuple[tuple[int, ...], dict[str, list[int]]]:
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    columns: Any = DictVectorizer()
    table = columns.fit_transform(rows)
    table.indices, table.indptr = (part.astype("int32") for part in (table.indices, table.indptr))  # liblinear's width
    names: Sequence[str] = columns.get_feature_names_out()
    bias: list[int] = []
    weights: dict[str, list[int]] = {}
    for no, ref in enumerate(refs):
        told = [ref in one for one in wanted]
        if all(told):
            bias.append(MOST_SURE)
            continue
        found: Any = LogisticRegression(C=_C, solver="liblinear", tol=_TOLERANCE).fit(table, told)
        bias.append(round(float(found.intercept_[0]) * THOUSAND))
        for name, weight in zip(names, found.coef_[0], strict=True):
            if abs(whole := round(float(weight) * THOUSAND)) >= _SLIGHT:
                weights.setdefault(str(name), []).extend((no, whole))
    return tuple(bias), weights


MOST_SURE = 20 * THOUSAND
