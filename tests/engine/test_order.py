"""Answers may come in any order; results leave in the order of the input, and never too many cases are open."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.sittings import Sitting, asking, cases, held, saying, seated, within
from tests.fakes.agents import ToldAgent
from tests.fakes.models import ToldModel
from tests.fakes.stores import MemoryStore
from withstood.agents.port import Line
from withstood.claims.case import Case
from withstood.claims.opinion import Reading
from withstood.engine.conduct import AHEAD, Unfit
from withstood.engine.limits import Limits
from withstood.engine.order import Done, InOrder
from withstood.errors import StoreError
from withstood.journal.port import Record
from withstood.journal.sqlite import SqliteStore
from withstood.models.port import Call, Reply
from withstood.protocols.asks import Ask, Silent

T = TypeVar("T")


def patient(steps: list[int]) -> ToldModel:
    """Each call takes as many turns of the loop as its case's number says."""

    async def say(call: Call) -> Reply:
        for _ in range(steps[int(call.case[1:]) % len(steps)]):
            await asyncio.sleep(0)
        return Reply("{}", 1, 1)

    return ToldModel(say)


@settings(max_examples=40)
@given(
    st.lists(st.integers(0, 60), min_size=1, max_size=30),
    st.integers(1, 5),
    st.integers(0, 25),
    st.sets(st.integers(1, 25)),
    st.integers(1, 2),
)
def test_results_leave_in_the_order_of_the_input(
    steps: list[int], in_flight: int, count: int, bad: set[int], rounds: int
) -> None:
    rows = [Unfit(no, f"c{no}", f'{{"id":"c{no}"}}') if no in bad else case for no, case in enumerate(cases(count), 1)]
    sitting = Sitting(seated(patient(steps)), Limits(in_flight=in_flight), rounds)
    assert held(sitting, rows) is None
    assert [line["id"] for line in sitting.lines] == [f"c{no}" for no in range(1, count + 1)]


@settings(max_examples=25)
@given(st.lists(st.integers(0, 30), min_size=1, max_size=8), st.integers(1, 3))
def test_concurrency_never_changes_a_byte(steps: list[int], in_flight: int) -> None:
    one, other = Sitting(seated(patient([0]))), Sitting(seated(patient(steps)), Limits(in_flight=in_flight))
    held(one, cases(12))
    held(other, cases(12))
    assert [done.line for done in one.written] == [done.line for done in other.written]


def test_answers_are_sent_in_the_order_asked() -> None:
    async def late(ask: Ask[Any], line: Line) -> Any:
        await asyncio.sleep(0.02 if ask.role == "slow" else 0)
        return Silent({"slow": "first", "quick": "second"}[ask.role])

    model = ToldModel(saying())
    sitting = Sitting({"slow": ToldAgent(late, model), "quick": ToldAgent(late, model)})
    held(sitting, cases(1))
    assert sitting.lines[0]["said"] == ["first", "second"]


@pytest.mark.parametrize("in_flight", [1, 3, 79])
def test_a_slow_first_case_holds_back_the_input(in_flight: int) -> None:
    """No more cases are begun ahead of the one that is due than one commit may serve, or four for each call in
    flight."""
    gate, taken = asyncio.Event(), list[int]()

    def rows() -> Iterator[Case | Unfit]:
        for case in cases(500):
            taken.append(case.no)
            yield case

    async def say(call: Call) -> Reply:
        if call.case == "c1":
            await gate.wait()
        return Reply("{}")

    async def story() -> None:
        sitting = Sitting(seated(ToldModel(say)), Limits(in_flight=in_flight + 1))
        running = asyncio.ensure_future(sitting.hold(rows()))
        for _ in range(20_000):
            await asyncio.sleep(0)
        assert sitting.numbers == []
        ahead = max(AHEAD, 4 * (in_flight + 1))
        assert len(sitting.listener.cases("opened")) <= ahead < 500
        assert len(taken) <= ahead + in_flight + 1
        gate.set()
        await running
        assert sitting.numbers == list(range(1, 501))

    within(story())


def test_calls_in_flight_are_limited() -> None:
    async def say(call: Call) -> Reply:
        await asyncio.sleep(0.002)
        return Reply("{}")

    model = ToldModel(say)
    held(Sitting(seated(model), Limits(in_flight=3)), cases(20))
    assert model.most_under_way == 3
    assert len(model.calls) == 40


def test_a_result_is_written_after_its_ruling_is_durable() -> None:
    store = MemoryStore()
    early: list[int] = []

    def write(done: Done) -> None:
        rulings = [kept.record.item for kept in store.kept["run"] if kept.record.kind == "ruling"]
        if done.no not in rulings:
            early.append(done.no)

    sitting = Sitting(seated(patient([3, 0, 7])), store=store, write=write)
    held(sitting, cases(30))
    assert early == []


def test_nothing_is_written_past_a_gap_before_it_is_durable() -> None:
    """The first case never ends; what stands behind it is flushed, and only what the store has taken."""

    async def story() -> None:
        store, written = MemoryStore(), list[Done]()
        journal = await store.create("run", Record("run", 0, "{}"))
        store.full_after = 1
        order = InOrder(written.append, journal, 8)
        journal.append(Record("ruling", 2, "{}"))
        order.put(Done(2, "", "{}"))
        with pytest.raises(StoreError):
            await order.flush()
        assert written == []
        store.full_after = None
        await order.flush()
        assert [done.no for done in written] == [2]

    within(story())


def test_a_program_needs_no_line() -> None:
    async def quick(ask: Ask[Any], line: Line) -> Any:
        return Reading()

    sitting = Sitting({"one": ToldAgent(quick), "two": asking(ToldModel(saying()))})
    assert held(sitting, cases(5)) is None
    assert sitting.numbers == [1, 2, 3, 4, 5]


def test_one_commit_serves_many_matters_that_programs_decide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("withstood.engine.conduct.BREATH", float("inf"))
    visits = list[int]()

    class CountedStore(SqliteStore):
        async def on_thread(self, work: Callable[[sqlite3.Connection], T]) -> T:
            visits.append(len(visits))
            return await super().on_thread(work)

    async def at_once(ask: Ask[Any], line: Line) -> Any:
        return Silent("nothing to say")

    store = CountedStore(tmp_path / "journal.db")
    sitting = Sitting({"one": ToldAgent(at_once), "two": ToldAgent(at_once)}, Limits(in_flight=1), store=store)
    assert held(sitting, cases(1000)) is None
    assert sitting.numbers == list(range(1, 1001))
    assert len(visits) <= 12
    asyncio.run(store.close())
