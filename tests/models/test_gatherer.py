"""Calls that are gathered: when they go out, what becomes of them, and what a later sitting finds of them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import pytest

from tests.fakes.batches import Echo, Recorded, ToldBatches
from tests.models.calls import call
from withstood.errors import CallFailed, ModelUnavailable, StoreError
from withstood.models.gatherer import MOST_FAILED_LOOKS, Gatherer, Terms, unanswered
from withstood.models.port import Batch, Gathering, Price, Reply

T = TypeVar("T")
BROKEN = CallFailed("the connection broke off", again=True)
UNSENT = CallFailed("cannot be reached", again=True, reached=False)


def sat(
    batches: ToldBatches,
    doing: Callable[[Gatherer], Awaitable[T]],
    left: Sequence[Batch] = (),
    post: Recorded | None = None,
    calls: int = 3,
) -> T:
    """What came of it, within one sitting."""

    async def sitting() -> T:
        gatherer = Gatherer(Echo(), batches, Price(), Terms(calls, 0.01, 0.001))
        gatherer.begin(post or Recorded(), left)
        try:
            return await asyncio.wait_for(doing(gatherer), 10)
        finally:
            await gatherer.close()

    return asyncio.run(sitting())


def asking(count: int) -> Callable[[Gatherer], Awaitable[list[Any]]]:
    """So many calls at the same time."""

    async def asked(gatherer: Gatherer) -> list[Any]:
        calls = [replace(call(user=f"text {no}"), case=f"c{no}") for no in range(count)]
        return await asyncio.gather(*[gatherer.complete(one) for one in calls], return_exceptions=True)

    return asked


def said(replies: Sequence[Any]) -> list[str]:
    return [reply.text for reply in replies if isinstance(reply, Reply)]


WHOLE = ["text 0", "text 1", "text 2"]


def test_it_is_a_model_that_gathers() -> None:
    gatherer = Gatherer(Echo(), ToldBatches(), None, Terms(1, 0, 0))
    assert isinstance(gatherer, Gathering) and gatherer.name == "batch:echo:m"


def test_as_many_as_make_a_batch_go_at_once_and_the_rest_after_a_pause() -> None:
    batches, post = ToldBatches(), Recorded()
    assert said(sat(batches, asking(7), post=post)) == [f"text {no}" for no in range(7)]
    assert [len(bodies) for bodies in batches.bodies] == [3, 3, 1]
    assert [batch.id for batch in post.batches.values()] == ["b1", "b2", "b3"]
    assert post.looks == 3


def test_one_turn_for_each_request_and_the_tokens_with_the_batch() -> None:
    post = Recorded()
    sat(ToldBatches(), asking(3), post=post)
    assert post.turns == [3 * (len("text 0") + 100), 0, 0]


def test_nothing_goes_out_that_is_not_on_record() -> None:
    batches, post = ToldBatches(), Recorded()
    post.fault = StoreError("full")
    assert [type(fault) for fault in sat(batches, asking(3), post=post)] == [StoreError] * 3
    assert not batches.made


def test_a_call_that_nobody_waits_for_any_more_does_not_go_out() -> None:
    async def asked(gatherer: Gatherer) -> Reply:
        given_up = asyncio.ensure_future(gatherer.complete(call(user="given up")))
        await asyncio.sleep(0)
        given_up.cancel()
        return await gatherer.complete(call(user="wanted"))

    batches = ToldBatches()
    assert sat(batches, asked).text == "wanted"
    assert batches.bodies == [[b"wanted"]]


def test_after_the_end_nothing_goes_out() -> None:
    async def asked(gatherer: Gatherer) -> None:
        waiting = asyncio.ensure_future(gatherer.complete(call()))
        await asyncio.sleep(0)
        await gatherer.rest()
        await asyncio.sleep(0.05)
        waiting.cancel()

    batches = ToldBatches()
    sat(batches, asked)
    assert not batches.made


def test_a_batch_of_which_the_creation_broke_off_is_found_by_its_stamp() -> None:
    batches, post = ToldBatches(BROKEN, kept=True), Recorded()
    assert said(sat(batches, asking(3), post=post)) == WHOLE
    assert len(batches.made) == 1 and [batch.id for batch in post.batches.values()] == ["b1"]


@pytest.mark.parametrize("fault", [BROKEN, UNSENT])
def test_one_that_was_not_created_cost_nothing_and_may_be_tried_again(fault: CallFailed) -> None:
    faults = sat(ToldBatches(fault), asking(3))
    assert [(one.again, one.reached) for one in faults] == [(True, False)] * 3


@pytest.mark.parametrize("fault", [CallFailed("too large", again=False), ModelUnavailable("no quota")])
def test_a_batch_that_is_refused_parks_the_run(fault: Exception) -> None:
    assert [type(one) for one in sat(ToldBatches(fault), asking(3))] == [ModelUnavailable] * 3


def test_looks_that_fail_are_tried_again() -> None:
    batches = ToldBatches(looks=[BROKEN] * (MOST_FAILED_LOOKS - 1))
    assert said(sat(batches, asking(3))) == WHOLE


@pytest.mark.parametrize("looks", [[BROKEN] * MOST_FAILED_LOOKS, [CallFailed("no JSON", again=False)]])
def test_a_provider_that_says_nothing_parks_the_run_and_the_batch_goes_on(looks: list[Exception]) -> None:
    async def asked(gatherer: Gatherer) -> tuple[str, ...]:
        assert [type(one) for one in await asking(3)(gatherer)] == [ModelUnavailable] * 3
        return gatherer.under_way()

    assert sat(ToldBatches(looks=looks), asked) == ("batch b1 of batch:echo:m: 0 of 3 calls done",)


def test_what_has_no_answer_fails_by_itself_and_is_free() -> None:
    batches = ToldBatches()
    batches.unlike = {1: None, 2: unanswered("refused", again=False)}
    first, second, third = sat(batches, asking(3))
    assert first.text == "text 0"
    assert (second.again, second.free, third.again, third.free) == (True, True, False, True)


def test_a_batch_that_is_gone_may_have_cost_something() -> None:
    batches = ToldBatches()
    batches.lost = True
    assert [(one.again, one.reached, one.free) for one in sat(batches, asking(3))] == [(True, True, False)] * 3


# --- the table of the module, row by row --------------------------------------------------------


def left_by(batches: ToldBatches, *, id_kept: bool = True) -> list[Batch]:
    """The batches that a sitting of three calls leaves on record."""
    post = Recorded()
    sat(batches, asking(3), post=post)
    return [batch if id_kept else replace(batch, id=None) for batch in post.batches.values()]


def test_rows_1_and_7_what_is_on_record_for_others_does_not_count() -> None:
    batches = ToldBatches()
    left = [replace(batch, model="batch:other:m") for batch in left_by(batches)]
    assert said(sat(batches, asking(3), left)) == WHOLE
    assert len(batches.made) == 2


def test_row_2_a_batch_that_was_never_created() -> None:
    left = [Batch("stamp", "batch:echo:m", one.calls, 0) for one in left_by(ToldBatches())]
    batches = ToldBatches()
    assert said(sat(batches, asking(3), left)) == WHOLE
    assert len(batches.made) == 1


def test_row_3_a_batch_whose_id_nobody_has_read() -> None:
    batches, post = ToldBatches(), Recorded()
    left = left_by(batches, id_kept=False)
    batches.sure = [False, False, True]
    assert said(sat(batches, asking(3), left, post)) == WHOLE
    assert len(batches.made) == 1
    assert [batch.id for batch in post.batches.values()] == ["b1"]


def test_row_3_as_long_as_it_cannot_be_told_nothing_is_handed_over() -> None:
    batches = ToldBatches()
    left = [Batch("stamp", "batch:echo:m", one.calls, 0) for one in left_by(batches)]
    batches.sure = [False] * 5 + [True]
    assert said(sat(batches, asking(3), left)) == WHOLE
    assert batches.sure == [True]


def test_rows_4_and_5_what_it_has_is_taken_once() -> None:
    async def twice(gatherer: Gatherer) -> list[Any]:
        return [*await asking(3)(gatherer), *await asking(1)(gatherer)]

    batches = ToldBatches()
    assert said(sat(batches, twice, left_by(batches))) == [*WHOLE, "text 0"]
    assert [len(bodies) for bodies in batches.bodies] == [3, 1]


@pytest.mark.parametrize("failed", [None, unanswered("expired"), ModelUnavailable("the whole batch failed")])
def test_row_5_what_it_has_no_answer_to_is_gathered(failed: Any) -> None:
    batches = ToldBatches()
    left = left_by(batches)
    batches.unlike = {1: failed}

    async def asked(gatherer: Gatherer) -> list[Any]:
        waiting = asyncio.ensure_future(asking(3)(gatherer))
        while len(batches.made) < 2:
            await asyncio.sleep(0.001)
        batches.unlike = {}
        return await waiting

    assert said(sat(batches, asked, left)) == WHOLE
    assert batches.bodies[1:] == [[b"text 1"]]


def test_row_6_a_batch_that_is_gone_is_lost_once_and_then_made_again() -> None:
    batches = ToldBatches()
    left = left_by(batches)
    batches.lost = True

    async def asked(gatherer: Gatherer) -> list[Any]:
        lost = await asking(3)(gatherer)
        batches.lost = False
        return [*lost, *await asking(3)(gatherer)]

    found = sat(batches, asked, left)
    assert [one.reached for one in found[:3]] == [True] * 3
    assert said(found) == WHOLE
