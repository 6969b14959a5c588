"""Records of each format as (id, text) in order of the lines; a broken record is a fault in its place.

| format | a record is | without an id column |
|---|---|---|
| csv, tsv | a line, or several where a quoted field holds line ends | the row number |
| jsonl | one JSON object on a line | the row number |
| text | one line that is not blank | the row number |

A record that turns out broken costs one row: of its lines only the first is given up, the others are read again.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType
from typing import Literal, TypeAlias

from withstood import form
from withstood.sources import encodings
from withstood.sources.lines import Lines, TooLong
from withstood.sources.redaction import redact

Format: TypeAlias = Literal["csv", "tsv", "jsonl", "text"]


@dataclass(frozen=True, slots=True)
class Layout:
    """How records stand in the text. `columns` are those of the header, or the keys of the first object."""

    format: Format
    delimiter: str = ","
    columns: tuple[str, ...] = ()
    text_column: str = "text"
    id_column: str | None = None
    group_column: str | None = None
    time_column: str | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """`group` and `time` are what stands in the columns of these; "" where there is none."""

    line: int
    id: str | None
    text: str
    group: str = ""
    time: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    line: int
    id: str | None
    code: str
    message: str


Record: TypeAlias = Found | Fault


def records(lines: Lines, layout: Layout) -> Iterator[Record]:
    """Every record, from the first line after the header on."""
    return _READERS[layout.format](lines, layout)


def too_long(line: int, most: int) -> Fault:
    return Fault(
        line,
        None,
        "too_long",
        f"wanted a record of at most {most:,} characters, found a longer one. "
        "Shorten the text, or look for a quote that is never closed.",
    )


def torn(line: int, case: str | None) -> Fault:
    said = "wanted bytes that the encoding of the file has, found others. Repair the line, or say --encoding."
    return Fault(line, case, "torn", said)


# --- csv and tsv -------------------------------------------------------------------------------


def cells(lines: Lines, delimiter: str) -> Iterator[tuple[int, Sequence[str]] | Fault]:
    """Every record of delimited text with the line that it begins on; blank lines are passed over."""
    csv.field_size_limit(max(csv.field_size_limit(), lines.most + 2))
    feed = _Feed(lines)
    reader = csv.reader(feed, delimiter=delimiter, strict=True)
    while True:
        start = feed.begin()
        try:
            found = next(reader)
        except StopIteration:
            return
        except TooLong:
            feed.give_back()
            yield too_long(start, lines.most)
        except csv.Error as fault:
            first = feed.give_back()
            plain = _unquoted(first, delimiter)
            yield (start, plain) if plain else _broken_quotes(start, fault)
        else:
            if found:
                yield start, found


class _Feed:
    """The lines of the record in hand, kept until the record is known to be whole."""

    def __init__(self, lines: Lines) -> None:
        self._lines, self._held, self._length = lines, list[str](), 0

    def __iter__(self) -> _Feed:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self._held.append(line)
        self._length += len(line)
        if self._length > self._lines.most and len(self._held) > 1:
            raise TooLong
        return line

    def begin(self) -> int:
        self._held.clear()
        self._length = 0
        return self._lines.number + 1

    def give_back(self) -> str:
        """All lines but the first are to be read again; the first is returned."""
        self._lines.give_back(self._held[1:])
        return self._held[0] if self._held else ""


def _unquoted(line: str, delimiter: str) -> list[str] | None:
    """Tab-separated text often knows no quoting: there a quote is a letter like any other."""
    return line.rstrip("\r\n").split("\t") if delimiter == "\t" else None


def _broken_quotes(line: int, fault: csv.Error) -> Fault:
    return Fault(
        line,
        None,
        "broken_quotes",
        f"wanted a field whose quotes are closed and doubled inside, found otherwise ({fault}). "
        'Write a quote inside a quoted field twice, as in "the ""best"" pizza".',
    )


def _delimited(lines: Lines, layout: Layout) -> Iterator[Record]:
    wide = len(layout.columns)
    text_at = layout.columns.index(layout.text_column)
    id_at, group_at, time_at = (
        None if column is None else layout.columns.index(column)
        for column in (layout.id_column, layout.group_column, layout.time_column)
    )
    for found in cells(lines, layout.delimiter):
        if isinstance(found, Fault):
            yield found
            continue
        line, row = found
        case = row[id_at].strip() or None if id_at is not None and id_at < len(row) else None
        if len(row) != wide and (len(row) < wide or any(row[wide:])):
            yield wrong_width(line, case, wide, len(row))
        else:
            group, time = ("" if at is None else row[at].strip() for at in (group_at, time_at))
            yield Found(line, case, row[text_at], group, time)


def wrong_width(line: int, case: str | None, wanted: int, found: int) -> Fault:
    code, hint = (
        ("too_few_columns", "Fill the missing cells, if need be with nothing between the delimiters.")
        if found < wanted
        else ("too_many_columns", "Put quotes around a text that holds the delimiter.")
    )
    return Fault(line, case, code, f"wanted {wanted} columns as in the header, found {found}. {hint}")


# --- jsonl -------------------------------------------------------------------------------------


def _objects(lines: Lines, layout: Layout) -> Iterator[Record]:
    for found in whole_lines(lines):
        if isinstance(found, Fault):
            yield found
        else:
            yield _from_object(lines.number, found, layout)


def _from_object(line: int, written: str, layout: Layout) -> Record:
    if encodings.is_torn(written):
        return torn(line, None)
    try:
        value = form.loads(written)
    except form.Misfit:
        return Fault(line, None, "broken_json", f"wanted one JSON object, found {inert(written)}. Repair the line.")
    if not isinstance(value, Mapping):
        return Fault(line, None, "not_an_object", f"wanted a JSON object with the texts, found {inert(written)}.")
    case = value.get(layout.id_column) if layout.id_column is not None else None
    if isinstance(case, bool) or not isinstance(case, str | int | Decimal | None):
        return Fault(line, None, "bad_id", f"wanted text or a number as {layout.id_column!r}, found another kind.")
    case = None if case is None else str(case).strip() or None
    if value.get(layout.text_column) is None:
        return Fault(line, case, "missing_text", f"wanted the field {layout.text_column!r}, found none. Add it.")
    text = value[layout.text_column]
    if not isinstance(text, str):
        return Fault(line, case, "text_not_text", f"wanted text in {layout.text_column!r}, found {inert(str(text))}.")
    return Found(line, case, text, _plain_value(value, layout.group_column), _plain_value(value, layout.time_column))


def _plain_value(value: Mapping[str, form.Json], column: str | None) -> str:
    """A word or a number as it is written; nothing for what has parts."""
    found = value.get(column) if column is not None else None
    return str(found).strip() if isinstance(found, str | int | Decimal) else ""


def inert(written: str) -> str:
    """What stands in a file as a message may show it: short, in ASCII, without secrets."""
    return form.shown(ascii(redact(written[:2000])[0])[1:-1])


# --- plain text --------------------------------------------------------------------------------


def _plain(lines: Lines, layout: Layout) -> Iterator[Record]:
    for found in whole_lines(lines):
        yield found if isinstance(found, Fault) else Found(lines.number, None, found)


def whole_lines(lines: Lines) -> Iterator[str | Fault]:
    """Every line that is not blank, without its ending. `lines.number` is that of the line last given."""
    while True:
        try:
            line = next(lines).rstrip("\r\n")
        except StopIteration:
            return
        except TooLong:
            yield too_long(lines.number, lines.most)
        else:
            if line and not line.isspace():
                yield line


_READERS: Mapping[Format, Callable[[Lines, Layout], Iterator[Record]]] = MappingProxyType(
    {"csv": _delimited, "tsv": _delimited, "jsonl": _objects, "text": _plain}
)
