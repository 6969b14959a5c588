"""Which layout of labels a file is in, by what stands in it and never by its name.

| order | the file | layout |
|---|---|---|
| 1 | is XML with Reviews or Opinions | semeval2016 |
| 2 | is XML with aspectTerm, aspectCategory or plain sentences | semeval2014 |
| 3 | is a JSON array, or JSON objects, of tasks with annotations | labelstudio |
| 4 | has JSON objects with sentence_form | nikl |
| 5 | has JSON objects with a list of objects: labels, opinions, ... | jsonl |
| 6 | has JSON objects with a list of spans, with entities or cats | doccano |
| 7 | has JSON objects, or columns, with span and label | setfit |
| 8 | has #### and token numbers, three words, four words | aste, tasd, asqp |
| 9 | has tabs, and token numbers behind the last one | acos-tsv |
| 10 | has a column polarity | csv, tsv |
| 11 | has a column polarity_1 | csv-wide, tsv-wide |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from types import MappingProxyType

from withstood.form import Json
from withstood.sources import layouts
from withstood.sources.labels import hashed, semeval, studio, tables
from withstood.sources.labels.entries import Source, Unfit, an_object
from withstood.sources.labels.objects import LISTS
from withstood.sources.records import Fault, cells, whole_lines

_LOOK_AT = 200


def layout(source: Source) -> str | None:
    """The name of a layout; None where the file has no labels that we know of."""
    first = layouts.first_line(source.content, source.encoding, source.most).strip()
    if hashed.MARK not in first and first[:1] in _BY_FIRST_SIGN:
        return _BY_FIRST_SIGN[first[0]](source)
    return hashed.layout(source) or _of_table(source, first)


def _of_tasks(source: Source) -> str | None:
    with source.text() as stream:
        _, task = next(studio.objects(stream, source.most), (1, None))
    return None if task is None else _by_keys(_keys(task))


def _of_objects(source: Source) -> str | None:
    with source.lines() as lines:
        for line in islice(whole_lines(lines), _LOOK_AT):
            found = None if isinstance(line, Fault) else _by_keys(_keys(line))
            if found is not None:
                return found
    return None


def _keys(written: str) -> Mapping[str, Json]:
    try:
        return an_object(written)
    except Unfit:
        return {}


def _by_keys(value: Mapping[str, Json]) -> str | None:
    """None where this object does not tell."""
    if (
        isinstance(value.get("data"), Mapping)
        or _first(value, "annotations", "result")
        or _first(value, "label", "start")
    ):
        return "labelstudio"
    if "sentence_form" in value:
        return "nikl"
    if "span" in value and "label" in value:
        return "setfit"
    if any(isinstance(_head(value, name), Mapping) for name in LISTS):
        return "jsonl"
    spans = isinstance(_head(value, "label"), Sequence) or isinstance(_head(value, "labels"), Sequence)
    if spans or _first(value, "entities", "start_offset") or ("cats" in value and "label" in value):
        return "doccano"
    return None


def _head(value: Mapping[str, Json], name: str) -> Json:
    """What a list begins with."""
    items = value.get(name)
    return items[0] if isinstance(items, Sequence) and not isinstance(items, str) and items else None


def _first(value: Mapping[str, Json], name: str, key: str) -> bool:
    head = _head(value, name)
    return isinstance(head, Mapping) and key in head


def _of_table(source: Source, first: str) -> str | None:
    delimiter = layouts.delimiter_of(first, source.text_column)
    with source.lines() as lines:
        top = next(cells(lines, delimiter), None)
    if top is None or isinstance(top, Fault) or source.text_column not in [column.strip() for column in top[1]]:
        return None
    found = tables.layout(top[1])
    return found.replace("csv", "tsv") if found and delimiter == "\t" else found


_BY_FIRST_SIGN: Mapping[str, Callable[[Source], str | None]] = MappingProxyType(
    {"<": semeval.layout, "[": _of_tasks, "{": _of_objects}
)
