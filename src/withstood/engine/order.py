"""Results leave in the order of the input, each after its ruling is durable, and never too many wait."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from withstood.form import Json
from withstood.journal.port import Journal
from withstood.verdict import Step


class Done(NamedTuple):
    """A matter that has come to its end: itself as JSON, its line of the results, the steps that led there, and what
    may be learned from it."""

    no: int
    matter: str
    line: str
    path: Sequence[Step] = ()
    lesson: Json = None


Write: TypeAlias = Callable[[Done], None]


class InOrder:
    """A case may be begun only `width` places ahead of the one that is written next."""

    def __init__(self, write: Write, journal: Journal, width: int) -> None:
        self._write, self._journal, self._width = write, journal, width
        self._next = 1
        self._waiting: dict[int, Done] = {}
        self._closed = False
        self._changed = asyncio.Event()
        self._moved = asyncio.Condition()

    async def room(self, no: int) -> None:
        """Return when the case may be begun, or when nobody waits for it any more."""
        if no >= self._next + self._width:
            async with self._moved:
                await self._moved.wait_for(lambda: no < self._next + self._width or self._closed)

    async def close(self) -> None:
        """The run stops: let go of whoever waits for room."""
        self._closed = True
        async with self._moved:
            self._moved.notify_all()

    def put(self, done: Done) -> None:
        self._waiting[done.no] = done
        if done.no == self._next:
            self._changed.set()

    async def pump(self) -> None:
        """Write whatever is due, for ever; whoever runs it cancels it and then calls `flush`."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            await self._write_due()

    async def _write_due(self) -> None:
        while self._next in self._waiting:
            await self._journal.kept()
            while done := self._waiting.pop(self._next, None):
                self._write(done)
                self._next += 1
            async with self._moved:
                self._moved.notify_all()

    async def flush(self) -> None:
        """Write all that is left, in order; where a case never came to its end, the next one follows."""
        await self._write_due()
        await self._journal.kept()
        for no in sorted(self._waiting):
            self._write(self._waiting.pop(no))
