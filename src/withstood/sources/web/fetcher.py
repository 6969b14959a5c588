"""The one way to a page that somebody else names: checked before it is asked for, at every redirect, while it comes.

| checked at every hop | by |
|---|---|
| scheme, credentials, port, plain form of the address | `targets` |
| every address that the name resolves to; the connection goes to that very address | `networks`, `dialing` |
| what the owners let programs read | `robots` |
| one request at a time for a host, with pauses | `politeness` |
| length and number of headers, bytes before and after unpacking, time | `exchange`, `bodies` |
| what kind of thing it is, before its body is read | `kinds` |

It follows five redirects at most.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from withstood.sources.web import robots
from withstood.sources.web.exchange import Came, Exchange, Room, Unreached
from withstood.sources.web.kinds import Kind, kind
from withstood.sources.web.politeness import Politeness
from withstood.sources.web.robots import Robots, Rules
from withstood.sources.web.settings import MOST_REDIRECTS
from withstood.sources.web.targets import Refused, Target, joined, target

MOST_PDF = 4
"""How many times as large as a page a PDF may be."""

Allowed = Callable[[Target], Awaitable[Rules]]


@dataclass(frozen=True, slots=True)
class Fetched:
    """What stands at `url`, the last address of a chain of redirects."""

    url: str
    kind: Kind
    charset: str
    content: bytes


class Fetcher:
    def __init__(self, exchange: Exchange, politeness: Politeness, most_bytes: int) -> None:
        self._exchange, self._politeness, self._most = exchange, politeness, most_bytes
        self._robots = Robots(self._robots_file)

    async def fetch(self, url: str) -> Fetched:
        """`Refused` and `Unreached` say why there is nothing to read."""
        here, came = await self._followed(target(url), self._room, self._robots.rules)
        if not 200 <= came.status < 300:
            raise Refused(f"it answers with status {came.status}")
        if not came.content:
            raise Refused("there is nothing in it")
        found = kind(came.headers.get("content-type", ""), came.content)
        return Fetched(here.url, found.kind, found.charset, came.content)

    async def _followed(self, first: Target, room: Room, allowed: Allowed) -> tuple[Target, Came]:
        here = first
        for _ in range(MOST_REDIRECTS + 1):
            came = await self._visited(here, room, await allowed(here))
            if came.location is None:
                return here, came
            here = joined(here, came.location)
        raise Refused(f"it redirects more than {MOST_REDIRECTS} times")

    async def _visited(self, here: Target, room: Room, rules: Rules) -> Came:
        if why := rules.forbids(here):
            raise Refused(why)
        async with self._politeness.turn(here.host, rules.delay):
            return await self._exchange.exchange(here, room)

    def _room(self, status: int, headers: Mapping[str, str]) -> int:
        """Only a page that is there, and that may hold text, is read."""
        if not 200 <= status < 300:
            return 0
        return self._most * (MOST_PDF if kind(headers.get("content-type", ""), b"").kind == "pdf" else 1)

    async def _robots_file(self, place: Target) -> Came:
        _, came = await self._followed(place, _room_of_robots, _anything)
        return came


async def _anything(_: Target) -> Rules:
    return Rules()


def _room_of_robots(status: int, _: Mapping[str, str]) -> int:
    return robots.MOST_BYTES if 200 <= status < 300 else 0


__all__ = ["Fetched", "Fetcher", "Refused", "Unreached"]
