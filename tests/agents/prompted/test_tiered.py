"""The door for reports and reviews: what is taken, what is refused and where, what is left of other replies."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withstood.agents.prompted.tiered import Look, read_turn, reduced
from withstood.claims.finding import CounterReview, Evidence, Finding, Report
from withstood.errors import Misfit

PIECE = {"type": "code", "location": "app/pay.py:5", "snippet": "timeout=5", "strength": "STRONG"}
FOUND = {
    "id": "F7",
    "description": "the wait is too short",
    "cause": "timeout",
    "direction": "raise-limit",
    "evidence": [PIECE],
    "confidence": "HIGH",
    "alternatives": ["the bank is slow"],
}
HEAD = {
    "iid": "CODE-CALLCHAIN-R1",
    "confidence": "HIGH",
    "one_liner": "five seconds are not enough",
    "findings": [{"id": "F7", "strength": "STRONG"}],
    "needs_further": True,
    "reason": "the bank's side was not there",
    "scope": "bank/",
    "not_looked_at": ["logs"],
}
LAYERS = {"layer1": HEAD, "layer2": {"findings": [FOUND]}, "layer3": "the whole story"}
FLAT = {**{name: part for name, part in HEAD.items() if name != "iid"}, "findings": [FOUND], "full": "the whole story"}
EXPECTED = Report(
    "five seconds are not enough",
    "HIGH",
    (
        Finding(
            "F1",
            "the wait is too short",
            "timeout",
            "raise-limit",
            (Evidence("code", "app/pay.py:5", "timeout=5", "STRONG"),),
            "HIGH",
            ("the bank is slow",),
        ),
    ),
    True,
    "the bank's side was not there",
    "bank/",
    ("logs",),
    "the whole story",
)
CHALLENGE = {
    "item": "G1",
    "verdict": "WEAKENED",
    "challenge": "looked for a retry",
    "evidence": [PIECE],
    "impact": "less",
}


def read(wanted: type, value: Any) -> Any:
    return read_turn(wanted, json.dumps(value, ensure_ascii=False))


@pytest.mark.parametrize(
    "value",
    [
        LAYERS,
        FLAT,
        {"turn": LAYERS},
        {"turn": {"kind": "report", **LAYERS}},
        {"kind": "report", **FLAT},
        {**LAYERS, "layer2": {"findings": [{**FOUND, "strength": "STRONG"}]}},
        {"layer1": {**HEAD, "findings": ["F7"]}, "layer2": LAYERS["layer2"], "layer3": "the whole story"},
    ],
)
def test_a_report_in_layers_or_flat(value: Any) -> None:
    assert read(Report, value) == EXPECTED


def test_other_names_choices_and_nulls() -> None:
    piece = {**PIECE, "type": "Code", "strength": "strong"}
    found = {
        **{name: part for name, part in FOUND.items() if name not in ("direction", "alternatives", "id")},
        "recommended_direction": "raise-limit",
        "alternative_explanation": "the bank is slow",
        "evidence": [piece],
        "confidence": "high",
    }
    head = {
        **{name: part for name, part in HEAD.items() if name not in ("one_liner", "reason", "scope", "iid")},
        "one-liner": "five seconds are not enough",
        "needs_further": {"reason": "the bank's side was not there", "scope": "bank/"},
    }
    assert read(Report, {**LAYERS, "layer1": head, "layer2": {"findings": [found]}}) == EXPECTED
    assert read(Report, {"one_liner": "nothing wrong", "findings": None, "full": None}) == Report("nothing wrong")


def test_a_report_of_the_first_layer_alone() -> None:
    assert read(Report, {"layer1": {"one_liner": "nothing wrong"}}) == Report("nothing wrong")
    found = read(Report, {"layer1": {**HEAD, "findings": [{"id": "F1", "strength": "WEAK", "description": "a guess"}]}})
    assert found.findings == (Finding("F1", "a guess"),)


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({}, "one_liner"),
        ({"layer1": {}}, "layer1.one_liner"),
        ({**FLAT, "weight": 9}, "weight"),
        ({**FLAT, "reduced": True}, "reduced"),
        ({**LAYERS, "verdict": "Confirmed"}, "verdict"),
        ({**FLAT, "confidence": "CERTAIN"}, "confidence"),
        ({**FLAT, "findings": [{**FOUND, "standing": "AGREED"}]}, "findings[0].standing"),
        (
            {**FLAT, "findings": [{**FOUND, "evidence": [{**PIECE, "checked": True}]}]},
            "findings[0].evidence[0].checked",
        ),
        ({**FLAT, "findings": [{**FOUND, "evidence": [{**PIECE, "type": "rumour"}]}]}, "findings[0].evidence[0].type"),
        ([FLAT], "the whole"),
    ],
)
def test_what_is_refused_and_where(value: Any, place: str) -> None:
    with pytest.raises(Misfit) as fault:
        read(Report, value)
    assert fault.value.at == place


def test_a_wish_to_look() -> None:
    wish = {"tool": "list", "under": "app"}
    assert read(Report, {"turn": {"kind": "look", "requests": [wish, {"tool": "x"}]}}) == Look((wish, {"tool": "x"}))
    assert read(CounterReview, wish) == Look((wish,))
    with pytest.raises(Misfit):
        read(Report, {"requests": "list"})


def test_a_review() -> None:
    found = read(CounterReview, {"turn": {"kind": "review", "challenges": [CHALLENGE], "full": "all of it"}})
    assert (found.challenges[0].item, found.challenges[0].verdict, found.full) == ("G1", "WEAKENED", "all of it")
    assert found.challenges[0].evidence == EXPECTED.findings[0].evidence
    assert read(CounterReview, {"reviews": [{**CHALLENGE, "verdict": "upheld"}]}).challenges[0].verdict == "UPHELD"
    with pytest.raises(Misfit) as fault:
        read(CounterReview, {"challenges": [{**CHALLENGE, "weight": 3}]})
    assert fault.value.at == "challenges[0].weight"


@pytest.mark.parametrize(
    ("text", "headline"),
    [
        ("The wait is too short. It was thirty seconds before.", "The wait is too short."),
        ("기다리는 시간이 짧다. 전에는 30초였다.", "기다리는 시간이 짧다."),
        ('{"layer1": {"one_liner": "a \\"short\\" wait", "find', 'a "short" wait'),
        ("x" * 400, "x" * 300 + "…"),
    ],
)
def test_a_reply_in_another_form_is_reduced_to_a_headline(text: str, headline: str) -> None:
    assert reduced(text) == Report(headline, "LOW", full=text, reduced=True)


@pytest.mark.parametrize("text", ["", "  ", "{", '{"requests": [{"tool": "list"}]}', '{"one_liner": ""}', '[{"a": 1}]'])
def test_of_nothing_nothing_is_left(text: str) -> None:
    assert reduced(text) is None


@given(st.text(max_size=60))
def test_any_text_is_read_refused_or_reduced(text: str) -> None:
    for wanted in (Report, CounterReview):
        with suppress(Misfit):
            assert isinstance(read_turn(wanted, text), (wanted, Look))
    left = reduced(text)
    assert left is None or (left.reduced and left.one_liner and not left.findings)
