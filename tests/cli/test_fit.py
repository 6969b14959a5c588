"""`withstood sentiment fit`, and what it leaves at work: agents by `--agents fitted:FILE`, and the tasks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.agents.fitted import rows
from tests.cli.commands import results, withstood
from withstood.agents.fitted.features import EDITION
from withstood.claims.label import Labelled
from withstood.sources.labels.kinds import LAYOUTS

TEXTS = '{"id":"a","text":"The lamp is lovely but the waiter was bad."}\n'


def labelled(folder: Path, found: list[Labelled], layout: str = "jsonl", name: str = "labelled") -> str:
    (folder / name).write_text("".join(LAYOUTS[layout].write(found)), "utf-8")
    return name


def fit(folder: Path, count: int = 60, *more: str) -> None:
    done = withstood(folder, "sentiment", "fit", labelled(folder, rows.english(count)), "--folds", "0", *more)
    assert done.code == 0, done.said


def test_a_reader_is_fitted_tried_and_used(tmp_path: Path) -> None:
    name = labelled(tmp_path, rows.english(60))
    done = withstood(tmp_path, "sentiment", "fit", name, "-o", "mine.json", "--resamples", "50")
    assert done.code == 0, done.said
    assert b"mine.json: fitted on 60 texts with 120 labels of labelled" in done.out
    assert b"fitted, targets given" in done.out
    assert "caution: 60 texts are few" in done.said
    assert "withstood sentiment FILE --agents fitted:mine.json" in done.said
    (tmp_path / "in.jsonl").write_text(TEXTS)
    used = withstood(tmp_path, "sentiment", "in.jsonl", "-o", "out", "--agents", "fitted:mine.json")
    assert used.code == 0, used.said
    final = {(one["aspect_term"], one["aspect_ref"], one["polarity"]) for one in results(tmp_path)[0]["final"]}
    assert final == {("lamp", "place#room", "positive"), ("waiter", "place#service", "negative")}
    seats = json.loads((tmp_path / "out" / "run.json").read_text())["seats"]
    assert seats["P-LIT"].startswith("fitted:explicit@1:")


def test_figures_are_of_texts_that_were_not_learned_from(tmp_path: Path) -> None:
    name = labelled(tmp_path, rows.english(60))
    done = withstood(tmp_path, "sentiment", "fit", name, "--resamples", "50", "--json", "--folds", "2")
    (found,) = done.lines()
    of = {(one["measure"], one["of"]): one for one in found["figures"]}
    assert {of_ for _, of_ in of} >= {"fitted", "programmed, not fitted", "constant guess", "fitted, targets given"}
    figure = of["term-pol micro", "fitted"]
    assert 0.8 < float(figure["value"]) <= 1
    assert float(figure["low"]) <= float(figure["value"]) <= float(figure["high"])
    assert found["model"] == json.loads((tmp_path / "reader.json").read_text())["sha256"][:12]


def test_a_reader_can_sit_beside_programs(tmp_path: Path) -> None:
    fit(tmp_path)
    (tmp_path / "in.jsonl").write_text(TEXTS)
    done = withstood(tmp_path, "sentiment", "in.jsonl", "-o", "out", "--agents", "P-LIT=fitted:reader.json")
    assert done.code == 0, done.said
    seats = json.loads((tmp_path / "out" / "run.json").read_text())["seats"]
    assert seats["P-LIT"].startswith("fitted:")
    assert seats["P-NEG"].startswith("programmed:")


def test_another_reader_does_not_go_on_with_a_run(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(TEXTS)
    arguments = ("sentiment", "in.jsonl", "-o", "out", "--agents", "fitted:reader.json", "--run", "r")
    fit(tmp_path)
    assert withstood(tmp_path, *arguments).code == 0
    fit(tmp_path, 50)
    assert withstood(tmp_path, *arguments, "--resume").code == 76


@pytest.mark.parametrize("layout", ["csv", "nikl", "semeval2016", "asqp", "doccano"])
def test_every_layout_teaches(tmp_path: Path, layout: str) -> None:
    done = withstood(
        tmp_path, "sentiment", "fit", labelled(tmp_path, rows.english(20), layout), "--folds", "0", "--json"
    )
    assert done.code == 0, done.said
    assert done.lines()[0]["labels"] == 40


def test_labels_of_one_polarity_are_cautioned(tmp_path: Path) -> None:
    done = withstood(tmp_path, "sentiment", "fit", labelled(tmp_path, rows.korean(40)), "--resamples", "20")
    assert done.code == 0, done.said
    assert "caution: every label is positive" in done.said


@pytest.mark.parametrize(
    ("content", "arguments", "code", "said"),
    [
        ("", (), 66, ""),
        ("not labelled\n", (), 66, "layout"),
        ('{"id":"1","text":"The lamp is lovely","labels":[]}\n' * 1, (), 66, ""),
        (None, ("--layout", "semeval2014"), 66, "it looks like jsonl"),
        (None, ("--layout", "none"), 66, "No layout is called"),
        (None, ("--folds", "1"), 2, "found 1: a reader is not tried on its own rows"),
        (None, ("-o", "."), 2, "is a folder"),
        (None, ("-o", "no/such/folder"), 73, "cannot be written"),
    ],
)
def test_what_cannot_be_learned_from_is_said(
    tmp_path: Path, content: str | None, arguments: tuple[str, ...], code: int, said: str
) -> None:
    name = labelled(tmp_path, rows.english(12))
    if content is not None:
        (tmp_path / name).write_text(content)
    done = withstood(tmp_path, "sentiment", "fit", name, "--folds", "0", *arguments)
    assert done.code == code, done.said
    assert said in done.said
    assert not (tmp_path / "reader.json").exists()


def test_too_few_rows_are_counted(tmp_path: Path) -> None:
    done = withstood(tmp_path, "sentiment", "fit", labelled(tmp_path, rows.english(9)))
    assert done.code == 66
    assert "Wanted at least 10 texts with labels in labelled, found 9" in done.said


def test_bad_rows_are_named_and_good_ones_teach(tmp_path: Path) -> None:
    name = labelled(tmp_path, rows.english(20))
    with (tmp_path / name).open("a") as file:
        file.write("{broken\n")
    done = withstood(tmp_path, "sentiment", "fit", name, "--folds", "0")
    assert done.code == 65
    assert "1 rows refused: line 21: broken_json" in done.said
    assert (tmp_path / "reader.json").exists()


def test_without_the_extra_the_message_names_it(tmp_path: Path) -> None:
    (tmp_path / "pycrfsuite.py").write_text("raise ImportError\n")
    name = labelled(tmp_path, rows.english(12))
    done = withstood(tmp_path, "sentiment", "fit", name, variables={"PYTHONPATH": str(tmp_path)})
    assert done.code == 78
    assert "pip install 'withstood[fit]'" in done.said


def test_a_reader_needs_no_extra_to_read(tmp_path: Path) -> None:
    fit(tmp_path)
    for part in ("pycrfsuite", "sklearn", "numpy", "scipy"):
        (tmp_path / f"{part}.py").write_text("raise ImportError\n")
    (tmp_path / "in.jsonl").write_text(TEXTS)
    variables = {"PYTHONPATH": str(tmp_path)}
    done = withstood(tmp_path, "sentiment", "in.jsonl", "--agents", "fitted:reader.json", variables=variables)
    assert done.code == 0, done.said


def test_a_damaged_reader_is_refused(tmp_path: Path) -> None:
    fit(tmp_path)
    path = tmp_path / "reader.json"
    path.write_text(path.read_text().replace(f'"edition":{EDITION}', f'"edition":{EDITION - 1}'))
    (tmp_path / "in.jsonl").write_text(TEXTS)
    done = withstood(tmp_path, "sentiment", "in.jsonl", "--agents", "fitted:reader.json")
    assert done.code == 78
    assert "another version of withstood made it" in done.said


# --- tasks -------------------------------------------------------------------------------------


@pytest.mark.parametrize("agents", ["programmed", "fitted:reader.json"])
def test_the_polarity_of_given_targets_and_of_nothing_else(tmp_path: Path, agents: str) -> None:
    fit(tmp_path)
    taught = [*rows.english(8), Labelled(9, "none", "Nothing is labelled here.")]
    name = labelled(tmp_path, taught, name="given.jsonl")
    done = withstood(tmp_path, "sentiment", name, "--task", "polarity", "-o", "out", "--agents", agents, "--run", "r")
    assert done.code == 65, done.said
    found = results(tmp_path)
    assert [line["error"]["code"] for line in found if "error" in line] == ["no_targets"]
    for line, row in zip(found, taught[:8], strict=False):
        targets = {(one.aspect_term, one.aspect_ref, one.begin, one.end) for one in row.labels}
        said = {(one["aspect_term"], one["aspect_ref"], one["begin"], one["end"]) for one in line["final"]}
        assert said == targets
    measured = withstood(tmp_path, "evaluate", "r", "--gold", name, "--resamples", "10", "--json")
    figures = {(one["measure"], one["of"]): one["value"] for one in measured.lines()[0]["figures"]}
    assert float(figures["targets found", "final"]) == 1


def test_targets_alone_have_no_polarity_and_no_label(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(TEXTS)
    done = withstood(tmp_path, "sentiment", "in.jsonl", "--task", "targets", "-o", "out")
    assert done.code == 0, done.said
    (line,) = results(tmp_path)
    assert {one["aspect_term"] for one in line["final"]} == {"lamp", "waiter"}
    assert {one["polarity"] for one in line["final"]} == {""}
    assert line["label"] is None


def test_a_run_is_not_resumed_as_another_task(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(TEXTS)
    assert withstood(tmp_path, "sentiment", "in.jsonl", "-o", "out", "--run", "r").code == 0
    again = withstood(tmp_path, "sentiment", "in.jsonl", "-o", "out", "--run", "r", "--resume", "--task", "targets")
    assert again.code == 76
