"""Labelled files: the layout is found by content, labels stand where they say, one bad text costs one text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.sources.labels.written import bad, good, written
from withstood.claims.label import Label
from withstood.errors import InputError
from withstood.sources import labelled

ASTE = """The soup was cold but the soup spoon was nice .####[([1], [3], 'NEG'), ([6, 7], [9], 'POS')]
Nothing to say .####[]
"""
XML_2014 = """<?xml version="1.0" encoding="UTF-8"?>
<sentences>
  <sentence id="s1"><text>Tea &amp; cake: the cake was dry.</text>
    <aspectTerms>
      <aspectTerm term="cake" polarity="conflict" from="16" to="20"/>
      <aspectTerm term="Tea" polarity="neutral" from="0" to="3"/>
    </aspectTerms>
    <aspectCategories><aspectCategory category="food" polarity="negative"/></aspectCategories>
  </sentence>
  <sentence id="s2"><text>We sat outside.</text></sentence>
</sentences>
"""
XML_2016 = """<Reviews><Review rid="1"><sentences>
<sentence id="1:0"><text>Cosy room, and they were kind.</text><Opinions>
  <Opinion target="room" category="AMBIENCE#GENERAL" polarity="positive" from="5" to="9"/>
  <Opinion target="NULL" category="SERVICE#GENERAL" polarity="positive" from="0" to="0"/>
</Opinions></sentence>
</sentences></Review></Reviews>
"""
NIKL = "\n".join(
    json.dumps(line, ensure_ascii=False)
    for line in (
        {"id": "k1", "sentence_form": "😀 뚜껑이 뻑뻑해요", "annotation": [["본품#품질", ["뚜껑", 2, 4], "negative"]]},
        {"id": "k2", "sentence_form": "또 살게요", "annotation": [["제품 전체#일반", [None, 0, 0], "긍정"]]},
    )
)


def test_tokens_of_aste_become_characters(tmp_path: Path) -> None:
    path = written(tmp_path, ASTE)
    first, second = good(path)
    assert labelled.read(path).layout == "aste"
    assert first.labels == (
        Label("soup", "", "negative", 4, 8, "cold", 13, 17),
        Label("soup spoon", "", "positive", 26, 36, "nice", 41, 45),
    )
    assert (second.id, second.labels, second.line) == ("2", (), 2)


def test_semeval_2014_has_terms_and_categories(tmp_path: Path) -> None:
    path = written(tmp_path, XML_2014)
    first, second = good(path)
    assert labelled.read(path).layout == "semeval2014"
    assert first.text == "Tea & cake: the cake was dry."
    assert first.labels == (
        Label("cake", "", "mixed", 16, 20),
        Label("Tea", "", "neutral", 0, 3),
        Label("", "food", "negative"),
    )
    assert (second.id, second.line) == ("s2", 10)


def test_semeval_2016_has_opinions_and_implicit_targets(tmp_path: Path) -> None:
    path = written(tmp_path, XML_2016)
    [row] = good(path)
    assert labelled.read(path).layout == "semeval2016"
    assert row.labels == (
        Label("room", "AMBIENCE#GENERAL", "positive", 5, 9),
        Label("", "SERVICE#GENERAL", "positive"),
    )


def test_nikl_counts_code_points(tmp_path: Path) -> None:
    path = written(tmp_path, NIKL)
    first, second = good(path)
    assert labelled.read(path).layout == "nikl"
    assert first.labels == (Label("뚜껑", "본품#품질", "negative", 2, 4),)
    assert second.labels == (Label("", "제품 전체#일반", "positive"),)


@pytest.mark.parametrize(("content", "layout"), [(ASTE, "nikl"), (XML_2014, "jsonl"), (NIKL, "aste")])
def test_a_file_in_another_layout_says_which_it_looks_like(tmp_path: Path, content: str, layout: str) -> None:
    path = written(tmp_path, content)
    with pytest.raises(InputError, match=f"looks like {labelled.read(path).layout}"):
        labelled.read(path, layout)


def test_wrong_places_say_what_stands_there_and_where_the_term_is(tmp_path: Path) -> None:
    path = written(tmp_path, XML_2014.replace('from="16" to="20"', 'from="17" to="21"'))
    [row] = bad(path)
    assert (row.id, row.line, row.code) == ("s1", 3, "wrong_offsets")
    assert 'wanted the term "cake" at 17-21, found "ake"' in row.message
    assert "It stands at 6-10, 16-20." in row.message
    assert [other.id for other in good(path)] == ["s2"]


@pytest.mark.parametrize(
    ("place", "hint"),
    [((2, 3), "this one is the last"), ((3, 5), "counts UTF-16 units"), ((5, 11), "counts UTF-8 bytes")],
)
def test_places_that_are_counted_otherwise_are_told_apart(tmp_path: Path, place: tuple[int, int], hint: str) -> None:
    line = {"id": "k", "sentence_form": "😀 뚜껑이 뻑뻑", "annotation": [["본품#품질", ["뚜껑", *place], "negative"]]}
    assert hint in bad(written(tmp_path, json.dumps(line)))[0].message


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("good food .####[([9], [0], 'POS')]", "wrong_offsets"),
        ("good food .####[([-1], [0], 'POS')]", "wrong_offsets"),
        ("good food .####[([0, 2], [1], 'POS')]", "broken_labels"),
        ("good food .####[([], [0], 'POS')]", "broken_labels"),
        ("good food .####[([1], [0], 'GOOD')]", "unknown_polarity"),
        ("good food .####[([1], [0], 'POS')", "broken_labels"),
        ("good food .####[([1] [0], 'POS')]", "broken_labels"),
        ("good food .####__import__('os')", "broken_labels"),
        ("good food .####" + "[" * 100_000, "broken_labels"),
        ("good food .", "no_labels"),
        ("   ####[]", "empty_text"),
    ],
)
def test_one_bad_line_costs_one_line(tmp_path: Path, line: str, code: str) -> None:
    path = written(tmp_path, f"fine .####[([0], [0], 'POS')]\n{line}\nfine too .####[]\n")
    [row] = bad(path)
    assert (row.line, row.code) == (2, code)
    assert [other.line for other in good(path)] == [1, 3]


def test_repeated_labels_count_once_and_overlaps_stay(tmp_path: Path) -> None:
    twice = "wine list .####[([0], [1], 'POS'), ([0], [1], 'POS'), ([0, 1], [1], 'POS')]"
    [row] = good(written(tmp_path, twice))
    assert [label.aspect_term for label in row.labels] == ["wine", "wine list"]
    assert [remark.code for remark in row.remarks] == ["repeated_label", "overlapping_targets"]


def test_of_texts_with_one_id_the_first_is_good(tmp_path: Path) -> None:
    path = written(tmp_path, NIKL.replace("k2", "k1"))
    assert [row.code for row in bad(path)] == ["duplicate_id"]
    assert len(good(path)) == 1


@pytest.mark.parametrize(
    "content",
    [
        '<!DOCTYPE s [<!ENTITY a "b">]><sentences><sentence><text>&a;</text></sentence></sentences>',
        '<!DOCTYPE s SYSTEM "file:///etc/hostname"><sentences/>',
    ],
)
def test_a_document_type_is_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(InputError, match="DOCTYPE"):
        labelled.read(written(tmp_path, content))


def test_broken_xml_names_the_place(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"line 5, column \d+: wanted well-formed"):
        labelled.read(
            written(tmp_path, XML_2014.replace("<aspectTerms>", "<aspectTerms").replace("\n      <asp", "\n<a"))
        )


def test_xml_that_holds_no_sentences_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no layout of labels"):
        labelled.read(written(tmp_path, "<rss><item>text</item></rss>"))


def test_endless_attributes_and_depths_are_refused(tmp_path: Path) -> None:
    for content in ("<sentences><sentence id='" + "x" * 3_000_000, "<s>" * 1000):
        with pytest.raises(InputError):
            labelled.read(written(tmp_path, content))


def test_xml_in_an_older_encoding_is_read_as_it_says(tmp_path: Path) -> None:
    content = XML_2014.replace("UTF-8", "ISO-8859-1").replace("outside", "dehors, café").encode("latin-1")
    assert good(written(tmp_path, content))[1].text == "We sat dehors, café."


def test_secrets_are_covered_and_places_still_hold(tmp_path: Path) -> None:
    key = "sk-" + "a1" * 16
    [row] = good(written(tmp_path, f"the {key} works .####[([1], [2], 'POS')]"))
    assert key not in str(row)
    assert row.text[row.labels[0].begin : row.labels[0].end] == row.labels[0].aspect_term
