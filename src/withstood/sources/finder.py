"""The port to where sources come from: a folder of documents, or the web."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from withstood.claims.research import Skipped


@dataclass(frozen=True, slots=True)
class Source:
    """A source as it was read: its final address, its title, its text, and when. `copy_of` is the address where the
    same text was read first; `file` the path of a document whose address somebody has given."""

    url: str
    title: str
    text: str
    retrieved: str = ""
    copy_of: str = ""
    file: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    sources: tuple[Source, ...] = ()
    skipped: tuple[Skipped, ...] = ()


class Finder(Protocol):
    """Finds and reads sources. `deep` asks for what is nearest to the query, broad
    for what is most various."""

    @property
    def name(self) -> str: ...

    async def find(self, query: str, language: str, *, deep: bool) -> Found: ...
