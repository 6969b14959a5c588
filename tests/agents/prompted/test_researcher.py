"""A model in a seat of a research: what it is shown is cut to limits, what it says is read strictly."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from tests.agents.programmed.research.test_agents import ideate, select
from tests.fakes.models import OpenLine, ToldModel
from tests.fakes.stores import MemoryStore
from withstood import form
from withstood.agents.prompted.asked import asked
from withstood.agents.prompted.researcher import MOST_LISTED, MOST_PAGE, MOST_PAGES, PromptedResearcher, listed
from withstood.claims.research import Exploration, Ideas, Page, Phrasing
from withstood.models.port import Call, Reply
from withstood.protocols.asks import Ask, Silent
from withstood.protocols.research_briefs import ExploreBrief

EXPLORED = {
    "status": "success",
    "observations": [{"id": "obs_1", "page": "p1", "summary": "s", "quote": "the words of the page"}],
    "type_a_hypotheses": [{"id": "hyp_A1", "summary": "c", "verify_keywords": ["k"]}],
    "edges": [{"type": "SUPPORTS", "from": "obs_1", "to": "hyp_A1", "weight": 0.8}],
    "retry_keywords": ["a", "b", "c"],
    "conflict_resolution": {
        "conflict_edge": {"from": "hyp_A1", "to": "hyp_A2"}, "resolution_type": "scope_mismatch", "description": "d",
    },
}  # fmt: skip
ASKS = [
    (select(), Phrasing, {"search_query": "q", "reason": "r"}),
    (ideate(), Ideas, {"proposals": [], "hypothesis": {"summary": "s", "reasoning_tool": "inversion",
                                                      "derived_from": ["obs_1"], "verify_keywords": []}}),
]  # fmt: skip


def explore(pages: tuple[Page, ...] = (), **parts: Any) -> ExploreBrief:
    given = {
        "language": "en", "question": "Q?", "search_query": "q", "search_mode": "deep", "target_type": "hypothesis",
        "target_id": "hyp_A1", "conflict_with": "hyp_A2", "existing_hypotheses": {"hyp_A1": "one", "hyp_A2": "two"},
        "existing_observations": {}, "next_obs_id": 1, "next_hyp_id": 3, "retry_count": 0, "pages": pages,
    }  # fmt: skip
    return ExploreBrief(**given | parts)


def answered(ask: Ask[Any], *replies: str, store: MemoryStore | None = None) -> tuple[Any, list[Call]]:
    left = list(replies)

    async def saying(call: Call) -> Reply:
        return Reply(left.pop(0))

    model = ToldModel(saying)
    agent = PromptedResearcher(model, store or MemoryStore())
    return asyncio.run(agent.answer(ask, OpenLine())), model.calls


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize(("brief", "wants", "reply"), ASKS)
def test_each_seat_is_asked_in_its_language(brief: Any, wants: Any, reply: Any, language: str) -> None:
    role = "SELECT" if wants is Phrasing else "IDEATE"
    from dataclasses import replace

    found, [call] = answered(Ask(role, replace(brief, language=language), wants), json.dumps(reply))
    assert isinstance(found, wants)
    assert ("너는" in call.system) == (language == "ko")
    assert form.dumps(brief.question) in call.user


def test_an_exploration_is_shown_its_pages_and_read_whole() -> None:
    store = MemoryStore()
    text = "the words of the page " * 2000
    page = Page("p1", "https://a.com/", "A", asyncio.run(store.keep_text(text)))
    found, [call] = answered(Ask("EXPLORE-2", explore((page,)), Exploration), json.dumps(EXPLORED), store=store)
    assert isinstance(found, Exploration)
    assert found.observations[0].page == "p1"
    assert found.conflict_resolution is not None
    assert call.role == "EXPLORE-2"
    assert '"cut": true' in call.user
    assert "the words of the page" in call.user
    assert len(call.user) < MOST_PAGE + 2_000


def test_unreadable_answers_are_asked_back_once() -> None:
    wrong = EXPLORED | {"verdict": "verified"}
    found, calls = answered(Ask("EXPLORE", explore(), Exploration), json.dumps(wrong), json.dumps(EXPLORED))
    assert isinstance(found, Exploration)
    assert len(calls) == 2
    assert "verdict" in calls[1].earlier[0].then
    found, _ = answered(Ask("EXPLORE", explore(), Exploration), "no JSON", "still none")
    assert isinstance(found, Silent)


def test_what_is_asked_for_has_no_field_that_is_ours() -> None:
    """Authority, source type, strength and status are the engine's."""
    told = json.dumps([asked(wants)[1] for wants in (Phrasing, Exploration, Ideas)])
    assert not [name for name in ("authority", "source_type", "strength", "status_", "visit") if f'"{name}"' in told]
    assert "additionalProperties" in told


def test_a_prompt_never_outgrows_its_forecast() -> None:
    store = MemoryStore()
    sha256 = asyncio.run(store.keep_text("가" * 50_000))
    pages = tuple([Page(f"p{no}", "https://a.com/" + "x" * 3000, "t" * 3000, sha256) for no in range(2 * MOST_PAGES)])
    many = {f"hyp_A{no}": "긴 요약 " * 500 for no in range(10 * MOST_LISTED)}
    brief = explore(pages, existing_hypotheses=many, existing_observations=many)
    ask = Ask("EXPLORE", brief, Exploration)
    _, [call] = answered(ask, json.dumps(EXPLORED), store=store)
    agent = PromptedResearcher(ToldModel(lambda call: asyncio.sleep(0, Reply(""))), store)
    most, _ = agent.most_tokens(Ask("EXPLORE", explore(), Exploration))
    assert len(call.system.encode()) + len(call.user.encode()) < most // 2


def test_the_target_stays_in_a_long_list() -> None:
    many = {f"hyp_A{no}": "s" for no in range(1, 500)}
    found = listed(many, ["hyp_A1"])
    assert len(found) == MOST_LISTED
    assert "hyp_A1" in found
    assert "hyp_A499" in found
    assert len(listed(many)) == MOST_LISTED
