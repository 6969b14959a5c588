"""What investigators and counter-reviewers are told, in both languages."""

from __future__ import annotations

import asyncio
import re

import pytest

from tests.agents.prompted.inquiries import QUESTION, SOURCES, cast
from tests.fakes.models import ListedModel, OpenLine
from withstood.agents.prompted import frames, prompts
from withstood.agents.prompted.agent import PromptedAgent
from withstood.agents.tools.requests import TOOLS
from withstood.claims.cast import CastTable, Perspective, Type
from withstood.protocols.asks import Ask
from withstood.protocols.investigation_briefs import PLAN, KeyQuestions, PlanBrief

BLANKS = {"perspective": "P", "look": "L", "tools": "T", "turns": 12, "requests": 4}
FIELD = re.compile(r'"([a-z_0-9]+)":|\b([A-Z]{3,})\b')


@pytest.mark.parametrize("language", prompts.LANGUAGES)
@pytest.mark.parametrize("name", frames.FRAMES)
def test_a_frame_names_its_form_and_fences_what_is_read(name: str, language: str) -> None:
    told = frames.frame(name, language, BLANKS)
    assert '{"turn": {"kind": "look", "requests": [{"tool": "…"}]}}' in told
    assert '"| "' in told and "12" in told
    assert "{{" not in told and "{%" not in told
    other = frames.frame(name, "en" if language == "ko" else "ko", BLANKS)
    assert set(FIELD.findall(told)) == set(FIELD.findall(other)) | (set(FIELD.findall(told)) & {("", "JSON")})


@pytest.mark.parametrize("language", prompts.LANGUAGES)
def test_every_perspective_has_its_part(language: str) -> None:
    assert list(frames.table("perspectives", language)) == list(cast().voices())
    assert [voice for voice in cast().voices() if len(frames.perspective(cast(), voice, language)[1]) < 80] == []


@pytest.mark.parametrize("language", prompts.LANGUAGES)
def test_every_tool_is_told_with_its_fields(language: str) -> None:
    assert list(frames.table("tools", language)) == list(TOOLS)
    for tool, said in frames.table("tools", language).items():
        fields = {name for name in TOOLS[tool].__dataclass_fields__ if name != "tool"}
        assert set(re.findall(r"`([a-z_]+)`", said)) <= fields | set(TOOLS)
    assert frames.tools_told(["blame"], language).startswith("- blame(path, first, last): ")


def test_a_perspective_of_the_users_own_is_told_what_the_cast_says() -> None:
    own = Type("SEC", "security", ("files",), ("files",), (Perspective("INPUT", "input", {"en": "Look at input."}),))
    table = CastTable((own,), (), (), ())
    assert frames.perspective(table, "SEC-INPUT", "en") == ("security, input", "Look at input.")
    assert frames.perspective(table, "SEC-OTHER", "en") == ("security, OTHER", "")


@pytest.mark.parametrize("language", prompts.LANGUAGES)
@pytest.mark.parametrize(("left", "left_out"), [(1, 0), (5, 2)])
def test_what_follows_a_look(language: str, left: int, left_out: int) -> None:
    told = frames.looked(
        language, {"results": "[r1] x: y\n| {{ z }}", "left": left, "left_out": left_out, "requests": 4}
    )
    assert "| {{ z }}" in told and "\n\n\n" not in told
    assert ('"report"' in told) == (left == 1)
    assert (str(left_out) in told) == bool(left_out)


@pytest.mark.parametrize("language", prompts.LANGUAGES)
def test_the_planner(language: str) -> None:
    model = ListedModel('{"questions": ["Where does it wait?"]}')
    ask = Ask(PLAN, PlanBrief(QUESTION, language, SOURCES), KeyQuestions)
    found = asyncio.run(PromptedAgent(model, (PLAN,)).answer(ask, OpenLine()))
    assert found == KeyQuestions(("Where does it wait?",))
    assert "logs/pay.log" in model.calls[0].user and model.calls[0].schema_name == "keyquestions"
