"""CSV and TSV with labels, long and wide, and the columns of SetFit.

| layout | a row is |
|---|---|
| csv, tsv | a label: id, text, and its parts in columns; rows of one id (without ids: of one text) follow each other |
| csv-wide, tsv-wide | a text: id, text, aspect_term_1, polarity_1, ..., aspect_term_2, ... |
| csv-wide, tsv-wide | a text, and a column for each ref with a polarity in it, or nothing |
| setfit | a label: text, span, label, ordinal |

A row without any part of a label is a text without labels. Rows of JSON Lines are read as those of a table are. In
what is written here, cells that a spreadsheet would take for a formula begin with an apostrophe, and one such
apostrophe is taken off again where the columns have our names.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from typing import NamedTuple

from withstood.claims.label import Label, Labelled
from withstood.errors import InputError
from withstood.form import Json
from withstood.sources import layouts
from withstood.sources.labels import fields
from withstood.sources.labels.carrying import Carries
from withstood.sources.labels.entries import Entry, Source, Unfit, Written, an_object
from withstood.sources.labels.objects import entry
from withstood.sources.labels.places import ordinal
from withstood.sources.labels.spellings import POLARITIES
from withstood.sources.records import Fault, cells, whole_lines, wrong_width

ROOM = Carries()
SETFIT_ROOM = Carries(ids=False, refs="no", implicit=False, places="must", opinions="no", unlabelled=False)

_FORMULA = re.compile(r"'*[=+\-@\t\r\n]")
_NUMBERED = re.compile(r"(.+)_(\d{1,3})")
_LOOK_AT = 1000


class _Cells(NamedTuple):
    """A row: what stands in its columns, blank cells left out."""

    line: int
    values: Mapping[str, Json]


# --- reading -----------------------------------------------------------------------------------


def long(source: Source) -> Iterator[Written]:
    for _, rows in groupby(_rows(source), lambda row: _whose(row, source)):
        yield _grouped(list(rows), source)


def wide(source: Source) -> Iterator[Written]:
    refs = _refs(source)
    for row in _rows(source):
        yield row if isinstance(row, Fault) else _entry(row, source, lambda values, text: _across(values, text, refs))


def layout(columns: Sequence[str]) -> str | None:
    """Which layout has such columns; None where there is no label among them."""
    plain = {column.strip().lower() for column in columns}
    if {"span", "label"} <= plain:
        return "setfit"
    if "polarity" in plain or "sentiment" in plain:
        return "csv"
    numbered = [found[1] for found in map(_NUMBERED.fullmatch, plain) if found]
    return "csv-wide" if "polarity" in numbered or "sentiment" in numbered else None


def _whose(row: _Cells | Fault, source: Source) -> tuple[int, Json]:
    """Equal for the rows of one text."""
    if isinstance(row, Fault):
        return (row.line, None)
    case = row.values.get(source.id_column)
    return (0, row.values.get(source.text_column)) if case is None else (-1, str(case))


def _grouped(rows: Sequence[_Cells | Fault], source: Source) -> Written:
    labels: list[Label] = []
    first: Entry | None = None
    for row in rows:
        read = row if isinstance(row, Fault) else _entry(row, source, _single)
        if isinstance(read, Fault):
            return read
        first = first or read
        if read.text != first.text:
            message = f"wanted the text of line {first.line}, which has the same id, found another. Give it its own id."
            return Fault(row.line, first.id, "different_texts", message)
        labels += read.labels
    if first is None:
        raise ValueError("wanted at least one row of a text, found none")
    return Entry(first.line, first.id, first.text, tuple(labels))


def _entry(row: _Cells, source: Source, read: Callable[[Mapping[str, Json], str], list[Label]]) -> Written:
    try:
        return entry(row.line, row.values, read, source)
    except Unfit as fault:
        return Fault(row.line, fault.case, fault.code, fault.message)


def _single(values: Mapping[str, Json], text: str) -> list[Label]:
    found = fields.label(fields.found(values), text)
    return [] if found is None else [found]


def _across(values: Mapping[str, Json], text: str, refs: Sequence[str]) -> list[Label]:
    groups: dict[int, dict[str, Json]] = {}
    for name, value in values.items():
        numbered = _NUMBERED.fullmatch(name)
        if numbered is not None and numbered[1].strip().lower() in fields.NAMED:
            groups.setdefault(int(numbered[2]), {})[numbered[1]] = value
    said = [fields.label(fields.found(groups[number]), text) for number in sorted(groups)]
    matrix = [Label("", ref, part) for ref in refs for part in str(values.get(ref, "")).split(";") if part.strip()]
    return [label for label in said if label is not None] + matrix


def _refs(source: Source) -> list[str]:
    """The columns that are refs: most of what stands in them, in the first rows, is a polarity."""
    filled: dict[str, list[bool]] = {}
    for row in islice(_rows(source), _LOOK_AT):
        for name, value in {} if isinstance(row, Fault) else row.values.items():
            if name not in (source.id_column, source.text_column) and not _is_part(name):
                parts = str(value).split(";")
                filled.setdefault(name, []).append(all(part.strip().casefold() in POLARITIES for part in parts))
    return [name for name, spelled in filled.items() if sum(spelled) * 2 >= len(spelled)]


def _is_part(name: str) -> bool:
    numbered = _NUMBERED.fullmatch(name)
    return (numbered[1] if numbered else name).strip().lower() in fields.NAMED


def _rows(source: Source) -> Iterator[_Cells | Fault]:
    first = layouts.first_line(source.content, source.encoding, source.most)
    return _of_objects(source) if first.lstrip().startswith("{") else _of_table(source, first)


def _of_objects(source: Source) -> Iterator[_Cells | Fault]:
    with source.lines() as lines:
        for line in whole_lines(lines):
            try:
                yield line if isinstance(line, Fault) else _Cells(lines.number, _filled(an_object(line)))
            except Unfit as fault:
                yield Fault(lines.number, None, fault.code, fault.message)


def _of_table(source: Source, first: str) -> Iterator[_Cells | Fault]:
    with source.lines() as lines:
        found = cells(lines, layouts.delimiter_of(first, source.text_column))
        columns = _header(next(found, None), source)
        ours = {"aspect_term", "aspect_term_1"} & {*columns} or columns == _SETFIT
        for row in found:
            if isinstance(row, Fault):
                yield row
            elif len(row[1]) != len(columns):
                yield wrong_width(row[0], None, len(columns), len(row[1]))
            else:
                values = map(_without_guard, row[1]) if ours else row[1]
                yield _Cells(row[0], _filled(dict(zip(columns, values, strict=True))))


def _header(top: tuple[int, Sequence[str]] | Fault | None, source: Source) -> list[str]:
    columns = [] if top is None or isinstance(top, Fault) else [column.strip() for column in top[1]]
    if source.text_column not in columns or len(columns) != len({*columns}):
        shown = ", ".join(map(layouts.ascii_safe, columns[:20])) or "none that can be read"
        raise InputError(
            f"{source.content.name}: wanted a column {source.text_column!r} and no column twice, found the columns "
            f"{shown}. Rename a column, or name the one with the text (--text-column)."
        )
    return columns


def _filled(values: Mapping[str, Json]) -> dict[str, Json]:
    return {name: value for name, value in values.items() if value is not None and value != ""}


def _without_guard(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


# --- writing -----------------------------------------------------------------------------------

_IMPLICIT = "NULL"
_SETFIT = ["text", "span", "label", "ordinal"]


def write_long(rows: Iterable[Labelled], delimiter: str = ",") -> Iterator[str]:
    yield _line(["id", "text", *fields.PARTS], delimiter)
    for row in rows:
        for label in row.labels or (Label(),):
            yield _line([row.id, row.text, *_parts(label)], delimiter)


def write_wide(rows: Iterable[Labelled], delimiter: str = ",") -> Iterator[str]:
    """Reads the rows twice: the header says how many labels there are at most."""
    most = max((len(row.labels) for row in rows), default=0) or 1
    numbered = [f"{part}_{number}" for number in range(1, most + 1) for part in fields.PARTS]
    yield _line(["id", "text", *numbered], delimiter)
    for row in rows:
        parts = [part for label in row.labels for part in _parts(label)]
        yield _line([row.id, row.text, *parts, *[""] * (len(numbered) - len(parts))], delimiter)


def write_setfit(rows: Iterable[Labelled]) -> Iterator[str]:
    yield _line(_SETFIT, ",")
    for row in rows:
        for label in row.labels:
            which = ordinal(label.aspect_term, label.begin or 0, row.text)
            yield _line([row.text, label.aspect_term, label.polarity, str(which)], ",")


def _parts(label: Label) -> list[str]:
    opinion = _IMPLICIT if label.opinion_term == "" else label.opinion_term
    said = (label.aspect_term, label.aspect_ref, label.polarity, label.begin, label.end)
    return ["" if part is None else str(part) for part in (*said, opinion, label.opinion_begin, label.opinion_end)]


def _line(values: Sequence[str], delimiter: str) -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerow([f"'{value}" if _FORMULA.match(value) else value for value in values])
    return out.getvalue()
