"""The open web as a finder: a query goes to the providers, pages that they found are fetched, and come back as text.

Nobody but this module says what is fetched: an agent gives a query, and what is read are pages that a provider named
for it, by their ids. Links inside a page are not followed.
"""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from typing import TypeAlias

from withstood.claims.research import Skipped
from withstood.errors import CallFailed, MissingExtra
from withstood.sources.copies import Copies
from withstood.sources.finder import Found, Source
from withstood.sources.reader import Reader
from withstood.sources.reading import MOST_SIGNS
from withstood.sources.redaction import redact
from withstood.sources.web.chain import Chain
from withstood.sources.web.charsets import decoded
from withstood.sources.web.collected import Collected, spread
from withstood.sources.web.exchange import Unreached
from withstood.sources.web.fetcher import Fetched, Fetcher
from withstood.sources.web.providers.port import Hit
from withstood.sources.web.settings import Web
from withstood.sources.web.targets import Refused

HITS = 20
LEAST_SIGNS = 40

Read: TypeAlias = Source | Skipped


class WebFinder:
    """See `finder.Finder`. A page is fetched once in a run; whatever is not read is told once, with the reason."""

    def __init__(
        self,
        chain: Chain,
        fetcher: Fetcher,
        reader: Reader,
        web: Web,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.name = f"web({','.join(provider.name for provider in chain.providers)})"
        self._chain, self._fetcher, self._reader, self._web, self._now = chain, fetcher, reader, web, now
        self._collected, self._copies = Collected(), Copies()
        self._read: dict[str, Read] = {}
        self._told: set[Skipped] = set()

    async def find(self, query: str, language: str, *, deep: bool) -> Found:
        """Deep: the first pages as the provider ranks them. Broad: first one page of each owner."""
        searched = await self._chain.search(query, language, HITS)
        ids = self._collected.add(searched.hits)
        ranked = ids if deep else spread((id, self._collected.hit(id)) for id in ids)
        read = await self._pages(ranked, self._web.pages_deep if deep else self._web.pages_broad)
        notes = [Skipped(f"search with {name}", why) for name, why in searched.notes]
        skipped = [*notes, *[one for one in read if isinstance(one, Skipped)]]
        return Found(self._sources(read), tuple([one for one in skipped if self._is_news(one)]))

    def remember(self, pages: Iterable[tuple[str, str]]) -> None:
        """Addresses and texts that were read before, in their order: of a run that goes on, or of a graph."""
        for url, text in pages:
            self._copies.first(url, text)

    def close(self) -> None:
        self._reader.close()

    def _is_news(self, one: Skipped) -> bool:
        fresh = one not in self._told
        self._told.add(one)
        return fresh

    def _sources(self, read: Iterable[Read]) -> tuple[Source, ...]:
        """Each once, by its final address; which of two copies is the first follows the ranking, not the network."""
        found = {one.url: one for one in read if isinstance(one, Source)}
        return tuple([replace(one, copy_of=self._copies.first(one.url, one.text)) for one in found.values()])

    # --- pages -----------------------------------------------------------------------------------

    async def _pages(self, ids: Iterable[str], wanted: int) -> list[Read]:
        """So many pages as are wanted, or as there are: for one that cannot be read the next one is taken."""
        waiting, read = list(ids), list[Read]()
        deadline = asyncio.get_running_loop().time() + float(self._web.search_seconds)
        while waiting and (missing := wanted - sum(isinstance(one, Source) for one in read)) > 0:
            batch, waiting = waiting[:missing], waiting[missing:]
            read += await asyncio.gather(*[self._page(id, deadline) for id in batch])
        return read

    async def _page(self, id: str, deadline: float) -> Read:
        if id not in self._read:
            hit = self._collected.hit(id)
            try:
                async with asyncio.timeout_at(deadline):
                    self._read[id] = await self._fetched(hit)
            except TimeoutError:
                return Skipped(hit.url, f"there was no time for it within {self._web.search_seconds} seconds")
            except Unreached as fault:
                return Skipped(hit.url, str(fault))  # it may be there for a later search
            except (Refused, CallFailed) as fault:
                self._read[id] = Skipped(hit.url, str(fault))
        return self._read[id]

    async def _fetched(self, hit: Hit) -> Source:
        page = await self._fetcher.fetch(hit.url)
        title, text = await self._as_text(page)
        plain = redact(unicodedata.normalize("NFC", text))[0][:MOST_SIGNS].strip()
        if len(plain) < LEAST_SIGNS:
            raise Refused("there is no text in it")
        retrieved = self._now().isoformat(timespec="seconds")
        called = redact(" ".join((title or hit.title).split()))[0] or page.url
        return Source(page.url, called, plain, retrieved)

    async def _as_text(self, page: Fetched) -> tuple[str, str]:
        if page.kind == "plain":
            return "", decoded(page.content, page.charset)
        raw = page.content if page.kind == "pdf" else decoded(page.content, page.charset).encode("utf-8", "replace")
        try:
            return await asyncio.to_thread(self._reader.read, page.kind, raw)
        except MissingExtra as fault:
            raise Refused(str(fault)) from None
