"""An agent's line to its models: reserve, write the intent, wait for a slot, attempt, book.

A reply is written when the next call of the same ask builds on it; the last one is written as the answer. So after a
kill nothing that was written is asked again, and at most the call that was under way is made once more.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from withstood.engine.allowance import Allowance, Alone
from withstood.engine.entries import CallEntry, LostEntry, ReplyEntry, record
from withstood.engine.events import Listener
from withstood.engine.limits import Ledger, Limits, Spend, most_of, spent_on
from withstood.engine.pace import Pace
from withstood.errors import CallFailed, LimitReached, ModelUnavailable, WorldError
from withstood.journal.port import Journal
from withstood.models.port import Call, Gathering, Model, Reply
from withstood.protocols.asks import Ask

MOST_WAIT = 60.0


class Health:
    """How many calls of a model failed in a row. A model that is down parks the run."""

    def __init__(self, most_in_a_row: int = 10) -> None:
        self._most = most_in_a_row
        self._failed: dict[str, int] = {}
        self._parked: dict[str, WorldError] = {}

    def check(self, model: str) -> None:
        """Raise what has parked the run: calls that were waiting for a slot do not go out any more."""
        if fault := self._parked.get(model):
            raise fault

    def park(self, model: str, fault: WorldError) -> WorldError:
        return self._parked.setdefault(model, fault)

    def answered(self, model: str) -> None:
        self._failed.pop(model, None)

    def failed(self, model: str, fault: CallFailed) -> None:
        """Raise `ModelUnavailable` where it cannot be reached at all, or has failed too often in a row."""
        self._failed[model] = failed = self._failed.get(model, 0) + 1
        if fault.again and not fault.reached:
            told = f"{model} takes no calls: {fault}. See that it runs, then go on with --resume."
            raise self.park(model, ModelUnavailable(told))
        if failed >= self._most:
            told = f"{model} failed {failed} calls in a row, the last: {fault}. Go on with --resume."
            raise self.park(model, ModelUnavailable(told))


ALONE = Alone()


@dataclass(frozen=True, slots=True)
class Exchange:
    """What all lines of a run share."""

    journal: Journal
    ledger: Ledger
    pace: Pace
    limits: Limits
    listener: Listener
    health: Health
    allowance: Allowance = ALONE


class JournaledLine:
    """The line of one ask. `earlier` are the replies that an earlier sitting already has."""

    def __init__(
        self, exchange: Exchange, item: int, case: str, ask: Ask[Any], earlier: tuple[ReplyEntry, ...] = ()
    ) -> None:
        self.case = case
        self._exchange, self._item, self._ask, self._earlier = exchange, item, ask, earlier
        self._made = 0
        self._open: ReplyEntry | None = None
        self._sent = False

    @property
    def last(self) -> ReplyEntry | None:
        """The reply that is not written yet: what it cost is written with the answer."""
        return self._open

    async def kept(self) -> None:
        await self._exchange.journal.kept()

    async def call(self, model: Model, call: Call) -> Reply:
        no, self._made = self._made, self._made + 1
        if no < len(self._earlier):
            known = self._earlier[no]
            return Reply(known.text, known.tokens_in, known.tokens_out, known.finish)  # pyright: ignore[reportArgumentType]
        return await self._call(no, model, call)

    async def _call(self, no: int, model: Model, call: Call) -> Reply:
        exchange, role = self._exchange, self._ask.role
        self._write_open()
        most = most_of(call, model.price)
        await self._reserve(model, most)
        exchange.listener.tell("reserved", self.case, role)
        try:
            exchange.journal.append(record(self._item, CallEntry(role, self._ask.round, no, model.name, most)))
            exchange.listener.tell("intended", self.case, role)
            await exchange.journal.kept()
        except BaseException:
            self._settle(most, Spend(), over=True)
            raise
        exchange.listener.tell("intent_kept", self.case, role)
        reply, attempts = await self._attempts(model, call, most)
        exchange.health.answered(model.name)
        spent = spent_on(reply, most, model.price)
        exchange.ledger.book(most, spent)
        exchange.pace.give_back(most.tokens - spent.tokens)
        self._open = ReplyEntry(
            role, self._ask.round, no, reply.text, reply.finish, reply.tokens_in, reply.tokens_out, spent, attempts
        )
        exchange.listener.tell("replied", self.case, role)
        return reply

    async def _reserve(self, model: Model, most: Spend) -> None:
        """Where calls are gathered, many are reserved at their most: then the limit is reached only when it is passed
        by what they turn out to cost."""
        if not isinstance(model, Gathering):
            return await self._reserve_now(most)
        async with self._exchange.ledger.queue:
            while True:
                try:
                    return await self._reserve_now(most)
                except LimitReached as reached:
                    if reached.limit == "seconds" or not self._exchange.ledger.reserved.calls:
                        raise
                await self._exchange.ledger.next_booking()

    async def _reserve_now(self, most: Spend) -> None:
        await self._exchange.allowance.cover(self._exchange.ledger, most)
        self._exchange.ledger.reserve(most)

    def _write_open(self) -> None:
        if self._open is not None:
            self._exchange.journal.append(record(self._item, self._open))
            self._open = None

    async def _attempts(self, model: Model, call: Call, most: Spend) -> tuple[Reply, int]:
        """At most four, within the call's whole time. Each that may have cost something is booked, and the next one
        is reserved anew, so that no retry passes a limit."""
        limits, attempt = self._exchange.limits, 1
        left = _Patience(model.call_seconds if isinstance(model, Gathering) else limits.call_seconds)
        while True:
            fault = await self._tried(model, call, most, left)
            if isinstance(fault, Reply):
                return fault, attempt
            self._exchange.listener.tell("failed", self.case, self._ask.role)
            spent = most if fault.reached and not fault.free else Spend()
            wait = backoff(attempt, fault.after)
            if attempt == limits.attempts or not fault.again or wait > left.seconds:
                self._settle(most, spent, over=True)
                self._exchange.health.failed(model.name, fault)
                counted = f"{fault} ({attempt} attempt{'s' * (attempt > 1)})"
                raise CallFailed(counted, again=fault.again, reached=fault.reached)
            await self._settle_and_reserve(model, most, spent)
            await self._pause(wait, left, most)
            attempt += 1

    async def _tried(self, model: Model, call: Call, most: Spend, left: _Patience) -> Reply | CallFailed:
        """One attempt. What ends the run here is booked: nothing where no request went out or none was taken."""
        self._sent = False
        try:
            return await self._attempt(model, call, most, left)
        except CallFailed as fault:
            return fault
        except WorldError as fault:
            self._settle(most, Spend(), over=True)
            raise self._exchange.health.park(model.name, fault) from None
        except BaseException:
            if self._sent:
                self._exchange.ledger.book(most, most)
            else:
                self._settle(most, Spend(), over=True)
            raise

    async def _attempt(self, model: Model, call: Call, most: Spend, left: _Patience) -> Reply:
        gathers, pace = isinstance(model, Gathering), self._exchange.pace
        async with pace.place() if gathers else pace.slot(most.tokens):
            self._exchange.health.check(model.name)
            self._exchange.listener.tell("sending", self.case, self._ask.role)
            self._sent = not gathers  # its batch is on record, and its answer is taken later
            try:
                async with left.running(), asyncio.timeout(left.seconds):
                    return await model.complete(call)
            except TimeoutError:
                raise CallFailed(f"no answer within {left.whole} seconds", again=False, reached=True) from None

    async def _pause(self, wait: float, left: _Patience, most: Spend) -> None:
        try:
            async with left.running():
                await asyncio.sleep(wait)
        except asyncio.CancelledError:
            self._settle(most, Spend(), over=True)
            raise

    async def _settle_and_reserve(self, model: Model, most: Spend, spent: Spend) -> None:
        """Book an attempt that another one may follow, unless that one would pass a limit."""
        ledger = self._exchange.ledger
        ledger.book(most, spent)
        try:
            await self._reserve(model, most)
        except BaseException:
            self._note(spent, over=True)
            raise
        self._note(spent, over=False)

    def _settle(self, most: Spend, spent: Spend, *, over: bool) -> None:
        self._exchange.ledger.book(most, spent)
        self._note(spent, over=over)

    def _note(self, spent: Spend, *, over: bool) -> None:
        self._exchange.journal.append(record(self._item, LostEntry(self._ask.role, self._ask.round, spent, over)))


class _Patience:
    """The whole time that a call may take. Waiting for one's turn is not the call's fault and costs none of it."""

    def __init__(self, seconds: int) -> None:
        self.whole = seconds
        self.seconds = float(seconds)

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        began = time.monotonic()
        try:
            yield
        finally:
            self.seconds -= time.monotonic() - began


def backoff(attempt: int, after: float | None) -> float:
    """Twice as long each time, never all at once; what the provider asks for, up to a minute."""
    own = min(MOST_WAIT, 0.5 * 2**attempt) * (0.5 + random.random() / 2)  # noqa: S311 (no secret hangs on it)
    return own if after is None else min(MOST_WAIT, max(0.0, after) + own / 10)
