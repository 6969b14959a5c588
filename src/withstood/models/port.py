"""What the engine and the agents know of a language model: a call, a reply, a price."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

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


# --- calls that go out together ----------------------------------------------------------------

PREFIX = "batch:"
"""Before the name of a model: it is called by its batch endpoint."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Calls that are handed over together. `stamp` is a word of ours by which the provider's batch is found again,
    `calls` has a digest of each call, `at` is when, in seconds since the epoch; `id` is the provider's own name for
    it, None as long as nobody has read it."""

    stamp: str
    model: str
    calls: tuple[str, ...]
    at: int
    id: str | None = None


class Post(Protocol):
    """What a model that gathers calls knows of the run that makes them."""

    async def intend(self, batch: Batch) -> None:
        """Return when it is durable that this batch is about to be handed over."""
        ...

    def handed(self, batch: Batch) -> None:
        """Put on record which batch of the provider it is."""
        ...

    def looked(self) -> None:
        """Told each time a batch was looked at."""
        ...

    async def turn(self, tokens: int) -> None:
        """Return when a request of so many tokens may go out."""
        ...


@runtime_checkable
class Gathering(Protocol):
    """A model whose calls wait until many are handed over together, and then for hours. `call_seconds` is the whole
    time that one may take."""

    call_seconds: int

    def begin(self, post: Post, left: Sequence[Batch]) -> None:
        """Before the first call: where batches are put on record, and those that earlier sittings have left."""
        ...

    async def rest(self) -> None:
        """Nothing more goes out. What was handed over goes on at the provider."""
        ...

    def under_way(self) -> tuple[str, ...]:
        """What nobody has the answers of yet, in words."""
        ...
