"""Judging again from the command line: rulebook files, sweeps, what is open and what is asked for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli import shop
from tests.cli.commands import reviews, script, withstood


@pytest.fixture
def decided(tmp_path: Path) -> Path:
    reviews(tmp_path)
    model = script(tmp_path, "FLIP", "DROP")
    done = withstood(tmp_path, "sentiment", "in.csv", "-o", "out", "--run", "mine", "--model", model)
    assert done.code == 0, done.said
    return tmp_path


def test_a_rulebook_is_written_shown_compared_and_used(decided: Path) -> None:
    done = withstood(decided, "rules", "new", "old.toml", "--from", "mine", "--set", "arbiter=v1")
    assert done.code == 0, done.said
    assert withstood(decided, "rules", "show", "old.toml").out.count(b"edition = ") == 5
    told = withstood(decided, "rules", "diff", "mine", "old.toml").out.decode()
    assert "arbiter.edition  v2        v1" in told
    by_file = withstood(decided, "replay", "mine", "--rules", "old.toml", "--diff", "--json")
    by_setting = withstood(decided, "replay", "mine", "--rules", "arbiter=v1", "--diff", "--json")
    assert by_file.out == by_setting.out != b""
    again = withstood(decided, "rules", "new", "old.toml")
    assert (again.code, "There is a file old.toml already" in again.said) == (73, True)


def test_a_run_is_decided_by_a_file(decided: Path) -> None:
    (decided / "mine.toml").write_text("[arbiter]\nedition = 'v1'\n")
    done = withstood(
        decided, "sentiment", "in.csv", "--rules", "mine.toml", "--run", "filed", "--model", "scripted:answers.jsonl"
    )
    assert done.code == 0, done.said
    replayed = withstood(decided, "replay", "mine", "--rules", "mine.toml")
    assert replayed.out == done.out


def test_a_sweep_counts_what_moves(decided: Path) -> None:
    done = withstood(decided, "sweep", "mine", "--set", "arbiter=v1,v2", "--set", "mass.gap=1..3/3", "--json")
    assert done.code == 0, done.said
    (found,) = done.lines()
    assert found["cases"] == 4
    assert [(one["settings"]["arbiter"], one["changed"]) for one in found["points"]] == [("v1", 4)] * 3 + [
        ("v2", 0)
    ] * 3
    assert found["points"][0]["moves"] == {"negative → mixed": 4}
    drawn = withstood(decided, "sweep", "mine", "--set", "mass.gap=1..3/3", "-o", "swept")
    assert drawn.code == 0, drawn.said
    assert (decided / "swept" / "sweep-1.svg").read_text().startswith("<svg xmlns")
    assert "<polyline" in (decided / "swept" / "sweep.html").read_text()


def test_parts_of_a_sweep_add_up(tmp_path: Path) -> None:
    rows = "".join(f'{no},"{no} The screen is bright, but the battery is weak"\n' for no in range(120))
    reviews(tmp_path, "id,text\n" + rows)
    withstood(
        tmp_path, "sentiment", "in.csv", "-o", "out", "--run", "mine", "--model", script(tmp_path, "FLIP", "DROP")
    )
    asked = ("sweep", "mine", "--set", "arbiter=v1,v2", "--set", "review.when=always,flagged", "--json", "--processes")
    assert withstood(tmp_path, *asked, "1").lines() == withstood(tmp_path, *asked, "3").lines()


@pytest.mark.parametrize(
    ("setting", "code", "said"),
    [
        ("mass.gap=much", 2, "mass.gap: wanted a number, found much"),
        ("nothing.gap=1,2", 2, "an unknown setting"),
        ("mass.gap", 2, "Wanted setting=values"),
    ],
)
def test_what_no_sweep_can_be_made_of(decided: Path, setting: str, code: int, said: str) -> None:
    done = withstood(decided, "sweep", "mine", "--set", setting)
    assert (done.code, said in done.said) == (code, True), done.said


def test_gold_of_other_texts_is_refused(decided: Path) -> None:
    row = {"id": "x", "text": "something else", "triplets": [{"aspect_ref": "battery#quality", "polarity": "negative"}]}
    (decided / "gold.jsonl").write_text(json.dumps(row) + "\n")
    done = withstood(decided, "sweep", "mine", "--set", "arbiter=v1,v2", "--gold", "gold.jsonl")
    assert done.code == 66, done.said


def test_what_is_open_is_listed_and_asked_for_live(tmp_path: Path) -> None:
    reviews(tmp_path, "id,text\na,The screen is bright\n")
    withstood(tmp_path, "sentiment", "in.csv", "--run", "mine")
    listed = withstood(tmp_path, "replay", "mine", "--set", "review.when=always", "--diff", "--json")
    assert listed.lines() == [{"id": "a", "needs": [{"role": role, "round": 1} for role in "ABC"]}]
    assert "3 new answers: 1 of A, 1 of B, 1 of C" in listed.said
    done = withstood(tmp_path, "replay", "mine", "--set", "review.when=always", "--live")
    assert done.code == 0, done.said
    (result,) = done.lines()
    assert (result["id"], result["asks"]) == ("a", 6)


def test_reviewers_weigh_by_what_was_measured_of_them(decided: Path) -> None:
    """FLIP, DROP and KEEP: arbiter-v2 drops, the one that is right most often carries under w1."""
    known = {
        role: {"reliability": share, "independent": "1", "items": 99}
        for role, share in zip("ABC", ("0.9", "0.5", "0.6"), strict=True)
    }
    (decided / "known.json").write_text(json.dumps({"format": "withstood calibration 1", "voters": known}))
    done = withstood(decided, "rules", "new", "w.toml", "--from", "mine", "--calibration", "known.json")
    assert done.code == 0, done.said
    assert 'reliability = "A:0.9;B:0.5;C:0.6"' in (decided / "w.toml").read_text()
    changed = withstood(decided, "replay", "mine", "--rules", "w.toml", "--diff").out.decode()
    assert "arbiter-w1 row 1: FLIP" in changed
    (decided / "none.json").write_text(json.dumps({"format": "withstood calibration 1", "voters": {}}))
    refused = withstood(decided, "rules", "new", "x.toml", "--calibration", "none.json")
    assert (refused.code, "knows none of A, B, C" in refused.said) == (78, True)


def test_investigators_weigh_by_what_was_measured_of_them(tmp_path: Path) -> None:
    """Who is right no more often than a coin corroborates nothing: Confirmed becomes Likely."""
    folder = shop.build(tmp_path)
    asked = ("investigate", shop.QUESTION, "--repo", "repo", "--logs", "logs", "-o", "out", "--run", "inquiry")
    assert withstood(folder, *asked).code == 0
    (report,) = withstood(folder, "replay", "inquiry").lines()
    (first, *_) = report["report"]["findings"]
    assert first["tag"] == "Confirmed"
    voices = {name.rpartition("-R")[0] for name in first["investigators"]}
    known = {name: {"reliability": "0.5", "independent": "1", "items": 20} for name in voices}
    known |= {"HIST-BLAME": {"reliability": "0.9", "independent": "1", "items": 20}}
    few = {"REL-RISK": {"reliability": "0.9", "independent": "1", "items": 9}}
    (folder / "known.json").write_text(json.dumps({"format": "withstood calibration 1", "voters": known | few}))
    done = withstood(folder, "rules", "new", "w.toml", "--from", "inquiry", "--calibration", "known.json")
    assert done.code == 0, done.said
    written = (folder / "w.toml").read_text()
    assert ("HIST-BLAME:0.9" in written, "REL-RISK" in written) == (True, False)
    changed = withstood(folder, "replay", "inquiry", "--rules", "w.toml", "--diff").out.decode()
    assert "judgement-1 row 5: Confirmed  →  judgement-w1 row 2: Likely (ONE_INVESTIGATOR)" in changed


def test_calibrating_measures_who_brought_what(tmp_path: Path) -> None:
    folder = shop.build(tmp_path)
    asked = ("investigate", shop.QUESTION, "--repo", "repo", "--logs", "logs", "-o", "out", "--run", "inquiry")
    assert withstood(folder, *asked).code == 0
    (report,) = withstood(folder, "replay", "inquiry").lines()
    first = report["report"]["findings"][0]
    (folder / "key.jsonl").write_text(json.dumps({"item": "inquiry", "claim": first["id"], "right": True}) + "\n")
    done = withstood(folder, "calibrate", "inquiry", "--gold", "key.jsonl", "--export", "known.json")
    assert done.code == 0, done.said
    voters = json.loads((folder / "known.json").read_text())["voters"]
    assert set(voters) >= {name.rpartition("-R")[0] for name in first["investigators"]}
    refused = withstood(folder, "rules", "new", "w.toml", "--calibration", "known.json")
    assert (refused.code, "by 10 findings or more" in refused.said) == (78, True)


def test_rows_are_dropped_where_they_have_decided(decided: Path) -> None:
    done = withstood(decided, "ablate", "mine", "--drop", "rule=arbiter-v2:3b", "--json")
    assert done.code == 0, done.said
    assert "arbiter-v2:3b" in done.out.decode()
    none = withstood(decided, "ablate", "mine", "--drop", "rule=arbiter-v2:1a")
    assert (none.code, "has the part rule=arbiter-v2:1a" in none.said) == (66, True)
    unknown = withstood(decided, "ablate", "mine", "--drop", "rule=arbiter-v2:9")
    assert (unknown.code, "rows of the tables arbiter-v1" in unknown.said) == (2, True)
    changed = withstood(decided, "replay", "mine", "--set", "rows.without=arbiter-v2:3b", "--diff").out.decode()
    assert "row 3b: DROP  →  arbiter-v2 row 3c: FLAG" in changed


@pytest.mark.parametrize("job", ["investigation", "research"])
def test_other_jobs_are_asked_as_runs_of_their_own(tmp_path: Path, job: str) -> None:
    folder = shop.build(tmp_path)
    (folder / "notes").mkdir()
    (folder / "notes" / "a.md").write_text("Caching makes read requests faster than asking the database.\n")
    asked = {
        "investigation": ("investigate", shop.QUESTION, "--repo", "repo", "--logs", "logs"),
        "research": ("research", "Does caching make read requests faster?", "--sources", "notes", "-n", "1"),
    }[job]
    begun = withstood(folder, *asked, "-o", "out", "--run", "first")
    assert begun.code == 0, begun.said
    told = withstood(folder, "replay", "first", "--set", "thesis.tested_at=0.6", "--live")
    assert (told.code, "--rules FILE.toml --reuse" in told.said) == (2, True)
    made = withstood(folder, "rules", "new", "r.toml", "--from", "first", "--set", "thesis.tested_at=0.6")
    again = withstood(folder, *asked, "-o", "new", "--run", "second", "--rules", "r.toml", "--reuse")
    assert (made.code, again.code) == (0, 0), again.said
    told_apart = withstood(folder, "rules", "diff", "first", "second", "--json").lines()
    assert [one["setting"] for one in told_apart] == ["thesis.tested_at"]
