"""The loop over every kind of model, under the engine's line, and against a model that obeys an attacker."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks import stub_inquiry
from tests.agents.prompted.inquiries import cast, challenge, look, report, review, survey
from tests.agents.tools.places import place
from tests.conftest import Serve
from tests.fakes.listeners import Heard
from tests.fakes.loopback import answer as says
from tests.fakes.loopback import loopback
from tests.fakes.models import ListedModel, OpenLine, ToldModel
from tests.fakes.stores import MemoryStore
from tests.models.calls import settings as configured
from withstood.agents.prompted.inquirer import Allowance, PromptedInquirer
from withstood.agents.tools.requests import OF_SOURCE, TOOLS
from withstood.claims.finding import CounterReview, Report
from withstood.engine.limits import Ledger, Limits
from withstood.engine.line import Exchange, Health, JournaledLine
from withstood.engine.pace import Pace
from withstood.engine.recall import Recall
from withstood.errors import LimitReached
from withstood.journal.port import Record
from withstood.models.names import open_model
from withstood.models.port import Call, Model, Reply
from withstood.models.settings import Endpoint, Settings
from withstood.protocols.asks import Ask, Silent
from withstood.sources.workspace import Workspace

READ = {"tool": "read", "path": "app/pay.py"}


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    with place(tmp_path_factory.mktemp("models")) as found:
        yield found


def asked(space: Workspace, model: Model, ask: Ask[Any]) -> Any:
    async def once() -> Any:
        try:
            return await PromptedInquirer(model, space, cast(), Allowance(turns=4)).answer(ask, OpenLine())
        finally:
            await model.close()

    return asyncio.run(once())


async def playing(call: Call) -> Reply:
    """The stub's investigator, without a wire."""
    user = "\n".join([call.user, *[part for turn in call.earlier for part in (turn.said, turn.then)]])
    return Reply(json.dumps(stub_inquiry.turn(call.schema, user)))


# --- every kind of model ---


@pytest.mark.parametrize("iid", ["CODE-CALLCHAIN-R1", "LOG-STACKTRACE-R1", "HIST-RECENT-R1"])
def test_the_stub_plays_an_investigator(space: Workspace, iid: str) -> None:
    model = ToldModel(playing)
    found = asked(space, model, survey(iid))
    assert isinstance(found, Report) and not found.reduced and len(model.calls) == 3
    assert found.findings and all(one.evidence and one.evidence[0].snippet for one in found.findings)
    assert found.findings[0].cause == "timeout"


def test_the_stub_plays_a_counter_reviewer(space: Workspace) -> None:
    found = asked(space, ToldModel(playing), challenge("G1", "G2"))
    assert isinstance(found, CounterReview) and [one.item for one in found.challenges] == ["G1", "G2"]


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_over_the_wires_of_the_stub_server(space: Workspace, serve: Serve, kind: Any) -> None:
    served = serve()
    endpoint = Endpoint(kind, url=served.openai)
    model = open_model("house:stub", Settings(endpoints={"house": endpoint}, environment={}))
    found = asked(space, model, survey())
    assert isinstance(found, Report) and not found.reduced and found.findings
    assert served.bill()["requests"] == 3


def test_over_the_wire_of_google(space: Workspace) -> None:
    def said(text: str) -> Any:
        parts = {"content": {"parts": [{"text": text}]}, "finishReason": "STOP"}
        return says(200, {"candidates": [parts], "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1}})

    async def once() -> tuple[Any, Any]:
        async with loopback(said(look(READ)), said(report("short"))) as server:
            endpoint = Endpoint("google", url=server.url)
            model = open_model("house:m", Settings(endpoints={"house": endpoint}, environment={}))
            found = await PromptedInquirer(model, space, cast()).answer(survey(), OpenLine())
            await model.close()
            return found, server.seen[1].json()

    found, body = asyncio.run(once())
    assert found.one_liner == "short"
    assert [turn["role"] for turn in body["contents"]] == ["user", "model", "user"]
    assert "[r1] read" in body["contents"][2]["parts"][0]["text"]


def test_with_the_claude_command(space: Workspace, tmp_path: Path) -> None:
    said = {"look": look(READ), "report": report("short")}
    program = (
        f"#!{sys.executable}\nimport json, sys\nsaid = {said!r}\nheard = sys.stdin.read()\n"
        "answer = said['report' if '[r1] read' in heard else 'look']\n"
        "print(json.dumps({'type': 'result', 'is_error': False, 'result': answer, 'usage': {}}))\n"
    )
    (tmp_path / "claude").write_text(program)
    (tmp_path / "claude").chmod(0o755)
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin", "HOME": str(tmp_path)}
    assert asked(space, open_model("claude:m", configured(20.0, environment)), survey()).one_liner == "short"


def test_a_scripted_answer_is_the_report_at_once(space: Workspace, tmp_path: Path) -> None:
    layers = {"layer1": {"iid": "CODE-CALLCHAIN-R1", "one_liner": "scripted", "confidence": "LOW"}, "layer3": "all"}
    lines = [
        {"case": "*", "role": "CODE-CALLCHAIN-R1", "answer": layers},
        {"case": "*", "role": "CODE-CONFIG-R1", "answer": {"one_liner": "flat"}},
        {"case": "*", "role": "CODE-RESOURCE-R1", "silent": "gone"},
        {"case": "*", "role": "CR-AGREED-R3", "round": 1, "answer": json.loads(review(("*", "tried")))},
    ]
    (tmp_path / "answers.jsonl").write_text("\n".join(map(json.dumps, lines)))

    def scripted(ask: Ask[Any]) -> Any:
        return asked(space, open_model(f"scripted:{tmp_path / 'answers.jsonl'}", Settings()), ask)

    assert scripted(survey()) == Report("scripted", "LOW", full="all")
    assert scripted(survey("CODE-CONFIG-R1")) == Report("flat")
    assert scripted(survey("CODE-RESOURCE-R1")) == Silent("gone")
    assert scripted(survey("CODE-DATAFLOW-R1")) == Silent("not scripted")
    assert [one.item for one in scripted(challenge("G1", "G2")).challenges] == ["G1", "G2"]


# --- under the engine's line ---


def held(space: Workspace, store: MemoryStore, model: Model, limits: Limits, ask: Ask[Any]) -> Any:
    """One sitting over a journaled line; what an earlier one left in the store is used first."""

    async def once() -> Any:
        recall = Recall()
        for kept in store.kept.get("run", ()):
            recall.take(kept.record)
        journal = await (store.reopen("run") if "run" in store.kept else store.create("run", Record("run", 0, "{}")))
        exchange = Exchange(journal, Ledger(limits, recall.spent), Pace(limits), limits, Heard(), Health())
        known = recall.cases.get(1)
        earlier = tuple(known.replies.get(ask.seat, ())) if known else ()
        try:
            return await PromptedInquirer(model, space, cast()).answer(
                ask, JournaledLine(exchange, 1, "c", ask, earlier)
            )
        finally:
            await journal.close()

    return asyncio.run(once())


def test_a_sitting_that_was_cut_off_asks_nothing_twice(space: Workspace) -> None:
    whole, first, second = ToldModel(playing), ToldModel(playing), ToldModel(playing)
    store, ask = MemoryStore(), survey("LOG-STACKTRACE-R1")
    undisturbed = held(space, MemoryStore(), whole, Limits(), ask)
    with pytest.raises(LimitReached):
        held(space, store, first, Limits(calls=2), ask)
    assert held(space, store, second, Limits(), ask) == undisturbed
    assert [*first.calls, *second.calls] == whole.calls


def test_the_budget_of_the_run_holds_in_the_loop(space: Workspace) -> None:
    async def costly(call: Call) -> Reply:
        return replace(await playing(call), tokens_in=15_000)

    model = ToldModel(costly)
    with pytest.raises(LimitReached):
        held(space, MemoryStore(), model, Limits(tokens=45_000), survey("LOG-STACKTRACE-R1"))
    assert len(model.calls) == 2


# --- the worst that a schema allows ---

HEAD = re.compile(r"^\[r\d+\] (\S+): (refused: )?", re.MULTILINE)
HOSTILE = (
    "../../etc/passwd",
    "/",
    "http://evil.example/x",
    "--output=/tmp/x",
    "HEAD",
    "app/pay.py",
    "(a+)+$",
    "\x1b[2J",
    "",
)


def worst(schema: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    """Values that the schema takes, the worse the better."""
    if "anyOf" in schema:
        return st.one_of([worst(part) for part in schema["anyOf"]])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema.get("type"):
        case "object":
            return st.fixed_dictionaries({name: worst(part) for name, part in schema["properties"].items()})
        case "array":
            return st.lists(worst(schema["items"]), max_size=6)
        case "integer":
            return st.sampled_from([-1, 0, 1, 10**6, 10**18])
        case "boolean":
            return st.booleans()
        case _:
            return st.sampled_from(HOSTILE) | st.text(max_size=5)


def schema_of(space: Workspace, ask: Ask[Any]) -> Mapping[str, Any]:
    model = ListedModel(Reply("no", finish="refused"))
    asked(space, model, ask)
    return model.calls[0].schema


@pytest.mark.parametrize("iid", ["CODE-CALLCHAIN-R1", "LOG-PATTERN-R1", "HIST-BLAME-R1", "CR-AGREED-R3"])
def test_the_worst_that_a_model_can_say(space: Workspace, iid: str) -> None:
    ask = challenge("G1") if iid.startswith("CR") else survey(iid)
    known = cast().type_of(iid)
    tools = {tool for source in (known.reads if known else ()) for tool in OF_SOURCE[source]} | {"again"}
    fits = worst(schema_of(space, ask))
    any_tool = st.fixed_dictionaries({"tool": st.sampled_from([*TOOLS, "shell"]), "path": st.sampled_from(HOSTILE)})
    breaks = st.fixed_dictionaries({"turn": st.fixed_dictionaries({"requests": st.lists(any_tool, max_size=6)})})

    @settings(max_examples=40)
    @given(st.lists(fits | breaks, min_size=6, max_size=6))
    def holds(said: list[Any]) -> None:
        model = ListedModel(*[json.dumps(one) for one in said])
        found = asked(space, model, ask)
        assert isinstance(found, (Report, CounterReview, Silent)) and len(model.calls) <= 5
        if isinstance(found, CounterReview):
            assert {one.item for one in found.challenges} <= {"G1"}
        for turn in (turn for call in model.calls for turn in call.earlier):
            for head in HEAD.finditer(turn.then):
                assert head[2] or head[1] in tools
            assert "root:" not in turn.then and len(turn.then.encode()) < 80_000

    holds()
