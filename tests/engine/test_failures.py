"""What fails once is tried again, what fails for good is an absence, what cannot go on parks; a bug is not hidden."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.engine.sittings import Sitting, asking, cases, held, saying, seated, within
from tests.fakes.agents import ToldAgent, call
from tests.fakes.models import ToldModel
from tests.fakes.stores import MemoryStore
from withstood.agents.port import Agent, Line
from withstood.claims.case import Case
from withstood.claims.opinion import Reading
from withstood.engine.limits import Limits, Spend
from withstood.engine.line import MOST_WAIT, Health, backoff
from withstood.engine.order import Done
from withstood.errors import (
    CallFailed,
    InputError,
    Interrupted,
    KeyRefused,
    Misfit,
    ModelUnavailable,
    OutputError,
    StoreError,
    WithstoodError,
)
from withstood.models.port import Call, Reply
from withstood.protocols.asks import Ask

ONE = ("one",)


def failing(*faults: Exception | None, over: bool = False) -> ToldModel:
    """Fails in this order, then answers; or, with `over`, fails with the last one for ever. None: it answers."""
    left = list(faults)

    async def say(_: Call) -> Reply:
        await asyncio.sleep(0)
        fault = left[0] if over and len(left) == 1 else left.pop(0) if left else None
        if fault is not None:
            raise fault
        return Reply("{}", 1, 1)

    return ToldModel(say)


def again(why: str = "broken", reached: bool = True) -> CallFailed:
    return CallFailed(why, again=True, after=0, reached=reached)


NEVER = CallFailed("not this one", again=False, reached=False)


# --- attempts ----------------------------------------------------------------------------------


@pytest.mark.parametrize("failures", [0, 1, 2, 3])
def test_up_to_three_failures_are_forgiven(failures: int) -> None:
    model = failing(*[again()] * failures)
    sitting = Sitting(seated(model, ONE))
    assert held(sitting, cases(1)) is None
    assert sitting.lines[0]["said"] == [0]
    assert len(model.calls) == failures + 1
    assert sitting.ledger.booked.calls == failures + 1


def test_the_fourth_failure_is_an_absence_with_its_reason() -> None:
    model = failing(again(), over=True)
    sitting = Sitting(seated(model, ONE), health=Health(100))
    assert held(sitting, cases(1)) is None
    assert sitting.lines[0]["said"] == ["broken (4 attempts)"]
    assert len(model.calls) == 4


def test_the_number_of_attempts_can_only_be_lowered() -> None:
    model = failing(again(), over=True)
    held(Sitting(seated(model, ONE), Limits(attempts=2), health=Health(100)), cases(1))
    assert len(model.calls) == 2


def test_what_never_works_is_not_tried_again_and_stops_nobody() -> None:
    """One text that a model will not take, among others that it answers."""

    async def say(asked: Call) -> Reply:
        if asked.case == "c2":
            raise NEVER
        return Reply("{}")

    model = ToldModel(say)
    sitting = Sitting(seated(model, ONE))
    assert held(sitting, cases(4)) is None
    assert [line["said"] for line in sitting.lines] == [[0], ["not this one (1 attempt)"], [0], [0]]
    assert len(model.calls) == 4
    assert sitting.ledger.booked.calls == 3


def test_a_call_that_hangs_ends_in_time() -> None:
    async def hang(_: Call) -> Reply:
        await asyncio.Event().wait()
        raise AssertionError("it was cancelled")

    model = ToldModel(hang)
    sitting = Sitting(seated(model, ONE), Limits(call_seconds=1))
    assert held(sitting, cases(1), seconds=4) is None
    assert sitting.lines[0]["said"] == ["no answer within 1 seconds (1 attempt)"]
    assert sitting.ledger.booked.tokens_out == 100


def test_a_wait_past_the_deadline_is_not_begun() -> None:
    model = failing(CallFailed("later", again=True, after=50), over=True)
    sitting = Sitting(seated(model, ONE), Limits(call_seconds=5), health=Health(100))
    assert held(sitting, cases(1), seconds=4) is None
    assert sitting.lines[0]["said"] == ["later (1 attempt)"]


@pytest.mark.parametrize("attempt", [1, 2, 3])
def test_waits_grow_and_are_never_the_same(attempt: int) -> None:
    own = [backoff(attempt, None) for _ in range(50)]
    assert all(0.25 * 2**attempt <= wait <= 0.5 * 2**attempt for wait in own)
    assert len(set(own)) > 10


@pytest.mark.parametrize(("told", "least", "most"), [(0, 0, 0.5), (7, 7, 7.5), (10**9, 60, 60.5), (-5, 0, 0.5)])
def test_retry_after_is_honoured_up_to_a_minute(told: float, least: float, most: float) -> None:
    assert MOST_WAIT == 60
    assert all(least <= backoff(1, told) <= most for _ in range(50))


# --- a model that is down ----------------------------------------------------------------------


def test_a_model_that_cannot_be_reached_parks_the_run() -> None:
    store, model = MemoryStore(), failing(again("refused", reached=False), over=True)
    sitting = Sitting(seated(model, ONE), Limits(in_flight=1), store=store)
    error = held(sitting, cases(5))
    assert isinstance(error, ModelUnavailable)
    assert "refused" in str(error)
    assert "--resume" in str(error)
    assert len(model.calls) == 4
    assert sitting.numbers == []
    assert sitting.ledger.booked == Spend()
    later = Sitting(seated(failing(), ONE), store=store)
    assert held(later, cases(5)) is None
    assert later.numbers == [1, 2, 3, 4, 5]
    assert later.ledger.booked.calls == 5


def test_a_model_that_fails_again_and_again_parks_the_run() -> None:
    model = failing(again(), over=True)
    error = held(Sitting(seated(model, ONE), Limits(in_flight=1), health=Health(3)), cases(50))
    assert isinstance(error, ModelUnavailable)
    assert len(model.calls) == 12


def test_a_model_that_refuses_everything_parks_the_run() -> None:
    """Such as one that knows no schemas: without a word about it every text would be undecided for good."""
    model = failing(NEVER, over=True)
    error = held(Sitting(seated(model, ONE), Limits(in_flight=1), health=Health(3)), cases(50))
    assert isinstance(error, ModelUnavailable)
    assert len(model.calls) == 3


@pytest.mark.parametrize("fault", [KeyRefused("no such key"), ModelUnavailable("no quota left")])
def test_calls_that_waited_for_a_slot_do_not_go_out_after_it(fault: WithstoodError) -> None:
    """The asks of one batch wait side by side for one slot; the first that gets it is refused."""
    model = failing(fault, over=True)
    assert held(Sitting(seated(model), Limits(in_flight=1)), cases(3)) is fault
    assert len(model.calls) == 1


def test_one_answer_makes_a_model_healthy_again() -> None:
    model = failing(*[NEVER, NEVER, None] * 5)
    assert held(Sitting(seated(model, ONE), Limits(in_flight=1), health=Health(3)), cases(15)) is None


@pytest.mark.parametrize("fault", [KeyRefused("no such key"), ModelUnavailable("no quota left")])
def test_a_refused_key_and_an_empty_quota_park_the_run(fault: WithstoodError) -> None:
    store, model = MemoryStore(), failing(None, None, fault, over=True)
    sitting = Sitting(seated(model, ONE), Limits(in_flight=1), store=store)
    assert held(sitting, cases(5)) is fault
    assert sitting.numbers == [1, 2]
    assert len(model.calls) == 3
    later = Sitting(seated(failing(), ONE), store=store)
    assert held(later, cases(5)) is None
    assert later.numbers == [1, 2, 3, 4, 5]
    assert later.ledger.booked.calls == 5  # the refused one cost nothing, here and there


# --- agents ------------------------------------------------------------------------------------


def told(doing: Any) -> ToldAgent:
    return ToldAgent(doing, ToldModel(saying()))


def test_one_failing_agent_is_silent_with_its_reason() -> None:
    async def misfit(ask: Ask[Any], line: Line) -> Any:
        raise Misfit("triplets", "a list", "a word")

    sitting = Sitting({"one": told(misfit), "two": asking(ToldModel(saying()))})
    assert held(sitting, cases(3)) is None
    assert [line["said"] for line in sitting.lines] == [["triplets: wanted a list, found a word", 0]] * 3


@pytest.mark.parametrize("with_model", [True, False])
def test_a_bug_in_an_agent_is_raised_and_what_was_journaled_goes_on(with_model: bool) -> None:
    model, store, broken = ToldModel(saying()), MemoryStore(), True

    async def answer(ask: Ask[Any], line: Line) -> Any:
        if broken and line.case == "c7":
            raise KeyError("a fault of ours")
        if with_model:
            await line.call(model, call(ask, line))
        return Reading()

    panel: dict[str, Agent] = dict.fromkeys(("one", "two"), ToldAgent(answer, model if with_model else None))
    sitting = Sitting(panel, Limits(in_flight=2), store=store)
    with pytest.raises(KeyError, match="a fault of ours"):
        held(sitting, cases(20))
    assert sitting.numbers == sorted(sitting.numbers)
    before, broken = len(model.calls), False
    later = Sitting(panel, Limits(in_flight=2), store=store)
    assert held(later, cases(20)) is None
    assert later.numbers == list(range(1, 21))
    assert before <= len(model.calls) <= 40 + 2 * 2


def test_all_answers_of_a_batch_are_journaled_before_an_error_goes_on() -> None:
    async def late(ask: Ask[Any], line: Line) -> Any:
        await asyncio.sleep(0.02)
        return Reading()

    async def refused(ask: Ask[Any], line: Line) -> Any:
        raise KeyRefused("no such key")

    store = MemoryStore()
    error = held(Sitting({"one": told(refused), "two": told(late)}, store=store), cases(1))
    assert isinstance(error, KeyRefused)
    assert [kept.record.kind for kept in store.kept["run"]] == ["run", "case", "answer"]


# --- everything stops --------------------------------------------------------------------------


@pytest.mark.parametrize("in_flight", [1, 2, 7])
@pytest.mark.parametrize("at", [1, 2, 11])
def test_nobody_waits_for_ever_for_room(in_flight: int, at: int) -> None:
    """One case never ends, all others are done and wait behind it; then the run stops."""
    stop = asyncio.Event()

    async def say(asked: Call) -> Reply:
        if asked.case == f"c{at}":
            await stop.wait()
            raise KeyRefused("no such key")
        return Reply("{}")

    async def story() -> None:
        sitting = Sitting(seated(ToldModel(say), ONE), Limits(in_flight=in_flight))
        running = asyncio.ensure_future(sitting.hold(cases(200)))
        for _ in range(1500):
            await asyncio.sleep(0)
        stop.set()
        assert isinstance(await running, KeyRefused)
        assert sitting.numbers[: at - 1] == list(range(1, at))
        assert at not in sitting.numbers

    within(story())


@pytest.mark.parametrize("records", [1, 2, 3, 7, 20, 41])
def test_a_full_store_stops_the_run_and_it_goes_on(records: int) -> None:
    store, model = MemoryStore(full_after=records), ToldModel(saying())
    sitting = Sitting(seated(model), Limits(in_flight=3), store=store)
    assert isinstance(held(sitting, cases(8)), StoreError)
    ruled = [kept.record.item for kept in store.kept["run"] if kept.record.kind == "ruling"]
    assert set(sitting.numbers) <= set(ruled)
    store.full_after = None
    later = Sitting(seated(model), Limits(in_flight=3), store=store)
    assert held(later, cases(8)) is None
    assert later.numbers == list(range(1, 9))


def test_an_output_that_cannot_be_written_stops_the_run_and_leaves_no_gap() -> None:
    store, model, written = MemoryStore(), ToldModel(saying()), list[int]()

    def write(done: Done) -> None:
        if done.no == 3:
            raise OutputError("no room")
        written.append(done.no)

    assert isinstance(held(Sitting(seated(model), store=store, write=write), cases(30)), OutputError)
    assert written == [1, 2]
    later = Sitting(seated(model), store=store)
    assert held(later, cases(30)) is None
    assert later.numbers == list(range(1, 31))


def test_a_fault_of_whoever_takes_the_results_is_raised() -> None:
    def write(done: Done) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        held(Sitting(seated(ToldModel(saying())), write=write), cases(30))


def test_an_input_that_changes_under_way_stops_the_run() -> None:
    def rows() -> Any:
        yield from cases(3)
        raise InputError("the file has changed")

    sitting = Sitting(seated(ToldModel(saying())), Limits(in_flight=2))
    assert isinstance(held(sitting, rows()), InputError)


def test_an_interrupted_run_says_so_and_goes_on() -> None:
    async def story() -> None:
        store = MemoryStore()
        model = ToldModel(saying())
        sitting = Sitting(seated(model), Limits(in_flight=3), store=store)
        running = asyncio.ensure_future(sitting.hold(cases(300)))
        while len(sitting.written) < 20:
            await asyncio.sleep(0)
        running.cancel()
        assert isinstance(await running, Interrupted)
        assert sitting.numbers == sorted(sitting.numbers)
        later = Sitting(seated(model), Limits(in_flight=3), store=store)
        assert await later.hold(cases(300)) is None
        assert later.numbers == list(range(1, 301))
        assert len(model.calls) <= 600 + 6

    within(story())


def repairing(model: ToldModel) -> ToldAgent:
    """Makes two calls for an answer, the second of which builds on the first."""

    async def answer(ask: Ask[Any], line: Line) -> Any:
        first = await line.call(model, call(ask, line))
        await line.call(model, Call(line.case, ask.role, ask.round, "", first.text, {}, "again", most_tokens=5))
        return Reading()

    return ToldAgent(answer, model)


@pytest.mark.parametrize("most", range(9))
def test_a_reply_that_came_is_never_asked_for_again(most: int) -> None:
    """The limit falls between the two calls of an answer as well."""
    store, model = MemoryStore(), ToldModel(saying('"heard"'))
    panel = {"one": repairing(model), "two": repairing(model)}
    assert (held(Sitting(panel, Limits(calls=most), store=store), cases(2)) is None) is (most == 8)
    assert held(Sitting(panel, store=store), cases(2)) is None
    asked = [(made.case, made.role, made.schema_name) for made in model.calls]
    assert len(asked) == len(set(asked)) == 8
    assert {made.user for made in model.calls if made.schema_name == "again"} == {'"heard"'}


# --- answers from earlier runs -----------------------------------------------------------------


def test_reuse_takes_answers_and_not_absences() -> None:
    store = MemoryStore()
    within(_three_runs(store))


async def _three_runs(store: MemoryStore) -> None:
    refusing = failing(NEVER, NEVER)
    first = Sitting({"one": asking(refusing)}, Limits(in_flight=1), store=store, health=Health(100))
    assert await first.hold(cases(4), "first") is None
    assert [line["said"] for line in first.lines].count([0]) == 2
    second = Sitting({"one": asking(failing())}, store=store, reuse=True)
    await second.hold(cases(4), "second")
    assert second.ledger.booked.calls == 2
    third = Sitting({"one": asking(failing())}, store=store, reuse=True)
    await third.hold(cases(4), "third")
    assert third.ledger.booked.calls == 0
    assert [line["said"] for line in third.lines] == [[0]] * 4
    fourth = Sitting({"one": asking(failing())}, store=store)
    await fourth.hold([Case(1, "c1", "text 1", "en", 1)], "fourth")
    assert fourth.ledger.booked.calls == 1
