"""Records and runs that the tests of this room write and read."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from withstood.journal.port import Kept, Record, Store

T = TypeVar("T")
FIRST = Record("run", 0, '{"begun":true}')


def within(work: Awaitable[T], seconds: float = 20) -> T:
    """The outcome of the work; whatever hangs fails."""

    async def bounded() -> T:
        return await asyncio.wait_for(work, seconds)

    return asyncio.run(bounded())


def answer(no: int, key: str | None = None, text: str = "") -> Record:
    return Record("answer", no, f'{{"no":{no},"text":"{text or "좋아요"}"}}', key)


async def written(store: Store, run: str, count: int) -> None:
    """A run of `count` records, the first included."""
    journal = await store.create(run, FIRST)
    for no in range(1, count):
        journal.append(answer(no, f"key-{run}-{no}"))
    await journal.close()


async def read(store: Store, run: str) -> list[Kept]:
    return [kept async for chunk in store.records(run) for kept in chunk]
