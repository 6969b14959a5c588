"""No limit is passed: a call is reserved at its most before it is made, a retry as well, and what nobody knows is
booked at its most."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.sittings import Sitting, cases, held, saying, seated, within
from tests.fakes.models import ToldModel
from tests.fakes.stores import MemoryStore
from withstood.engine.limits import Ledger, Limits, Spend, most_of, spent_on
from withstood.engine.pace import Bucket, Pace
from withstood.errors import CallFailed, LimitReached
from withstood.models.port import Call, Price, Reply, Turn

PRICE = Price(Decimal(2), Decimal(10))
CALL = Call("c1", "one", 1, "system", "text 1", {"type": "object"}, "answer", most_tokens=100)
MOST = most_of(CALL, PRICE)


def test_a_call_is_reserved_at_no_less_than_its_bytes() -> None:
    text = "배터리가 빨리 닳아요"
    call = replace(CALL, user=text, earlier=(Turn("그렇게", "다시"),))
    most = most_of(call, PRICE)
    assert most.calls == 1
    assert most.tokens_out == 100
    assert most.tokens_in >= len(b"system") + len(text.encode()) + len("그렇게다시".encode()) + 500
    assert most.cost == (2 * most.tokens_in + 10 * 100) / Decimal(1_000_000)
    assert most_of(call, None).cost is None


@given(st.integers(), st.integers())
def test_a_hostile_usage_can_neither_pay_back_nor_pass_the_most(tokens_in: int, tokens_out: int) -> None:
    spent = spent_on(Reply("", tokens_in, tokens_out), MOST, PRICE)
    assert spent.calls == 1
    assert 0 <= spent.tokens_in <= MOST.tokens_in
    assert 0 <= spent.tokens_out <= MOST.tokens_out
    assert spent.cost is not None and MOST.cost is not None
    assert 0 <= spent.cost <= MOST.cost


moves = st.lists(st.tuples(st.integers(0, 900), st.integers(0, 900), st.booleans()), max_size=40)


@given(moves, st.integers(0, 5000), st.integers(0, 20), st.integers(0, 3000))
def test_what_is_booked_and_reserved_never_passes_a_limit(
    said: list[tuple[int, int, bool]], tokens: int, calls: int, money: int
) -> None:
    ledger, waiting = Ledger(Limits(calls=calls, tokens=tokens, money=Decimal(money))), list[tuple[Spend, Spend]]()
    for most_tokens, spent_tokens, now in said:
        most = Spend(1, most_tokens, 0, Decimal(most_tokens))
        spent = Spend(1, min(spent_tokens, most_tokens), 0, Decimal(min(spent_tokens, most_tokens)))
        try:
            ledger.reserve(most)
        except LimitReached:
            continue
        waiting.append((most, spent))
        if now:
            ledger.book(*waiting.pop(0))
        both = ledger.booked + ledger.reserved
        assert both.calls <= calls
        assert both.tokens <= tokens
        assert both.cost is not None and both.cost <= money
    for most, spent in waiting:
        ledger.book(most, spent)
    assert ledger.reserved == Spend()


@settings(max_examples=30)
@given(st.integers(0, 25), st.integers(1, 6))
def test_the_limit_of_calls_is_exact(most: int, in_flight: int) -> None:
    model = ToldModel(saying())
    sitting = Sitting(seated(model), Limits(in_flight=in_flight, calls=most))
    error = held(sitting, cases(10))
    assert len(model.calls) == min(most, 20)
    assert isinstance(error, LimitReached) is (most < 20)
    assert sitting.numbers == sorted(sitting.numbers)


@pytest.mark.parametrize("in_flight", [1, 4])
@pytest.mark.parametrize("limit", [Limits(calls=7), Limits(tokens=9000), Limits(money=Decimal("0.02"))])
@pytest.mark.parametrize("reached", [True, False])
def test_retries_pass_no_limit(limit: Limits, in_flight: int, reached: bool) -> None:
    """A model that always fails, each time after the money is gone."""

    async def fail(call: Call) -> Reply:
        raise CallFailed("broken", again=True, after=0, reached=reached)

    model = ToldModel(fail, PRICE)
    limits = replace(limit, in_flight=in_flight)
    sitting = Sitting(seated(model), limits)
    held(sitting, cases(10))
    booked = sitting.ledger.booked
    assert booked.calls <= (limits.calls or 10**9)
    assert booked.tokens <= (limits.tokens or 10**9)
    assert booked.cost is not None and booked.cost <= (limits.money or 10**9)
    assert booked.calls == (len(model.calls) if reached else 0)
    assert sitting.ledger.reserved == Spend()


def test_a_limit_leaves_what_there_is_and_the_run_goes_on() -> None:
    store, model = MemoryStore(), ToldModel(saying())
    first = Sitting(seated(model), Limits(in_flight=2, calls=9), store=store)
    error = held(first, cases(10))
    assert isinstance(error, LimitReached)
    assert error.limit == "calls"
    assert first.numbers
    assert set(first.numbers) < set(range(1, 11))
    second = Sitting(seated(model), Limits(in_flight=2, calls=20), store=store)
    assert held(second, cases(10)) is None
    assert second.numbers == list(range(1, 11))
    assert len(model.calls) == 20
    assert second.ledger.booked.calls == 20


def test_the_same_limit_is_not_given_anew_by_going_on() -> None:
    store, model = MemoryStore(), ToldModel(saying())
    for _ in range(3):
        held(Sitting(seated(model), Limits(in_flight=2, calls=9), store=store), cases(10))
    assert len(model.calls) == 9


def test_time_is_a_limit() -> None:
    async def slow(call: Call) -> Reply:
        await asyncio.sleep(0.05)
        return Reply("{}")

    model = ToldModel(slow)
    error = held(Sitting(seated(model), Limits(in_flight=1, seconds=Decimal("0.2"))), cases(1000))
    assert isinstance(error, LimitReached)
    assert error.limit == "seconds"
    assert 2 <= len(model.calls) <= 12


def test_no_time_at_all() -> None:
    model = ToldModel(saying())
    error = held(Sitting(seated(model), Limits(seconds=Decimal(0))), cases(3))
    assert isinstance(error, LimitReached)
    assert model.calls == []


# --- what nobody knows -------------------------------------------------------------------------


def test_an_interrupted_call_is_booked_at_its_most_in_both_sittings() -> None:
    """Two calls are under way when the run is stopped; the next sitting counts them as well."""

    async def story() -> None:
        async def hang(call: Call) -> Reply:
            await asyncio.Event().wait()
            raise AssertionError("it was cancelled")

        store, model = MemoryStore(), ToldModel(hang, PRICE)
        first = Sitting(seated(model), Limits(in_flight=2), store=store)
        running = asyncio.ensure_future(first.hold(cases(5)))
        while len(model.calls) < 2:
            await asyncio.sleep(0)
        running.cancel()
        await running
        unknown = first.ledger.booked
        assert unknown.calls == 2
        assert unknown.tokens_in >= 2 * MOST.tokens_in
        assert unknown.tokens_out == 200
        answering = ToldModel(saying(tokens=1), PRICE)
        second = Sitting(seated(answering), store=store)
        assert await second.hold(cases(5)) is None
        assert second.ledger.booked.calls == 12
        assert second.ledger.booked.tokens == unknown.tokens + 20
        assert second.ledger.reserved == Spend()

    within(story())


# --- pace --------------------------------------------------------------------------------------


def test_a_bucket_gives_no_more_than_its_rate() -> None:
    bucket = Bucket(600)
    waits = [bucket.take(1) for _ in range(100)]
    assert waits[0] == 0
    assert waits == sorted(waits)
    assert 8.5 <= waits[-1] <= 9.0  # 10 at once, then 10 a second


@pytest.mark.parametrize("limits", [Limits(requests_per_minute=1200), Limits(tokens_per_minute=1200 * MOST.tokens)])
def test_requests_are_spread_over_the_minute(limits: Limits) -> None:
    """20 a second, and 20 at once: 30 more calls take a second and a half."""

    async def story() -> float:
        pace = Pace(replace(limits, in_flight=50))
        began = asyncio.get_running_loop().time()

        async def one() -> None:
            async with pace.slot(MOST.tokens):
                pass

        await asyncio.gather(*(one() for _ in range(50)))
        return asyncio.get_running_loop().time() - began

    assert within(story()) >= 1.3


def test_what_a_call_did_not_take_is_there_for_the_next() -> None:
    pace = Pace(Limits(tokens_per_minute=600))

    async def story() -> float:
        async with pace.slot(10):
            pace.give_back(10)
        began = asyncio.get_running_loop().time()
        async with pace.slot(10):
            return asyncio.get_running_loop().time() - began

    assert within(story()) < within(_in_debt())


async def _in_debt() -> float:
    """The same without giving back: the second call waits until its tokens are earned."""
    pace = Pace(Limits(tokens_per_minute=600))
    async with pace.slot(10):
        pass
    began = asyncio.get_running_loop().time()
    async with pace.slot(10):
        return asyncio.get_running_loop().time() - began


def test_waiting_for_ones_turn_costs_a_call_none_of_its_time() -> None:
    """Each call may take a second, and the last one waits for two seconds until it may be made."""
    model = ToldModel(saying())
    sitting = Sitting(seated(model, ("one",)), Limits(in_flight=8, requests_per_minute=120, call_seconds=1, attempts=1))
    assert held(sitting, cases(6)) is None
    assert [line["said"] for line in sitting.lines] == [[0]] * 6
    assert sitting.ledger.booked.calls == 6
