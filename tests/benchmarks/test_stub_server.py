"""The stub model server: valid answers by schema, the same for the same prompt, faults on demand, an honest bill."""

from __future__ import annotations

import hashlib
import http.client
import json
import subprocess
import sys
import time
from collections import Counter
from typing import Any, NamedTuple

import pytest

from benchmarks.stub_process import SERVER, Served
from tests.conftest import Serve
from withstood import form
from withstood.claims.ballot import Review
from withstood.claims.opinion import Reading

TEXT = "The screen is sharp but the battery hardly lasts a day"
TABLE = '\n[{"tuple_id": "t0"}, {"tuple_id": "t1"}, {"tuple_id": "t2"}]'


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: Any

    @property
    def content(self) -> Any:
        return json.loads(self.body["choices"][0]["message"]["content"])


def body(wanted: Any, text: str = TEXT, system: str = "refs: food#taste, a#b", more: str = "") -> bytes:
    turns = [
        {"role": "system", "content": system},
        {"role": "user", "content": json.dumps(text) + more},
    ]
    schema = {"name": wanted.__name__, "schema": form.schema(wanted)}
    return json.dumps({"model": "m", "messages": turns, "response_format": {"json_schema": schema}}).encode()


def post(stub: Served, sent: bytes, path: str = "/v1/chat/completions", **headers: str) -> Answer:
    line = http.client.HTTPConnection("127.0.0.1", stub.port, timeout=5)
    try:
        line.request("POST", path, sent, {name.replace("_", "-"): value for name, value in headers.items()})
        reply = line.getresponse()
        named = {name.lower(): value for name, value in reply.getheaders()}
        return Answer(reply.status, named, json.loads(reply.read()))
    finally:
        line.close()


def test_readings_fit_their_schema_and_their_text(serve: Serve) -> None:
    stub, sizes, refs = serve(), Counter[int](), set[str | None]()
    for number in range(60):
        text = f"{TEXT} {number}"
        reading = form.read(Reading, form.loads(json.dumps(post(stub, body(Reading, text)).content)))
        sizes[len(reading.triplets)] += 1
        refs |= {triplet.aspect_ref for triplet in reading.triplets}
        assert all(triplet.aspect_term in text for triplet in reading.triplets)
        assert {triplet.polarity for triplet in reading.triplets} <= {"positive", "negative", "neutral", "mixed"}
    assert set(sizes) == {0, 1, 2, 3}
    assert refs == {"food#taste", "a#b", None}


def test_reviewers_agree_and_disagree_on_the_tuples_of_the_prompt(serve: Serve) -> None:
    stub, distinct = serve(), Counter[int]()
    for number in range(40):
        votes = dict[str, set[str]]()
        for system in "ABC":
            sent = body(Review, f"{TEXT} {number}", system, TABLE)
            for action in form.read(Review, post(stub, sent).content).review_actions:
                votes.setdefault(action.target_tuple_ids[0], set()).add(action.action_type)
        assert sorted(votes) == ["t0", "t1", "t2"]
        distinct.update(len(said) for said in votes.values())
    assert set(distinct) == {1, 2, 3}


def test_reviewers_stay_with_the_flagged_tuples(serve: Serve) -> None:
    flags = TABLE + '\n[{"conflict_type": "x", "tuple_ids": ["t0", "t2"]}]'
    actions = post(serve(), body(Review, more=flags)).content["review_actions"]
    assert [action["target_tuple_ids"] for action in actions] == [["t0"], ["t2"]]


def test_answers_depend_on_the_seed_and_the_prompt_only(serve: Serve) -> None:
    sent = [body(Reading, f"{TEXT} {number}") for number in range(8)]
    first, again, other = (
        [post(stub, one).body for one in order]
        for stub, order in ((serve(), sent), (serve(), sent), (serve("--seed", "1"), sent))
    )
    assert first == again
    assert first != other


def test_anthropic_messages(serve: Serve) -> None:
    stub = serve()
    sent = {"model": "m", "system": "s", "messages": [{"role": "user", "content": [{"type": "text", "text": TEXT}]}]}
    shape = {"type": "json_schema", "schema": form.schema(Reading)}
    tool = {"tools": [{"name": "reading", "input_schema": form.schema(Reading)}]}
    for extra in ({"output_format": shape}, {"output_config": {"format": shape}}, tool):
        answer = post(stub, json.dumps(sent | extra).encode(), "/v1/messages").body
        part = answer["content"][0]
        form.read(Reading, form.loads(json.dumps(part["input"]) if "input" in part else part["text"]))
        assert answer["stop_reason"] == ("tool_use" if "tools" in extra else "end_turn")
        assert min(answer["usage"].values()) > 0


@pytest.mark.parametrize(
    ("kind", "status"),
    [("429", 429), ("quota", 429), ("401", 401), ("400", 400), ("500", 500), ("503", 503), ("redirect", 302)],
)
def test_a_fault_by_header(serve: Serve, kind: str, status: int) -> None:
    answer = post(serve("--retry-after", "7"), body(Reading), x_stub_fault=kind)
    assert answer.status == status
    assert answer.headers.get("retry-after") == ("7" if kind in ("429", "503") else None)
    assert answer.body["error"]["message"]


def test_spoiled_answers(serve: Serve) -> None:
    stub = serve()
    prose, long, usage, refusal = (
        post(stub, body(Reading), x_stub_fault=kind) for kind in ("prose", "length", "usage", "refusal")
    )
    for spoiled in (prose, long):
        with pytest.raises(json.JSONDecodeError):
            _ = spoiled.content
    assert long.body["choices"][0]["finish_reason"] == "length"
    assert usage.body["usage"]["prompt_tokens"] < 0
    assert refusal.body["choices"][0]["message"]["content"] is None


def test_a_reply_that_breaks_off_and_one_that_hangs(serve: Serve) -> None:
    stub = serve("--drip-pause", "1")
    with pytest.raises(http.client.IncompleteRead):
        post(stub, body(Reading), x_stub_fault="cut")
    for kind in ("drip", "hang"):
        line = http.client.HTTPConnection("127.0.0.1", stub.port, timeout=0.3)
        line.request("POST", "/v1/chat/completions", body(Reading), {"x-stub-fault": kind})
        with pytest.raises(TimeoutError):
            line.getresponse()
        line.close()


def test_an_answer_that_nobody_waits_for_is_not_billed_as_heard(serve: Serve) -> None:
    stub = serve("--latency", "0.2")
    for headers in ({}, {"x-stub-fault": "hang"}):
        line = http.client.HTTPConnection("127.0.0.1", stub.port, timeout=5)
        line.request("POST", "/v1/chat/completions", body(Reading), headers)
        line.close()
    deadline = time.monotonic() + 5
    while stub.bill()["in_flight"] and time.monotonic() < deadline:
        time.sleep(0.02)
    bill = stub.bill()
    assert (bill["requests"], bill["answers"], bill["abandoned"], bill["in_flight"]) == (2, 0, 2, 0)


def test_a_mark_in_the_prompt_counts_its_times(serve: Serve) -> None:
    stub = serve()
    always, twice = body(Reading, "[[stub:500]] x"), body(Reading, "[[stub:503*2]] x")
    assert [post(stub, always).status for _ in range(3)] == [500, 500, 500]
    assert [post(stub, twice).status for _ in range(3)] == [503, 503, 200]


def test_faults_come_at_their_rate_and_by_seed(serve: Serve) -> None:
    def statuses(stub: Served) -> list[int]:
        return [post(stub, body(Reading, f"{TEXT} {number}")).status for number in range(120)]

    first = statuses(serve("--fault", "500=0.2", "--fault", "429=0.1"))
    assert first == statuses(serve("--fault", "500=0.2", "--fault", "429=0.1"))
    assert 10 < first.count(500) < 40
    assert 2 < first.count(429) < 26


def test_the_bill_counts_everything_once(serve: Serve) -> None:
    stub, sent, began = serve("--latency", "0.05"), body(Reading), time.time()
    used = [post(stub, sent).body["usage"] for _ in range(2)]
    post(stub, body(Review))
    bill = stub.bill()
    assert (bill["requests"], bill["answers"], bill["in_flight"], bill["repeats"]) == (3, 3, 0, 1)
    assert bill["by_schema"] == {"Reading": 2, "Review": 1}
    assert bill["tokens_in"] > sum(usage["prompt_tokens"] for usage in used)
    assert began <= bill["first_request"] <= bill["last_answer"] - 0.15 <= time.time()
    assert stub.requests()[hashlib.sha256(sent).hexdigest()] == 2
    stub.reset()
    assert stub.bill()["requests"] == 0


def test_what_is_no_request_is_refused(serve: Serve) -> None:
    stub = serve()
    assert [post(stub, sent).status for sent in (b"", b"{", b"[]", b"{}", b'{"messages": [1]}')] == [400] * 5
    assert post(stub, b"{}", "/v1/nothing").status == 404


def test_it_ends_with_its_parents_pipe() -> None:
    child = subprocess.Popen([sys.executable, str(SERVER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdin and child.stdout
    assert int(child.stdout.readline()) > 0
    child.stdin.close()
    assert child.wait(5) == 0
    child.stdout.close()


def test_it_ends_by_itself() -> None:
    done = subprocess.run(
        [sys.executable, str(SERVER), "--seconds", "0.1"],
        stdin=subprocess.DEVNULL,
        timeout=5,
        check=False,
        capture_output=True,
    )
    assert done.returncode == 0
