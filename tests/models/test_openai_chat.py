"""Chat completions: what goes out, what comes in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.fakes.loopback import answer
from tests.models.calls import SCHEMA, SECRET, ask, call, chat, openai
from withstood.errors import CallFailed
from withstood.models.port import Reply, Turn
from withstood.models.settings import Endpoint


def reply(body: dict[str, Any]) -> Any:
    return ask(answer(200, body), openai)[0]


def test_what_goes_out() -> None:
    asked = call(Turn("bad", "again"))
    server = ask(answer(200, chat()), openai, asked=asked)[1]
    request = server.seen[0]
    assert request.line == "POST /v1/chat/completions HTTP/1.1"
    assert request.headers["authorization"] == f"Bearer {SECRET}"
    body = request.json()
    assert [turn["role"] for turn in body["messages"]] == ["system", "user", "assistant", "user"]
    assert [turn["content"] for turn in body["messages"]] == [asked.system, asked.user, "bad", "again"]
    form = {"name": "answer", "strict": True, "schema": SCHEMA}
    assert body["response_format"] == {"type": "json_schema", "json_schema": form}
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("some-model", 0, 100)
    assert not {"case", "role", "round"} & body.keys()


def test_the_text_goes_out_as_it_is() -> None:
    asked = call(user='한글 \U0001f600 \x00 " \\ \u2028')
    body = ask(answer(200, chat()), openai, asked=asked)[1].seen[0]
    assert body.json()["messages"][1]["content"] == asked.user
    assert "한글".encode() in body.body


def test_half_a_surrogate_pair_does_not_stop_a_call() -> None:
    assert isinstance(ask(answer(200, chat()), openai, asked=call(user="\ud800"))[0], Reply)


@pytest.mark.parametrize(
    ("mode", "sent"), [("json_object", {"response_format": {"type": "json_object"}}), ("none", {})]
)
def test_servers_that_lack_schemas(mode: Any, sent: dict[str, Any]) -> None:
    body = ask(answer(200, chat()), lambda url: replace(openai(url), schema_mode=mode))[1].seen[0].json()
    assert {name: body[name] for name in body if name == "response_format"} == sent


def test_temperature_may_be_left_out() -> None:
    body = ask(answer(200, chat()), lambda url: Endpoint(url=url, temperature=False))[1].seen[0].json()
    assert "temperature" not in body


def test_an_answer() -> None:
    assert reply(chat()) == Reply('{"ok": true}', 7, 3, "stop")


@pytest.mark.parametrize("finish", ["length", "tool_calls", "something new", None])
def test_an_end_that_is_not_known_to_be_whole_counts_as_cut_off(finish: str | None) -> None:
    assert reply(chat(finish=finish)).finish == "length"


def test_a_refusal_says_why() -> None:
    assert reply(chat(None, message={"refusal": "I will not"})) == Reply(
        "the model refused: I will not", 7, 3, "refused"
    )


def test_a_content_filter_is_a_refusal() -> None:
    found = reply(chat("half a sen", finish="content_filter"))
    assert found.finish == "refused" and "half a sen" not in found.text


def test_no_content_is_an_empty_answer() -> None:
    assert reply(chat(None)).text == ""


@pytest.mark.parametrize(
    "body", [{}, {"choices": []}, {"choices": None}, {"choices": [1]}, {"choices": [{}]}, {"error": "busy"}]
)
def test_no_choice_is_a_failed_call(body: dict[str, Any]) -> None:
    fault = reply(body)
    assert isinstance(fault, CallFailed) and not fault.again


@pytest.mark.parametrize("bad", [-1, "12", 1.5, True, None, [], {}])
def test_a_count_that_makes_no_sense_is_booked_at_its_maximum(bad: Any) -> None:
    found = reply(chat(usage={"prompt_tokens": bad, "completion_tokens": bad}))
    assert found.tokens_out == 100
    assert found.tokens_in > 300


@pytest.mark.parametrize("usage", [None, "many", [], {}])
def test_no_usage_is_booked_at_its_maximum(usage: Any) -> None:
    assert reply(chat(usage=usage)).tokens_out == 100


def test_a_huge_count_is_cut_to_what_is_possible() -> None:
    found = reply(chat(usage={"prompt_tokens": 10**30, "completion_tokens": 10**30}))
    assert found.tokens_out == 100 and found.tokens_in < 2000
