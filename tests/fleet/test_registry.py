"""The register over both databases: who may have what, and what all chunks of a job share."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from tests.fleet.work import commission, pieces, planned, reviews
from withstood.engine.limits import Limits, Spend
from withstood.errors import ConfigError, LimitReached, StoreError, UsageError
from withstood.fleet.commission import Commission, Outcome
from withstood.fleet.registry import EDITIONS, Busy, Claim, Registry, Result


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "s.db") if request.param == "sqlite" else request.getfixturevalue("postgres").database()


@pytest.fixture
def register(place: str) -> Iterator[Callable[[], Registry]]:
    opened = list[Registry]()

    def another() -> Registry:
        opened.append(Registry(place))
        return opened[-1]

    yield another
    for one in opened:
        one.close()


@pytest.fixture
def told(tmp_path: Path) -> Callable[..., Commission]:
    plan = planned(reviews(tmp_path / "in.csv", 4))

    def commissioned(at_once: int = 4, most_tries: int = 5, **limits: Any) -> Commission:
        found = commission(plan, at_once=at_once, most_tries=most_tries)
        return commission(plan, at_once=at_once, most_tries=most_tries, config=_limited(found, limits))

    return commissioned


def _limited(found: Commission, limits: dict[str, Any]) -> Any:
    return replace(found.config, limits=Limits(**limits))


def claimed(registry: Registry, job: str, no: int, worker: str = "w1") -> Claim:
    registry.beat(worker)
    found = registry.claim(job, no, worker)
    assert found is not None
    return found


SPENT = Spend(3, 100, 20, Decimal("0.5"))
OUTCOME = Outcome("sha", SPENT)


def test_a_job_is_entered_whole_and_once(register: Callable[[], Registry], told: Callable[..., Commission]) -> None:
    registry = register()
    registry.add("one", told(money=Decimal("1.50")), pieces(500, 500, 7))
    with pytest.raises(ConfigError, match="There is a job one already"):
        registry.add("one", told(), pieces(9))
    job = register().job("one")
    assert (job.state, job.rows, [chunk.rows for chunk in job.chunks]) == ("queued", 1007, [500, 500, 7])
    assert job.commission == told(money=Decimal("1.50"))
    assert [one.name for one in registry.jobs()] == ["one"]
    with pytest.raises(UsageError, match="There is no job two"):
        registry.job("two")


def test_a_job_with_nothing_to_decide_is_finished(
    register: Callable[[], Registry], told: Callable[..., Commission]
) -> None:
    registry = register()
    registry.add("none", told(), [])
    assert registry.job("none").state == "finished"


def test_of_two_workers_one_has_the_chunk(register: Callable[[], Registry], told: Callable[..., Commission]) -> None:
    one, two = register(), register()
    one.add("j", told(), pieces(5, 5))
    first = claimed(one, "j", 1)
    two.beat("w2")
    assert two.claim("j", 1, "w2") is None
    assert two.claim("j", 9, "w2") is None
    assert two.claim("other", 1, "w2") is None
    assert one.settle(first, OUTCOME)
    assert two.claim("j", 1, "w2") is None, "what is done is done"
    assert one.job("j").chunks[0].outcome == OUTCOME
    assert one.results("j") == [Result("j.000001", 0, "hash-1", "sha")]


def test_many_that_claim_at_once(register: Callable[[], Registry], told: Callable[..., Commission]) -> None:
    register().add("j", told(), pieces(5))
    found = list[object]()

    def claim(name: str) -> None:
        registry = register()
        registry.beat(name)
        found.append(registry.claim("j", 1, name))

    threads = [threading.Thread(target=claim, args=(f"w{no}",)) for no in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(one is not None for one in found) == 1


def test_a_dead_worker_is_relieved_and_what_it_still_says_counts_for_nothing(
    register: Callable[[], Registry], told: Callable[..., Commission]
) -> None:
    registry = register()
    registry.add("j", told(tokens=10_000), pieces(5))
    late = claimed(registry, "j", 1, "late")
    registry.beat("w2")
    assert registry.bury(60) == []
    registry.leave("late")
    assert registry.bury(60) == [("j", 1)]
    assert registry.due() == [("j", 1)]
    heir = claimed(registry, "j", 1, "w2")
    assert heir.claim > late.claim
    assert not registry.settle(late, OUTCOME)
    assert not registry.release(late, spent=SPENT)
    assert not registry.set_aside(late, "no")
    assert not registry.begin_try(late, 3)
    with pytest.raises(StoreError, match="taken over"):
        registry.grow(late, Spend(1, 10, 10), Spend())
    assert registry.settle(heir, OUTCOME)


def test_silence_is_measured_by_the_clock_of_the_database(
    register: Callable[[], Registry], told: Callable[..., Commission], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker whose clock is an hour off takes nothing from anybody, and loses nothing."""
    registry = register()
    registry.add("j", told(), pieces(5))
    claimed(registry, "j", 1, "w1")
    monkeypatch.setattr("time.time", lambda: 3600.0)
    other = register()
    other.beat("w2")
    assert other.bury(0.5) == []
    assert [seen.ago < 0.5 for seen in other.workers()] == [True, True]


def test_tries_without_progress_are_counted(register: Callable[[], Registry], told: Callable[..., Commission]) -> None:
    registry = register()
    registry.add("j", told(most_tries=3), pieces(5))
    for decided in (0, 0, 2, 2, 2):
        claim = claimed(registry, "j", 1)
        assert registry.begin_try(claim, decided)
        registry.release(claim, "ValueError('odd')", tried=True)
        given_back = claimed(registry, "j", 1)
        registry.release(given_back, "ValueError('odd')")  # no fault of the chunk: it does not count
    claim = claimed(registry, "j", 1)
    assert not registry.begin_try(claim, 2)
    chunk = registry.job("j").chunks[0]
    assert (chunk.state, chunk.why) == ("aside", "3 tries without progress; last: ValueError('odd')")
    assert registry.due() == []
    assert registry.finish() == ["j"]
    registry.wait_again("j")
    assert registry.job("j").chunks[0].state == "waiting"


def test_a_chunk_that_kills_every_worker_at_once_is_set_aside(
    register: Callable[[], Registry], told: Callable[..., Commission]
) -> None:
    registry = register()
    registry.add("j", told(most_tries=2), pieces(5))
    for _ in range(4):
        claimed(registry, "j", 1, "victim")
        registry.leave("victim")
        assert registry.bury(60) == [("j", 1)]
    registry.beat("w")
    assert registry.claim("j", 1, "w") is None
    chunk = registry.job("j").chunks[0]
    assert (chunk.state, chunk.why[:40]) == ("aside", "4 tries ended before anything was begun;")


def test_copies_wait_for_the_originals(register: Callable[[], Registry], told: Callable[..., Commission]) -> None:
    registry = register()
    registry.add("j", told(), pieces(5, 5, 3, later=1))
    assert registry.due() == [("j", 1), ("j", 2)]
    one, two = claimed(registry, "j", 1), claimed(registry, "j", 2)
    assert registry.due() == []
    registry.settle(one, OUTCOME)
    assert registry.due() == []
    registry.set_aside(two, "no")
    assert registry.due() == [("j", 3)]
    assert registry.finish() == []
    registry.settle(claimed(registry, "j", 3), OUTCOME)
    assert registry.finish() == ["j"]


def test_a_job_that_is_stopped_is_not_worked_on(
    register: Callable[[], Registry], told: Callable[..., Commission]
) -> None:
    registry = register()
    registry.add("j", told(), pieces(5, 5))
    claim = claimed(registry, "j", 1)
    assert registry.unwanted("w1") == set()
    assert registry.turn_to("j", "paused", only=("queued",))
    assert not registry.turn_to("j", "paused", only=("queued",))
    assert registry.unwanted("w1") == {("j", 1)}
    assert registry.release(claim, spent=SPENT)
    assert registry.due() == []
    assert registry.claim("j", 2, "w1") is None
    assert registry.turn_to("j", "queued")
    assert registry.due() == [("j", 1), ("j", 2)]


def test_calls_in_flight_are_shared(register: Callable[[], Registry], told: Callable[..., Commission]) -> None:
    registry = register()
    registry.add("j", told(at_once=2, in_flight=5), pieces(5, 5, 5, 5))
    claims = [claimed(registry, "j", no) for no in (1, 2, 3)]
    assert [claim.slots for claim in claims] == [2, 2, 1]
    with pytest.raises(Busy):
        registry.claim("j", 4, "w1")
    registry.settle(claims[0], OUTCOME)
    assert claimed(registry, "j", 4).slots == 2


def test_what_may_be_spent_is_shared(register: Callable[[], Registry], told: Callable[..., Commission]) -> None:
    registry = register()
    registry.add("j", told(calls=100), pieces(5, 5))
    one, two = claimed(registry, "j", 1), claimed(registry, "j", 2)
    assert registry.grow(one, Spend(10), Spend(20)).calls == 30
    assert registry.grow(two, Spend(60), Spend(20)).calls == 60, "no more than is wanted where there is no room"
    with pytest.raises(LimitReached, match="The limit of 100 calls of the job j"):
        registry.grow(two, Spend(71), Spend())
    registry.settle(one, Outcome("sha", Spend(4)))
    assert registry.grow(two, Spend(96), Spend()).calls == 96
    with pytest.raises(LimitReached):
        registry.grow(two, Spend(97), Spend())
    assert registry.job("j").spent.calls == 100


def test_money_is_exact(register: Callable[[], Registry], told: Callable[..., Commission]) -> None:
    registry = register()
    registry.add("j", told(money=Decimal("0.30")), pieces(5, 5))
    one, two = claimed(registry, "j", 1), claimed(registry, "j", 2)
    registry.grow(one, Spend(cost=Decimal("0.10")), Spend())
    registry.grow(two, Spend(cost=Decimal("0.20")), Spend())
    with pytest.raises(LimitReached, match="money"):
        registry.grow(two, Spend(cost=Decimal("0.2000001")), Spend())


def test_requests_a_minute_are_shared(register: Callable[[], Registry], told: Callable[..., Commission]) -> None:
    one, two = register(), register()
    limits = Limits(requests_per_minute=60)
    waits = [registry.turn("j", limits, 50) for registry in (one, two, one, two)]
    assert waits[0] == 0.0
    assert [0.9 * no < wait <= no for no, wait in enumerate(waits[1:], start=1)] == [True] * 3
    by_tokens = Limits(tokens_per_minute=6000)
    assert one.turn("k", by_tokens, 100) == 0.0
    assert 4.5 < two.turn("k", by_tokens, 500) <= 5.0


def test_a_register_of_another_edition(register: Callable[[], Registry]) -> None:
    registry = register()
    registry.jobs()
    with registry._engine.begin() as db:  # pyright: ignore[reportPrivateUsage]
        db.execute(sa.update(EDITIONS).values(no=77))
    with pytest.raises(ConfigError, match="a fleet of edition 77; this version of withstood knows edition"):
        register().jobs()


def test_a_database_that_is_not_reached() -> None:
    registry = Registry("postgresql://user:geheim@127.0.0.1:1/nothing")
    with pytest.raises(StoreError, match="1/nothing cannot be used") as fault:
        registry.jobs()
    assert "geheim" not in str(fault.value)
