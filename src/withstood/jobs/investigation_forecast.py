"""What an investigation will cost at most, said before it starts. The run is held to it.

Everything that may happen is counted as if it did: every ask is asked twice, every pass of round 3 is held, every
investigator that may be called is called, every turn is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from withstood.agents.port import Agent
from withstood.claims import iid
from withstood.claims.finding import CounterReview, Report
from withstood.claims.inquiry import Agreed, Inquiry
from withstood.engine.limits import Spend, priced
from withstood.jobs.forecast import REPAIRED, Forecast
from withstood.protocols.asks import Ask, Batch, Brief
from withstood.protocols.investigation import investigate
from withstood.protocols.investigation_briefs import (
    PLAN,
    ChallengeBrief,
    Item,
    KeyQuestions,
    PlanBrief,
    Shown,
    Side,
    SurveyBrief,
    Task,
)
from withstood.protocols.summoning import MOST_SHOWN
from withstood.protocols.third_round import MOST_TASKS
from withstood.rules.rulebook import Rulebook

ASKED_TWICE = 2
TYPICAL_TURNS = 5
LESS_THAN_MOST = 24
"""A call has about so much less than the most that it may have: a turn is shorter, and most turns are not used."""

_PIECE = Shown("code", "a" * 80, "b" * 160, "STRONG")
_SIDE = Side("c" * 40, "d" * 40, "e" * 480, ("CODE-CALLCHAIN-R3-DEEP",) * 4, (_PIECE,) * MOST_SHOWN)
_TASKS = tuple([Task("deep_dive", f"I{no}", _SIDE, (_SIDE,), "f" * 200) for no in range(MOST_TASKS)])
_ITEMS = tuple([Item(f"I{no}", _SIDE) for no in range(2 * MOST_TASKS)])


@dataclass(frozen=True, slots=True)
class _Expected:
    """An ask like those that will be put, and how often at least and at most."""

    ask: Ask[Any]
    least: int
    most: int


def first_batch(matter: Inquiry, book: Rulebook, agreed: Agreed) -> Batch:
    """Whom round 1 asks; nobody where no source is there for anybody."""
    try:
        return next(investigate(replace(matter, planner=False), book, agreed))
    except StopIteration:
        return ()


def forecast(seated: Mapping[str, Agent], matter: Inquiry, book: Rulebook, agreed: Agreed) -> Forecast:
    expected = list(_expected(matter, book, agreed))
    spends = [_of(one, seated[one.ask.role]) for one in expected]
    return Forecast(
        1,
        0,
        least_asks=sum(one.least for one in expected),
        most_asks=sum(one.most for one in expected),
        most=sum((most for most, _ in spends), Spend()),
        roughly=sum((roughly for _, roughly in spends), Spend()),
    )


def _expected(matter: Inquiry, book: Rulebook, agreed: Agreed) -> Iterator[_Expected]:
    if matter.planner:
        yield _Expected(Ask(PLAN, PlanBrief(matter.question, matter.language, matter.sources), KeyQuestions), 1, 1)
    surveys = first_batch(matter, book, agreed)
    yield from (_Expected(ask, 1, ASKED_TWICE) for ask in surveys)
    profile = agreed.cast.profile(matter.profile) or agreed.cast.profiles[0]
    if len(surveys) < ASKED_TWICE or (matter.quick and profile.quick):
        return
    voices = [iid.voice(ask.role) for ask in surveys]
    more = [voice for voice in agreed.cast.fill if voice not in voices][: len(surveys)]
    for voice in (*voices, *more):
        yield _Expected(_deep(surveys[0].brief, voice), 0, profile.passes * ASKED_TWICE)
    named = [voice for voice in matter.cast if iid.is_challenger(voice)]
    for voice in named or profile.challengers:
        yield _Expected(_challenge(matter, voice), 0, 2 * (profile.passes + 1) * ASKED_TWICE)


def _deep(like: Brief, voice: str) -> Ask[Any]:
    assert isinstance(like, SurveyBrief)
    prefix, _, perspective = voice.partition("-")
    role = f"{voice}-R3-DEEP"
    return Ask(role, replace(like, iid=role, prefix=prefix, perspective=perspective, tasks=_TASKS), Report)


def _challenge(matter: Inquiry, voice: str) -> Ask[Any]:
    role, perspective = f"{voice}-R3", voice.partition("-")[2]
    brief = ChallengeBrief(matter.question, matter.language, role, perspective, _ITEMS, matter.sources)
    return Ask(role, brief, CounterReview)


def _of(expected: _Expected, agent: Agent) -> tuple[Spend, Spend]:
    """At most, and roughly. A program spends nothing."""
    for model in agent.models():
        tokens_in, tokens_out = agent.most_tokens(expected.ask)
        calls = _calls(agent)
        most = priced(calls * expected.most, tokens_in * expected.most, tokens_out * expected.most, model.price)
        times, typical = max(1, expected.least), min(TYPICAL_TURNS, calls)
        roughly = priced(
            typical * times, tokens_in * times // LESS_THAN_MOST, tokens_out * times // LESS_THAN_MOST, model.price
        )
        return most, roughly
    return Spend(), Spend()


def _calls(agent: Agent) -> int:
    """An investigator with a model behind it has its turns, and one call more to mend its answer."""
    from withstood.agents.prompted.inquirer import PromptedInquirer

    return agent.most_calls if isinstance(agent, PromptedInquirer) else REPAIRED
