"""CHECK: whether the words of an observation stand in the text that was read. No model can fill this seat."""

from __future__ import annotations

from typing import TypeVar, cast

from withstood.agents.port import Line
from withstood.agents.programmed.program import Program
from withstood.claims import address, quote
from withstood.claims.research import Inspected, Observed, Page, Seen
from withstood.journal.port import Texts
from withstood.protocols.asks import Ask, Silent
from withstood.protocols.research_briefs import CheckBrief

Answer = TypeVar("Answer")
LEAST_WORDS = 3


class Proofreader(Program):
    """`texts` holds what was read, under its hash. Without `has_sources` nothing can be checked, which is not the same
    as not found."""

    name = "programmed:proofreader@1"

    def __init__(self, texts: Texts, *, has_sources: bool) -> None:
        self._texts, self._has_sources = texts, has_sources

    async def answer(self, ask: Ask[Answer], line: Line) -> Answer | Silent:
        if not isinstance(ask.brief, CheckBrief):
            return Silent(f"wanted a CheckBrief for {self.name}, found a {type(ask.brief).__name__}")
        seen = [await self._look(one, ask.brief) for one in ask.brief.observations]
        return cast("Answer", Inspected(tuple(seen)))

    async def _look(self, one: Observed, brief: CheckBrief) -> Seen:
        if not self._has_sources:
            return Seen(one.id, None, "there are no sources in this run")
        pages = [page for page in brief.pages if _is_from(one, page)]
        if not pages:
            return Seen(one.id, False, "the page that it names was not read in this iteration")
        if len(quote.normal(one.words).split()) < LEAST_WORDS:
            return Seen(one.id, False, f"a quote of fewer than {LEAST_WORDS} words means too little")
        for page in pages:
            text = await self._texts.text(page.sha256)
            if text is not None and quote.stands(one.words, text):
                kept = (page.url, page.sha256, page.retrieved, page.copy_of, page.file, page.title)
                return Seen(one.id, True, "", *kept)
        return Seen(one.id, False, "the words do not stand there")


def _is_from(one: Observed, page: Page) -> bool:
    """By the page's id, else by its address; an observation that names neither may be from any of them."""
    if one.page:
        return one.page == page.id
    return one.source_url is None or address.page(one.source_url) == address.page(page.url)
