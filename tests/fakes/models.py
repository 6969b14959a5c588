"""A model that answers from a list, and an engine's line that only passes calls on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from withstood.models.port import Call, Model, Price, Reply


class ListedModel:
    """Says its replies in order and keeps the calls. A reply may be an error, which is raised."""

    def __init__(self, *replies: Reply | str | Exception, name: str = "listed:model") -> None:
        self.name = name
        self.price: Price | None = Price()
        self._replies: Sequence[Reply | str | Exception] = replies
        self.calls: list[Call] = []
        self.closed = False

    async def complete(self, call: Call) -> Reply:
        reply = self._replies[len(self.calls)]
        self.calls.append(call)
        if isinstance(reply, Exception):
            raise reply
        return Reply(reply) if isinstance(reply, str) else reply

    async def close(self) -> None:
        self.closed = True


class OpenLine:
    """No budget, no limit, no retry."""

    def __init__(self, case: str = "case-1") -> None:
        self.case = case

    async def call(self, model: Model, call: Call) -> Reply:
        return await model.complete(call)


Saying: TypeAlias = Callable[[Call], Awaitable[Reply]]


class ToldModel:
    """Completes by `saying`, and counts how many calls are under way."""

    def __init__(self, saying: Saying, price: Price | None = None, name: str = "told:model") -> None:
        self.name, self.price = name, price if price is not None else Price()
        self._saying = saying
        self.calls: list[Call] = []
        self.under_way = self.most_under_way = 0

    async def complete(self, call: Call) -> Reply:
        self.calls.append(call)
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            return await self._saying(call)
        finally:
            self.under_way -= 1

    async def close(self) -> None:
        return
