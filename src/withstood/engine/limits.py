"""What a run may spend at most, and how fast."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated

from withstood.errors import LimitReached
from withstood.form import Within
from withstood.models.port import Call, Price, Reply

Some = Annotated[int, Within(1)]
MILLION = Decimal(1_000_000)


@dataclass(frozen=True, slots=True)
class Limits:
    """None: no such limit. `call_seconds` is the whole time that one call may take, retries and waits included."""

    in_flight: Some = 16
    requests_per_minute: Some | None = None
    tokens_per_minute: Some | None = None
    calls: Annotated[int, Within(0)] | None = None
    tokens: Annotated[int, Within(0)] | None = None
    money: Annotated[Decimal, Within(0)] | None = None
    seconds: Annotated[Decimal, Within(0)] | None = None
    call_seconds: Some = 180
    attempts: Annotated[int, Within(1, 4)] = 4


@dataclass(frozen=True, slots=True)
class Spend:
    """What was or may be spent. Money is None where a price is not known."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: Decimal | None = Decimal(0)

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out

    def __add__(self, other: Spend) -> Spend:
        cost = None if self.cost is None or other.cost is None else self.cost + other.cost
        return Spend(
            self.calls + other.calls, self.tokens_in + other.tokens_in, self.tokens_out + other.tokens_out, cost
        )

    def __sub__(self, other: Spend) -> Spend:
        cost = None if other.cost is None else -other.cost
        return self + Spend(-other.calls, -other.tokens_in, -other.tokens_out, cost)


def most_of(call: Call, price: Price | None) -> Spend:
    """What a call can cost at most: no tokeniser makes more tokens than there are UTF-8 bytes."""
    said = sum(len(turn.said.encode()) + len(turn.then.encode()) for turn in call.earlier)
    tokens_in = len(call.system.encode()) + len(call.user.encode()) + said + _schema_bytes(call)
    return priced(1, tokens_in, call.most_tokens, price)


def _schema_bytes(call: Call) -> int:
    """A schema is sent along with the prompt; its text, and some more for how the provider frames it."""
    known = _SCHEMAS.get(id(call.schema))
    if known is None or known[0] is not call.schema:
        known = _SCHEMAS[id(call.schema)] = (call.schema, len(repr(call.schema).encode()) + 512)
    return known[1]


_SCHEMAS: dict[int, tuple[object, int]] = {}


def spent_on(reply: Reply, most: Spend, price: Price | None) -> Spend:
    """What a call did cost. A provider's own count is believed as far as it is possible."""
    tokens_in, tokens_out = max(0, reply.tokens_in), max(0, reply.tokens_out)
    return priced(1, min(tokens_in, most.tokens_in), min(tokens_out, most.tokens_out), price)


def priced(calls: int, tokens_in: int, tokens_out: int, price: Price | None) -> Spend:
    if price is None:
        return Spend(calls, tokens_in, tokens_out, None)
    cost = (price.tokens_in * tokens_in + price.tokens_out * tokens_out) / MILLION
    return Spend(calls, tokens_in, tokens_out, cost)


class Ledger:
    """What has been spent and what is reserved. A call is reserved at its maximum before it is made, and booked at
    what it cost, or at its maximum where nobody knows."""

    def __init__(self, limits: Limits, already: Spend | None = None) -> None:
        self._limits = limits
        self.booked = already or Spend()
        self.reserved = Spend()
        self._began = time.monotonic()
        self.queue = asyncio.Lock()
        """Whoever waits for a booking does so in turn."""
        self._booked = asyncio.Event()

    def reserve(self, most: Spend) -> None:
        """Raise `LimitReached` where the call could pass a limit."""
        self.check_time()
        after = self.booked + self.reserved + most
        for name, limit, value in (
            ("calls", self._limits.calls, after.calls),
            ("tokens", self._limits.tokens, after.tokens),
            ("money", self._limits.money, after.cost),
        ):
            if limit is not None and value is not None and value > limit:
                raise LimitReached(name, f"The limit of {limit} {name} would be passed by the next call, at most.")
        self.reserved += most

    def check_time(self) -> None:
        limit = self._limits.seconds
        if limit is not None and time.monotonic() - self._began > limit:
            raise LimitReached("seconds", f"The limit of {limit} seconds is reached.")

    def book(self, most: Spend, spent: Spend) -> None:
        """Give back what was reserved, and book what was spent: `most` again where the outcome is unknown."""
        self.reserved -= most
        self.booked += spent
        self._booked.set()

    async def next_booking(self) -> None:
        self._booked.clear()
        await self._booked.wait()
