"""Investigations by a model behind a real wire: budgets, failures on the way, stopping and going on."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import Ended, command, environment, withstood
from tests.cli.inquiries import CAST, QUESTION, SOURCES, inside, log, place, record, report
from tests.conftest import Serve
from withstood.errors import ConfigError

WANTED = ("-o", "out", "--run", "mine", "--cast", CAST)


@pytest.fixture
def here(tmp_path: Path) -> Path:
    return place(tmp_path)


def asked(here: Path, model: str, *more: str) -> Ended:
    return inside(here, "investigate", QUESTION, *SOURCES, *WANTED, "--model", model, *more)


def endpoint(here: Path, url: str, more: str = "") -> str:
    (here / "withstood.toml").write_text(
        f'[endpoints.here]\nkind = "openai"\nurl = "{url}"\nprice_in = 1\nprice_out = 1\n{more}'
    )
    return "here:stub"


def test_a_model_investigates_and_is_measured(here: Path, serve: Serve) -> None:
    stub = serve()
    done = asked(here, endpoint(here, stub.openai))
    assert done.code == 0, done.said
    bill = stub.bill()
    told = report(here)
    assert told["calls"] == bill["answers"] > 8 and told["tokens"] > 1000
    assert told["findings"] and any(piece["checked"] for one in told["findings"] for piece in one["evidence"])
    context = log(here)["context"]
    assert context["peak_prompt_tokens"] > context["peak_brief_tokens"]
    assert sum(one.get("calls", 0) for one in log(here)["investigators"]) + 1 == told["calls"]  # and the planner's
    assert "calls, " in done.said and "spent: " in done.said


def test_prose_is_reduced_and_a_fault_on_the_way_is_tried_again(here: Path, serve: Serve) -> None:
    stub = serve("--fault", "prose=1")
    done = asked(here, f"{stub.openai}#stub", "--model", "PLAN=programmed")
    assert done.code in (0, 4), done.said
    heard = record(here)["heard"]
    assert all(one["reduced"] for one in heard)
    assert done.code == (0 if heard else 4)


def test_failing_calls_leave_investigators_out(here: Path, serve: Serve) -> None:
    """The log investigator's model refuses; the others answer."""
    good, bad = serve(), serve("--fault", "refusal=1")
    model = endpoint(here, good.openai)
    done = asked(here, model, "--model", f"LOG={bad.openai}#stub")
    assert done.code == 0, done.said
    assert [one["iid"] for one in report(here)["excluded"]][:1] == ["LOG-STACKTRACE-R1"]


def test_a_limit_stops_the_run_with_a_report_of_what_it_has(here: Path, serve: Serve) -> None:
    stub = serve()
    model = endpoint(here, stub.openai)
    done = asked(here, model, "--most-calls", "5", "--model", "CODE=programmed,PLAN=programmed", "--in-flight", "1")
    assert done.code == 75, done.said
    assert stub.bill()["answers"] <= 5
    told = report(here)
    assert told["findings"] and told["findings"][0]["investigators"] == ["LOG-STACKTRACE-R1"]
    assert any("limit" in one["why"] for one in told["excluded"])
    page = (here / "out" / "mine" / "final-report.md").read_text()
    assert "This report is provisional" in page and log(here)["rounds"]["early_end"]
    again = asked(here, model, "--resume", "--model", "CODE=programmed,PLAN=programmed", "--in-flight", "1")
    assert again.code == 0, again.said
    assert not report(here)["excluded"]
    assert "provisional" not in (here / "out" / "mine" / "final-report.md").read_text()


def test_money_needs_prices(here: Path) -> None:
    with pytest.raises(ConfigError, match="needs the price of every model"):
        inside(here, "investigate", QUESTION, *SOURCES, "--model", "http://192.0.2.1:9/v1#nobody", "--most-money", "1")


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_is_stopped_goes_on(here: Path, serve: Serve, sign: signal.Signals) -> None:
    slow, quick = serve("--latency", "0.15"), serve()
    whole = inside(here, "investigate", QUESTION, *SOURCES, "-o", "whole", "--cast", CAST, "--run", "mine", "--store",
                   "other.db", "--model", endpoint(here, quick.openai))  # fmt: skip
    assert whole.code == 0, whole.said
    arguments = ("investigate", QUESTION, *SOURCES, *WANTED, "--model", endpoint(here, slow.openai))
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command(*arguments), cwd=here, stdout=pipe, stderr=pipe, text=True, env=environment()
    ) as child:
        while slow.bill()["answers"] < 6:
            time.sleep(0.02)
        child.send_signal(sign)
        _, said = child.communicate(timeout=20)
    assert child.returncode == (130 if sign == signal.SIGINT else -sign), said
    if sign == signal.SIGINT:
        assert "--resume" in said and "Traceback" not in said
    answered = slow.bill()["answers"]
    again = inside(here, *arguments, "--resume")
    assert again.code == 0, again.said
    ours, theirs = (findings(here / name / "report.json") for name in ("out", "whole"))
    assert ours == theirs
    assert slow.bill()["requests"] <= quick.bill()["requests"] + 4  # what was in flight, asked once more
    assert answered < slow.bill()["requests"]


def findings(path: Path) -> Any:
    return {name: part for name, part in json.loads(path.read_text()).items() if name not in ("calls", "tokens")}


def test_a_run_goes_on_only_over_the_same_sources(here: Path, serve: Serve) -> None:
    stub = serve()
    model = endpoint(here, stub.openai)
    asked(here, model, "--most-calls", "3")
    (here / "repo" / "new.py").write_text("x = 1\n")
    done = withstood(here, "investigate", QUESTION, *SOURCES, *WANTED, "--model", model, "--resume")
    assert done.code == 76 and "begun with another input" in done.said


def test_replay_asks_no_model(here: Path, serve: Serve) -> None:
    stub = serve()
    asked(here, endpoint(here, stub.openai))
    requests = stub.bill()["requests"]
    done = inside(here, "replay", "mine")
    assert json.loads(done.out)["report"]["findings"] == report(here)["findings"]
    assert stub.bill()["requests"] == requests
