"""SEARCH: finds and reads sources for a query, and keeps what was read. A model only says what to look for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar, cast

from withstood.agents.port import Line
from withstood.agents.programmed.program import Program
from withstood.claims.research import Page, Pages, Skipped
from withstood.journal.port import Texts
from withstood.protocols.asks import Ask, Silent
from withstood.protocols.research_briefs import SearchBrief
from withstood.sources.finder import Finder, Source

Answer = TypeVar("Answer")


class Searcher(Program):
    def __init__(self, finders: Sequence[Finder], texts: Texts) -> None:
        self._finders, self._texts = tuple(finders), texts
        self.name = f"programmed:searcher@1({','.join(one.name for one in self._finders) or 'no sources'})"

    async def answer(self, ask: Ask[Answer], line: Line) -> Answer | Silent:
        if not isinstance(ask.brief, SearchBrief):
            return Silent(f"wanted a SearchBrief for {self.name}, found a {type(ask.brief).__name__}")
        pages: list[Page] = []
        skipped: list[Skipped] = []
        for finder in self._finders:
            found = await finder.find(ask.brief.query, ask.brief.language, deep=ask.brief.search_mode == "deep")
            skipped += found.skipped
            pages += [await self._kept(len(pages) + no, one) for no, one in enumerate(found.sources, start=1)]
        return cast("Answer", Pages(tuple(pages), tuple(skipped)))

    async def _kept(self, no: int, one: Source) -> Page:
        kept = await self._texts.keep_text(one.text)
        return Page(f"p{no}", one.url, one.title, kept, one.retrieved, one.copy_of, one.file)
