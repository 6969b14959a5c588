"""What the engine and the agents know of a language model: a call, a reply, a price."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, Protocol, TypeAlias

Finish: TypeAlias = Literal["stop", "length", "refused"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One earlier turn of the same call: what the model said, and what was asked of it next."""

    said: str
    then: str


@dataclass(frozen=True, slots=True)
class Call:
    """One request. `system` is the same for every text (so that providers can cache it); `user` changes.

    `case`, `role` and `round` say on whose behalf it is made; a network adapter never sends them.
    """

    case: str
    role: str
    round: int
    system: str
    user: str
    schema: Mapping[str, Any]
    schema_name: str
    earlier: tuple[Turn, ...] = ()
    most_tokens: int = 2048


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back, whole. `finish` is "length" where it was cut off, "refused" where the model or a filter said no,
    and then `text` says why."""

    text: str
    tokens_in: int = 0
    tokens_out: int = 0
    finish: Finish = "stop"


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost, in the currency of the budget."""

    tokens_in: Decimal = Decimal(0)
    tokens_out: Decimal = Decimal(0)


class Model(Protocol):
    """A language model. `complete` makes one attempt and raises `errors.CallFailed`, `KeyRefused` or
    `ModelUnavailable`; it never retries, follows no redirect, and never repairs a reply."""

    @property
    def name(self) -> str:
        """`provider:model`, as it stands in the journal."""
        ...

    @property
    def price(self) -> Price | None:
        """None where it is not known."""
        ...

    async def complete(self, call: Call) -> Reply: ...

    async def close(self) -> None: ...
