"""Measured shares: by labels and by an answer key, told beside the word only where they were measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli import shop
from tests.cli.commands import reviews, script, withstood


@pytest.fixture(scope="module")
def inquired(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = shop.build(tmp_path_factory.mktemp("inquired"))
    call = ("investigate", shop.QUESTION, "--repo", "repo", "--logs", "logs", "-o", "out", "--run", "inq")
    done = withstood(folder, *call)
    assert done.code == 0, done.said
    return folder


def key(folder: Path, *lines: object) -> str:
    (folder / "key.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return "key.jsonl"


def test_certainties_of_findings_are_measured_by_a_key(inquired: Path) -> None:
    gold = key(inquired, {"item": "inq", "claim": "I1", "right": True}, {"item": "inq", "claim": "I2", "right": False})
    done = withstood(inquired, "calibrate", "inq", "--gold", gold, "--json", "--export", "known.json")
    assert done.code == 0, done.said
    (found,) = done.lines()
    shares = {one["name"]: (one["count"], one["right"]) for one in found["parts"]}
    assert sum(count for count, _ in shares.values()) == 2
    assert sum(right for _, right in shares.values()) == 1
    told = withstood(inquired, "explain", "inq", "--format", "markdown")
    measured = withstood(inquired, "explain", "inq", "--format", "markdown", "--calibration", "known.json")
    assert measured.out == told.out, "two claims are too few for a share"
    known = json.loads((inquired / "known.json").read_text())
    known["bins"] = [one | {"count": 40, "right": 30} for one in known["bins"]]
    (inquired / "enough.json").write_text(json.dumps(known))
    enough = withstood(inquired, "explain", "inq", "--format", "html", "--calibration", "enough.json")
    assert "right in 75 % of 40 such verdicts" in enough.out.decode()


def test_labels_and_confidences_are_measured_by_labels(tmp_path: Path) -> None:
    reviews(tmp_path)
    model = script(tmp_path, "KEEP", "KEEP")
    withstood(tmp_path, "sentiment", "in.csv", "-o", "out", "--run", "mine", "--model", model)
    gold = [
        {"id": "e1", "text": "The screen is bright, but the battery is weak",
         "triplets": [{"aspect_term": "battery", "aspect_ref": "battery#quality", "polarity": "negative"}]},
        {"id": "e2", "text": "The food was fine and the staff was rude",
         "triplets": [{"aspect_term": "battery", "aspect_ref": "battery#quality", "polarity": "positive"}]},
    ]  # fmt: skip
    (tmp_path / "gold.jsonl").write_text("".join(json.dumps(one) + "\n" for one in gold))
    done = withstood(tmp_path, "calibrate", "mine", "--gold", "gold.jsonl", "-o", "cal", "--json")
    assert done.code == 0, done.said
    (found,) = done.lines()
    assert sum(one["count"] for one in found["headlines"]) == 2
    (step,) = found["confidence"]
    assert (step["count"], step["right"]) == (4, 2)
    assert (tmp_path / "cal" / "calibration-1.svg").is_file()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"item": "other", "gold": "x"}, "does not match inq"),
        ({"item": "inq"}, "line 1 is no line of an answer key: the whole: wanted either gold or right"),
        ({"item": "inq", "truth": 1}, "an unknown field"),
    ],
)
def test_a_key_that_says_nothing_of_the_run(inquired: Path, line: object, said: str) -> None:
    done = withstood(inquired, "calibrate", "inq", "--gold", key(inquired, line))
    assert (done.code, said in done.said) == (66, True), done.said


def test_what_is_no_calibration(inquired: Path) -> None:
    (inquired / "x.json").write_text('{"format": "withstood calibration 9"}')
    done = withstood(inquired, "explain", "inq", "--calibration", "x.json")
    assert (done.code, "this version reads a withstood calibration 1" in done.said) == (78, True), done.said


def test_an_investigation_is_swept_and_supposed_like_any_run(inquired: Path) -> None:
    gold = key(inquired, {"item": "inq", "gold": "I1 Confirmed, I2 Likely"})
    swept = withstood(inquired, "sweep", "inq", "--set", "mass.gap=1,9", "--gold", gold, "--json")
    assert swept.code == 0, swept.said
    assert [one["value"] for one in swept.lines()[0]["points"]] == ["1.000000"] * 2
    supposed = withstood(inquired, "what-if", "inq", "inq", "--most-tries", "60", "--no-settings", "--json")
    assert supposed.code == 0, supposed.said
    assert supposed.lines()[0]["struck"]["complete"] >= 1


def test_a_finding_is_explained_and_supposed_by_its_name(inquired: Path) -> None:
    told = withstood(inquired, "explain", "inq", "I1", "--format", "markdown")
    assert (told.code, "## inq I1: Confirmed" in told.out.decode()) == (0, True), told.said
    supposed = withstood(inquired, "what-if", "inq", "I2", "--most-tries", "40", "--no-settings", "--json")
    (found,) = supposed.lines()
    assert (found["on"], found["outcome"]) == ("I2", "Likely")
    assert withstood(inquired, "explain", "inq", "I9").code != 0
