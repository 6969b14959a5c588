"""What a research costs at most: every iteration phrases once, explores at most three times, and thinks every third
time. The run is held to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from withstood.agents.port import Agent
from withstood.claims.research import Exploration, Ideas, Phrasing
from withstood.engine.limits import Spend, priced
from withstood.jobs.forecast import REPAIRED, Forecast
from withstood.protocols.asks import Ask
from withstood.protocols.research_briefs import (
    CHECK,
    EXPLORE,
    IDEATE,
    SAVE,
    SEARCH,
    SELECT,
    TRIES,
    ExploreBrief,
    IdeateBrief,
    SelectBrief,
    seat,
)

_LONGEST = "x" * 2_000
ROUGHLY = 4
"""A usual ask takes about a quarter of what it may take."""


def forecast(panel: Mapping[str, Agent], iterations: int) -> Forecast:
    """`texts` are iterations."""
    ideations = iterations // 3 + 1
    times = {SELECT: iterations, IDEATE: ideations, SEARCH: iterations, CHECK: iterations, SAVE: iterations}
    times |= {seat(role, no): iterations for role in (SEARCH, EXPLORE) for no in range(1, TRIES + 1)}
    spends = [_most(panel[ask.role], ask, times[ask.role]) for ask in _asks()]
    once = [_most(panel[ask.role], ask, times[ask.role]) for ask in _asks() if ask.role in (SELECT, EXPLORE, IDEATE)]
    usual = sum(once, Spend())
    cost = None if usual.cost is None else usual.cost / (ROUGHLY * REPAIRED)
    roughly = Spend(
        usual.calls // REPAIRED,
        usual.tokens_in // (ROUGHLY * REPAIRED),
        usual.tokens_out // (ROUGHLY * REPAIRED),
        cost,
    )
    return Forecast(iterations, 0, 4 * iterations, sum(times.values()), sum(spends, Spend()), roughly)


def _most(agent: Agent, ask: Ask[Any], times: int) -> Spend:
    tokens_in, tokens_out = agent.most_tokens(ask)
    for model in agent.models():
        return priced(REPAIRED * times, tokens_in * times, tokens_out * times, model.price)
    return Spend()


def _asks() -> list[Ask[Any]]:
    """An ask of each open seat, as long as it can get."""
    select = SelectBrief("ko", _LONGEST, 0, "", _LONGEST, "", (_LONGEST,), None, "", "", None, ())
    explore = ExploreBrief("ko", _LONGEST, _LONGEST, "", "", _LONGEST, None, {}, {}, 0, 0, 0, ())
    ideate = IdeateBrief("ko", _LONGEST, (), {}, {}, (), (), 0)
    explores = [Ask(seat(EXPLORE, no), explore, Exploration) for no in range(1, TRIES + 1)]
    return [Ask(SELECT, select, Phrasing), *explores, Ask(IDEATE, ideate, Ideas)]
