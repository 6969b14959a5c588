"""The batch endpoints of both providers: what goes out, what each status and each line of results means."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import pytest

from tests.fakes.loopback import Loopback, Say, answer, loopback
from tests.models.calls import SECRET
from withstood.errors import CallFailed, KeyRefused, ModelUnavailable
from withstood.models.anthropic_batches import AnthropicBatches
from withstood.models.gatherer import Looked, Sought
from withstood.models.keys import Key
from withstood.models.openai_batches import OpenAIBatches
from withstood.models.port import Batch
from withstood.models.wire import Address, Wire

T = TypeVar("T")
BATCH = Batch("0123abcd", "batch:here:m", ("k0", "k1", "k2"), 1_800_000_000)
BODIES = [b'{"n":0}', '{"n":"한글"}'.encode(), b'{"n":2}']
OURS = {"withstood": BATCH.stamp}
Kind = type[OpenAIBatches] | type[AnthropicBatches]


def asked(kind: Any, doing: Callable[[Any], Awaitable[T]], *says: Say) -> tuple[Any, Loopback]:
    """What came of it, or the error, and what the server saw."""

    async def talked() -> tuple[Any, Loopback]:
        async with loopback(*says) as server:
            headers = {"Authorization": f"Bearer {SECRET}"}
            address = Address("here:m", f"{server.url}/v1", headers, Key("HERE_KEY", SECRET))
            batches = kind("here:m", Wire(address, deadline=5, in_flight=2))
            try:
                return await doing(batches), server
            except Exception as fault:  # noqa: BLE001 - the test looks at it
                return fault, server
            finally:
                await batches.close()

    return asyncio.run(talked())


def lines(*found: Any) -> Say:
    return answer(200, "".join(json.dumps(one) + "\n" for one in found).encode())


# --- handing over ------------------------------------------------------------------------------


def test_openai_takes_a_file_and_then_the_batch() -> None:
    says = answer(200, {"id": "file-1"}), answer(200, {"id": "batch_1", "status": "validating"})
    name, server = asked(OpenAIBatches, lambda batches: batches.create(BATCH, BODIES), *says)
    assert name == "batch_1"
    upload, create = server.seen
    assert upload.line == "POST /v1/files HTTP/1.1"
    kind, edge = upload.headers["content-type"].split("; boundary=")
    assert kind == "multipart/form-data"
    _, purpose, file, end = upload.body.split(f"--{edge}".encode())
    assert purpose == b'\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n'
    assert end == b"--\r\n"
    head, content = file.split(b"\r\n\r\n", 1)
    assert b'name="file"; filename="0123abcd.jsonl"' in head
    found = [json.loads(line) for line in content.strip().split(b"\n")]
    assert [one["custom_id"] for one in found] == ["0123abcd-0", "0123abcd-1", "0123abcd-2"]
    assert [one["body"] for one in found] == [json.loads(body) for body in BODIES]
    assert {(one["method"], one["url"]) for one in found} == {("POST", "/v1/chat/completions")}
    assert create.line == "POST /v1/batches HTTP/1.1"
    assert create.json() == {
        "input_file_id": "file-1",
        "endpoint": "/v1/chat/completions",
        "completion_window": "24h",
        "metadata": OURS,
    }
    assert {one.headers["authorization"] for one in server.seen} == {f"Bearer {SECRET}"}


def test_anthropic_takes_all_in_one_request() -> None:
    name, server = asked(AnthropicBatches, lambda batches: batches.create(BATCH, BODIES), answer(200, {"id": "mb_1"}))
    assert name == "mb_1"
    (request,) = server.seen
    assert request.line == "POST /v1/messages/batches HTTP/1.1"
    named = [{"custom_id": f"0123abcd-{no}", "params": json.loads(body)} for no, body in enumerate(BODIES)]
    assert request.json() == {"requests": named}


@pytest.mark.parametrize("kind", [OpenAIBatches, AnthropicBatches])
@pytest.mark.parametrize("name", [None, 7, "", "../../v1/else", "a b", "x" * 129])
def test_an_id_that_cannot_be_one_is_none(kind: Kind, name: Any) -> None:
    fault, server = asked(kind, lambda batches: batches.create(BATCH, BODIES), answer(200, {"id": name}))
    assert isinstance(fault, CallFailed) and len(server.seen) == 1


@pytest.mark.parametrize("kind", [OpenAIBatches, AnthropicBatches])
def test_a_key_that_is_refused(kind: Kind) -> None:
    fault, _ = asked(kind, lambda batches: batches.create(BATCH, BODIES), answer(401, {"error": {"message": SECRET}}))
    assert isinstance(fault, KeyRefused) and SECRET not in str(fault)


# --- looking -----------------------------------------------------------------------------------


def looked(kind: Kind, found: dict[str, Any]) -> Any:
    return asked(kind, lambda batches: batches.look("b1"), answer(200, {"id": "b1", **found}))[0]


@pytest.mark.parametrize(
    ("status", "over"),
    [
        *[(status, False) for status in ("validating", "in_progress", "finalizing", "cancelling")],
        *[(status, True) for status in ("completed", "failed", "expired", "cancelled")],
    ],
)
def test_every_status_of_openai(status: str, over: bool) -> None:
    counts = {"total": 9, "completed": 3, "failed": 1}
    found = looked(OpenAIBatches, {"status": status, "request_counts": counts, "output_file_id": "f1"})
    assert (found.over, found.done, found.places) == (over, 4, ("/files/f1/content",))
    parks = isinstance(found.why, ModelUnavailable)
    assert parks if status == "failed" else (found.why.again and found.why.free)


def test_why_a_batch_failed_is_told() -> None:
    errors = {"data": [{"code": "token_limit_exceeded", "message": "Enqueued token limit reached"}]}
    found = looked(OpenAIBatches, {"status": "failed", "errors": errors})
    assert found.places == () and "Enqueued token limit reached" in str(found.why) and "--in-flight" in str(found.why)


@pytest.mark.parametrize(("status", "over"), [("in_progress", False), ("canceling", False), ("ended", True)])
def test_every_status_of_anthropic(status: str, over: bool) -> None:
    counts = {"processing": 2, "succeeded": 3, "errored": 1, "canceled": 0, "expired": 1}
    found = looked(AnthropicBatches, {"processing_status": status, "request_counts": counts})
    assert (found.over, found.done, found.places) == (over, 5, ("/messages/batches/b1/results",))


@pytest.mark.parametrize("kind", [OpenAIBatches, AnthropicBatches])
def test_a_status_that_nobody_knows_is_no_end(kind: Kind) -> None:
    assert isinstance(looked(kind, {"status": "resting", "processing_status": "resting"}), CallFailed)


@pytest.mark.parametrize("kind", [OpenAIBatches, AnthropicBatches])
def test_a_batch_that_is_not_there(kind: Kind) -> None:
    assert asked(kind, lambda batches: batches.look("b1"), answer(404, {"error": "none"}))[0] is None
    where = Looked(True, places=("/files/f1/content",))
    assert asked(kind, lambda batches: batches.results(BATCH, where), answer(404, {"error": "none"}))[0] is None


# --- results -----------------------------------------------------------------------------------


def of_openai(no: object, status: int = 200, **more: Any) -> dict[str, Any]:
    return {
        "custom_id": f"0123abcd-{no}",
        "response": {"status_code": status, "body": {"no": no}},
        "error": None,
    } | more


def test_the_results_of_openai() -> None:
    expired = {"code": "batch_expired", "message": "not in time"}
    found, server = asked(
        OpenAIBatches,
        lambda batches: batches.results(BATCH, Looked(True, places=("/files/f1/content", "/files/f2/content"))),
        lines(of_openai(1), "no object", {"custom_id": "another-0"}, of_openai(9), of_openai("x")),
        lines(of_openai(0, 400), of_openai(2, response=None, error=expired)),
    )
    assert [request.line.split()[1] for request in server.seen] == ["/v1/files/f1/content", "/v1/files/f2/content"]
    assert sorted(found) == [0, 1, 2]
    assert found[1] == {"no": 1}
    assert (found[0].again, found[0].free) == (False, True)
    assert (found[2].again, found[2].free) == (True, True) and "not in time" in str(found[2])


@pytest.mark.parametrize(("status", "again"), [(500, True), (429, True), (400, False)])
def test_a_failed_call_of_openai_costs_nothing(status: int, again: bool) -> None:
    where = Looked(True, places=("/files/f1/content",))
    found, _ = asked(OpenAIBatches, lambda batches: batches.results(BATCH, where), lines(of_openai(0, status)))
    assert (found[0].again, found[0].free) == (again, True)


def test_a_call_that_was_refused_for_its_key_parks_the_run() -> None:
    where = Looked(True, places=("/files/f1/content",))
    found, _ = asked(OpenAIBatches, lambda batches: batches.results(BATCH, where), lines(of_openai(0, 401)))
    assert isinstance(found[0], KeyRefused)


def of_anthropic(no: int, kind: str, **more: Any) -> dict[str, Any]:
    return {"custom_id": f"0123abcd-{no}", "result": {"type": kind, **more}}


def test_the_results_of_anthropic() -> None:
    error = {"type": "error", "error": {"type": "invalid_request_error", "message": "too long"}}
    found, _ = asked(
        AnthropicBatches,
        lambda batches: batches.results(BATCH, Looked(True, places=("/messages/batches/b1/results",))),
        lines(
            of_anthropic(2, "errored", error=error),
            of_anthropic(0, "succeeded", message={"content": []}),
            of_anthropic(1, "expired"),
        ),
    )
    assert found[0] == {"content": []}
    assert (found[1].again, found[1].free) == (True, True)
    assert (found[2].again, found[2].free) == (False, True) and "too long" in str(found[2])


@pytest.mark.parametrize(
    ("kind", "again"),
    [("api_error", True), ("overloaded_error", True), ("invalid_request_error", False), ("permission_error", False)],
)
def test_which_errors_of_anthropic_may_pass(kind: str, again: bool) -> None:
    line = of_anthropic(0, "errored", error={"type": "error", "error": {"type": kind, "message": "m"}})
    where = Looked(True, places=("/messages/batches/b1/results",))
    found, _ = asked(AnthropicBatches, lambda batches: batches.results(BATCH, where), lines(line))
    assert (found[0].again, found[0].free) == (again, True)


# --- finding -----------------------------------------------------------------------------------


def found_by(kind: Kind, *says: Say, others: tuple[str, ...] = ()) -> tuple[Any, Loopback]:
    return asked(kind, lambda batches: batches.find(BATCH, others), *says)


def page(*listed: dict[str, Any], more: bool = False) -> Say:
    return answer(200, {"data": list(listed), "has_more": more})


def test_openai_has_our_stamp_in_its_list() -> None:
    first = page({"id": "b9", "created_at": BATCH.at + 9, "metadata": None}, more=True)
    second = page({"id": "b8", "created_at": BATCH.at, "metadata": OURS}, {"id": "b7", "metadata": {}})
    found, server = found_by(OpenAIBatches, first, second)
    assert found == Sought("b8")
    assert [request.line.split()[1] for request in server.seen] == [
        "/v1/batches?limit=100",
        "/v1/batches?limit=100&after=b9",
    ]


def test_the_list_is_read_back_to_a_day_before_the_intent() -> None:
    recent = page({"id": "b2", "created_at": BATCH.at - 80_000}, more=True)
    old = page({"id": "b1", "created_at": BATCH.at - 90_000}, more=True)
    found, server = found_by(OpenAIBatches, recent, old)
    assert found == Sought(None) and len(server.seen) == 2


def listed(name: str, status: str, calls: int = 3, created: str = "2027-01-15T08:00:00Z") -> dict[str, Any]:
    part = "processing" if status == "in_progress" else "succeeded"
    return {"id": name, "processing_status": status, "created_at": created, "request_counts": {part: calls}}


def test_anthropic_shows_our_stamp_in_the_results() -> None:
    says = (
        page(listed("b3", "ended"), listed("b2", "ended", calls=2), listed("b1", "ended")),
        lines({"custom_id": "a stranger's"}),
        lines(of_anthropic(1, "expired")),
    )
    found, server = found_by(AnthropicBatches, *says)
    assert found == Sought("b1")
    asked_for = [request.line.split()[1].removeprefix("/v1/messages/batches") for request in server.seen]
    assert asked_for == ["?limit=100", "/b3/results", "/b1/results"]


@pytest.mark.parametrize(
    ("one", "sure"),
    [
        (listed("b1", "in_progress"), False),
        (listed("b1", "in_progress", calls=4), True),
        (listed("known", "in_progress"), True),
        (listed("b1", "in_progress", created="2027-01-13T00:00:00Z"), True),
    ],
)
def test_a_batch_that_goes_on_may_be_ours(one: dict[str, Any], sure: bool) -> None:
    assert found_by(AnthropicBatches, page(one), others=("known",))[0] == Sought(None, sure)


@pytest.mark.parametrize("kind", [OpenAIBatches, AnthropicBatches])
def test_an_address_without_batches(kind: Kind) -> None:
    assert isinstance(found_by(kind, answer(404, {"error": "none"}))[0], ModelUnavailable)
