"""One POST: every way it can end, on a real connection."""

from __future__ import annotations

import asyncio
import email.utils
import socket
import sys
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.loopback import answer, cut_off, drip, loopback, raw
from tests.models.calls import SECRET, ask, call, chat, openai, settings
from withstood.errors import CallFailed, KeyRefused, MissingExtra, ModelUnavailable
from withstood.models import statuses, wire
from withstood.models.names import open_model
from withstood.models.port import Reply


def refused(status: int, message: str = "as told", headers: dict[str, str] | None = None) -> Any:
    return ask(answer(status, {"error": {"message": message}}, headers), openai)[0]


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_names_its_variable_and_not_itself(status: int) -> None:
    fault = refused(status, f"bad key {SECRET} and {SECRET[:10]}***")
    assert isinstance(fault, KeyRefused)
    assert "HERE_KEY" in str(fault) and "bad key" in str(fault)
    assert SECRET[:8] not in str(fault)


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (402, "pay"),
        (429, "insufficient_quota"),
        (429, "You exceeded your current quota, see billing"),
        (400, "Your credit balance is too low"),
    ],
)
def test_no_quota_is_said_as_such(status: int, message: str) -> None:
    fault = refused(status, message)
    assert isinstance(fault, ModelUnavailable)
    assert "quota" in str(fault)


@pytest.mark.parametrize(("status", "reached"), [(429, False), (503, False), (529, False), (408, True), (409, True)])
def test_a_passing_trouble_may_be_tried_again(status: int, reached: bool) -> None:
    fault = refused(status)
    assert isinstance(fault, CallFailed)
    assert (fault.again, fault.after, fault.reached) == (True, None, reached)


@pytest.mark.parametrize("status", [500, 501, 502, 504, 520, 599])
def test_a_fault_of_the_server_may_have_cost_money(status: int) -> None:
    fault = refused(status)
    assert isinstance(fault, CallFailed) and fault.again and fault.reached


@pytest.mark.parametrize("status", [400, 405, 413, 422])
def test_another_refusal_is_final_and_told_in_the_words_of_the_provider(status: int) -> None:
    fault = refused(status, "no such parameter")
    assert isinstance(fault, CallFailed) and not fault.again
    assert "no such parameter" in str(fault) and str(status) in str(fault)


def test_a_model_that_does_not_exist_stops_the_run() -> None:
    assert isinstance(refused(404, "no such model"), ModelUnavailable)


def test_a_long_message_is_shortened() -> None:
    assert len(str(refused(400, "x" * 5000))) < 500


@pytest.mark.parametrize(
    ("told", "waits"),
    [
        ("3", 3.0),
        ("1.5", 1.5),
        ("0", 0.0),
        ("86400", 60.0),
        ("soon", None),
        ("-5", None),
        ("9" * 400, None),
        ("", None),
    ],
)
def test_retry_after_in_seconds_is_honoured_and_capped(told: str, waits: float | None) -> None:
    assert refused(429, headers={"Retry-After": told}).after == waits


@pytest.mark.parametrize(("ahead", "least", "most"), [(20, 15, 20), (-100, 0, 0), (9999, 60, 60)])
def test_retry_after_as_a_date(ahead: int, least: float, most: float) -> None:
    fault = refused(503, headers={"Retry-After": email.utils.formatdate(time.time() + ahead, usegmt=True)})
    assert least <= fault.after <= most


def test_a_delay_in_the_body_makes_a_quota_message_a_rate_limit() -> None:
    details = [{"@type": "RetryInfo", "retryDelay": "37s"}]
    body = {"error": {"message": "You exceeded your current quota", "details": details}}
    fault = ask(answer(429, body), openai)[0]
    assert isinstance(fault, CallFailed) and fault.after == 37.0


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed(status: int) -> None:
    fault, server = ask(answer(status, b"", {"Location": "/elsewhere"}), openai)
    assert isinstance(fault, ModelUnavailable) and "final address" in str(fault)
    assert len(server.seen) == 1


@given(st.integers(100, 999), st.binary(max_size=200), st.text(max_size=40))
def test_every_status_means_something(status: int, body: bytes, told: str) -> None:
    fault = statuses.failure("here", status, {"retry-after": told}, body, None)
    assert isinstance(fault, (CallFailed, KeyRefused, ModelUnavailable))
    if isinstance(fault, CallFailed) and fault.after is not None:
        assert 0 <= fault.after <= statuses.LONGEST_WAIT


def test_an_answer_that_drips_past_the_deadline_is_given_up() -> None:
    fault = ask(drip(0.01), openai, deadline=0.3)[0]
    assert isinstance(fault, CallFailed) and fault.again and fault.reached
    assert "0.3 seconds" in str(fault)


def test_a_body_that_is_cut_off_is_never_read() -> None:
    fault = ask(cut_off(b'{"choices": []}'), openai)[0]
    assert isinstance(fault, CallFailed) and fault.again and fault.reached


def test_a_connection_that_is_closed_without_a_word() -> None:
    fault = ask(raw(b"", hang_up=True), openai)[0]
    assert isinstance(fault, CallFailed) and fault.again and fault.reached


def test_what_is_not_http_is_a_failed_call() -> None:
    assert isinstance(ask(raw(b"SSH-2.0-x\r\n\r\n", hang_up=True), openai)[0], CallFailed)


def test_a_refused_connection_never_reached_the_model() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        model = open_model(f"http://127.0.0.1:{taken.getsockname()[1]}/v1#m", settings())
        with pytest.raises(CallFailed) as caught:
            asyncio.run(_once(model))
    assert caught.value.again and not caught.value.reached


async def _once(model: Any) -> Reply:
    try:
        return await model.complete(call())
    finally:
        await model.close()


@pytest.mark.parametrize("body", [b"<html>", b"", b"\xff\xfe", b"[" * 200_000, b"1" * 5000])
def test_what_is_not_json_is_a_failed_call(body: bytes) -> None:
    fault = ask(answer(200, body), openai)[0]
    assert isinstance(fault, CallFailed) and fault.again


def test_a_body_over_the_limit_is_given_up() -> None:
    fault = ask(answer(200, b" " * (wire.MOST_BYTES + 1)), openai)[0]
    assert isinstance(fault, CallFailed) and not fault.again
    assert "8 MiB" in str(fault)


def test_a_compressed_body_is_not_opened() -> None:
    fault, server = ask(answer(200, b"\x1f\x8b", {"Content-Encoding": "gzip"}), openai)
    assert isinstance(fault, CallFailed) and not fault.again
    assert server.seen[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize(
    "say",
    [
        answer(400, {"error": {"message": f"you sent {SECRET}"}}),
        answer(500, f"Authorization: Bearer {SECRET}".encode()),
        answer(302, b"", {"Location": f"/{SECRET}"}),
        answer(200, f"<html>{SECRET}</html>".encode()),
        answer(200, f'"{SECRET}"'.encode()),
        answer(200, {"error": f"{SECRET}"}),
        answer(429, f'"{SECRET}" retry'.encode()),
    ],
)
def test_the_key_is_in_no_error(say: Any) -> None:
    fault = ask(say, openai)[0]
    while fault is not None:
        assert SECRET not in str(fault) and SECRET not in repr(fault)
        fault = fault.__cause__ or fault.__context__


def test_connections_are_kept() -> None:
    async def several() -> int:
        async with loopback(answer(200, chat())) as server:
            model = open_model(f"{server.url}/v1#m", settings())
            for _ in range(5):
                await model.complete(call())
            await model.close()
            return server.connections

    assert asyncio.run(several()) == 1


def test_a_cancelled_call_leaves_the_wire_usable() -> None:
    async def cancelled_then_whole() -> Reply:
        async with loopback(drip(0.01), answer(200, chat())) as server:
            model = open_model(f"{server.url}/v1#m", settings())
            task = asyncio.create_task(model.complete(call()))
            await asyncio.sleep(0.1)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            try:
                return await model.complete(call())
            finally:
                await model.close()

    assert asyncio.run(cancelled_then_whole()).text == '{"ok": true}'


def test_without_the_extra_the_message_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx2", None)
    with pytest.raises(MissingExtra, match=r"pip install 'withstood\[models\]'"):
        open_model("http://127.0.0.1:1/v1#m", settings())


@given(st.text(st.characters(), max_size=50))
def test_plain_text_can_be_stored_and_whole_text_is_left_alone(text: str) -> None:
    assert wire.plain(text).encode("utf-8").decode() == wire.plain(text)
    if not any("\ud800" <= sign <= "\udfff" for sign in text):
        assert wire.plain(text) == text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(st.sampled_from(["a", "b"]), part, max_size=3),
)


@given(JSON, st.integers(0, 10_000))
def test_hostile_counts_stay_in_bounds(usage: Any, most: int) -> None:
    count = wire.counted(usage, ("a", "b"), most)
    assert type(count) is int and 0 <= count <= most
