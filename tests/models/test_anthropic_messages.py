"""Messages: what goes out, what comes in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.fakes.loopback import answer
from tests.models.calls import SCHEMA, SECRET, anthropic, ask, call
from withstood.errors import CallFailed
from withstood.models.port import Reply, Turn


def said(*texts: str, stop: str | None = "end_turn", **more: Any) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "thinking", "thinking": "hm"}]
    content += [{"type": "text", "text": text} for text in texts]
    usage = {"input_tokens": 5, "cache_read_input_tokens": 4, "cache_creation_input_tokens": None, "output_tokens": 3}
    return {"type": "message", "content": content, "stop_reason": stop, "usage": usage} | more


def reply(body: dict[str, Any]) -> Any:
    return ask(answer(200, body), anthropic)[0]


def test_what_goes_out() -> None:
    asked = call(Turn("bad", "again"))
    request = ask(answer(200, said("{}")), anthropic, asked=asked)[1].seen[0]
    assert request.line == "POST /v1/messages HTTP/1.1"
    assert (request.headers["x-api-key"], request.headers["anthropic-version"]) == (SECRET, "2023-06-01")
    body = request.json()
    assert body["system"] == [{"type": "text", "text": asked.system, "cache_control": {"type": "ephemeral"}}]
    assert [(turn["role"], turn["content"]) for turn in body["messages"]] == [
        ("user", asked.user),
        ("assistant", "bad"),
        ("user", "again"),
    ]
    assert body["output_config"] == {"format": {"type": "json_schema", "schema": SCHEMA}}
    assert (body["model"], body["max_tokens"]) == ("some-model", 100)
    assert "temperature" not in body


def test_temperature_and_schema_are_settings() -> None:
    told = ask(answer(200, said("{}")), lambda url: replace(anthropic(url), temperature=True, schema_mode="none"))
    body = told[1].seen[0].json()
    assert body["temperature"] == 0 and "output_config" not in body


def test_an_answer_is_the_text_and_every_token_counts() -> None:
    assert reply(said('{"a":', "1}")) == Reply('{"a":1}', 9, 3, "stop")


@pytest.mark.parametrize("stop", ["max_tokens", "model_context_window_exceeded", "pause_turn", "new", None])
def test_an_end_that_is_not_known_to_be_whole_counts_as_cut_off(stop: str | None) -> None:
    assert reply(said("{}", stop=stop)).finish == "length"


def test_a_refusal() -> None:
    assert reply(said(stop="refusal")) == Reply("the model refused", 9, 3, "refused")
    assert reply(said("no", stop="refusal")).text == "the model refused: no"


@pytest.mark.parametrize("body", [{}, {"content": "text"}, {"content": None}])
def test_no_content_is_a_failed_call(body: dict[str, Any]) -> None:
    assert isinstance(reply(body), CallFailed)


@pytest.mark.parametrize("content", [[], [1, None], [{"type": "text"}], [{"type": "text", "text": 5}]])
def test_odd_blocks_are_no_text(content: list[Any]) -> None:
    assert reply(said(content=content)).text == ""
