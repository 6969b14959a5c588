"""Cutting an input into chunks: rows in order, each text once. Copies of a text come in chunks of their own, decided
after the others, so that their answers are found and not asked for again."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing

from withstood import form
from withstood.claims.case import Case
from withstood.engine.conduct import Unfit
from withstood.fleet.commission import Entry, Piece, lines
from withstood.journal.port import Texts


async def cut(matters: Iterable[Case | Unfit], texts: Texts, size: int) -> list[Piece]:
    """Keep the rows in the store; the pieces in the order in which they are to be handed out."""
    originals, copies = list[Entry](), list[Entry]()
    pieces, later = list[Piece](), list[Piece]()
    for entry, is_copy in _told_apart(matters):
        gathered, into, phase = (copies, later, 1) if is_copy else (originals, pieces, 0)
        gathered.append(entry)
        if len(gathered) == size:
            into.append(await _piece(gathered, phase, texts))
    if originals:
        pieces.append(await _piece(originals, 0, texts))
    if copies:
        later.append(await _piece(copies, 1, texts))
    return [Piece(no, one.phase, one.source, one.rows) for no, one in enumerate([*pieces, *later], start=1)]


async def _piece(gathered: list[Entry], phase: int, texts: Texts) -> Piece:
    kept = Piece(0, phase, await texts.keep_text(lines(gathered)), len(gathered))
    gathered.clear()
    return kept


def _told_apart(matters: Iterable[Case | Unfit]) -> Iterator[tuple[Entry, bool]]:
    """Each row, and whether its text came before. What was seen is kept on disk, so memory stays flat."""
    with closing(sqlite3.connect("")) as seen:
        seen.execute("CREATE TABLE seen (hash BLOB PRIMARY KEY) WITHOUT ROWID")
        for matter in matters:
            if isinstance(matter, Unfit):
                yield Entry(matter.no, unfit=matter), False
                continue
            asked = form.dumps([matter.language, matter.text, matter.given])
            told = hashlib.blake2b(asked.encode("utf-8", "surrogatepass"), digest_size=16).digest()
            new = seen.execute("INSERT OR IGNORE INTO seen VALUES (?)", (told,)).rowcount
            yield Entry(matter.no, matter), not new
