"""What a user may say about models: named endpoints, how long, how many at once, and how they are batched."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Literal, TypeAlias

from withstood.errors import ConfigError
from withstood.form import Within
from withstood.models.keys import from_keyring
from withstood.models.port import Price

Kind: TypeAlias = Literal["openai", "anthropic", "google"]
SchemaMode: TypeAlias = Literal["json_schema", "json_object", "none"]
Cost: TypeAlias = Annotated[Decimal, Within(0)]

MOST_TOKENS = 2048


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One named endpoint of the configuration.

    `kind` is the wire that it speaks. `url` and `key_env` default to those of the kind; with a `url` of its own and no
    `key_env`, no key is sent. Prices are for a million tokens. `batch` says whether it takes batches: without it, only
    the providers' own do; without prices of their own they cost half. `most_tokens` is how long an answer may become,
    thinking included. `schema_mode` is for servers that do not know `json_schema`; `temperature = false` leaves it out,
    for models that refuse it.
    """

    kind: Kind = "openai"
    url: str | None = None
    key_env: str | None = None
    price_in: Cost | None = None
    price_out: Cost | None = None
    batch: bool | None = None
    batch_price_in: Cost | None = None
    batch_price_out: Cost | None = None
    most_tokens: Annotated[int, Within(1, 200_000)] = MOST_TOKENS
    schema_mode: SchemaMode = "json_schema"
    temperature: bool | None = None

    def price(self, name: str) -> Price | None:
        """The configured price; None where there is none."""
        return _pair(name, self.price_in, self.price_out, "price")

    def batch_price(self, name: str) -> Price | None:
        """What the same costs in a batch: half, where nothing else is configured."""
        single = self.price(name)
        half = single and Price(single.tokens_in / 2, single.tokens_out / 2)
        return _pair(name, self.batch_price_in, self.batch_price_out, "batch_price") or half


def _pair(name: str, price_in: Decimal | None, price_out: Decimal | None, called: str) -> Price | None:
    if price_in is None and price_out is None:
        return None
    if price_in is None or price_out is None:
        raise ConfigError(f"The endpoint {name!r} has one of {called}_in and {called}_out; wanted both, or neither.")
    return Price(price_in, price_out)


@dataclass(frozen=True, slots=True)
class Batching:
    """How calls are gathered for batches: so many in one at most; a smaller one goes when no other call has come for
    `gather_seconds`. It is looked at every `look_seconds`."""

    calls: Annotated[int, Within(1, 50_000)] = 2000
    gather_seconds: Annotated[Decimal, Within(0)] = Decimal(2)
    look_seconds: Annotated[Decimal, Within(0)] = Decimal(30)


BATCHING = Batching()


@dataclass(frozen=True, slots=True)
class Settings:
    """`deadline` is for one attempt, in seconds; `in_flight` is how many connections are kept."""

    endpoints: Mapping[str, Endpoint] = field(default_factory=dict[str, Endpoint])
    deadline: float = 120.0
    in_flight: int = 64
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    keyring: Callable[[str], str | None] = from_keyring
    batching: Batching = BATCHING
