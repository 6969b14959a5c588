"""Agents that answer by code: the same asks as a model's, pure computation on the brief."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

from withstood.agents.port import Line
from withstood.models.port import Model
from withstood.protocols.asks import Ask, Silent

Answer = TypeVar("Answer")


class ProgrammedAgent:
    """One seat. `wants` is the brief that it can work on; anything else leaves it silent."""

    def __init__(self, name: str, wants: type, work: Callable[[Any], object]) -> None:
        self._name, self._wants, self._work = name, wants, work

    @property
    def name(self) -> str:
        return self._name

    async def answer(self, ask: Ask[Answer], line: Line) -> Answer | Silent:
        if not isinstance(ask.brief, self._wants):
            return Silent(f"wanted a {self._wants.__name__} for {self._name}, found a {type(ask.brief).__name__}")
        return cast("Answer | Silent", self._work(ask.brief))

    def prompts(self) -> Mapping[str, str]:
        return {}

    def most_tokens(self, ask: Ask[Any]) -> tuple[int, int]:
        return (0, 0)

    def models(self) -> tuple[Model, ...]:
        return ()
