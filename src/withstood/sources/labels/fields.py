"""The parts of a label under the names that columns and keys have.

| part | names |
|---|---|
| aspect_term | aspect_term, term, target, aspect, span |
| aspect_ref | aspect_ref, ref, category, aspect_category |
| polarity | polarity, sentiment, label |
| begin, end | begin, start, from · end, to |
| opinion_term | opinion_term, opinion |
| opinion_begin, opinion_end | opinion_begin, opinion_start, opinion_from · opinion_end, opinion_to |
| ordinal | ordinal: which of the places of a term that stands there more than once, from 0 |
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from withstood.claims.label import Label
from withstood.form import Json
from withstood.sources.labels.entries import Unfit
from withstood.sources.labels.places import places
from withstood.sources.records import inert

PARTS = ("aspect_term", "aspect_ref", "polarity", "begin", "end", "opinion_term", "opinion_begin", "opinion_end")

_NAMES = {
    "aspect_term": "term target aspect span",
    "aspect_ref": "ref category aspect_category",
    "polarity": "sentiment label",
    "begin": "start from",
    "end": "to",
    "opinion_term": "opinion",
    "opinion_begin": "opinion_start opinion_from",
    "opinion_end": "opinion_to",
    "ordinal": "",
}
NAMED: Mapping[str, str] = MappingProxyType(
    {name: part for part, names in _NAMES.items() for name in (part, *names.split())}
)


def found(columns: Mapping[str, Json]) -> dict[str, Json]:
    """The parts of a label among named values. A part's own name goes before its other names."""
    parts: dict[str, Json] = {}
    for name, value in columns.items():
        plain = name.strip().lower()
        part = NAMED.get(plain)
        if part is not None and (part == plain or part not in parts):
            parts[part] = value
    return parts


def label(parts: Mapping[str, Json], text: str) -> Label | None:
    """The label that these parts say; None where they say nothing."""
    words = {name: _words(parts.get(name), name) for name in ("aspect_term", "aspect_ref", "polarity")}
    opinion = None if parts.get("opinion_term") is None else _words(parts["opinion_term"], "opinion_term")
    if not any(words.values()) and opinion is None:
        return None
    begin, end = _number(parts.get("begin"), "begin"), _number(parts.get("end"), "end")
    which = _number(parts.get("ordinal"), "ordinal")
    if begin is None and which is not None:
        begin, end = _nth(words["aspect_term"], which, text)
    return Label(
        words["aspect_term"],
        words["aspect_ref"],
        words["polarity"],
        begin,
        end,
        opinion,
        _number(parts.get("opinion_begin"), "opinion_begin"),
        _number(parts.get("opinion_end"), "opinion_end"),
    )


def _words(value: Json, name: str) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | None):
        raise Unfit("broken_labels", f"wanted text as {name}, found {inert(str(value))}.")
    return "" if value is None else str(value)


def _number(value: Json, name: str) -> int | None:
    if value is None or value == "":
        return None
    written = str(value).strip()
    if isinstance(value, bool) or not written.removeprefix("-").isdecimal() or len(written) > 9:
        raise Unfit("broken_labels", f"wanted a whole number as {name}, found {inert(written)}.")
    return int(written)


def _nth(term: str, which: int, text: str) -> tuple[int, int]:
    there = list(places(term, text))
    if not 0 <= which < len(there):
        raise Unfit(
            "wrong_offsets",
            f'wanted place {which} of "{inert(term)}", counted from 0, found {len(there)} places of it in the text.',
        )
    return there[which]
