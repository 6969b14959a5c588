"""A model that answers from a list, and an engine's line that only passes calls on."""

from __future__ import annotations

from collections.abc import Sequence

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
