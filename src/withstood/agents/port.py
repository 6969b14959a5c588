"""What the engine knows of an agent, and what an agent knows of the engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar, runtime_checkable

from withstood.models.port import Call, Model, Reply
from withstood.protocols.asks import Ask, Silent

Answer = TypeVar("Answer")


class Line(Protocol):
    """An agent's line to models: every call on it is budgeted, limited, retried and journaled by the engine.

    `case` is the id of the text in hand. A call that failed for good raises `errors.CallFailed`; the agent may let it
    pass, and is then silent.
    """

    @property
    def case(self) -> str: ...

    async def call(self, model: Model, call: Call) -> Reply: ...


@runtime_checkable
class Keeping(Protocol):
    """What the line of a run can do besides, where the run has a journal."""

    async def kept(self) -> None:
        """Return when every answer that was given before this ask is durable."""
        ...


class Agent(Protocol):
    """Fills one or more seats. Same ask, same answer type, whether a model or a program stands behind it."""

    @property
    def name(self) -> str:
        """As it stands in the journal: `programmed:explicit@1`, `openai:some-model`."""
        ...

    async def answer(self, ask: Ask[Answer], line: Line) -> Answer | Silent: ...

    def prompts(self) -> Mapping[str, str]:
        """Role and language to the SHA-256 of the prompt file used, for the journal; empty for a program."""
        ...

    def most_tokens(self, ask: Ask[Any]) -> tuple[int, int]:
        """At most so many tokens in and out for this ask, its one repair question included; (0, 0) for a program."""
        ...

    def models(self) -> tuple[Model, ...]:
        """The models that it calls, to be priced and closed; none for a program."""
        ...
