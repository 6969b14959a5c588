"""Replay needs nobody: no network, no model, no script; the same rules give the same bytes."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest

from tests.cli.commands import results, reviews, script, withstood
from tests.conftest import Serve

NOWHERE: dict[str, str] = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "ALL_PROXY"), "http://127.0.0.1:9")


def cut_off() -> list[str]:
    """Words before a command that take the network away from it, where this machine can."""
    able = shutil.which("unshare") and subprocess.run(["unshare", "-n", "true"], capture_output=True).returncode == 0
    return ["unshare", "-n"] if able else []


@pytest.fixture
def decided(tmp_path: Path) -> Path:
    reviews(tmp_path)
    done = withstood(tmp_path, "sentiment", "in.csv", "-o", "out", "--run", "mine", "--model", script(tmp_path))
    assert done.code == 0, done.said
    return tmp_path


def test_the_same_rules_give_the_same_bytes_without_a_network(tmp_path: Path, serve: Serve) -> None:
    reviews(tmp_path)
    stub = serve()
    withstood(tmp_path, "sentiment", "in.csv", "-o", "out", "--run", "mine", "--model", f"{stub.openai}#stub")
    asked = stub.bill()["requests"]
    done = withstood(tmp_path, "replay", "mine", before=cut_off(), variables=NOWHERE)
    assert done.code == 0, done.said
    assert done.out == (tmp_path / "out" / "results.jsonl").read_bytes()
    assert "no model called: 0 changed" in done.said
    assert stub.bill()["requests"] == asked


def test_neither_input_nor_script_is_needed(decided: Path) -> None:
    (decided / "in.csv").unlink()
    (decided / "answers.jsonl").unlink()
    assert withstood(decided, "replay", "mine").out == (decided / "out" / "results.jsonl").read_bytes()
    done = withstood(decided, "replay", "mine", "-o", "again")
    assert (done.code, done.out) == (0, b"")
    assert (decided / "again" / "results.jsonl").read_bytes() == (decided / "out" / "results.jsonl").read_bytes()


def test_other_rules_are_set_side_by_side(tmp_path: Path) -> None:
    """FLIP, DROP and KEEP: the new arbiter lets a justified DROP carry, the old one flags it."""
    reviews(tmp_path)
    model = script(tmp_path, "FLIP", "DROP")
    withstood(tmp_path, "sentiment", "in.csv", "-o", "out", "--run", "mine", "--model", model)
    done = withstood(tmp_path, "replay", "mine", "--rules", "arbiter=v1", "--diff", "--json")
    assert done.code == 0, done.said
    assert [line["id"] for line in done.lines()] == ["k1", "e1", "e2", "e3"]
    change = next(change for change in done.lines()[0]["changes"] if change["item"] == "t1")
    assert (change["then"]["table"], change["then"]["ruling"]["outcome"]) == ("arbiter-v2", "DROP")
    assert (change["now"]["table"], change["now"]["ruling"]["outcome"]) == ("arbiter-v1", "FLAG")
    told = withstood(tmp_path, "replay", "mine", "--rules", "arbiter=v1", "--diff").out.decode()
    assert "arbiter-v2 row 3b: DROP" in told
    assert "arbiter-v1 row 3b: FLAG (POLARITY_UNCERTAIN)" in told
    assert withstood(tmp_path, "replay", "mine", "--rules", "arbiter=v2", "--diff").out == b""


def test_what_would_have_to_be_asked_is_counted_and_not_invented(tmp_path: Path) -> None:
    reviews(tmp_path, "id,text\na,The screen is bright\n")
    withstood(tmp_path, "sentiment", "in.csv", "--run", "mine")
    done = withstood(tmp_path, "replay", "mine", "--set", "review.when=always")
    assert (done.code, done.out) == (0, b"")
    assert "1 left out (they need 3 new answers: 1 of A, 1 of B, 1 of C)" in done.said


@pytest.mark.parametrize(("rules", "word"), [("lenient", "lenient"), ("arbiter=v9", "v9"), ("nothing=v1", "nothing")])
def test_rules_that_are_not_there(decided: Path, rules: str, word: str) -> None:
    done = withstood(decided, "replay", "mine", "--rules", rules)
    assert done.code == 2
    assert word in done.said


def test_a_forged_answer_is_refused(decided: Path) -> None:
    db = sqlite3.connect(decided / ".withstood" / "journal.db")
    db.execute("UPDATE record SET body = replace(body, 'negative', 'positive') WHERE kind = 'answer' AND item = 2")
    db.commit()
    db.close()
    for arguments in (("replay", "mine"), ("show", "mine"), ("explain", "mine", "e3")):
        done = withstood(decided, *arguments)
        assert done.code == 76, arguments
        assert "run mine, record" in done.said
    assert withstood(decided, "runs").code == 0


def test_a_torn_end_is_cut_reported_and_gone_on_with(decided: Path) -> None:
    db = sqlite3.connect(decided / ".withstood" / "journal.db")
    db.execute("UPDATE record SET body = substr(body, 1, 9) WHERE seq = (SELECT max(seq) FROM record)")
    db.commit()
    db.close()
    torn = "was torn and has been cut"
    (listed,) = withstood(decided, "runs", "--json").lines()
    assert listed["status"] == "unfinished"
    assert torn in withstood(decided, "show", "mine").out.decode()
    replayed = withstood(decided, "replay", "mine")
    assert torn in replayed.said
    assert replayed.out == (decided / "out" / "results.jsonl").read_bytes()
    done = withstood(decided, "sentiment", "in.csv", "-o", "out", "--resume", "--model", "scripted:answers.jsonl")
    assert (done.code, done.said.count(torn)) == (0, 1)
    assert torn not in withstood(decided, "replay", "mine").said


def test_an_unfinished_run_is_replayed_as_far_as_it_came(tmp_path: Path) -> None:
    reviews(tmp_path)
    arguments = ("sentiment", "in.csv", "-o", "out", "--run", "mine", "--model", script(tmp_path))
    withstood(tmp_path, *arguments, "--most-calls", "17", "--in-flight", "1")
    done = withstood(tmp_path, "replay", "mine")
    assert done.code == 0
    assert 0 < len(done.lines()) < 4
    assert done.lines() == results(tmp_path)
    (told,) = withstood(tmp_path, "show", "mine", "--json").lines()
    assert told["facts"]["status"] == "stopped"
    assert json.loads(json.dumps(told))["facts"]["calls"] <= 17
