"""`withstood ablate` from outside: what each part is worth, from recorded answers alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.stub_process import Served
from tests.cli.commands import reviews, script, withstood
from tests.cli.test_evaluate import GOLD, TEXTS
from tests.conftest import Serve


@pytest.fixture
def decided(tmp_path: Path) -> Path:
    """A wants the positive one flipped, B dropped, C kept: arbiter v2 drops it, arbiter v1 flags it."""
    reviews(tmp_path, TEXTS)
    (tmp_path / "gold.xml").write_text(GOLD)
    model = script(tmp_path, "FLIP", "DROP")
    done = withstood(tmp_path, "sentiment", "in.csv", "-o", "out", "--run", "mine", "--model", model)
    assert done.code == 0, done.said
    return tmp_path


def ablated(folder: Path, *arguments: str) -> Any:
    done = withstood(folder, "ablate", "mine", *arguments, "--json")
    assert done.code == 0, done.said
    return json.loads(done.out)


def variant(told: Any, name: str) -> Any:
    (found,) = [one for one in told["variants"] if one["name"] == name]
    return found


def figure(told: Any, name: str, measure: str) -> Any:
    return next(one["value"] for one in variant(told, name)["figures"] if one["measure"] == measure)


def gap(told: Any, name: str, measure: str) -> Any:
    return next(one for one in variant(told, name)["differences"] if one["measure"] == measure)


def test_variants_are_judged_from_what_was_answered(decided: Path) -> None:
    (decided / "in.csv").unlink()
    (decided / "answers.jsonl").unlink()
    told = ablated(decided, "--gold", "gold.xml")
    assert (told["samples"], told["own"]["asks"]) == (3, 18)
    assert figure(told, "stage 1", "ote-pol precision") == 0.5
    assert figure(told, "P-IMP", "ote-pol micro") == pytest.approx(1 / 3, abs=1e-6)
    assert figure(told, "majority of readers", "ote-pol micro") == 0
    assert figure(told, "arbiter v1", "ote-pol precision") == 0.5
    assert figure(told, "arbiter v1", "changed") == 1
    assert [variant(told, name)["asks"] for name in ("stage 1", "P-NEG", "arbiter v1")] == [9, 3, 18]
    lost = gap(told, "arbiter v1", "ote-pol precision")
    assert lost["value"] == pytest.approx(0.5 - 2 / 3, abs=1e-6)
    assert lost["low"] <= lost["value"] <= lost["high"]


def test_what_the_run_is_already_is_no_variant(decided: Path) -> None:
    names = [one["name"] for one in ablated(decided)["variants"]]
    assert "arbiter v1" in names
    assert not {"arbiter v2", "reason gate off", "review when flagged", "granularity on"} & set(names)


def test_what_nobody_answered_is_counted_and_left_out_on_both_sides(decided: Path) -> None:
    told = ablated(decided, "--gold", "gold.xml", "--only", "single")
    (single,) = told["variants"]
    assert (single["texts"], single["needs"], single["asks"]) == (0, 3, 0)
    assert figure(told, single["name"], "ote-pol micro") is None
    done = withstood(decided, "ablate", "mine", "--only", "single")
    assert "3 answers were never given, and none was invented" in done.said


def test_nobody_is_asked(tmp_path: Path, serve: Serve) -> None:
    reviews(tmp_path, TEXTS)
    stub = serve()
    withstood(tmp_path, "sentiment", "in.csv", "-o", "out", "--run", "mine", "--model", f"{stub.openai}#stub")
    asked = stub.bill()["requests"]
    assert asked > 0
    ablated(tmp_path)
    assert stub.bill()["requests"] == asked


def test_a_page_is_left(decided: Path) -> None:
    done = withstood(decided, "ablate", "mine", "--gold", "gold.xml", "-o", "figures", "--only", "arbiter")
    assert done.code == 0, done.said
    page = (decided / "figures" / "ablation.html").read_text()
    assert "arbiter.edition=v1" in page
    assert page.count("<svg") > 2
    assert json.loads((decided / "figures" / "ablation.json").read_text())["own"]["asks"] == 18
    assert "variant is better by" in done.out.decode()


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("mine", "--only", "nothing"), 2, "no variant 'nothing'"),
        (("out/results.jsonl",), 66, "without its journal"),
        (("nobody",), 2, "no run 'nobody'"),
    ],
)
def test_what_cannot_be_taken_apart(decided: Path, arguments: tuple[str, ...], code: int, told: str) -> None:
    done = withstood(decided, "ablate", *arguments)
    assert (done.code, done.out) == (code, b"")
    assert told in done.said


# --- beside what others say ---------------------------------------------------------------------


def test_labels_of_another_system_are_a_baseline(decided: Path) -> None:
    (decided / "theirs.xml").write_text(GOLD)
    told = ablated(decided, "--gold", "gold.xml", "--only", "stage 1", "--beside", "theirs.xml")
    theirs = variant(told, "beside theirs.xml")
    assert (theirs["texts"], theirs["asks"]) == (3, 0)
    assert figure(told, "beside theirs.xml", "ote-pol micro") == 1
    assert gap(told, "beside theirs.xml", "ote-pol micro")["value"] > 0


def test_results_of_another_run_are_a_baseline(decided: Path) -> None:
    assert withstood(decided, "sentiment", "in.csv", "--protocol", "single", "-o", "theirs").code == 0
    told = ablated(decided, "--gold", "gold.xml", "--only", "stage 1", "--beside", "theirs")
    assert (variant(told, "beside theirs")["texts"], variant(told, "beside theirs")["asks"]) == (3, 3)


def test_texts_that_a_baseline_lacks_are_left_out_on_both_sides_and_told(decided: Path) -> None:
    (decided / "theirs.txt").write_text("The battery is bad####[([1], [3], 'NEG')]\n")
    done = withstood(decided, "ablate", "mine", "--only", "stage 1", "--beside", "theirs.txt", "--json")
    assert variant(json.loads(done.out), "beside theirs.txt")["texts"] == 1
    assert "2 decided texts without baseline" in done.said


def test_a_baseline_of_other_texts_is_refused(decided: Path) -> None:
    (decided / "theirs.txt").write_text("Nobody wrote this####[([0], [1], 'POS')]\n")
    done = withstood(decided, "ablate", "mine", "--beside", "theirs.txt")
    assert (done.code, done.out) == (66, b"")
    assert "The baseline in theirs.txt does not match mine" in done.said


# --- asking what nobody answered ---------------------------------------------------------------


def reviewers(stub: Served) -> str:
    """Programs read, so that little is flagged and little is reviewed; models review."""
    return ",".join(f"{role}={stub.openai}#stub" for role in "ABC")


def test_live_asks_only_what_nobody_answered(tmp_path: Path, serve: Serve) -> None:
    """Reviews of texts on which nothing was flagged were never asked for."""
    reviews(tmp_path, TEXTS)
    stub = serve()
    model = reviewers(stub)
    withstood(tmp_path, "sentiment", "in.csv", "-o", "out", "--run", "mine", "--model", model)
    asked = stub.bill()["requests"]
    needs = variant(ablated(tmp_path, "--only", "review always"), "review always")["needs"]
    assert (asked + needs, needs > 0) == (9, True)
    told = ablated(tmp_path, "--only", "review always", "--live", "--model", model)
    live = variant(told, "review always")
    assert (live["texts"], live["needs"], live["asks"]) == (3, 0, 18)
    assert stub.bill()["requests"] == asked + needs
    again = ablated(tmp_path, "--only", "review always", "--live", "--model", model)
    assert again == told
    assert stub.bill()["requests"] == asked + needs


def test_live_keeps_its_limits_and_goes_on_later(tmp_path: Path, serve: Serve) -> None:
    reviews(tmp_path, TEXTS)
    stub = serve()
    arguments = ("ablate", "mine", "--only", "single", "--live", "--model", f"{stub.openai}#stub")
    withstood(tmp_path, "sentiment", "in.csv", "-o", "out", "--run", "mine", "--model", f"{stub.openai}#stub")
    asked = stub.bill()["requests"]
    stopped = withstood(tmp_path, *arguments, "--most-calls", "2", "--in-flight", "1", "--json")
    assert stopped.code == 75, stopped.said
    assert variant(json.loads(stopped.out), "single pass (S0)")["texts"] == 2
    assert stub.bill()["requests"] == asked + 2
    done = withstood(tmp_path, *arguments, "--json")
    assert variant(json.loads(done.out), "single pass (S0)")["texts"] == 3
    assert stub.bill()["requests"] == asked + 3


def test_live_asks_the_same_panel_or_nobody(tmp_path: Path, serve: Serve) -> None:
    reviews(tmp_path, TEXTS)
    stub = serve()
    withstood(tmp_path, "sentiment", "in.csv", "-o", "out", "--run", "mine", "--model", reviewers(stub))
    asked = stub.bill()["requests"]
    done = withstood(tmp_path, "ablate", "mine", "--only", "review always", "--live")
    assert (done.code, done.out) == (78, b"")
    assert "Name the models of the run with --model" in done.said
    assert stub.bill()["requests"] == asked


def test_a_file_is_decided_first(tmp_path: Path) -> None:
    reviews(tmp_path, TEXTS)
    (tmp_path / "gold.xml").write_text(GOLD)
    done = withstood(tmp_path, "ablate", "in.csv", "--gold", "gold.xml", "--only", "stage 1", "--json")
    assert done.code == 0, done.said
    told = json.loads(done.out)
    assert told["samples"] == 3
    (listed,) = withstood(tmp_path, "runs", "--json").lines()
    assert listed["run"] == told["source"]
