"""Labelled files: which layout one is in, and its texts with their labels, streamed, checked, in order.

The layout is found by what stands in the file, never by its name:

| order | the file | layout |
|---|---|---|
| 1 | is XML with aspectTerm, aspectCategory or plain sentences | semeval2014 |
| 2 | is XML with Reviews or Opinions | semeval2016 |
| 3 | has #### on its first line | aste |
| 4 | has a JSON object with sentence_form on its first line | nikl |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO, Literal

from withstood import form
from withstood.claims.label import Labelled
from withstood.errors import InputError
from withstood.sources import contents, encodings
from withstood.sources.contents import Content
from withstood.sources.labels import hashed, nikl, semeval
from withstood.sources.labels.checking import checked
from withstood.sources.labels.entries import Source, Written
from withstood.sources.lines import MOST_CHARACTERS, TooLong
from withstood.sources.rows import BadRow

LAYOUTS: Mapping[str, Callable[[Source], Iterator[Written]]] = MappingProxyType(
    {"semeval2014": semeval.read, "semeval2016": semeval.read, "aste": hashed.aste, "nikl": nikl.read}
)
ALIASES: Mapping[str, str] = MappingProxyType({"semeval2015": "semeval2016", "semeval": "semeval2014"})


@dataclass(frozen=True, slots=True)
class Labels:
    """A labelled file that has been looked at. Iterating reads it from the start, any number of times: a `Labelled`
    for each text whose labels fit it, a `BadRow` for each that is refused. Of texts with one id the first is good."""

    source: Source
    layout: str

    @property
    def name(self) -> str:
        return self.source.content.name

    @property
    def sha256(self) -> str:
        return self.source.content.sha256

    def __iter__(self) -> Iterator[Labelled | BadRow]:
        self.source.content.check_same()
        seen: set[bytes] = set()
        for no, written in enumerate(LAYOUTS[self.layout](self.source), start=1):
            row = checked(no, written)
            if isinstance(row, Labelled):
                digest = blake2b(row.id.encode(), digest_size=8).digest()
                row = _twin(row) if digest in seen else row
                seen.add(digest)
            yield row
        self.source.content.check_same()


def read(
    path: Path | Literal["-"],
    layout: str | None = None,
    *,
    encoding: str | None = None,
    most_characters: int = MOST_CHARACTERS,
    piped: BinaryIO | None = None,
) -> Labels:
    """The labelled texts of a file in one of `LAYOUTS`, named or found.

    Raises `InputError` for what cannot be read at all: no such file, an encoding that is not known, broken XML, a
    layout that is not one of ours or not that of the file.
    """
    content = contents.collect(path, piped)
    named = None if layout is None else known(layout)
    source = Source(content, encodings.find(content, encoding or _declared(content)), most_characters)
    found = _found(source)
    if named is None and found is None:
        raise InputError(f"{content.name} is in no layout of labels that is known. {_HINT}")
    if named is not None and found is not None and not _fits(named, found):
        raise InputError(f"{content.name} was to be read as {named}; it looks like {found}. Name that, or no layout.")
    return Labels(source, named or found or "")


_HINT = f"Wanted one of {', '.join(LAYOUTS)}. Name the layout, or convert the file to one of these."


def known(layout: str) -> str:
    """The layout of that name or alias."""
    name = ALIASES.get(layout.lower(), layout.lower())
    if name not in LAYOUTS:
        raise InputError(f"No layout is called {form.shown(layout)}. {_HINT}")
    return name


def _fits(named: str, found: str) -> bool:
    return named == found


def _found(source: Source) -> str | None:
    first = _first_line(source)
    if first.startswith("<"):
        return semeval.layout(source)
    if hashed.MARK in first:
        return "aste"
    if first.startswith("{") and '"sentence_form"' in first:
        return "nikl"
    return None


def _first_line(source: Source) -> str:
    with source.lines() as lines:
        while True:
            try:
                line = next(lines).strip()
            except StopIteration:
                raise InputError(f"{source.content.name} is empty but for white space.") from None
            except TooLong:
                return ""
            if line:
                return line


_DECLARED = re.compile(rb"""<\?xml[^>]{0,60}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")


def _declared(content: Content) -> str | None:
    """The encoding that XML says it is in, where that is not one that is found anyway."""
    with content.open() as raw:
        said = _DECLARED.search(raw.read(200))
    name = said[1].decode() if said else None
    return None if name is None or name.lower().startswith("utf") else name


def _twin(row: Labelled) -> BadRow:
    message = "wanted an id of its own, found one that an earlier text has. Change it, or take one of them out."
    return BadRow(row.no, row.line, row.id, "duplicate_id", message)
