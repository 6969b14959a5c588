"""`withstood research` and its words, as a user calls them."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path

import pytest

from tests.cli.commands import withstood
from tests.cli.test_signals import started
from tests.jobs.studies import QUESTION, shelf


@pytest.fixture
def place(tmp_path: Path) -> Path:
    shelf(tmp_path / "docs")
    return tmp_path


def begun(place: Path, iterations: str = "5") -> None:
    ended = withstood(place, "research", QUESTION, "--sources", "docs", "-o", "out", "-n", iterations)
    assert ended.code == 0, ended.said


def test_from_a_question_to_a_thesis_that_can_be_explained(place: Path) -> None:
    ended = withstood(place, "research", QUESTION, "--sources", "docs", "-o", "out", "-n", "5", "--json")
    assert ended.code == 0, ended.said
    (told,) = ended.lines()
    assert (told["status"], told["iteration"]) == ("finished", 5)
    assert "why: " in ended.said
    assert "new observations" in ended.said
    assert "health: " in ended.said
    assert {path.name for path in (place / "out").iterdir()} == {
        "cognigraph.json", "hypotheses", "observations", "session.json", "thesis.html", "thesis.json", "thesis.md",
    }  # fmt: skip
    shown = withstood(place, "show", "last")
    assert shown.code == 0
    assert shown.out.decode().count("## ") > 5
    explained = withstood(place, "explain", told["run"], "hyp_A1")
    assert b"verification-1 row" in explained.out
    assert withstood(place, "explain", told["run"], "#2").code == 0
    assert withstood(place, "explain", told["run"], "hyp_Z9").code == 2
    same = withstood(place, "replay", "last")
    assert same.code == 0
    assert "0 changed" in same.said
    other = withstood(place, "replay", "last", "--set", "thesis.tested_at=0", "--diff")
    assert "1 changed" in other.said
    needy = withstood(place, "replay", "last", "--rules", "strict", "--set", "selection.broad_under=0")
    assert "left out" in needy.said


def test_a_research_is_gone_on_with_and_looked_at(place: Path) -> None:
    begun(place)
    assert withstood(place, "research", "resume", "out", "-n", "2").code == 0
    (told,) = withstood(place, "research", "status", "out", "--json", "--svg", "g.svg").lines()
    assert told["iteration"] == 7
    assert sum(sum(states.values()) for states in told["hypotheses"].values()) > 0
    assert (place / "g.svg").read_text().startswith("<svg")
    lines = withstood(place, "research", "status", "out").out.decode().splitlines()
    assert lines[0] == QUESTION
    assert any(line.startswith("conflicts") for line in lines)
    assert any("hyp_A1" in line and "[" in line for line in lines)
    for kind in ("md", "html", "json", "svg"):
        assert withstood(place, "research", "thesis", "out", "--format", kind).out
    korean = withstood(place, "research", "thesis", "out", "--language", "ko").out.decode()
    assert korean.startswith("# 정설")


def test_a_rulebook_of_its_own_is_found_from_anywhere(place: Path) -> None:
    (place / "mine.toml").write_text("[thesis]\ntested_at = 0.6\n")
    ended = withstood(place, "research", QUESTION, "--sources", "docs", "-o", "out", "-n", "1", "--rules", "mine.toml")
    assert ended.code == 0, ended.said
    elsewhere = place / "docs"
    assert withstood(elsewhere, "research", "status", "../out").code == 0
    assert withstood(elsewhere, "research", "thesis", "../out").code == 0
    assert withstood(elsewhere, "research", "resume", "../out", "-n", "1").code == 0


def test_files_are_brought_in_line_with_the_graph(place: Path) -> None:
    begun(place)
    out = place / "out"
    assert "as the graph says" in withstood(place, "research", "cleanup", "out").said
    (out / "observations" / "obs_99.md").write_text("of nothing")
    (out / "observations" / "mine.md").write_text("a note of my own")
    (out / "hypotheses" / ".hyp_A1.md.part").write_text("half")
    (out / "hypotheses" / "hyp_A1.md").write_text("changed")
    (out / "observations" / "obs_1.md").unlink()
    before = sorted(str(path) for path in out.rglob("*"))
    tried = withstood(place, "research", "cleanup", "out", "--dry-run").out.decode().splitlines()
    assert len(tried) == 4
    assert all(line.startswith("would ") for line in tried)
    named = withstood(place, "research", "cleanup", "out", "--dry-run", "--json").out.decode().splitlines()
    assert [f"would {told['doing']} {told['file']}" for told in map(json.loads, named)] == tried
    assert sorted(str(path) for path in out.rglob("*")) == before
    assert withstood(place, "research", "cleanup", "out").code == 0
    assert (out / "observations" / "mine.md").exists()
    assert not (out / "observations" / "obs_99.md").exists()
    assert (out / "observations" / "obs_1.md").exists()
    assert "as the graph says" in withstood(place, "research", "cleanup", "out").said


def test_out_and_in_again(place: Path) -> None:
    begun(place)
    assert withstood(place, "research", "export", "out", "-o", "plain", "--plain").code == 0
    told = json.loads((place / "plain" / "cognigraph.json").read_text())
    assert [*told] == [
        "question", "iteration", "observations", "hypotheses", "edges", "lens_index", "unexplored", "health",
    ]  # fmt: skip
    assert {*told["edges"][0]} == {"from", "to", "type", "weight", "created_at", "resolved", "resolution"}
    assert not (place / "plain" / "session.json").exists()
    taken_in = withstood(place, "research", "import", "plain", "-o", "again", "--json")
    assert taken_in.code == 0
    assert json.loads(taken_in.out)["edges"] == len(told["edges"])
    ended = withstood(place, "research", "resume", "again", "--sources", "docs", "-n", "1")
    assert ended.code == 0, ended.said
    assert withstood(place, "research", "import", "plain", "-o", "again").code == 2
    assert withstood(place, "research", "import", "docs", "-o", "third").code == 66


BAD = [
    (("", "--sources", "docs", "-o", "x"), 2, "no question"),
    ((QUESTION, "-o", "x"), 2, "--sources"),
    ((QUESTION, "--sources", "nowhere", "-o", "x"), 66, "nowhere"),
    ((QUESTION, "--sources", "docs", "--sources", "web", "-o", "x"), 2, "no web access"),
    ((QUESTION, "--sources", "docs", "-o", "x", "-n", "0"), 2, "iteration"),
    ((QUESTION, "--sources", "docs", "-o", "x", "--model", "CHECK=scripted:f"), 78, "CHECK"),
    ((QUESTION, "--sources", "docs", "-o", "x", "--rules", "none"), 2, "rulebook"),
    ((QUESTION, "--sources", "docs", "-o", "docs/vendor.md"), 73, "vendor.md"),
    (("resume", "nowhere"), 66, "no research"),
    (("status", "docs"), 66, "no research"),
]


@pytest.mark.parametrize(("arguments", "code", "said"), BAD)
def test_bad_input_is_said(place: Path, arguments: tuple[str, ...], code: int, said: str) -> None:
    ended = withstood(place, "research", *arguments)
    assert ended.code == code, ended.said
    assert said in ended.said
    assert not (place / "x").exists()


def test_ctrl_c_leaves_a_thesis_and_goes_on(place: Path) -> None:
    with started(place, "research", QUESTION, "--sources", "docs", "-o", "out", "-n", "400") as child:
        graph = place / "out" / "cognigraph.json"
        while not graph.exists() or json.loads(graph.read_text())["iteration"] < 3:
            time.sleep(0.05)
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=30)
    assert child.returncode == 130, said
    assert "Traceback" not in said
    assert "research resume out" in said
    assert "partial thesis" in (place / "out" / "thesis.md").read_text()
    stood = json.loads(graph.read_text())["iteration"]
    assert withstood(place, "research", "resume", "out", "-n", "1").code == 0
    assert json.loads(graph.read_text())["iteration"] == stood + 1
