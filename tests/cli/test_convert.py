"""`withstood sentiment convert` and `formats`, as a user starts them."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.commands import reviews, withstood

NIKL = "\n".join(
    json.dumps(line, ensure_ascii=False)
    for line in (
        {"id": "k1", "sentence_form": "뚜껑이 뻑뻑해요", "annotation": [["본품#품질", ["뚜껑", 0, 2], "negative"]]},
        {"id": "k2", "sentence_form": "또 살게요", "annotation": [["제품 전체#일반", [None, 0, 0], "positive"]]},
        {"id": "k3", "sentence_form": "색이 달라요", "annotation": [["본품#디자인", ["색", 2, 3], "negative"]]},
    )
)


def test_there_and_back_again(tmp_path: Path) -> None:
    whole = "\n".join(NIKL.splitlines()[:2]) + "\n"
    reviews(tmp_path, whole, "in.nikl")
    path = [("in.nikl", "a.xml", "semeval2016"), ("a.xml", "b.csv", "csv"), ("b.csv", "c.json", "labelstudio")]
    for source, out, layout in [*path, ("c.json", "d.jsonl", "nikl")]:
        ended = withstood(tmp_path, "sentiment", "convert", source, out, "--to", layout)
        assert ended.code == 0, ended.said
    assert [json.loads(line) for line in (tmp_path / "d.jsonl").read_text().splitlines()] == [
        json.loads(line) for line in whole.splitlines()
    ]


def test_bad_texts_are_told_and_the_others_are_written(tmp_path: Path) -> None:
    reviews(tmp_path, NIKL, "in.nikl")
    ended = withstood(tmp_path, "sentiment", "convert", "in.nikl", "out.jsonl", "--json")
    assert ended.code == 65
    assert 'line 3, k3: wrong_offsets: wanted the term "색" at 2-3' in ended.said
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 2
    [told] = ended.lines()
    assert (told["layout"], told["texts"], told["labels"], told["refused"]) == ("nikl", 2, 2, 1)


def test_what_there_is_no_room_for_is_counted(tmp_path: Path) -> None:
    reviews(tmp_path, NIKL.replace("본품#품질", "본품#맛"), "in.nikl")
    ended = withstood(tmp_path, "sentiment", "convert", "in.nikl", "-", "--to", "setfit", "--taxonomy", "nikl")
    assert "no room in setfit: 1 labels left out: their target is not written in the text" in ended.said
    assert "not in the taxonomy, and kept: 본품#맛 (1)" in ended.said
    assert ended.out.decode().splitlines() == ["text,span,label,ordinal", "뚜껑이 뻑뻑해요,뚜껑,negative,0"]


def test_a_run_and_its_results_become_labels(tmp_path: Path) -> None:
    reviews(tmp_path)
    assert withstood(tmp_path, "sentiment", "in.csv", "-o", "out").code == 0
    of_run = withstood(tmp_path, "sentiment", "convert", "last", "-", "--to", "jsonl")
    assert of_run.code == 0, of_run.said
    found = of_run.lines()
    assert [row["id"] for row in found] == ["k1", "e1", "e2", "e3"]
    first = next(label for label in found[1]["labels"] if label.get("begin") is not None)
    assert found[1]["text"][first["begin"] : first["end"]] == first["aspect_term"]
    results = "out/results.jsonl"
    assert withstood(tmp_path, "sentiment", "convert", results, "x.jsonl").code == 2
    again = withstood(tmp_path, "sentiment", "convert", results, "-", "--to", "jsonl", "--texts", "in.csv")
    assert again.lines() == found


def test_results_of_other_texts_are_refused_line_by_line(tmp_path: Path) -> None:
    reviews(tmp_path)
    withstood(tmp_path, "sentiment", "in.csv", "-o", "out")
    reviews(tmp_path, "id,text\ne3,Nothing to say about it\nk1,Something else\n", "other.csv")
    ended = withstood(tmp_path, "sentiment", "convert", "out/results.jsonl", "o.jsonl", "--texts", "other.csv")
    assert ended.code == 65
    assert "line 1, k1: other_text" in ended.said
    assert len((tmp_path / "o.jsonl").read_text().splitlines()) == 1


def test_what_cannot_be_done_is_said(tmp_path: Path) -> None:
    reviews(tmp_path, NIKL, "in.nikl")
    for arguments, code, words in (
        (("in.nikl", "in.nikl"), 2, "Say which layout"),
        (("in.nikl", "in.nikl", "--to", "nikl"), 2, "is what is read"),
        (("in.nikl", "out", "--to", "conll"), 66, "No layout is called conll"),
        (("in.nikl", "out.csv", "--from", "aste"), 66, "looks like nikl"),
        (("none.xml", "out.csv"), 66, "No such file"),
        (("norun", "out.csv"), 2, "There is no run 'norun'"),
        (("in.nikl", "no/such/out.csv"), 73, "cannot be written"),
    ):
        ended = withstood(tmp_path, "sentiment", "convert", *arguments)
        assert ended.code == code, ended.said
        assert words in ended.said
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == ["in.nikl"]


def test_formats_are_listed(tmp_path: Path) -> None:
    ended = withstood(tmp_path, "sentiment", "formats")
    assert ended.code == 0
    assert "semeval2014" in ended.out.decode()
    [told] = withstood(tmp_path, "sentiment", "formats", "--json").lines()
    assert told["aliases"]["semeval2015"] == "semeval2016"


def test_a_file_that_is_called_like_a_command_is_meant_by_its_path(tmp_path: Path) -> None:
    reviews(tmp_path, "The screen is bright\n", "formats")
    ended = withstood(tmp_path, "sentiment", "./formats", "--format", "text")
    assert [row["id"] for row in ended.lines()] == ["1"]
