"""What the owners of a site let programs read: its robots.txt, fetched as carefully as any page, and kept for a run.

| its robots.txt | then |
|---|---|
| is there | its rules hold, the most exact one first |
| is not there (4xx) | everything may be read |
| cannot be had (5xx, 429, unreachable, refused) | nothing may be read |
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from protego import Protego

from withstood.sources.web.exchange import AGENT, Came, Unreached
from withstood.sources.web.targets import Refused, Target

MOST_BYTES = 500 << 10
MOST_DELAY = 10.0

Fetch = Callable[[Target], Awaitable[Came]]


@dataclass(frozen=True, slots=True)
class Rules:
    """`why` says why nothing may be read; else `rules` do, where there are any."""

    why: str = ""
    rules: Protego | None = None

    def forbids(self, target: Target) -> str:
        if self.why or self.rules is None or self.rules.can_fetch(target.url, AGENT):
            return self.why
        return f"the robots.txt of {target.host} forbids it"

    @property
    def delay(self) -> float:
        """The seconds between two requests that the owners ask for, up to a bound."""
        wanted = self.rules.crawl_delay(AGENT) if self.rules else None
        return min(max(0.0, wanted or 0.0), MOST_DELAY)


class Robots:
    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch
        self._known: dict[str, asyncio.Task[Rules]] = {}

    async def rules(self, target: Target) -> Rules:
        """Fetched once for each site, however many ask at a time."""
        known = self._known.get(target.site)
        if known is None or known.cancelled():
            known = self._known[target.site] = asyncio.create_task(self._read(target))
        return await asyncio.shield(known)

    async def _read(self, target: Target) -> Rules:
        place = Target(target.scheme, target.host, target.port, "/robots.txt")
        try:
            came = await self._fetch(place)
        except (Refused, Unreached) as fault:
            return Rules(f"its robots.txt cannot be read: {fault}")
        if 400 <= came.status < 500 and came.status != 429:
            return Rules()
        if not 200 <= came.status < 300:
            return Rules(f"its robots.txt cannot be read: it answers with status {came.status}")
        return Rules("", Protego.parse(came.content.decode("utf-8-sig", "replace")))
