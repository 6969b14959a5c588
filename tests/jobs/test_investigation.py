"""Investigations from Python: who sits where, what it costs at most, what is one's own."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import withstood
from tests.cli.inquiries import QUESTION, place
from tests.fakes.agents import ToldAgent
from tests.fakes.models import ToldModel
from withstood.claims.finding import Evidence, Finding, Report
from withstood.engine.entries import AnswerEntry, entry
from withstood.errors import ConfigError
from withstood.jobs import investigation, investigation_seats
from withstood.jobs.investigation import Order
from withstood.jobs.settings import Config
from withstood.journal import opening
from withstood.lexicons import inquiry
from withstood.models.port import Call, Reply

CAST = inquiry.agreed().cast


@pytest.fixture
def order(tmp_path: Path) -> Order:
    place(tmp_path)
    return Order(QUESTION, repo=tmp_path / "repo", logs=(tmp_path / "pay.log",), run="mine")


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(store=str(tmp_path / "journal.db"))


def test_one_call_from_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place(tmp_path)
    monkeypatch.chdir(tmp_path)
    ending = withstood.investigate(QUESTION, repo="repo", logs=["pay.log"], out=tmp_path / "out")
    assert ending.status == "finished" and ending.inquest and ending.report
    assert ending.report["findings"] and ending.reaches("Uncertain") and not ending.nobody
    assert (tmp_path / "out" / "report.json").is_file()


def test_an_agent_of_ones_own_sits_by_the_names_of_models(order: Order, config: Config) -> None:
    async def doing(ask: Any, line: Any) -> Any:
        said = Evidence("code", "app/pay.py:5", "timeout=5", "STRONG")
        return Report(f"mine, as {ask.role}", findings=(Finding("F1", "ours", "timeout", "", (said,)),))

    own = replace(order, agents={"CODE": ToldAgent(doing)}, cast=("CODE-CALLCHAIN", "CODE-CONFIG", "HIST-RECENT"))
    ending = asyncio.run(investigation.look(own, config))
    assert ending.inquest
    said = {one.iid: one.one_liner for one in ending.inquest.record.heard}
    assert said["CODE-CALLCHAIN-R1"] == "mine, as CODE-CALLCHAIN-R1"
    assert not said["HIST-RECENT-R1"].startswith("mine")
    with pytest.raises(ConfigError, match="There is no role 'CHECK'"):
        asyncio.run(investigation.look(replace(order, run="b", agents={"CHECK": ToldAgent(doing)}), config))


@pytest.mark.parametrize(
    ("role", "named"),
    [
        ("CODE-CALLCHAIN-R1", "iid"),
        ("CODE-CALLCHAIN-R3-DEEP", "voice"),
        ("CODE-CONFIG-R1", "type"),
        ("LOG-PATTERN-R1", "all"),
        ("CR-AGREED-R3", "all"),
        ("PLAN", "plan"),
    ],
)
def test_the_nearest_name_goes_before(role: str, named: str) -> None:
    names = {"CODE-CALLCHAIN-R1": "iid", "CODE-CALLCHAIN": "voice", "CODE": "type", "PLAN": "plan", "default": "all"}
    assert investigation_seats.nearest(role, names) == named
    assert investigation_seats.nearest(role, {}) is None


def test_every_role_that_is_asked_has_a_seat(order: Order, config: Config) -> None:
    assert len(set(investigation_seats.roles(CAST))) == len(investigation_seats.roles(CAST))
    with investigation.planned(order, config) as plan:
        assert set(investigation_seats.roles(CAST)) - {"PLAN"} == set(plan.panel)
        assert set(plan.first) <= set(plan.panel)


def test_no_run_asks_more_often_than_forecast(order: Order, config: Config) -> None:
    """Nobody ever answers, so everything is asked as often as it may be; and everybody disagrees."""

    async def silent(call: Call) -> Reply:
        return Reply("no", finish="refused")

    for no, answer in enumerate((silent, _quarrel)):
        model = ToldModel(answer)
        agent = ToldAgent(_by_model(model), model)
        wanted = replace(order, run=f"r{no}", agents={"default": agent}, profile="thorough")
        with investigation.planned(wanted, config) as plan:
            least, most = plan.forecast.least_asks, plan.forecast.most_asks
        asyncio.run(investigation.look(wanted, config))
        roles = asyncio.run(_asked(config, f"r{no}"))
        asks = sum(count for role, count in roles.items() if role != "CHECK")
        assert least <= asks <= most, (no, roles)


async def _quarrel(call: Call) -> Reply:
    return Reply(call.role)


def _by_model(model: ToldModel) -> Any:
    async def doing(ask: Any, line: Any) -> Any:
        call = Call(line.case, ask.role, ask.round, "s", "u", {"type": "object"}, "answer", most_tokens=10)
        reply = await line.call(model, call)
        if reply.finish == "refused" or ask.wants is not Report:
            from withstood.protocols.asks import Silent

            return Silent(reply.text)
        said = Evidence("code", "app/pay.py:5", "timeout=5", "WEAK")
        return Report(
            "x", findings=(Finding("F1", reply.text, reply.text, "", (said,)),), needs_further=True, scope="y"
        )

    return doing


async def _asked(config: Config, run: str) -> Mapping[str, int]:
    store = opening.store(config.store)
    found: dict[str, int] = {}
    async for chunk in store.records(run):
        for kept in chunk:
            if kept.record.kind == "answer":
                role = entry(AnswerEntry, kept.record).role
                found[role] = found.get(role, 0) + 1
    await store.close()
    return found


# --- a cast of one's own -----------------------------------------------------------------------


def test_a_perspective_of_ones_own_is_called_by_its_name(order: Order, config: Config, tmp_path: Path) -> None:
    folder = tmp_path / "lexicons" / "inquiry"
    folder.mkdir(parents=True)
    (folder / "cast.toml").write_text('[types.CODE.perspectives.MONEY]\nname = "money"\nen = "Look at amounts."\n')
    wanted = replace(order, lexicons=str(tmp_path / "lexicons"), cast=("CODE-MONEY", "CODE-CALLCHAIN"))
    ending = asyncio.run(investigation.look(wanted, config))
    assert ending.inquest and {"CODE-MONEY-R1"} <= {one.iid for one in ending.inquest.record.heard}


@pytest.mark.parametrize("id", ["money", "../../x", "A B"])
def test_an_id_that_makes_no_investigator_is_refused(order: Order, config: Config, tmp_path: Path, id: str) -> None:
    folder = tmp_path / "lexicons" / "inquiry"
    folder.mkdir(parents=True)
    (folder / "cast.toml").write_text(f'[types.CODE.perspectives."{id}"]\nname = "x"\n')
    with pytest.raises(ConfigError, match="wanted a type and a perspective of capital letters"):
        asyncio.run(investigation.look(replace(order, lexicons=str(tmp_path / "lexicons")), config))
