"""The tool loop: what the model is told, what becomes of what it says, where it ends."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.agents.prompted.inquiries import QUESTION, cast, challenge, look, report, review, survey
from tests.agents.tools.places import SECRET, place
from tests.fakes.models import ListedModel, OpenLine
from withstood.agents.prompted import frames
from withstood.agents.prompted.inquirer import Allowance, PromptedInquirer
from withstood.agents.tools.requests import OF_SOURCE
from withstood.claims.finding import Report
from withstood.errors import CallFailed
from withstood.models.port import Call, Reply
from withstood.models.settings import MOST_TOKENS
from withstood.protocols.asks import Ask, Silent
from withstood.protocols.investigation_briefs import Task
from withstood.sources.workspace import Workspace

READ = {"tool": "read", "path": "app/pay.py"}


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    with place(tmp_path_factory.mktemp("inquirer")) as found:
        yield found


def answer(space: Workspace, ask: Ask[Any], *replies: Reply | str | Exception, **most: int) -> tuple[Any, list[Call]]:
    model = ListedModel(*replies)
    agent = PromptedInquirer(model, space, cast(), Allowance(**most))
    return asyncio.run(agent.answer(ask, OpenLine())), model.calls


def test_it_looks_and_reports(space: Workspace) -> None:
    found, calls = answer(
        space, survey(), look(READ, {"tool": "callers", "name": "charge"}), report("short", ("app/pay.py:5", "x"))
    )
    assert isinstance(found, Report) and found.one_liner == "short" and not found.reduced
    assert found.findings[0].evidence[0].location == "app/pay.py:5"
    turn = calls[1].earlier[0]
    assert json.loads(turn.said)["turn"]["requests"][0] == READ
    assert "[r1] read: lines 1 to 9 of app/pay.py" in turn.then and "| 5:     return retry.send" in turn.then
    assert "[r2] callers" in turn.then and "11 turns are left." in turn.then
    assert (calls[0].system, calls[0].user, calls[0].schema) == (calls[1].system, calls[1].user, calls[1].schema)


@pytest.mark.parametrize("language", ["ko", "en", "other"])
def test_what_an_investigator_is_told(space: Workspace, language: str) -> None:
    call = answer(space, survey("LOG-TIMELINE-R1", language), report())[1][0]
    assert json.dumps(QUESTION, ensure_ascii=False) in call.user and QUESTION not in call.system
    assert ("너는 조사관" in call.system) == (language == "ko")
    assert "log, timeline" in call.system and "- log_timeline(template, level, skip)" in call.system
    assert "- commits(" not in call.system
    assert call.most_tokens > MOST_TOKENS and call.schema_name == "investigation_turn"


@pytest.mark.parametrize("voice", cast().voices())
def test_a_role_is_offered_the_tools_of_its_sources_only(space: Workspace, voice: str) -> None:
    known = cast().type_of(voice)
    assert known is not None
    ask = challenge("G1", iid=f"{voice}-R3") if known.prefix == "CR" else survey(f"{voice}-R1")
    call = answer(space, ask, review(("G1", "looked")) if known.prefix == "CR" else report())[1][0]
    offered = {tool for source in known.reads for tool in OF_SOURCE[source]} | {"again"}
    items = call.schema["properties"]["turn"]["anyOf"][0]["properties"]["requests"]["items"]["anyOf"]
    assert {one["properties"]["tool"]["enum"][0] for one in items} == offered


def test_a_tool_of_another_role_is_refused(space: Workspace) -> None:
    calls = answer(space, survey(), look({"tool": "log_read", "log": "logs/pay.log", "first": 1, "last": 9}), report())[
        1
    ]
    told = calls[1].earlier[0].then
    assert "refused: tool: wanted one of list, read" in told and "order 12" not in told


def test_no_more_requests_in_a_turn_than_allowed(space: Workspace) -> None:
    calls = answer(space, survey(), look(*[READ] * 6), report(), requests=2)[1]
    told = calls[1].earlier[0].then
    assert "[r2]" in told and "[r3]" not in told and "4 further requests were not looked at" in told


def test_the_last_turn_is_for_the_report(space: Workspace) -> None:
    found, calls = answer(space, survey(), look(READ), look(READ), report("at last"), turns=3)
    assert found.one_liner == "at last"
    assert "Your next answer is the last one" in calls[2].earlier[1].then
    assert "Your next answer" not in calls[1].earlier[0].then


def test_who_never_reports_is_silent(space: Workspace) -> None:
    found, calls = answer(space, survey(), *[look(READ)] * 9, turns=3)
    assert isinstance(found, Silent) and "no turn is left to look" in found.why
    assert len(calls) == 4


def test_one_repair_question_and_then_it_goes_on(space: Workspace) -> None:
    bad = json.dumps({"one_liner": "x", "weight": 9})
    found, calls = answer(space, survey(), bad, look(READ), bad, report("mended"))
    assert found.one_liner == "mended" and len(calls) == 4
    question = calls[1].earlier[0].then
    assert "weight" in question and '"additionalProperties": false' in question


@pytest.mark.parametrize(
    "replies", [("It is the wait. Surely.",) * 2, (Reply("It is the wait.", finish="length"),) * 2]
)
def test_a_reply_in_no_form_is_reduced_and_marked(space: Workspace, replies: tuple[Any, ...]) -> None:
    found, calls = answer(space, survey(), *replies)
    assert found.reduced and found.one_liner == "It is the wait." and found.confidence == "LOW" and not found.findings
    assert len(calls) == 2


def test_the_report_of_the_last_turn_may_be_mended_once(space: Workspace) -> None:
    found, calls = answer(space, survey(), look(READ), "{", report("mended"), turns=2)
    assert found.one_liner == "mended" and len(calls) == 3
    assert isinstance(answer(space, survey(), look(READ), "{", "{", turns=2)[0], Silent)


def test_a_refusal_is_silence_and_a_failed_call_passes(space: Workspace) -> None:
    assert answer(space, survey(), Reply("not scripted", finish="refused"))[0] == Silent("not scripted")
    with pytest.raises(CallFailed):
        answer(space, survey(), CallFailed("down", again=True))


def test_older_results_are_shortened_and_can_be_shown_again(space: Workspace) -> None:
    again = look({"tool": "again", "result": "r1"})
    calls = answer(space, survey(), look(READ), look({"tool": "search", "pattern": "."}), again, report(), kept=500)[1]
    first, second, third = calls[3].earlier
    assert "[r1: 6 more lines were shown before; `again` shows them]" in first.then and "| 9:" not in first.then
    assert "more lines were shown before" in second.then
    assert "| 9:" in third.then
    assert "| 9:" in calls[1].earlier[0].then


def test_no_secret_reaches_the_model(space: Workspace) -> None:
    wish = look({"tool": "read", "path": "notes.md"}, {"tool": "search", "pattern": "token"}, {"tool": "commits"})
    calls = answer(space, survey("HIST-RECENT-R1"), wish, look({"tool": "show", "commit": "HEAD"}), report())[1]
    assert SECRET not in "".join(turn.then for call in calls for turn in call.earlier)


def test_evidence_of_the_other_side_is_shown_as_data(space: Workspace) -> None:
    held = challenge("G1").brief.items[0].side  # pyright: ignore[reportAttributeAccessIssue]
    call = answer(space, survey(task=Task("deep_dive", "G1", held, (held,))), report())[1][0]
    assert '"kind": "deep_dive"' in call.user and '"snippet": "timeout=5"' in call.user
    assert "timeout=5" not in call.system


# --- counter-reviewers ---


def test_a_review_needs_a_challenge_for_every_item(space: Workspace) -> None:
    found, calls = answer(space, challenge("G1", "G2"), review(("G1", "looked")), review(("G1", "a"), ("G2", "b")))
    assert [one.item for one in found.challenges] == ["G1", "G2"]
    assert "none for G2" in calls[1].earlier[0].then


def test_a_review_that_stays_incomplete_keeps_what_it_has(space: Workspace) -> None:
    found, calls = answer(space, challenge("G1", "G2"), *[review(("G1", "a"), ("G2", "  "), ("G9", "c"))] * 2)
    assert [one.item for one in found.challenges] == ["G1"] and len(calls) == 2
    assert isinstance(answer(space, challenge("G1"), *[review()] * 2)[0], Silent)


def test_a_challenge_to_everything(space: Workspace) -> None:
    found = answer(space, challenge("G1", "G2"), review(("*", "looked at all of it")))[0]
    assert [one.item for one in found.challenges] == ["G1", "G2"]


def test_a_counter_reviewer_looks_too(space: Workspace) -> None:
    wish = look(READ, {"tool": "commits"}, {"tool": "logs"})
    told = answer(space, challenge("G1"), wish, review(("G1", "a")))[1][1].earlier[0].then
    assert "refused" not in told


# --- what holds for all ---


def test_every_file_of_a_prompt_is_in_the_journal(space: Workspace) -> None:
    agent = PromptedInquirer(ListedModel(), space, cast())
    assert agent.prompts() == frames.digests() and len({*agent.prompts().values()}) == 12
    assert agent.name == "listed:model" and len(agent.models()) == 1


@pytest.mark.parametrize("ask", [survey(), survey("HIST-BLAME-R1", "ko"), challenge("G1", "G2")])
def test_no_sitting_passes_what_was_said_of_it(space: Workspace, ask: Ask[Any]) -> None:
    wish = look(*[{"tool": "search", "pattern": "."}, {"tool": "list"}, READ, {"tool": "commits"}])
    most = Allowance(turns=5)
    model = ListedModel(*[wish, "{" * 5000] * 3)
    agent = PromptedInquirer(model, space, cast(), most)
    asyncio.run(agent.answer(ask, OpenLine()))
    sent = [
        len((call.system + call.user + "".join(turn.said + turn.then for turn in call.earlier)).encode())
        + len(json.dumps(call.schema).encode())
        for call in model.calls
    ]
    tokens_in, tokens_out = agent.most_tokens(ask)
    assert len(model.calls) <= most.turns + 1
    assert sum(sent) <= tokens_in and tokens_out == (most.turns + 1) * most.report_tokens
