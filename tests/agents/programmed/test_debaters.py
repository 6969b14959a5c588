"""The programmed seats of a debate, through the flow: what they find, what they argue, what they correct."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.protocols.debating import AGREED
from tests.protocols.drive import book
from withstood import lexicons
from withstood.agents import programmed
from withstood.claims.case import Case
from withstood.claims.debate import Summary, Turn
from withstood.protocols import sentiment
from withstood.protocols.asks import Silent
from withstood.rules.rulebook import Rulebook

SEATS = programmed.seats(personas=("analyst", "critic", "empath", "auditor"))


class NoLine:
    case = ""

    async def call(self, model: Any, call: Any) -> Any:
        raise AssertionError("a program calls no model")


def decided(text: str, rules: Rulebook | None = None) -> tuple[dict[str, Any], dict[tuple[str, int], Any]]:
    """The result, and every answer by role and round."""
    one = Case(1, "r1", text, lexicons.detect(text))
    flow = sentiment.flow("debate", one, rules or book("debate"), AGREED)
    said: dict[tuple[str, int], Any] = {}
    try:
        batch = next(flow)
        while True:
            answers = [asyncio.run(SEATS[ask.role].answer(ask, NoLine())) for ask in batch]
            said |= {ask.seat: answer for ask, answer in zip(batch, answers, strict=True)}
            batch = flow.send(tuple(answers))
    except StopIteration as end:
        return dict(end.value.result), said


def pairs(result: dict[str, Any], stage: str = "final") -> list[tuple[str, str]]:
    return [(one["aspect_term"], one["polarity"]) for one in result[stage]]


@pytest.mark.parametrize(
    ("text", "final"),
    [
        ("The screen is bright, but the battery is weak", [("screen", "positive"), ("battery", "negative")]),
        ("The food was not good but the service was great", [("food", "negative"), ("service", "positive")]),
        ("화면이 좋지 않지만 가격은 좋아요", [("화면", "negative"), ("가격", "positive")]),
    ],
)
def test_what_stands_in_the_text_comes_out(text: str, final: list[tuple[str, str]]) -> None:
    result, _ = decided(text)
    assert pairs(result) == final


def test_a_denial_from_further_off_is_corrected() -> None:
    """ATSA1 reads what stands beside the word; VALIDATOR1 sees the whole clause and proposes the flip."""
    result, said = decided("I would not say the food was great")
    assert pairs(result, "stage1") == [("food", "positive")]
    assert [one.proposal_type for one in said["VALIDATOR1", 1].correction_proposals] == ["FLIP_POLARITY"]
    assert pairs(result) == [("food", "negative")]


def test_advocates_speak_of_their_side_alone_and_are_silent_without_evidence() -> None:
    _, said = decided("The screen is bright, but the battery is weak")
    critic, empath = said["critic", 1], said["empath", 1]
    assert isinstance(critic, Turn)
    assert (critic.key_points, empath.key_points) == (("battery",), ("screen",))
    assert "screen" not in critic.message
    assert "weak" in critic.message
    _, said = decided("The food was great")
    assert said["critic", 1] == Silent("the text has no evidence for this side")
    assert said["empath", 2].stance == "pro"


def test_the_rapporteur_counts_who_spoke_of_what() -> None:
    _, said = decided("The screen is bright, but the battery is weak")
    summary = said["rapporteur", 1]
    assert isinstance(summary, Summary)
    assert (summary.label, summary.winner) == ("mixed", None)
    assert decided("The food was great")[1]["rapporteur", 1].label == "positive"
    assert decided("화면이 별로예요")[1]["rapporteur", 1].label == "negative"


def test_a_persona_of_any_name_can_speak() -> None:
    from dataclasses import replace

    from withstood.claims.debate import Forum, Persona

    forum = AGREED.forum or Forum()
    own = {"auditor": Persona("Auditor", "reads", "all of it", "sceptic", "slowly")}
    agreed = replace(AGREED, forum=Forum(forum.patterns, {"en": own}))
    one = Case(1, "r1", "The food was great", "en")
    flow = sentiment.flow("debate", one, book("debate", debate__order="auditor"), agreed)
    batch = next(flow)
    while batch[0].role != "auditor":
        batch = flow.send(tuple([asyncio.run(SEATS[ask.role].answer(ask, NoLine())) for ask in batch]))
    answer: Any = asyncio.run(SEATS["auditor"].answer(batch[0], NoLine()))
    assert (answer.speaker, answer.stance, answer.key_points) == ("Auditor", "sceptic", ("food",))


def test_a_language_without_a_reader_is_silence() -> None:
    result, said = decided("Bonjour, c'est très bon et pas cher")
    assert result["label"] is None
    assert all(isinstance(answer, Silent) for answer in said.values())
