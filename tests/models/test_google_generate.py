"""generateContent: what goes out, what comes in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.fakes.loopback import answer
from tests.models.calls import SCHEMA, SECRET, ask, call, google
from withstood.errors import CallFailed, KeyRefused
from withstood.models.port import Reply, Turn


def said(*parts: dict[str, Any], reason: str | None = "STOP", **more: Any) -> dict[str, Any]:
    usage = {"promptTokenCount": 6, "candidatesTokenCount": 2, "thoughtsTokenCount": 30}
    candidate = {"content": {"role": "model", "parts": list(parts)}, "finishReason": reason}
    return {"candidates": [candidate], "usageMetadata": usage} | more


def reply(body: dict[str, Any]) -> Any:
    return ask(answer(200, body), google)[0]


def test_what_goes_out() -> None:
    asked = call(Turn("bad", "again"))
    request = ask(answer(200, said({"text": "{}"})), google, asked=asked)[1].seen[0]
    assert request.line == "POST /v1beta/models/some-model:generateContent HTTP/1.1"
    assert request.headers["x-goog-api-key"] == SECRET
    body = request.json()
    assert body["systemInstruction"] == {"parts": [{"text": asked.system}]}
    assert [(turn["role"], turn["parts"][0]["text"]) for turn in body["contents"]] == [
        ("user", asked.user),
        ("model", "bad"),
        ("user", "again"),
    ]
    assert body["generationConfig"] == {
        "temperature": 0,
        "maxOutputTokens": 100,
        "responseMimeType": "application/json",
        "responseJsonSchema": SCHEMA,
    }


@pytest.mark.parametrize(("mode", "left"), [("json_object", {"responseMimeType"}), ("none", set[str]())])
def test_the_schema_is_a_setting(mode: Any, left: set[str]) -> None:
    body = ask(answer(200, said({"text": "{}"})), lambda url: replace(google(url), schema_mode=mode))[1].seen[0].json()
    assert body["generationConfig"].keys() - {"temperature", "maxOutputTokens"} == left


def test_an_answer_leaves_thoughts_out_and_counts_them() -> None:
    assert reply(said({"text": "hm", "thought": True}, {"text": "{}"})) == Reply("{}", 6, 32, "stop")


@pytest.mark.parametrize("reason", ["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"])
def test_filters_are_refusals(reason: str) -> None:
    found = reply(said({"text": "half"}, reason=reason))
    assert found.finish == "refused" and reason in found.text and "half" not in found.text


@pytest.mark.parametrize("reason", ["MAX_TOKENS", "OTHER", "MALFORMED_FUNCTION_CALL", None])
def test_an_end_that_is_not_known_to_be_whole_counts_as_cut_off(reason: str | None) -> None:
    assert reply(said({"text": "{}"}, reason=reason)).finish == "length"


def test_a_blocked_prompt_is_a_refusal_that_made_no_tokens() -> None:
    found = reply({"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 6}})
    assert found == Reply("a content filter refused: SAFETY", 6, 0, "refused")


@pytest.mark.parametrize("body", [{}, {"candidates": []}, {"candidates": [3]}, {"promptFeedback": {}}])
def test_no_candidate_and_no_reason_is_a_failed_call(body: dict[str, Any]) -> None:
    assert isinstance(reply(body), CallFailed)


@pytest.mark.parametrize("content", [None, {}, {"parts": None}, {"parts": [1, {"text": 5}]}])
def test_odd_content_is_no_text(content: Any) -> None:
    assert reply({"candidates": [{"content": content, "finishReason": "STOP"}]}).text == ""


def test_a_bad_key_is_told_with_status_400() -> None:
    fault = ask(answer(400, {"error": {"message": "API key not valid. Please pass a valid API key."}}), google)[0]
    assert isinstance(fault, KeyRefused)
