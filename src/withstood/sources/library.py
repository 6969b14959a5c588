"""A folder of documents to search in: read once, indexed in memory, found by terms."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from withstood.claims.research import Skipped
from withstood.errors import InputError
from withstood.sources import documents
from withstood.sources.documents import NotADocument
from withstood.sources.finder import Found, Source
from withstood.sources.folder import Folder
from withstood.sources.terms import telling, terms

MOST_FILE = 32 << 20
MOST_TERMS = 40
DEEP, BROAD = 4, 6
_SCHEMA = "CREATE VIRTUAL TABLE document USING fts5(title, body, content='', tokenize='unicode61')"


@dataclass(frozen=True, slots=True)
class _Entry:
    path: str
    title: str
    text: str


class Library:
    """See `finder.Finder`. The first search reads the folder; documents that change later stay as they were read."""

    def __init__(self, path: Path) -> None:
        self.name = f"folder {path.name}"
        self._path = path
        self._entries: list[_Entry] | None = None
        self._skipped: tuple[Skipped, ...] = ()
        self._db = sqlite3.connect(":memory:", check_same_thread=False)

    @property
    def documents(self) -> int:
        return len(self._read())

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        self._read()
        return self._skipped

    async def find(self, query: str, language: str, *, deep: bool) -> Found:
        """The documents that say most of the query; what could not be read is told with the first search."""
        first = self._entries is None
        entries = self._read()
        places = self._ranked(query, DEEP if deep else BROAD)
        found = [entries[place] for place in places]
        sources = tuple([Source(entry.path, entry.title, entry.text) for entry in found])
        return Found(sources, self._skipped if first else ())

    def close(self) -> None:
        self._db.close()

    def _ranked(self, query: str, most: int) -> list[int]:
        words = telling(query)[:MOST_TERMS]
        if not words:
            return []
        wanted = " OR ".join(f'"{word}"' for word in words)
        rows = self._db.execute(
            "SELECT rowid FROM document WHERE document MATCH ? ORDER BY bm25(document, 3.0, 1.0), rowid LIMIT ?",
            (wanted, most),
        )
        return [row - 1 for (row,) in rows]

    def _read(self) -> list[_Entry]:
        if self._entries is None:
            self._entries, self._skipped = self._collected()
            if not self._entries:
                kinds = " ".join(documents.KINDS)
                raise InputError(f"There is no document in {self._path} that can be read. Wanted files of {kinds}.")
            self._index(self._entries)
        return self._entries

    def _collected(self) -> tuple[list[_Entry], tuple[Skipped, ...]]:
        entries: list[_Entry] = []
        skipped: list[Skipped] = []
        with Folder(self._path, most_bytes=MOST_FILE) as folder:
            for found in folder.files():
                raw = folder.read_any(found.path)
                try:
                    if isinstance(raw, str):
                        raise NotADocument(f"it is left out: {raw}")
                    document = documents.read(found.path, raw)
                    entries.append(_Entry(found.path, document.title, document.text))
                except NotADocument as fault:
                    skipped.append(Skipped(found.path, str(fault)))
        return entries, tuple(skipped)

    def _index(self, entries: list[_Entry]) -> None:
        self._db.execute(_SCHEMA)
        rows = [
            (no, " ".join(terms(entry.title)), " ".join(terms(entry.text))) for no, entry in enumerate(entries, start=1)
        ]
        with self._db:
            self._db.executemany("INSERT INTO document (rowid, title, body) VALUES (?, ?, ?)", rows)
