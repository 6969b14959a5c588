"""Which format an input is in, by its content and its name, and where its texts and ids stand.

| order | taken where |
|---|---|
| 1 | its user says so |
| 2 | the first line is a JSON object: jsonl |
| 3 | the name ends in .jsonl, .ndjson: jsonl; .csv, .tsv, .tab: these |
| 4 | the first line, cut at one of the delimiters, has the text column in it: csv or tsv |
| 5 | else: text, one review a line |
"""

from __future__ import annotations

import csv
import difflib
import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePath
from types import MappingProxyType
from typing import get_args

from withstood import form
from withstood.errors import InputError
from withstood.sources import encodings
from withstood.sources.contents import Content
from withstood.sources.lines import Lines, TooLong
from withstood.sources.records import Fault, Format, Layout, cells
from withstood.sources.redaction import redact

_ENDINGS: Mapping[str, Format] = MappingProxyType(
    {".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl"}
)
_DELIMITERS = ",;\t|"
_DEFAULT_ID = "id"

_FOREIGN: tuple[tuple[bytes, str], ...] = (
    (b"PK\x03\x04", "a zip archive or a spreadsheet (xlsx, ods)"),
    (b"\xd0\xcf\x11\xe0", "an old Office file (xls, doc)"),
    (b"PAR1", "Parquet"),
    (b"ARROW1", "Arrow"),
    (b"Obj\x01", "Avro"),
    (b"ORC", "ORC"),
    (b"%PDF", "a PDF"),
    (b"SQLite format 3", "an SQLite database"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"\x7fELF", "a program"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstandard"),
    (b"7z\xbc\xaf", "7-zip"),
    (b"{\\rtf", "RTF"),
    (b"<?xml", "XML"),
    (b"<!doctype", "HTML"),
    (b"<html", "HTML"),
)
_WANTED = "Wanted CSV, TSV, JSON Lines or plain text with one review a line, each also as gzip"


def refuse_foreign(content: Content) -> None:
    """Raises where the content is of a kind that is known and not read."""
    with content.open() as raw:
        head = raw.read(64)
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    for magic, kind in _FOREIGN:
        if head.startswith(magic) or (start.lower().startswith(magic) and magic.startswith(b"<")):
            raise InputError(f"{content.name} looks like {kind}. {_WANTED}. Export or unpack it to one of these.")
    if not start:
        raise InputError(f"{content.name} is empty but for white space. {_WANTED}.")


@contextmanager
def opened(content: Content, encoding: str, most: int) -> Iterator[Lines]:
    """The lines of a content, without a byte order mark. What does not decode stands there torn."""
    with content.open() as raw, io.TextIOWrapper(raw, encoding=encoding, errors=encodings.TORN, newline="") as stream:
        yield Lines(stream, most)


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns hold what. An id column of the usual name may be missing; the others that are named may not."""

    text: str = "text"
    id: str = _DEFAULT_ID
    group: str | None = None
    time: str | None = None


def find(content: Content, encoding: str, wanted: str | None, columns: Columns, most: int) -> Layout:
    """The layout of a content. Where a column is missing it is an `InputError` that lists the columns found."""
    if wanted is not None and wanted not in get_args(Format):
        raise InputError(f"No format is called {wanted!r}. Use one of {', '.join(get_args(Format))}.")
    first = first_line(content, encoding, most)
    found = _format(content.name, first, wanted, columns.text)
    if found == "text":
        _check_none(content.name, columns)
        return Layout("text")
    if found == "jsonl":
        return _of_objects(content, encoding, columns, most)
    return _of_table(content, encoding, found, columns, most)


def first_line(content: Content, encoding: str, most: int) -> str:
    """The first line that is not blank; nothing where it is too long."""
    with opened(content, encoding, most) as lines:
        while True:
            try:
                line = next(lines)
            except StopIteration:
                raise InputError(f"{content.name} holds no line that is not blank. {_WANTED}.") from None
            except TooLong:
                return ""
            if line.strip():
                return line


def _format(name: str, first: str, wanted: str | None, text_column: str) -> Format:
    asked = next((known for known in get_args(Format) if known == wanted), None)
    if asked is not None:
        return asked
    if _is_object(first):
        return "jsonl"
    named = _ENDINGS.get(PurePath(name.lower().removesuffix(".gz")).suffix)
    if named is None and name.lower().removesuffix(".gz").endswith(".json"):
        raise InputError(
            f"{name} looks like one JSON document. {_WANTED}. Make it one object a line, as in: jq -c '.[]'"
        )
    if named is not None:
        return named
    delimiter = delimiter_of(first, text_column)
    if text_column not in _header(first, delimiter) or (delimiter not in first and first.strip() != text_column):
        return "text"
    return "tsv" if delimiter == "\t" else "csv"


def _is_object(line: str) -> bool:
    try:
        return isinstance(form.loads(line), Mapping)
    except form.Misfit:
        return line.lstrip().startswith('{"') and line.rstrip().endswith("}")


def _header(line: str, delimiter: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter), [])]
    except csv.Error:
        return []


def delimiter_of(line: str, text_column: str) -> str:
    """The one that finds the text column; of several, and of none, the one that finds most columns."""

    def worth(delimiter: str) -> tuple[bool, int]:
        found = _header(line, delimiter)
        return text_column in found, len(found)

    return max(_DELIMITERS, key=worth)


# --- where the columns are ---------------------------------------------------------------------


def _of_table(content: Content, encoding: str, found: Format, named: Columns, most: int) -> Layout:
    first = first_line(content, encoding, most)
    delimiter = "\t" if found == "tsv" else delimiter_of(first, named.text)
    with opened(content, encoding, most) as lines:
        top = next(cells(lines, delimiter), None)
    if top is None or isinstance(top, Fault):
        why = top.message if top else "it is empty"
        raise InputError(f"{content.name} has no header that can be read: {why}")
    columns = tuple([column.strip() for column in top[1]])
    return _layout(content.name, found, delimiter, columns, named)


def _layout(name: str, found: Format, delimiter: str, columns: tuple[str, ...], named: Columns) -> Layout:
    _check_columns(name, columns, named)
    case = named.id if named.id in columns else None
    return Layout(found, delimiter, columns, named.text, case, named.group, named.time)


_LOOK_AT = 1000


def _of_objects(content: Content, encoding: str, named: Columns, most: int) -> Layout:
    columns: dict[str, None] = {}
    with opened(content, encoding, most) as lines:
        for line in islice(_readable(lines), _LOOK_AT):
            columns |= dict.fromkeys(_keys(line))
    if not columns:
        raise InputError(
            f"{content.name} holds no JSON object in its first lines. {_WANTED}. "
            "Name the format (--format), or write one JSON object on each line."
        )
    return _layout(content.name, "jsonl", "", tuple(columns), named)


def _readable(lines: Lines) -> Iterator[str]:
    while True:
        try:
            yield next(lines)
        except StopIteration:
            return
        except TooLong:
            continue


def _keys(line: str) -> Sequence[str]:
    try:
        value = form.loads(line)
    except form.Misfit:
        return ()
    return tuple(value) if isinstance(value, Mapping) else ()


def _check_columns(name: str, columns: Sequence[str], named: Columns) -> None:
    wanted = {"--text-column": named.text, "--id-column": named.id, "--group": named.group, "--time": named.time}
    for option, column in wanted.items():
        if column is None:
            continue
        if columns.count(column) > 1:
            raise InputError(f"{name} has more than one column {column!r}. Rename one of them.")
        if column not in columns and (option, column) != ("--id-column", _DEFAULT_ID):
            raise InputError(_no_column(name, columns, column, option))


def _check_none(name: str, named: Columns) -> None:
    """Plain text has no columns."""
    for option, column in (("--group", named.group), ("--time", named.time)):
        if column is not None:
            raise InputError(f"{name} is plain text and has no column {column!r} for {option}. Use CSV or JSON Lines.")


def _no_column(name: str, columns: Sequence[str], wanted: str, option: str) -> str:
    shown = ", ".join(ascii_safe(column) for column in columns[:20]) + (", …" if len(columns) > 20 else "")
    nearest = _nearest(wanted, columns)
    hint = f"Did you mean {option} {ascii_safe(nearest)}?" if nearest else f"Name the right one with {option}."
    return f"{name} has no column {wanted!r}; its columns are: {shown}. {hint}"


def _nearest(wanted: str, columns: Sequence[str]) -> str | None:
    folded = {column.casefold(): column for column in columns}
    near = difflib.get_close_matches(wanted.casefold(), list(folded), n=1, cutoff=0.6)
    known = [folded[name] for name in _USUAL if name in folded] if wanted == "text" else []
    return folded[near[0]] if near else next(iter(known), None)


_USUAL = (
    "review", "review_text", "reviews", "content", "body", "comment", "sentence", "document", "message",
    "리뷰", "내용", "후기", "본문", "문장", "텍스트",
)  # fmt: skip


def ascii_safe(text: str) -> str:
    """A word from a file as a message may show it: without secrets, on one line, without control characters."""
    plain = "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in redact(text)[0])
    return form.shown(plain, 40)
