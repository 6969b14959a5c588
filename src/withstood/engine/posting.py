"""Models that gather calls, within a run: where their batches are put on record, and how they end with it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager

from withstood.engine.entries import HandedEntry, record
from withstood.engine.line import Exchange
from withstood.engine.recall import Recall
from withstood.models.port import Batch, Gathering, Model


@asynccontextmanager
async def gathering(models: Iterable[Model], exchange: Exchange, recall: Recall) -> AsyncGenerator[None]:
    """Those that gather begin, and go on with what earlier sittings have left; at the end nothing more goes out."""
    gatherers = gatherers_of(models)
    for model in gatherers:
        model.begin(Posted(exchange), tuple(recall.batches.values()))
    try:
        yield
    finally:
        for model in gatherers:
            await model.rest()


def gatherers_of(models: Iterable[Model]) -> list[Gathering]:
    return [model for model in models if isinstance(model, Gathering)]


class Posted:
    """See `models.port.Post`."""

    def __init__(self, exchange: Exchange) -> None:
        self._x = exchange

    async def intend(self, batch: Batch) -> None:
        self._x.journal.append(record(0, batch))
        await self._x.journal.kept()
        self._x.listener.tell("gathered", "")

    def handed(self, batch: Batch) -> None:
        self._x.listener.tell("handed", "")
        self._x.journal.append(record(0, HandedEntry(batch.stamp, batch.id or "")))

    def looked(self) -> None:
        self._x.listener.tell("looked", "")

    async def turn(self, tokens: int) -> None:
        await self._x.pace.turn(tokens)
