"""What is the same for every case comes first and the case comes last, so that a provider's cache of prefixes hits."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import takewhile
from typing import Any

import pytest

from tests.agents.programmed.research.test_agents import ideate, select
from tests.agents.prompted.inquiries import SOURCES, cast, challenge, survey
from tests.agents.prompted.test_researcher import explore
from tests.fakes.models import ListedModel, OpenLine, ToldModel
from tests.fakes.stores import MemoryStore
from withstood.agents.port import Agent
from withstood.agents.prompted import prompts
from withstood.agents.prompted.agent import PromptedAgent
from withstood.agents.prompted.inquirer import PromptedInquirer
from withstood.agents.prompted.researcher import PromptedResearcher
from withstood.claims.research import Exploration, Ideas, Phrasing
from withstood.errors import CallFailed
from withstood.jobs import sentiment
from withstood.jobs.settings import Config
from withstood.models.port import Call, Model, Reply
from withstood.protocols.asks import Ask
from withstood.protocols.investigation_briefs import PLAN, KeyQuestions, PlanBrief
from withstood.protocols.sentiment import PROTOCOLS, seats
from withstood.sources.workspace import Workspace

TEXTS = ("The screen is bright but the battery is weak.", "Nobody at the desk was friendly, yet the room was clean.")


def same_start(calls: Sequence[Call], *cases: str) -> None:
    """Two calls of one seat for two cases: alike up to the place where the case begins, which is after the system."""
    one, two = calls
    assert one.system == two.system and one.schema == two.schema and one.schema_name == two.schema_name
    assert one.user != two.user
    for call, case in zip(calls, cases, strict=True):
        assert case not in call.system and case in call.user
    assert all(call.user.index(case) <= alike(one.user, two.user) for call, case in zip(calls, cases, strict=True))
    assert alike(one.user[::-1], two.user[::-1]) < len(one.system), "instructions stand in front of the case"


def alike(one: str, two: str) -> int:
    """So many characters from the start."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, two, strict=False)))


async def _filled(call: Call) -> Reply:
    """The form filled in, by each role otherwise, so that there is something to argue about."""
    word = "battery" if TEXTS[0] in call.user else "desk"
    return Reply(json.dumps(_value(call.schema, word, sum(call.role.encode()))))


def _value(schema: Any, word: str, seed: int) -> Any:
    if "enum" in schema or "const" in schema:
        choices = schema.get("enum", [schema.get("const")])
        return choices[seed % len(choices)]
    if "anyOf" in schema:
        return _value(schema["anyOf"][0], word, seed)
    kind = schema["type"] if isinstance(schema["type"], str) else schema["type"][0]
    if kind == "object":
        return {name: _value(part, word, seed) for name, part in schema["properties"].items()}
    if kind == "array":
        return [_value(schema["items"], word, seed)]
    return {"string": word, "integer": 1, "number": 0.9, "boolean": False}.get(kind)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_seat_of_a_sentiment_protocol(protocol: str) -> None:
    model = ToldModel(_filled)
    agent = PromptedAgent(model)
    first = sentiment.plan(sentiment.Order(TEXTS, protocol), Config())
    order = sentiment.Order(TEXTS, protocol, agents=dict.fromkeys(seats(protocol, first.book, first.agreed), agent))
    asyncio.run(sentiment.run(sentiment.plan(order, Config()), MemoryStore()))
    asked: dict[tuple[str, int], dict[str, Call]] = {}
    for call in model.calls:
        if not call.earlier:
            asked.setdefault((call.role, call.round), {})[call.case] = call
    both = [calls for calls in asked.values() if len(calls) == len(TEXTS)]
    assert {calls.role for pair in both for calls in pair.values()} == set(order.agents)
    for pair in both:
        same_start([pair[case] for case in sorted(pair)], *TEXTS)


def _about(brief: Any, question: str) -> Any:
    return replace(brief, question=question)


def first_call(of: Callable[[Model], Agent], ask: Ask[Any]) -> Call:
    model = ListedModel(CallFailed("no answer is wanted", again=False))
    with suppress(CallFailed):
        asyncio.run(of(model).answer(ask, OpenLine()))
    return model.calls[0]


@pytest.mark.parametrize("ask", [survey(), challenge("item")], ids=["investigator", "challenger"])
def test_an_investigation(ask: Ask[Any]) -> None:
    def of(model: Model) -> Agent:
        return PromptedInquirer(model, Workspace(), cast())

    questions = ("why do refunds fail?", "who deletes the invoices?")
    asks = [replace(ask, brief=_about(ask.brief, question)) for question in questions]
    same_start([first_call(of, one) for one in asks], *questions)


@pytest.mark.parametrize("language", prompts.LANGUAGES)
def test_the_plan_of_an_investigation(language: str) -> None:
    questions = ("why do refunds fail?", "who deletes the invoices?")
    asks = [Ask(PLAN, PlanBrief(question, language, SOURCES), KeyQuestions) for question in questions]
    same_start([first_call(PromptedAgent, one) for one in asks], *questions)


@pytest.mark.parametrize(
    ("role", "brief", "wants"),
    [("SELECT", select(), Phrasing), ("IDEATE", ideate(), Ideas), ("EXPLORE-1", explore(), Exploration)],
)
def test_a_research(role: str, brief: Any, wants: Any) -> None:
    def of(model: Model) -> Agent:
        return PromptedResearcher(model, MemoryStore())

    questions = ("Is tea healthy?", "Are trains late?")
    asks = [Ask(role, replace(brief, question=question), wants) for question in questions]
    same_start([first_call(of, one) for one in asks], *questions)
