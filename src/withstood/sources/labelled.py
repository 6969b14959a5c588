"""Labelled files: their texts with their labels, streamed, checked, in order; and the same written out.

`labels/telling.py` finds the layout, `labels/kinds.py` lists them, `labels/checking.py` holds labels against the text,
`labels/carrying.py` says what a layout has no room for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Literal

from withstood import form
from withstood.claims.label import Labelled
from withstood.errors import InputError
from withstood.sources import contents, encodings
from withstood.sources.contents import Content
from withstood.sources.labels import telling
from withstood.sources.labels.carrying import carried
from withstood.sources.labels.checking import checked
from withstood.sources.labels.entries import Entry, Source
from withstood.sources.labels.kinds import ALIASES, LAYOUTS, kin
from withstood.sources.lines import MOST_CHARACTERS
from withstood.sources.rows import BadRow


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
        for no, written in enumerate(LAYOUTS[self.layout].read(self.source), start=1):
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
    text_column: str = "text",
    id_column: str = "id",
    most_characters: int = MOST_CHARACTERS,
    piped: BinaryIO | None = None,
) -> Labels:
    """The labelled texts of a file in one of `LAYOUTS`, named or found.

    Raises `InputError` for what cannot be read at all: no such file, an encoding that is not known, broken XML, a
    layout that is not one of ours or not that of the file.
    """
    content = contents.collect(path, piped)
    named = None if layout is None else known(layout)
    codec = encodings.find(content, encoding or _declared(content))
    source = Source(content, codec, most_characters, text_column, id_column)
    return Labels(source, _told(source, named))


def _told(source: Source, named: str | None) -> str:
    """The layout that was named, unless the file is plainly in another; else the one that the file is in."""
    if named is None:
        found = telling.layout(source)
        if found is None:
            raise InputError(f"{source.content.name} is in no layout of labels that is known. {_HINT}")
        return found
    if not _reads(source, named):
        found = None
        with suppress(InputError):  # whoever reads it as it was named says what is wrong with it
            found = telling.layout(source)
        if found is not None and kin(found) != kin(named) and _reads(source, found):
            raise InputError(
                f"{source.content.name} was to be read as {named}; it looks like {found}. Name that, or no layout."
            )
    return named


_LOOK_AT = 100


def _reads(source: Source, layout: str) -> bool:
    """Whether labels, and no faults, are among the first entries when they are read so."""
    try:
        entries = list(islice(LAYOUTS[layout].read(source), _LOOK_AT))
    except InputError:
        return False
    whole = [entry for entry in entries if isinstance(entry, Entry)]
    return len(whole) == len(entries) and any(entry.labels for entry in whole)


@dataclass(frozen=True, slots=True)
class Carried:
    """Rows as a layout can carry them, each time that they are gone through. `losses` counts what the last time took
    away, by the codes of `carrying`."""

    rows: Callable[[], Iterator[Labelled]]
    layout: str
    losses: Counter[str] = field(default_factory=Counter)

    def __iter__(self) -> Iterator[Labelled]:
        self.losses.clear()
        for row in self.rows():
            fitted = carried(row, LAYOUTS[self.layout].room, self.losses)
            if fitted is not None:
                yield fitted

    def written(self) -> Iterator[str]:
        """The whole file, piece by piece."""
        return LAYOUTS[self.layout].write(self)


_HINT = f"Wanted one of {', '.join(LAYOUTS)}. Name the layout, or convert the file to one of these."


def known(layout: str) -> str:
    """The layout of that name or alias."""
    name = ALIASES.get(layout.lower(), layout.lower())
    if name not in LAYOUTS:
        raise InputError(f"No layout is called {form.shown(layout)}. {_HINT}")
    return name


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
