"""JSON Lines with labels: our own layout, and that of doccano.

| layout | an object |
|---|---|
| jsonl | {"id", "text", "labels": [{"aspect_term", "aspect_ref", "polarity", "begin", "end", "opinion_term", ...}]} |
| doccano | {"id", "text", "label": [[begin, end, name], ...], "cats": [name, ...]} |
| doccano | {"id", "text", "entities": [{"start_offset", "end_offset", "label": name}, ...], "cats": [name, ...]} |

The name of a doccano label is a polarity, a ref, or both as `ref|polarity`; what holds for no written target is in
`cats`. In jsonl the list may also be called opinions, annotations, aspects, triplets or quads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal

from withstood import form
from withstood.claims.label import Label, Labelled
from withstood.form import Json
from withstood.sources.labels import fields
from withstood.sources.labels.carrying import Carries
from withstood.sources.labels.entries import Entry, Source, Unfit, Written, an_object, by_line
from withstood.sources.labels.spellings import POLARITIES
from withstood.sources.records import inert

JSONL_ROOM = Carries()
DOCCANO_ROOM = Carries(places="must", opinions="no", implicit_last=True)

LISTS = ("labels", "opinions", "annotations", "aspects", "triplets", "quads")
_KINDS = frozenset({"aspect", "target", "term", "aspect_term", "aspectterm"})
"""Names that say only that a target is one."""


def jsonl(source: Source) -> Iterator[Written]:
    return _objects(source, _labels)


def doccano(source: Source) -> Iterator[Written]:
    return _objects(source, _spans)


def _objects(source: Source, read: Callable[[Mapping[str, Json], str], list[Label]]) -> Iterator[Written]:
    return by_line(source, lambda line, written: entry(line, an_object(written), read, source))


def entry(
    line: int, value: Mapping[str, Json], read: Callable[[Mapping[str, Json], str], list[Label]], source: Source
) -> Entry:
    """An object as an entry. What is wrong with it is reported under its id."""
    case, text = value.get(source.id_column), value.get(source.text_column)
    case = str(case) if isinstance(case, str | int | Decimal) else None
    try:
        if not isinstance(text, str):
            raise Unfit("missing_text", f"wanted text in {source.text_column!r}, found none. Add it.")
        return Entry(line, case, text, tuple(read(value, text)))
    except Unfit as fault:
        raise Unfit(fault.code, fault.message, case) from None


def _labels(value: Mapping[str, Json], text: str) -> list[Label]:
    name = next((name for name in LISTS if name in value), None)
    if name is None:
        raise Unfit("no_labels", f"wanted a list in {LISTS[0]!r}, found none. Add it; it may be empty.")
    said = [fields.label(fields.found(an_item(item, name)), text) for item in a_list(value[name], name)]
    return [label for label in said if label is not None]


def a_list(value: Json, name: str) -> Sequence[Json]:
    if value is None:
        return ()
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise Unfit("broken_labels", f"wanted a list in {name!r}, found {inert(str(value))}.")
    return value


def an_item(value: Json, name: str) -> Mapping[str, Json]:
    if not isinstance(value, Mapping):
        raise Unfit("broken_labels", f"wanted an object for each label in {name!r}, found {inert(str(value))}.")
    return value


def _spans(value: Mapping[str, Json], text: str) -> list[Label]:
    spans = [*a_list(value.get("label"), "label"), *a_list(value.get("labels"), "labels")]
    spans += a_list(value.get("entities"), "entities")
    return [_span(span, text) for span in [*spans, *a_list(value.get("cats"), "cats")]]


def _span(span: Json, text: str) -> Label:
    match span:
        case str(name):
            return named([name], "", None, None)
        case [int(begin), int(end), str(name)]:
            return named([name], text[max(begin, 0) : max(end, 0)], begin, end)
        case {"start_offset": int(begin), "end_offset": int(end), "label": str(name)}:
            return named([name], text[max(begin, 0) : max(end, 0)], begin, end)
        case _:
            raise Unfit("broken_labels", f'wanted [begin, end, "name"] for each label, found {inert(str(span))}.')


def named(names: Iterable[str], term: str, begin: int | None, end: int | None) -> Label:
    """A label that is made of names: a polarity, a ref, or both in one."""
    ref = polarity = ""
    for name in names:
        before, mark, after = name.rpartition("|")
        if mark:
            ref, polarity = before, after
        elif name.strip().casefold() in POLARITIES:
            polarity = name
        elif name.strip().casefold() not in _KINDS:
            ref = name
    return Label(term, ref, polarity, begin, end)


# --- writing -----------------------------------------------------------------------------------


def write_jsonl(rows: Iterable[Labelled]) -> Iterator[str]:
    for row in rows:
        yield form.dumps({"id": row.id, "text": row.text, "labels": [_known(label) for label in row.labels]}) + "\n"


def _known(label: Label) -> dict[str, Json]:
    """An implicit target has a term that is empty; what is not known is left out."""
    said: dict[str, Json] = form.write(label)
    return {name: value for name, value in said.items() if name == "aspect_term" or (value is not None and value != "")
            or (name == "opinion_term" and value is not None)}  # fmt: skip


def write_doccano(rows: Iterable[Labelled]) -> Iterator[str]:
    for row in rows:
        spans = [[label.begin, label.end, name_of(label)] for label in row.labels if label.aspect_term]
        cats = [name_of(label) for label in row.labels if not label.aspect_term]
        yield form.dumps({"id": row.id, "text": row.text, "label": spans, "cats": cats}) + "\n"


def name_of(label: Label) -> str:
    if label.aspect_ref:
        return f"{label.aspect_ref}|{label.polarity}"
    return label.polarity or "aspect"
