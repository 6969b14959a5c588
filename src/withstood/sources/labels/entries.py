"""Entries: labelled texts as a layout spells them, before anything about them is checked."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TextIO, TypeAlias

from withstood import form
from withstood.claims.label import Label
from withstood.form import Json
from withstood.sources.contents import Content
from withstood.sources.lines import MOST_CHARACTERS, Lines
from withstood.sources.records import Fault, inert, whole_lines


@dataclass(frozen=True, slots=True)
class Entry:
    """One text. Its labels still have the spellings of the file."""

    line: int
    id: str | None
    text: str
    labels: tuple[Label, ...] = ()


Written: TypeAlias = Entry | Fault


class Unfit(Exception):
    """One entry that cannot be read: a code, and what was wanted, what was found, what to do."""

    def __init__(self, code: str, message: str, case: str | None = None) -> None:
        self.code, self.message, self.case = code, message, case
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Source:
    """Where entries are read from, as text. A record longer than `most` characters is refused. The columns are those
    of layouts that leave their names open."""

    content: Content
    encoding: str
    most: int = MOST_CHARACTERS
    text_column: str = "text"
    id_column: str = "id"

    @contextmanager
    def text(self) -> Iterator[TextIO]:
        """The characters, without a byte order mark; line ends as they are."""
        with self.content.open() as raw, io.TextIOWrapper(raw, encoding=self.encoding, newline="") as stream:
            yield stream

    @contextmanager
    def lines(self) -> Iterator[Lines]:
        with self.text() as stream:
            yield Lines(stream, self.most)


def by_line(source: Source, parse: Callable[[int, str], Entry]) -> Iterator[Written]:
    """One entry a line; a line that is unfit is a fault in its place."""
    with source.lines() as lines:
        for found in whole_lines(lines):
            yield found if isinstance(found, Fault) else parsed(lines.number, found, parse)


def parsed(line: int, written: str, parse: Callable[[int, str], Entry]) -> Written:
    try:
        return parse(line, written)
    except Unfit as fault:
        return Fault(line, fault.case, fault.code, fault.message)


def an_object(written: str) -> Mapping[str, Json]:
    """One JSON object."""
    try:
        value = form.loads(written)
    except form.Misfit:
        raise Unfit("broken_json", f"wanted one JSON object, found {inert(written)}. Repair the line.") from None
    if not isinstance(value, Mapping):
        raise Unfit("not_an_object", f"wanted a JSON object with a text and labels, found {inert(written)}.")
    return value
