"""How often one host is asked: one request at a time, and a pause between two."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

Sleep = Callable[[float], Awaitable[None]]
Clock = Callable[[], float]


class Politeness:
    """`waited` is what the pauses came to, in seconds."""

    def __init__(self, pause: float, sleep: Sleep = asyncio.sleep, clock: Clock = time.monotonic) -> None:
        self._pause, self._sleep, self._clock = pause, sleep, clock
        self._turns: dict[str, asyncio.Lock] = {}
        self._next: dict[str, float] = {}
        self.waited = 0.0

    @asynccontextmanager
    async def turn(self, host: str, delay: float = 0.0) -> AsyncGenerator[None]:
        """`delay` is a longer pause that the host asks for."""
        async with self._turns.setdefault(host, asyncio.Lock()):
            wait = self._next.get(host, 0.0) - self._clock()
            if wait > 0:
                self.waited += wait
                await self._sleep(wait)
            try:
                yield
            finally:
                self._next[host] = self._clock() + max(self._pause, delay)
