"""Agents that do what a test tells them, with the engine's line or without."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from withstood.agents.port import Line
from withstood.models.port import Call, Model
from withstood.protocols.asks import Ask

Doing: TypeAlias = Callable[[Ask[Any], Line], Awaitable[Any]]


class ToldAgent:
    """Answers by `doing`. With a model it is treated as one that costs something."""

    def __init__(self, doing: Doing, model: Model | None = None, name: str = "told:agent") -> None:
        self.name = name
        self._doing, self._model = doing, model

    async def answer(self, ask: Ask[Any], line: Line) -> Any:
        return await self._doing(ask, line)

    def prompts(self) -> Mapping[str, str]:
        return {}

    def most_tokens(self, ask: Ask[Any]) -> tuple[int, int]:
        return (0, 0)

    def models(self) -> tuple[Model, ...]:
        return (self._model,) if self._model else ()


SCHEMA: Mapping[str, Any] = {"type": "object"}


def call(ask: Ask[Any], line: Line, most_tokens: int = 100) -> Call:
    """The plainest call for an ask."""
    text = getattr(ask.brief, "text", "")
    return Call(line.case, ask.role, ask.round, "system", text, SCHEMA, "answer", most_tokens=most_tokens)
