"""A folder of documents to search in: read once, indexed in memory, found by terms."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from withstood import form
from withstood.claims.research import Skipped
from withstood.errors import InputError
from withstood.sources import documents, morphemes, origins
from withstood.sources.copies import Copies
from withstood.sources.documents import NotADocument
from withstood.sources.finder import Found, Source
from withstood.sources.folder import Folder, Reason
from withstood.sources.origins import Origin
from withstood.sources.terms import Cut, pairs, telling, terms

MOST_FILE = 32 << 20
MOST_TERMS = 40
DEEP, BROAD = 4, 6
MOST_TOLD = 5
_LEFT_OUT: Mapping[Reason, str] = {
    "link": "it is a link, and links are not followed",
    "special": "it is a device, a socket or a pipe",
    "hidden": "it is of version control or a cache",
    "secret": "its name is that of a file of keys",
    "large": f"it is larger than {MOST_FILE >> 20} MiB",
    "too many": "there are more files than are read",
    "unreadable": "the system does not let it be read",
}
_SCHEMA = "CREATE VIRTUAL TABLE document USING fts5(title, body, content='', tokenize='unicode61')"


@dataclass(frozen=True, slots=True)
class _Entry:
    path: str
    title: str
    text: str


class Library:
    """See `finder.Finder`. The first search reads the folder; documents that change later stay as they were read.

    Korean is cut into morphemes where the extra `ko` is installed, and into pairs of syllables where it is not, or as
    `korean` says. `origins` tell where documents came from: such a one stands under its address."""

    def __init__(self, path: Path, korean: Cut | None = None, origins: Sequence[Origin] = ()) -> None:
        known = morphemes.cut() if korean is None else None
        self.name = f"folder {path.name}" + (" (kiwi)" if known else "")
        self._korean = korean or known or pairs
        self._path, self._origins = path, tuple(origins)
        self._entries: list[_Entry] | None = None
        self._skipped: tuple[Skipped, ...] = ()
        self._untold: tuple[Skipped, ...] = ()
        self._db = sqlite3.connect(":memory:", check_same_thread=False)
        self._turn, self._copies = threading.Lock(), Copies()

    @property
    def documents(self) -> int:
        return len(self._read())

    @property
    def known_by(self) -> str:
        """Changes when a document comes, goes or says something else."""
        return form.digest(form.dumps([(one.path, form.digest(one.text)) for one in self._read()]))

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        self._read()
        return self._skipped

    def read(self) -> None:
        """Read and index the folder now; `errors.InputError` where it has no document that can be read."""
        self._read()

    async def find(self, query: str, language: str, *, deep: bool) -> Found:
        """The documents that say most of the query; what could not be read is told with the first search."""
        entries = await asyncio.to_thread(self._read)
        skipped, self._untold = self._untold, ()
        places = self._ranked(query, DEEP if deep else BROAD)
        return Found(tuple([self._source(entries[place]) for place in places]), skipped)

    def _source(self, entry: _Entry) -> Source:
        url = origins.place(self._origins, entry.path)
        place = url or entry.path
        first = self._copies.first(place, entry.text)
        return Source(place, entry.title, entry.text, copy_of=first, file=entry.path if url else "")

    def remember(self, pages: Iterable[tuple[str, str]]) -> None:
        """Paths and texts that were read before, in their order: of a run that goes on, or of a graph."""
        for path, text in pages:
            self._copies.first(path, text)

    def close(self) -> None:
        self._db.close()

    def _ranked(self, query: str, most: int) -> list[int]:
        words = telling(query, self._korean)[:MOST_TERMS]
        if not words:
            return []
        wanted = " OR ".join(f'"{word}"' for word in words)
        rows = self._db.execute(
            "SELECT rowid FROM document WHERE document MATCH ? ORDER BY bm25(document, 3.0, 1.0), rowid LIMIT ?",
            (wanted, most),
        )
        return [row - 1 for (row,) in rows]

    def _read(self) -> list[_Entry]:
        with self._turn:
            if self._entries is None:
                entries, self._skipped = self._collected()
                self._untold = self._skipped
                if not entries:
                    raise self._nothing()
                self._index(entries)
                self._entries = entries
            return self._entries

    def _nothing(self) -> InputError:
        told = "".join(f" {one.url}: {one.why}." for one in self._skipped[:MOST_TOLD])
        kinds = " ".join(documents.KINDS)
        return InputError(f"There is no document in {self._path} that can be read. Wanted files of {kinds}.{told}")

    def _collected(self) -> tuple[list[_Entry], tuple[Skipped, ...]]:
        entries: list[_Entry] = []
        skipped: list[Skipped] = []
        with Folder(self._path, most_bytes=MOST_FILE) as folder:
            for found in folder.files():
                raw = folder.read_any(found.path)
                try:
                    if isinstance(raw, str):
                        raise NotADocument(_LEFT_OUT.get(raw, f"it is left out: {raw}"))
                    document = documents.read(found.path, raw)
                    entries.append(_Entry(found.path, document.title, document.text))
                except NotADocument as fault:
                    skipped.append(Skipped(found.path, str(fault)))
            skipped += [Skipped(f"{count} of the folder", _LEFT_OUT[why]) for why, count in folder.left_out.items()]
        unused = origins.unused(self._origins, [entry.path for entry in entries])
        skipped += [Skipped(f"origins: {row}", "no document has its address by this row") for row in unused]
        return entries, tuple(skipped)

    def _index(self, entries: list[_Entry]) -> None:
        self._db.execute(_SCHEMA)
        rows = [
            (no, " ".join(terms(entry.title, self._korean)), " ".join(terms(entry.text, self._korean)))
            for no, entry in enumerate(entries, start=1)
        ]
        with self._db:
            self._db.executemany("INSERT INTO document (rowid, title, body) VALUES (?, ?, ?)", rows)
