"""A run that is being written, over any store: records that arrive while a commit is under way share the next one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from withstood.journal.port import Kept, Record, link


class GroupedJournal:
    """See `port.Journal`. Made by a store: `commit` makes rows durable, `let_go` gives the run free."""

    def __init__(
        self,
        run: str,
        last: tuple[int, str],
        commit: Callable[[Sequence[Kept]], Awaitable[None]],
        let_go: Callable[[], Awaitable[None]],
    ) -> None:
        self.run = run
        self._write, self._let_go = commit, let_go
        self._seq, self._head = last
        self._durable = self._head
        self._waiting: list[Record] = []
        self._commit: asyncio.Task[None] | None = None
        self._next: asyncio.Task[None] | None = None

    @property
    def head(self) -> str:
        return self._durable

    def append(self, record: Record) -> None:
        """Records that come while a commit is under way share the next one."""
        self._waiting.append(record)
        if self._next is None:
            self._next = asyncio.ensure_future(self._commit_after(self._commit))
            self._next.add_done_callback(lambda done: done.cancelled() or done.exception())

    async def kept(self) -> None:
        under_way = self._next or self._commit
        if under_way is not None:
            await asyncio.shield(under_way)

    async def _commit_after(self, earlier: asyncio.Task[None] | None) -> None:
        if earlier is not None:
            await asyncio.wait([earlier])
            earlier.result()
        self._commit, self._next = self._next, None
        records, self._waiting = self._waiting, []
        await self._write(self._linked(records))
        self._durable = self._head

    def _linked(self, records: Sequence[Record]) -> list[Kept]:
        rows: list[Kept] = []
        for record in records:
            self._seq += 1
            self._head = link(self._head, self._seq, record)
            rows.append(Kept(self._seq, record, self._head))
        return rows

    async def close(self) -> None:
        try:
            await self.kept()
        finally:
            await self._let_go()
