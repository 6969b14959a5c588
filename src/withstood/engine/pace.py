"""How fast calls may be made: so many at once, so many a minute, so many tokens a minute."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from withstood.engine.allowance import Allowance
from withstood.engine.limits import Limits


class Bucket:
    """So much a minute, spread evenly; a full bucket holds what may come at once."""

    def __init__(self, per_minute: int) -> None:
        self._rate = per_minute / 60
        self._most = max(1.0, per_minute / 60)
        self._level, self._at = self._most, time.monotonic()

    def take(self, amount: float) -> float:
        """Take it now, in debt if need be, and say how long to wait until it is earned."""
        now = time.monotonic()
        self._level = min(self._most, self._level + (now - self._at) * self._rate) - amount
        self._at = now
        return max(0.0, -self._level / self._rate)

    def give_back(self, amount: float) -> None:
        self._level = min(self._most, self._level + amount)


class Pace:
    """The gate before every attempt."""

    def __init__(self, limits: Limits, allowance: Allowance | None = None) -> None:
        self._allowance = allowance
        self._slots = asyncio.Semaphore(limits.in_flight)
        self._requests = Bucket(limits.requests_per_minute) if limits.requests_per_minute else None
        self._tokens = Bucket(limits.tokens_per_minute) if limits.tokens_per_minute else None

    @asynccontextmanager
    async def slot(self, tokens: int) -> AsyncGenerator[None]:
        async with self._slots:
            await self.turn(tokens)
            yield

    @asynccontextmanager
    async def place(self) -> AsyncGenerator[None]:
        """A slot of a call that does not go out by itself: what it is gathered into takes the turn."""
        async with self._slots:
            yield

    async def turn(self, tokens: int) -> None:
        """Return when a request of so many tokens may go out."""
        shared = await self._allowance.turn(tokens) if self._allowance else 0.0
        if wait := max(shared, self._wait(tokens)):
            await asyncio.sleep(wait)

    def give_back(self, tokens: int) -> None:
        """A call is paced at the most it may take; what it did not take is there for the next."""
        if self._tokens:
            self._tokens.give_back(tokens)

    def _wait(self, tokens: int) -> float:
        waits = [bucket.take(amount) for bucket, amount in ((self._requests, 1), (self._tokens, tokens)) if bucket]
        return max(waits, default=0.0)
