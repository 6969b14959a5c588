"""What a layout can carry of a labelled text, and what is lost on the way into it.

Whatever is written comes back the same: `carried` takes away beforehand what the layout has no room for, and counts it.

| row | the layout | what is there | then | counted as |
|---|---|---|---|---|
| 1 | has no sign for a polarity | a label of that polarity | the label is left out | polarity |
| 2 | has written targets only | an implicit target | the label is left out | implicit_target |
| 3 | has refs only where there is no term, or none | a ref beside a term | the ref is left out | ref |
| 4 | has a ref or a term for each label | a label with neither, or a blank term | the label is left out | no_target |
| 5 | has no opinion terms | an opinion term | the opinion term is left out | opinion_term |
| 6 | has an opinion term in each label | a label without one | the label is left out | no_opinion_term |
| 7 | has a place in each label | a term without one that stands in the text | its first place is taken | first_place |
| 8 | has a place in each label | a term that stands nowhere in the text | the label is left out | no_place |
| 9 | has no places | a term that reads like none ("NULL", "-") | the label is left out | no_place |
| 10 | counts words between white space | a target that begins or ends inside one | a space is put there | spaced |
| 11 | has no room for a sign (a line end, a control) | that sign | a space stands for it | sign |
| 12 | has texts with labels only | a text without labels, or of nothing but such signs | the text is left out | text |
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType
from typing import Literal

from withstood.claims.label import Label, Labelled
from withstood.sources.labels.places import Target, found
from withstood.sources.labels.spellings import is_implicit

ALL = frozenset({"positive", "negative", "neutral", "mixed", ""})


@dataclass(frozen=True, slots=True)
class Carries:
    """The room that a layout has. `signs` are those that a text may not hold."""

    ids: bool = True
    polarities: frozenset[str] = ALL
    refs: Literal["yes", "alone", "no"] = "yes"
    implicit: bool = True
    implicit_last: bool = False
    bare: bool = True
    places: Literal["must", "may", "no"] = "may"
    opinions: Literal["may", "must", "written", "no"] = "may"
    tokens: bool = False
    unlabelled: bool = True
    signs: re.Pattern[str] | None = None


LOSSES: Mapping[str, str] = MappingProxyType(
    {
        "polarity": "labels left out: no sign for their polarity",
        "implicit_target": "labels left out: their target is not written in the text",
        "ref": "refs left out",
        "no_target": "labels left out: neither a term nor a ref",
        "opinion_term": "opinion terms left out",
        "no_opinion_term": "labels left out: no opinion term",
        "first_place": "terms that were put at their first place in the text, as none was given",
        "no_place": "labels left out: a term without a place",
        "spaced": "spaces put in, so that terms are whole words",
        "sign": "line ends or controls for which a space stands now",
        "text": "texts left out",
    }
)
"""What each loss is called."""


class Lost(Exception):
    """A label that there is no room for."""


def carried(row: Labelled, room: Carries, losses: Counter[str]) -> Labelled | None:
    """The text with as much of its labels as there is room for; None where there is none for the text."""
    plain = _plain(row, room.signs, losses) if room.signs is not None else row
    labels = [label for label in [_fitted(label, plain.text, room, losses) for label in plain.labels] if label]
    if room.tokens:
        plain, labels = _spaced(plain, labels, losses)
    if room.implicit_last:
        labels.sort(key=lambda label: not label.aspect_term)
    placed = dict.fromkeys(_as_read(label, plain.text, room) for label in labels)
    if plain.text.isspace() or not (placed or room.unlabelled):
        losses["text"] += 1
        return None
    return replace(plain, labels=tuple(placed), remarks=())


def _fitted(label: Label, text: str, room: Carries, losses: Counter[str]) -> Label | None:
    try:
        kept = _with_opinion(_with_ref(_admitted(label, room), room, losses), room, losses)
        return _placed(_telling(kept, room), text, room, losses)
    except Lost as why:
        losses[str(why)] += 1
        return None


def _admitted(label: Label, room: Carries) -> Label:
    if label.polarity not in room.polarities:
        raise Lost("polarity")
    if not label.aspect_term and not room.implicit:
        raise Lost("implicit_target")
    return label


def _telling(label: Label, room: Carries) -> Label:
    """A label that says something: a term or a ref, or what is said of nothing in particular."""
    if not label.aspect_term and not label.aspect_ref and not (room.bare and (label.polarity or label.opinion_term)):
        raise Lost("no_target")
    if any(term and not term.strip() for term in (label.aspect_term, label.opinion_term)):
        raise Lost("no_target")
    return label


def _with_ref(label: Label, room: Carries, losses: Counter[str]) -> Label:
    if room.refs == "yes" or not label.aspect_ref or (room.refs == "alone" and not label.aspect_term):
        return label
    losses["ref"] += 1
    return replace(label, aspect_ref="")


def _with_opinion(label: Label, room: Carries, losses: Counter[str]) -> Label:
    lacking = {"must": label.opinion_term is None, "written": not label.opinion_term}.get(room.opinions, False)
    if lacking:
        raise Lost("no_opinion_term")
    if room.opinions != "no" or label.opinion_term is None:
        return label
    losses["opinion_term"] += 1
    return replace(label, opinion_term=None, opinion_begin=None, opinion_end=None)


def _placed(label: Label, text: str, room: Carries, losses: Counter[str]) -> Label:
    target, opinion = _targets(label)
    if room.places == "no" and any(term and is_implicit(term) for term in (target.term, opinion.term)):
        raise Lost("no_place")
    if room.places != "must":
        return label
    return _with_places(label, _first(target, text, losses), _first(opinion, text, losses))


def _with_places(label: Label, target: Target, opinion: Target) -> Label:
    return replace(
        label,
        aspect_term=target.term,
        begin=target.begin,
        end=target.end,
        opinion_term=None if label.opinion_term is None else opinion.term,
        opinion_begin=opinion.begin,
        opinion_end=opinion.end,
    )


def _first(target: Target, text: str, losses: Counter[str]) -> Target:
    if not target.term or target.begin is not None:
        return target
    begin = text.find(target.term)
    if begin < 0:
        raise Lost("no_place")
    losses["first_place"] += 1
    return Target(target.term, begin, begin + len(target.term))


def _as_read(label: Label, text: str, room: Carries) -> Label:
    """The label as whoever reads the layout finds it: without places that are not written, with those that follow."""
    target, opinion = _targets(label)
    if room.places == "no":
        target, opinion = Target(target.term.strip()), Target(opinion.term.strip())
    return _with_places(label, _settled(target, text), _settled(opinion, text))


def _settled(target: Target, text: str) -> Target:
    return found(target.term, text) if target.begin is None else target


# --- signs and words ---------------------------------------------------------------------------


def _plain(row: Labelled, signs: re.Pattern[str], losses: Counter[str]) -> Labelled:
    """A space for each sign that there is no room for, so that all places hold."""
    text, times = signs.subn(" ", row.text)
    if not times and not any(signs.search(label.aspect_term + (label.opinion_term or "")) for label in row.labels):
        return row
    losses["sign"] += times
    return replace(row, text=text, labels=tuple([_plain_label(label, signs) for label in row.labels]))


def _plain_label(label: Label, signs: re.Pattern[str]) -> Label:
    opinion = None if label.opinion_term is None else signs.sub(" ", label.opinion_term)
    return replace(label, aspect_term=signs.sub(" ", label.aspect_term), opinion_term=opinion)


def _spaced(row: Labelled, labels: Sequence[Label], losses: Counter[str]) -> tuple[Labelled, list[Label]]:
    """Every target and opinion term made of whole words: spaces go in where one begins or ends inside a word."""
    trimmed = [_with_places(label, *[_trimmed(target, row.text) for target in _targets(label)]) for label in labels]
    edges = {edge for label in trimmed for target in _targets(label) for edge in (target.begin, target.end)}
    cuts = sorted(edge for edge in edges if edge is not None and _is_inside(edge, row.text))
    losses["spaced"] += len(cuts)
    ends = [0, *cuts, len(row.text)]
    text = " ".join(row.text[begin:end] for begin, end in pairwise(ends))
    moved = [_with_places(label, *[_moved(target, cuts, text) for target in _targets(label)]) for label in trimmed]
    return replace(row, text=text), moved


def _targets(label: Label) -> tuple[Target, Target]:
    opinion = Target(label.opinion_term or "", label.opinion_begin, label.opinion_end)
    return Target(label.aspect_term, label.begin, label.end), opinion


def _trimmed(target: Target, text: str) -> Target:
    if target.begin is None or target.end is None:
        return target
    begin = target.begin + len(target.term) - len(target.term.lstrip())
    end = target.end - len(target.term) + len(target.term.rstrip())
    return Target(text[begin:end], begin, end) if begin < end else target


def _is_inside(edge: int, text: str) -> bool:
    return 0 < edge < len(text) and not text[edge - 1].isspace() and not text[edge].isspace()


def _moved(target: Target, cuts: Sequence[int], text: str) -> Target:
    if target.begin is None or target.end is None:
        return target
    begin = target.begin + sum(cut <= target.begin for cut in cuts)
    end = target.end + sum(cut < target.end for cut in cuts)
    return Target(text[begin:end], begin, end)
