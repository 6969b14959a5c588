"""A research as a job of one unit: its folder is made of the journal, so no worker needs the disk of another."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from benchmarks import postgres_server
from tests.fleet.test_worker import Site
from tests.jobs.dying_research import Fuse
from tests.jobs.studies import QUESTION, script, shelf, studied
from tests.jobs.test_research_web import ENGLISH
from tests.town.served import Town, served
from withstood.claims import quote
from withstood.cli.fleet import summary
from withstood.engine.events import Event
from withstood.engine.limits import Limits
from withstood.errors import Interrupted, LimitReached, UsageError
from withstood.fleet import jobs, merging
from withstood.fleet.deciding import Sat, Unable, decide
from withstood.fleet.registry import Claim, Registry
from withstood.fleet.units import study_of
from withstood.jobs import research
from withstood.jobs.settings import Config
from withstood.journal import opening
from withstood.sources.web import opening as opening_of_web

ROOT = Path(__file__).parents[2]
ITERATIONS = 5


class Place:
    """Documents, a script of answers, a store and a register."""

    def __init__(self, folder: Path, named: str = "") -> None:
        self.folder, self.named = folder, named or str(folder / "s.db")
        shelf(folder / "shelf")
        self.models = {"default": f"scripted:{script(folder / 'answers.jsonl', ITERATIONS)}"}
        self.store, self.registry = opening.store(self.named), Registry(self.named)
        self.registry.beat("w")

    async def submit(self, name: str = "j", **given: Any) -> None:
        parts: dict[str, Any] = {"models": self.models, "iterations": ITERATIONS} | given
        order = research.Order(None, QUESTION, (str(self.folder / "shelf"),), run=f"{name}.000001", **parts)
        await jobs.submit_research(name, research.plan(order, self.store, Config()), self.store, self.registry)

    def claim(self, job: str = "j") -> Claim:
        found = self.registry.claim(job, 1, "w")
        assert found is not None
        return found

    async def decide(self, job: str = "j", watching: Any = None) -> Sat | None:
        claim = self.claim(job)
        sat = await decide(claim, self.store, self.registry, watching)
        if sat and sat.outcome:
            assert self.registry.settle(claim, sat.outcome)
        elif sat:
            self.registry.release(claim, spent=sat.spent)
        return sat

    async def collect(self, out: str, job: str = "j") -> dict[str, bytes]:
        found = self.registry.job(job)
        names = await merging.lay_out(found, self.registry, self.store, self.folder / out)
        files = standing(self.folder / out)
        assert set(files) == set(names)
        return files

    async def records(self, run: str = "j.000001") -> list[Any]:
        chunks = [chunk async for chunk in self.store.records(run)]
        return [kept.record for chunk in chunks for kept in chunk]


def standing(folder: Path) -> dict[str, bytes]:
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    found = Place(tmp_path)
    yield found
    asyncio.run(found.store.close())
    found.registry.close()


def test_a_research_leaves_the_folder_that_the_command_leaves(place: Place) -> None:
    async def story() -> dict[str, bytes]:
        await place.submit()
        with pytest.raises(UsageError, match="no results yet"):
            await place.collect("out")
        sat = await place.decide()
        assert sat is not None and sat.outcome is not None, sat
        assert place.registry.finish() == ["j"]
        files = await place.collect("out")
        assert await place.collect("out") == files
        graph = json.loads(files["cognigraph.json"])
        for one in graph["observations"].values():
            assert one["quote"].split()[0] in (await place.store.text(one["sha256"]) or ""), "what was read is kept"
        return files

    files = asyncio.run(story())
    studied(place.folder / "plain", sources=(str(place.folder / "shelf"),), iterations=ITERATIONS, models=place.models)
    plain = standing(place.folder / "plain/out")
    note, own = json.loads(files.pop("session.json")), json.loads(plain.pop("session.json"))
    assert note == own | {"run": "j.000001"}
    assert files == plain


class Heard(Fuse):
    """Everything that is told, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[tuple[Event, str]] = []

    def tell(self, event: Event, case: str, role: str = "") -> None:
        self.told.append((event, role))


def moments(told: list[tuple[Event, str]]) -> list[int]:
    """Where workers are to die: while a call is under way, after its answer, around a saved graph, at the end."""
    of = list(enumerate(told, start=1))
    third = [no for no, one in of if one == ("asked", "SELECT")][2]
    within: tuple[tuple[Event, str], ...] = (("sending", "EXPLORE"), ("answered", "EXPLORE"), ("asked", "SAVE"))
    found = [next(no for no, one in of if no > third and one == wanted) for wanted in within]
    last = max(no for no, one in of if one == ("answered", "SAVE"))
    return [1, *found, last, *[no for no, (event, _) in of if event in ("ruled", "written")]]


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_worker_that_is_killed_is_taken_over_without_its_disk(
    request: pytest.FixtureRequest, tmp_path: Path, kind: str
) -> None:
    named = "" if kind == "sqlite" else request.getfixturevalue("postgres").database()
    place = Place(tmp_path, named)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    async def story() -> None:
        heard = Heard()
        await place.submit("whole")
        await place.decide("whole", lambda watch: heard)
        whole = await place.collect("whole", "whole")
        deaths = {f"j{nth}": nth for nth in moments(heard.told)}
        for job in deaths:
            await place.submit(job)
        command = [sys.executable, "-m", "tests.fleet.dying_worker", place.named]
        command += [f"{job}:{nth}" for job, nth in deaths.items()]
        subprocess.run(command, cwd=ROOT, env={**os.environ, "TMPDIR": str(elsewhere)}, check=True)
        assert set(place.registry.bury(0)) == {(job, 1) for job in deaths}
        place.registry.beat("w")
        for job, nth in deaths.items():
            assert await place.decide(job) is not None
            files = await place.collect(job, job)
            assert {**files, "session.json": b""} == {**whole, "session.json": b""}, heard.told[nth - 1]
            check_asked_once(await place.records(f"{job}.000001"))
        await place.store.close()

    asyncio.run(story())
    place.registry.close()
    assert standing(elsewhere) == {}, "nothing is left outside of the store"


class Ending(Heard):
    """The worker is told to stop at the NTH thing that it hears."""

    def __init__(self, nth: int) -> None:
        super().__init__()
        self._last, self._sitting = nth, asyncio.current_task()

    def tell(self, event: Event, case: str, role: str = "") -> None:
        super().tell(event, case, role)
        if len(self.told) == self._last and self._sitting is not None:
            self._sitting.cancel()


TIME = re.compile(rb"\d\d\W{1,4}\d\d\W{1,4}\d\d\b")


def test_a_research_on_the_web_goes_on_elsewhere(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages are kept, and mirrors of what another worker has read are known."""

    async def story(town: Town) -> None:
        config = Config(web=town.web)
        for job in ("whole", "j"):
            order = research.Order(None, ENGLISH, ("web",), ITERATIONS, run=f"{job}.000001")
            planned = research.plan(order, place.store, config)
            assert (planned.note.reach, planned.note.rules, study_of(planned).known_by) == ("web", "strict", ())
            await jobs.submit_research(job, planned, place.store, place.registry)
        heard = Heard()
        await place.decide("whole", lambda watch: heard)
        stopped = await place.decide("j", lambda watch: Ending(len(heard.told) // 2))
        assert stopped is not None and isinstance(stopped.error, Interrupted)
        assert len([record for record in await place.records() if record.kind == "answer"]) > ITERATIONS
        await place.decide("j")
        check_asked_once(await place.records())
        files, whole = await place.collect("j"), await place.collect("whole", "whole")
        graph = json.loads(files["cognigraph.json"])
        assert len(graph["observations"]) >= 2
        for one in graph["observations"].values():
            assert quote.stands(one["quote"], await place.store.text(one["sha256"]) or ""), "what was read is kept"
        assert set(files) == set(whole)
        for name in set(files) - {"session.json"}:
            assert TIME.sub(b"", files[name]) == TIME.sub(b"", whole[name]), name

    with served() as town:
        monkeypatch.setattr(opening_of_web, "opened", partial(opening_of_web.opened, permitted=town.permitted))
        asyncio.run(story(town))


def check_asked_once(records: list[Any]) -> None:
    """No seat has two answers, and none is called once it has one."""
    answered: Counter[tuple[int, str, int]] = Counter()
    for record in records:
        if record.kind in ("call", "answer"):
            body = json.loads(record.body)
            seat = record.item, body["role"], body["round"]
            assert not answered[seat], (record.kind, seat)
            answered[seat] += record.kind == "answer"
    assert len(answered) > 3 * ITERATIONS


def test_a_try_after_which_more_is_answered_is_the_first_of_a_new_series(place: Place) -> None:
    """A long research on machines that come and go is not set aside, as long as it moves on."""
    tries: list[int] = []

    async def story() -> None:
        await place.submit()
        known = place.registry.job("j").commission
        for calls in (2, 4, 6, 6, 6):
            limits = replace(known.config.limits, calls=calls)
            place.registry.recommission("j", replace(known, config=replace(known.config, limits=limits)))
            claim = place.claim()
            await decide(claim, place.store, place.registry)
            place.registry.release(claim, tried=True)
            tries.append(place.registry.job("j").chunks[0].tries)
        assert summary(place.registry.job("j"))["decided"] == 0, "answers are no rows"

    asyncio.run(story())
    assert tries == [1, 1, 1, 1, 2]


def test_the_time_of_a_research_is_limited_as_it_is_alone(place: Place) -> None:
    async def story() -> None:
        await place.submit(limits=Limits(seconds=Decimal("0.001")))
        sat = await place.decide()
        assert sat is not None and isinstance(sat.error, LimitReached)
        assert sat.error.limit == "seconds"

    asyncio.run(story())


def test_a_job_that_a_limit_stops_is_collected_as_far_as_it_has_come(place: Place) -> None:
    async def story() -> None:
        await place.submit()
        known = place.registry.job("j").commission
        limits = replace(known.config.limits, calls=6)
        place.registry.recommission("j", replace(known, config=replace(known.config, limits=limits)))
        first = await place.decide()
        assert first is not None and isinstance(first.error, LimitReached)
        part = await place.collect("part")
        assert 0 < json.loads(part["cognigraph.json"])["iteration"] < ITERATIONS
        assert str(first.error) in part["thesis.md"].decode()
        place.registry.recommission("j", known)
        await place.decide()
        whole = await place.collect("part")
        assert json.loads(whole["cognigraph.json"])["iteration"] == ITERATIONS

    asyncio.run(story())


def test_a_research_that_somebody_goes_on_with_is_not_overwritten(place: Place) -> None:
    async def story() -> None:
        await place.submit()
        await place.decide()
        await place.collect("out")

    asyncio.run(story())
    store = opening.store(place.named)
    order = research.Order(place.folder / "out", resume=True, iterations=1)

    async def further() -> None:
        ending = await research.run(research.plan(order, store, Config()), store)
        assert ending.graph.iteration == ITERATIONS + 1
        with pytest.raises(UsageError, match="gone on with"):
            await place.collect("out")
        await store.close()

    asyncio.run(further())


def test_the_command_line_queues_a_research(tmp_path: Path) -> None:
    site = Site(tmp_path, str(tmp_path / "s.db"))
    shelf(tmp_path / "shelf")
    order = ("submit", "research", QUESTION, "--sources", "shelf", "-n", "2", "--set", "thesis.tested_at=0.6")
    assert "2 iterations" in site.run(*order, "--dry-run").stdout
    assert site.run("status").stdout == "", "nothing is queued by it"
    told = json.loads(site.run(*order, "--job", "j", "--json").stdout)
    assert (told["job"], told["kind"], told["state"], told["input"]) == ("j", "research", "queued", QUESTION)
    assert json.loads(site.run("status", "j", "--json").stdout) == told
    for command, state in (("pause", "paused"), ("resume", "queued"), ("cancel", "cancelled")):
        assert f"j: {state}" in site.run(command, "j").stdout
    assert "no results yet" in site.run("collect", "j", "-o", "out", code=2).stderr
    assert not (tmp_path / "out").exists()
    assert "There is a job j already" in site.run(*order, "--job", "j", code=78).stderr
    assert "--sources" in site.run("submit", "research", QUESTION, code=2).stderr
    site.end()


def test_the_command_line_researches_over_a_database(tmp_path: Path, postgres: postgres_server.Server) -> None:
    site = Site(tmp_path, postgres.database())
    shelf(tmp_path / "shelf")
    site.run("research", QUESTION, "--sources", "shelf", "-n", "1", "-o", "out", "--run", "here")
    site.run("research", "resume", "out", "-n", "1")
    assert site.run("runs").stdout.startswith("here ")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "shelf", "withstood.toml"]
    site.end()


def test_other_documents_are_not_read(place: Place) -> None:
    async def story() -> None:
        await place.submit()
        (place.folder / "shelf/study.md").write_text("Something else was found in the study.\n")
        with pytest.raises(Unable, match="are not the same here"):
            await decide(place.claim(), place.store, place.registry)
        (place.folder / "shelf").rename(place.folder / "moved")
        with pytest.raises(Unable, match="shelf"):
            await decide(place.claim(), place.store, place.registry)
        assert await place.store.runs() == []

    asyncio.run(story())
