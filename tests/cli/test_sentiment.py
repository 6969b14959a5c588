"""`withstood sentiment` and the commands that look at its runs, from outside."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.cli.commands import results, reviews, script, withstood

FILES = ["opinions.csv", "report.html", "report.md", "results.jsonl", "run.json", "worklist.csv"]


@pytest.mark.parametrize("protocol", ["cr-v1", "cr-v2", "single"])
def test_programs_decide_a_file(tmp_path: Path, protocol: str) -> None:
    reviews(tmp_path)
    done = withstood(tmp_path, "sentiment", "in.csv", "-o", "out", "--protocol", protocol)
    assert done.code == 0, done.said
    assert done.out == b""
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == FILES
    assert [line["id"] for line in results(tmp_path)] == ["k1", "e1", "e2", "e3"]
    assert "finished: 4 texts" in done.said
    with (tmp_path / "out" / "opinions.csv").open(newline="") as table:
        assert len(list(csv.reader(table))) == 1 + sum(len(line["final"]) for line in results(tmp_path))


def test_a_scripted_panel_is_judged(tmp_path: Path) -> None:
    reviews(tmp_path)
    done = withstood(tmp_path, "sentiment", "in.csv", "-o", "out", "--model", script(tmp_path))
    assert done.code == 0, done.said
    for line in results(tmp_path):
        assert [opinion["polarity"] for opinion in line["stage1"]] == ["negative", "positive"]
        assert [opinion["polarity"] for opinion in line["final"]] == ["negative"]
        assert line["label"] == "negative"
        assert {"role": "P-LIT", "why": "nobody there"} in line["skipped"]
    assert "absent: P-LIT on 4 texts (nobody there)" in done.said


def test_standard_output_has_the_bytes_of_the_file(tmp_path: Path) -> None:
    reviews(tmp_path)
    withstood(tmp_path, "sentiment", "in.csv", "-o", "out")
    for variables in ({}, {"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C"}):
        piped = withstood(tmp_path, "sentiment", "in.csv", variables=variables)
        assert piped.code == 0
        assert piped.out == (tmp_path / "out" / "results.jsonl").read_bytes()


def test_standard_input_is_read(tmp_path: Path) -> None:
    path = reviews(tmp_path)
    done = withstood(tmp_path, "sentiment", "-", piped=path.read_bytes())
    assert [line["id"] for line in done.lines()] == ["k1", "e1", "e2", "e3"]


def test_a_dry_run_says_what_it_would_cost_and_asks_nobody(tmp_path: Path) -> None:
    reviews(tmp_path)
    model = "http://127.0.0.1:9/v1#nobody"
    done = withstood(tmp_path, "sentiment", "in.csv", "--model", model, "--dry-run", "--json", "-o", "out")
    assert done.code == 0, done.said
    (told,) = done.lines()
    assert (told["texts"], told["least_asks"], told["most_asks"], told["most"]["calls"]) == (4, 12, 24, 48)
    assert not (tmp_path / "out").exists()
    assert not (tmp_path / ".withstood").exists()
    assert (
        "4 texts; 12 to 24 asks; at most"
        in withstood(*(tmp_path, "sentiment", "in.csv", "--model", model, "--dry-run")).out.decode()
    )


def test_the_summary_as_json(tmp_path: Path) -> None:
    reviews(tmp_path)
    (told,) = withstood(tmp_path, "sentiment", "in.csv", "-o", "out", "--json", "--run", "mine").lines()
    assert (told["run"], told["status"], told["texts"], told["undecided"]) == ("mine", "finished", 4, 0)
    assert withstood(tmp_path, "sentiment", "in.csv", "--json").code == 2


def test_runs_show_and_explain_tell_of_a_run(tmp_path: Path) -> None:
    assert withstood(tmp_path, "runs").code == 0
    reviews(tmp_path)
    withstood(tmp_path, "sentiment", "in.csv", "-o", "out", "--run", "mine", "--model", script(tmp_path))
    (listed,) = withstood(tmp_path, "runs", "--json").lines()
    assert (listed["run"], listed["status"], listed["rows"]) == ("mine", "finished", 4)
    assert listed["head"] == json.loads((tmp_path / "out" / "run.json").read_text())["head"]
    assert b"mine" in withstood(tmp_path, "show", "mi").out
    (shown,) = withstood(tmp_path, "show", "last", "--json").lines()
    assert shown["labels"] == {"negative": 4}
    told = withstood(tmp_path, "explain", "mine", "e1").out.decode()
    assert "battery" in told
    assert "DROP" in told
    (explained,) = withstood(tmp_path, "explain", "mine", "#2", "--json").lines()
    assert explained["result"]["id"] == "e1"
    assert len(explained["answers"]) == 6


@pytest.mark.parametrize("arguments", [("show", "nowhere"), ("explain", "nowhere", "e1"), ("replay", "nowhere")])
def test_a_run_that_is_not_there(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = withstood(tmp_path, *arguments)
    assert done.code == 2
    assert "nowhere" in done.said


def test_an_item_that_is_not_there(tmp_path: Path) -> None:
    reviews(tmp_path)
    withstood(tmp_path, "sentiment", "in.csv", "--run", "mine")
    done = withstood(tmp_path, "explain", "mine", "nobody")
    assert done.code == 2
    assert "nobody" in done.said


def test_the_models_command_names_what_is_missing(tmp_path: Path) -> None:
    done = withstood(tmp_path, "models", "--json")
    assert done.code == 0
    told = {line["name"]: line["needs"] for line in done.lines()}
    assert "OPENAI_API_KEY" in told["openai"]
    assert told["scripted"] == ""
    ready = withstood(tmp_path, "models", "--json", variables={"OPENAI_API_KEY": "sk-secret-of-the-test"})
    assert {line["name"]: line["needs"] for line in ready.lines()}["openai"] == ""
    assert b"sk-secret" not in ready.out


def test_doctor_finds_nothing_wrong_and_what_is(tmp_path: Path) -> None:
    assert withstood(tmp_path, "doctor").code == 0
    done = withstood(tmp_path, "doctor", "--json", variables={"WITHSTOOD_MODEL": "openai:some-model"})
    assert done.code == 78
    assert [line["what"] for line in done.lines() if line["ok"] is False] == ["model for default"]
    (tmp_path / "file").write_text("no store")
    assert withstood(tmp_path, "doctor", "--store", "file").code == 78


# --- resume ------------------------------------------------------------------------------------


def test_going_on_needs_the_same_things(tmp_path: Path) -> None:
    reviews(tmp_path)
    withstood(tmp_path, "sentiment", "in.csv", "--run", "mine", "--most-seconds", "0")
    for other in (("--protocol", "cr-v1"), ("--rules", "strict"), ("--model", script(tmp_path))):
        done = withstood(tmp_path, "sentiment", "in.csv", "--resume", *other)
        assert done.code == 76, other
        assert "Run mine was begun with another" in done.said
    reviews(tmp_path, "id,text\na,another file\n")
    done = withstood(tmp_path, "sentiment", "in.csv", "--resume")
    assert done.code == 78
    assert "no unfinished run of in.csv" in done.said
    assert withstood(tmp_path, "sentiment", "in.csv", "--resume", "--run", "mine").code == 76


def test_a_limit_stops_and_says_how_to_go_on(tmp_path: Path) -> None:
    reviews(tmp_path)
    done = withstood(tmp_path, "sentiment", "in.csv", "-o", "out", "--model", script(tmp_path), "--most-calls", "9")
    assert done.code == 75
    assert "limit of 9 calls" in done.said
    assert "--resume" in done.said
    assert (tmp_path / "out" / "report.html").exists()
    (listed,) = withstood(tmp_path, "runs", "--json").lines()
    assert listed["status"] == "stopped"


@pytest.mark.parametrize("name", ["../up", "a/b", "", " ", "last", "x" * 65, ".hidden"])
def test_a_name_of_a_run_stays_in_its_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "in").mkdir()
    reviews(tmp_path / "in")
    done = withstood(tmp_path / "in", "sentiment", "in.csv", "--run", name)
    assert done.code == (78 if name else 0)
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_a_name_is_taken_once(tmp_path: Path) -> None:
    reviews(tmp_path)
    withstood(tmp_path, "sentiment", "in.csv", "--run", "mine")
    done = withstood(tmp_path, "sentiment", "in.csv", "--run", "mine")
    assert done.code == 78
    assert "There is a run mine already" in done.said


GROUPED = """id,text,shop,day
1,The food was great,north,2024-01-05
2,The staff was rude,south,2024-02-11
"""


def test_reports_by_group_and_over_time(tmp_path: Path) -> None:
    reviews(tmp_path, GROUPED)
    arguments = ("sentiment", "in.csv", "-o", "out", "--run", "mine", "--group", "shop", "--time", "day")
    done = withstood(tmp_path, *arguments)
    assert done.code == 0, done.said
    page = (tmp_path / "out" / "report.html").read_text()
    assert "Aspects by group" in page
    assert "2024-02" in page
    assert "north" in (tmp_path / "out" / "report.md").read_text()
    assert "Aspects over time" in withstood(tmp_path, "show", "mine").out.decode()
    (tmp_path / "in.jsonl").write_text('{"id": 1, "text": "The food was great", "shop": "north", "day": 2024}\n')
    done = withstood(tmp_path, "sentiment", "in.jsonl", "-o", "out2", "--group", "shop", "--time", "day")
    assert done.code == 0, done.said
    assert "north" in (tmp_path / "out2" / "report.md").read_text()


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("in.csv", ("--group", "shops"), "no column 'shops'"),
        ("in.csv", ("--time", "when"), "--time"),
        ("in.txt", ("--group", "shop"), "plain text"),
    ],
)
def test_a_column_that_is_not_there(tmp_path: Path, name: str, arguments: tuple[str, ...], told: str) -> None:
    reviews(tmp_path, GROUPED if name == "in.csv" else "The food was great\n", name)
    done = withstood(tmp_path, "sentiment", name, *arguments)
    assert (done.code, done.out) == (66, b"")
    assert told in done.said


def test_what_is_to_be_looked_at_by_hand_is_listed(tmp_path: Path) -> None:
    reviews(tmp_path)
    done = withstood(tmp_path, "sentiment", "in.csv", "-o", "out", "--model", script(tmp_path, "FLAG", "FLAG"))
    assert done.code == 0, done.said
    with (tmp_path / "out" / "worklist.csv").open(newline="") as table:
        rows = list(csv.DictReader(table))
    assert [(row["id"], row["tuple_id"], row["why"]) for row in rows] == [
        (case, "t1", "FLAG") for case in ("k1", "e1", "e2", "e3")
    ]
    assert rows[0]["A"].startswith("FLAG")
    assert rows[0]["text"] == "화면은 밝지만 배터리가 너무 빨리 닳아요"
