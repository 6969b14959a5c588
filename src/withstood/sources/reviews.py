"""Files of reviews: surveyed once, then streamed row by row, in order, with flat memory.

`survey` finds out everything that is true of the whole file and refuses what cannot be read at all.
`rows` gives each review, and each bad row in its place; one bad row never stops the others.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO, Literal

from withstood.errors import InputError
from withstood.sources import contents, encodings, layouts
from withstood.sources.contents import Content
from withstood.sources.lines import MOST_CHARACTERS
from withstood.sources.records import Found, Layout, Record, records
from withstood.sources.rows import BadRow, Row, looked_at


@dataclass(frozen=True, slots=True)
class Survey:
    """What is true of a whole file. `rows` counts the bad ones too; `text_bytes` is the UTF-8 size of the good ones."""

    content: Content
    layout: Layout
    encoding: str
    most_characters: int
    rows: int = 0
    bad: int = 0
    text_bytes: int = 0
    twins: frozenset[int] = frozenset()

    @property
    def name(self) -> str:
        return self.content.name

    @property
    def sha256(self) -> str:
        return self.content.sha256

    @property
    def format(self) -> str:
        return self.layout.format

    @property
    def header(self) -> tuple[str, ...]:
        return self.layout.columns


def survey(
    path: Path | Literal["-"],
    *,
    text_column: str = "text",
    id_column: str = "id",
    group_column: str | None = None,
    time_column: str | None = None,
    encoding: str | None = None,
    format: str | None = None,
    most_characters: int = MOST_CHARACTERS,
    piped: BinaryIO | None = None,
) -> Survey:
    """Reads the file through once. `-` is standard input, or what is `piped`.

    Raises `InputError` for what no row of can be read: no such file, a directory, nothing in it, an encoding that is
    not known, no text column, a format that is not one of ours.
    """
    content = contents.collect(path, piped)
    layouts.refuse_foreign(content)
    codec = encodings.find(content, encoding, few_torn=True)
    columns = layouts.Columns(text_column, id_column, group_column, time_column)
    layout = layouts.find(content, codec, format, columns, most_characters)
    return _counted(Survey(content, layout, codec, most_characters))


def rows(survey: Survey) -> Iterator[Row | BadRow]:
    """Every row, in order. Of rows with one id the first is good. Raises `InputError` where the file has changed."""
    survey.content.check_same()
    seen: set[str] = set()
    for no, found in _numbered(survey):
        row = looked_at(no, found)
        if isinstance(row, Row) and _digest(row.id) in survey.twins:
            if row.id in seen:
                row = _twin(row)
            else:
                seen.add(row.id)
        yield row
    survey.content.check_same()


def given(no: int, text: str) -> Row | BadRow:
    """A text that did not come from a file, looked at like one that did. Its number is its id."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return BadRow(no, no, None, "surrogate", "wanted whole characters, found half of one (a lone surrogate).")
    return looked_at(no, Found(no, None, text))


def _numbered(survey: Survey) -> Iterator[tuple[int, Record]]:
    with layouts.opened(survey.content, survey.encoding, survey.most_characters) as lines:
        found = records(lines, survey.layout)
        if survey.layout.format in ("csv", "tsv"):
            lines_of_header = layouts.cells(lines, survey.layout.delimiter)
            next(lines_of_header, None)
        yield from enumerate(found, start=1)


def _twin(row: Row) -> BadRow:
    return BadRow(
        row.no,
        row.line,
        row.id,
        "duplicate_id",
        "wanted an id of its own, found one that an earlier row has. Change it, or name another column (--id-column).",
    )


# --- the first pass ----------------------------------------------------------------------------


def _counted(fresh: Survey) -> Survey:
    count = bad = text_bytes = 0
    digests = _Digests()
    for count, found in _numbered(fresh):
        row = looked_at(count, found)
        if isinstance(row, Row):
            text_bytes += len(row.text.encode())
            digests.add(_digest(row.id))
        else:
            bad += 1
    if not count:
        raise InputError(f"{fresh.name} holds a header and no rows. Put at least one review into it.")
    twins = digests.twins()
    return replace(fresh, rows=count, bad=bad + len(twins), text_bytes=text_bytes, twins=frozenset(twins))


def _digest(case: str) -> int:
    return int.from_bytes(blake2b(case.encode(), digest_size=8).digest(), "big")


class _Digests:
    """The ids of a file, 8 bytes each, in 256 drawers, so that one drawer at a time is looked through."""

    def __init__(self) -> None:
        self._drawers = [array("Q") for _ in range(256)]

    def add(self, digest: int) -> None:
        self._drawers[digest & 255].append(digest)

    def twins(self) -> list[int]:
        """Those that are there more than once, each once for every time that it is there again."""
        return [one for drawer in self._drawers for one, next_one in pairwise(sorted(drawer)) if one == next_one]
