"""A store in memory. It keeps the promises of `journal.port` as far as one process can see them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

from withstood.errors import ConfigError, StoreError
from withstood.journal.port import Hear, Kept, Record, RunEntry, deaf, link, seed, text_hash


class MemoryStore:
    """`full_after`: so many records fit, then the disk is full."""

    def __init__(self, full_after: int | None = None) -> None:
        self.full_after = full_after
        self.kept: dict[str, list[Kept]] = {}
        self.open: set[str] = set()
        self.torn: Sequence[str] = ()
        self.texts: dict[str, str] = {}

    async def create(self, run: str, first: Record) -> MemoryJournal:
        if run in self.kept:
            raise ConfigError(f"There is a run {run} already.")
        self.kept[run] = []
        journal = self._journal(run)
        journal.append(first)
        await journal.kept()
        return journal

    async def reopen(self, run: str, *, take_over: bool = False, hear: Hear = deaf) -> MemoryJournal:
        self._records(run)
        if run in self.open and not take_over:
            raise StoreError(f"Run {run} is being written by another process.")
        hear(self._records(run))
        return self._journal(run)

    async def records(self, run: str) -> AsyncIterator[Sequence[Kept]]:
        found = self._records(run)
        if found:
            yield tuple(found)

    async def runs(self) -> Sequence[RunEntry]:
        return [
            RunEntry(run, len(kept), kept[0].record.body, kept[-1].record.kind, kept[-1].record.body, kept[-1].hash)
            for run, kept in self.kept.items()
        ]

    async def find(self, key: str) -> Record | None:
        answers = [kept.record for run in self.kept.values() for kept in run if kept.record.key == key]
        return answers[0] if answers else None

    async def keep_text(self, text: str) -> str:
        self.texts[text_hash(text)] = text
        return text_hash(text)

    async def text(self, sha256: str) -> str | None:
        return self.texts.get(sha256)

    async def close(self) -> None:
        self.open.clear()

    def _records(self, run: str) -> list[Kept]:
        if run not in self.kept:
            raise ConfigError(f"There is no run {run}.")
        return self.kept[run]

    def _journal(self, run: str) -> MemoryJournal:
        self.open.add(run)
        return MemoryJournal(self, run)


class MemoryJournal:
    def __init__(self, store: MemoryStore, run: str) -> None:
        self.run = run
        self._store, self._waiting = store, list[Record]()

    @property
    def head(self) -> str:
        kept = self._store.kept[self.run]
        return kept[-1].hash if kept else seed(self.run)

    def append(self, record: Record) -> None:
        self._waiting.append(record)

    async def kept(self) -> None:
        await asyncio.sleep(0)
        while self._waiting:
            self._keep(self._waiting[0])
            del self._waiting[0]

    async def close(self) -> None:
        self._store.open.discard(self.run)
        await self.kept()

    def _keep(self, record: Record) -> None:
        kept = self._store.kept[self.run]
        if self._store.full_after is not None and len(kept) >= self._store.full_after:
            raise StoreError("The store is full.")
        kept.append(Kept(len(kept) + 1, record, link(self.head, len(kept) + 1, record)))
