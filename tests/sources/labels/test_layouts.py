"""Each layout as other programs write it: small files, read by what stands in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.sources.labels.written import bad, good, written
from withstood.claims.label import Label
from withstood.errors import InputError
from withstood.sources import labelled

LONG = """id,text,aspect,category,sentiment,start,end
1,"Warm bread, cold bread",bread,food,POS,5,10
1,"Warm bread, cold bread",bread,food,negative,17,22
2,Nothing to add.,,,,,
3,Kind people,NULL,service,1,,
"""
WIDE = """id;text;FOOD#QUALITY;SERVICE#GENERAL;stars
1;Tasty but slow;positive;-1;3
2;Meh;중립;;2
3;Torn;POS;excellent;1
"""
NUMBERED = """text,aspect_term_1,polarity_1,aspect_term_2,polarity_2
good tea but bad cake,tea,pos,cake,neg
just tea,tea,conflict,,
"""
SETFIT = """text,span,label,ordinal
"tea, tea and more tea",tea,negative,2
"tea, tea and more tea",tea,positive,0
plain,plain,neutral,0
"""
TASD = "slow and cold####[['NULL', 'SERVICE#GENERAL', 'negative'], ['it\\'s', 'FOOD#QUALITY', 'neu']]\n"
ASQP = "good tea here####[['tea', 'drinks quality', 'positive', 'good'], [\"NULL\", 'place', 'neutral', 'NULL']]\n"
ACOS = "the tea was so good\t1,2 DRINKS#QUALITY 2 4,5\t-1,-1 RESTAURANT#GENERAL 1 -1,-1\nnothing\n"
DOCCANO = """{"id": 7, "text": "뚜껑이 샌다", "label": [[0, 2, "본품#품질|부정"]], "cats": ["제품 전체#일반|neutral"]}
{"id": 8, "text": "good cap", "entities": [{"id": 1, "label": "POS", "start_offset": 5, "end_offset": 8}]}
"""
STUDIO = [
    {
        "id": 11,
        "data": {"text": "the cap {leaks}"},
        "annotations": [
            {"was_cancelled": True, "result": []},
            {
                "result": [
                    {"id": "x", "type": "labels", "value": {"start": 4, "end": 7, "labels": ["Negative"]}},
                    {"id": "x", "type": "choices", "value": {"start": 4, "end": 7, "choices": ["PART#QUALITY"]}},
                    {"id": "y", "type": "taxonomy", "value": {"taxonomy": [["WHOLE", "GENERAL"]]}},
                    {"id": "y", "type": "choices", "value": {"choices": ["neutral"]}},
                    {"from_id": "x", "to_id": "y", "type": "relation", "direction": "right"},
                ]
            },
        ],
    },
    {"id": 12, "text": "fine \"cap\"", "label": [{"start": 6, "end": 9, "text": "cap", "labels": ["positive"]}]},
]  # fmt: skip


def told(folder: Path, content: str) -> tuple[str, list[tuple[str, tuple[Label, ...]]]]:
    path = written(folder, content)
    return labelled.read(path).layout, [(row.id, row.labels) for row in good(path)]


def test_rows_of_one_text_follow_each_other(tmp_path: Path) -> None:
    layout, rows = told(tmp_path, LONG)
    assert layout == "csv"
    assert rows == [
        ("1", (Label("bread", "food", "positive", 5, 10), Label("bread", "food", "negative", 17, 22))),
        ("2", ()),
        ("3", (Label("", "service", "positive"),)),
    ]


def test_columns_that_are_refs_and_columns_that_are_not(tmp_path: Path) -> None:
    path = written(tmp_path, WIDE)
    rows = [(row.id, row.labels) for row in good(path, "csv-wide")]
    assert rows == [
        ("1", (Label("", "FOOD#QUALITY", "positive"), Label("", "SERVICE#GENERAL", "negative"))),
        ("2", (Label("", "FOOD#QUALITY", "neutral"),)),
    ]
    assert [(row.line, row.code) for row in bad(path, "csv-wide")] == [(4, "unknown_polarity")]


def test_numbered_columns(tmp_path: Path) -> None:
    layout, rows = told(tmp_path, NUMBERED)
    assert layout == "csv-wide"
    assert rows[0] == ("1", (Label("tea", "", "positive", 5, 8), Label("cake", "", "negative", 17, 21)))
    assert rows[1] == ("2", (Label("tea", "", "mixed", 5, 8),))


def test_ordinals_of_setfit_count_places(tmp_path: Path) -> None:
    layout, rows = told(tmp_path, SETFIT)
    assert layout == "setfit"
    assert rows[0] == ("1", (Label("tea", "", "negative", 18, 21), Label("tea", "", "positive", 0, 3)))
    [fault] = bad(written(tmp_path, SETFIT.replace(",2\n", ",3\n")))
    assert fault.code == "wrong_offsets"
    assert "found 3 places" in fault.message


def test_words_of_tasd_and_asqp_get_the_only_place_that_they_have(tmp_path: Path) -> None:
    layout, rows = told(tmp_path, TASD)
    assert layout == "tasd"
    assert rows == [("1", (Label("", "SERVICE#GENERAL", "negative"), Label("it's", "FOOD#QUALITY", "neutral")))]
    assert [remark.code for row in good(written(tmp_path, TASD)) for remark in row.remarks] == ["term_not_in_text"]
    layout, rows = told(tmp_path, ASQP)
    assert layout == "asqp"
    assert rows[0][1][0] == Label("tea", "drinks quality", "positive", 5, 8, "good", 0, 4)
    assert rows[0][1][1] == Label("", "place", "neutral", None, None, "", None, None)


def test_acos_with_tabs_counts_tokens(tmp_path: Path) -> None:
    layout, rows = told(tmp_path, ACOS)
    assert layout == "acos-tsv"
    assert rows[0][1] == (
        Label("tea", "DRINKS#QUALITY", "positive", 4, 7, "good", 15, 19),
        Label("", "RESTAURANT#GENERAL", "neutral", None, None, "", None, None),
    )
    assert rows[1] == ("2", ())


def test_doccano_in_both_of_its_forms(tmp_path: Path) -> None:
    layout, rows = told(tmp_path, DOCCANO)
    assert layout == "doccano"
    assert rows == [
        ("7", (Label("뚜껑", "본품#품질", "negative", 0, 2), Label("", "제품 전체#일반", "neutral"))),
        ("8", (Label("cap", "", "positive", 5, 8),)),
    ]


@pytest.mark.parametrize("indent", [None, 2])
def test_label_studio_joins_the_results_of_a_region(tmp_path: Path, indent: int | None) -> None:
    layout, rows = told(tmp_path, json.dumps(STUDIO, indent=indent))
    assert layout == "labelstudio"
    assert rows == [
        ("11", (Label("cap", "PART#QUALITY", "negative", 4, 7), Label("", "WHOLE#GENERAL", "neutral"))),
        ("12", (Label("cap", "", "positive", 6, 9),)),
    ]


def test_label_studio_keeps_reading_behind_a_broken_task(tmp_path: Path) -> None:
    content = json.dumps(STUDIO[:1])[:-1] + ',\n{"id": 3, "data": }\n,' + json.dumps(STUDIO[1]) + "]"
    path = written(tmp_path, content)
    assert [row.id for row in good(path)] == ["11", "12"]
    assert [(row.line, row.code) for row in bad(path)] == [(2, "broken_json")]


@pytest.mark.parametrize(
    ("content", "layout"),
    [
        (LONG, "csv"), (LONG.replace(",", "\t"), "tsv"), (NUMBERED, "csv-wide"), (SETFIT, "setfit"), (TASD, "tasd"),
        (ASQP, "asqp"), (ACOS, "acos-tsv"), (DOCCANO, "doccano"), (json.dumps(STUDIO), "labelstudio"),
        ('{"text": "a", "labels": []}\n{"text": "b", "labels": [{"polarity": "pos"}]}', "jsonl"),
        ('{"text": "a b", "span": "a", "label": "positive"}', "setfit"),
    ],
)  # fmt: skip
def test_the_layout_is_told_by_content(tmp_path: Path, content: str, layout: str) -> None:
    assert labelled.read(written(tmp_path, content)).layout == layout


@pytest.mark.parametrize(
    "content", ["id,text,date\n1,fine,2020-01-01\n", '{"text": "fine", "stars": 3}', "plain prose"]
)
def test_a_file_without_labels_is_refused_in_words(tmp_path: Path, content: str) -> None:
    with pytest.raises(InputError, match=r"in no layout of labels that is known\. Wanted one of csv, tsv"):
        labelled.read(written(tmp_path, content))


def test_names_of_layouts_are_checked(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No layout is called conll"):
        labelled.read(written(tmp_path, LONG), "conll")
    assert labelled.read(written(tmp_path, ASQP), "acos").layout == "acos"


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ('{"id": 1, "text": "a", "labels": "x"}', "broken_labels"),
        ('{"id": 1, "text": "a", "labels": [3]}', "broken_labels"),
        ('{"id": 1, "text": "a", "labels": [{"polarity": "so-so"}]}', "unknown_polarity"),
        ('{"id": 1, "text": "a", "labels": [{"aspect_term": ["a"]}]}', "broken_labels"),
        ('{"id": 1, "text": "a", "labels": [{"aspect_term": "a", "begin": "x", "end": 1}]}', "broken_labels"),
        ('{"id": 1, "labels": []}', "missing_text"),
        ('{"id": 1, "text": "a"}', "no_labels"),
        ('{"id": 1, "text": "a", "labels": [{"aspect_term": "b", "begin": 0, "end": 1}]}', "wrong_offsets"),
    ],
)
def test_a_bad_object_is_refused_under_its_id(tmp_path: Path, content: str, code: str) -> None:
    path = written(tmp_path, f'{{"text": "good", "labels": [{{"polarity": "pos"}}]}}\n{content}\n')
    [row] = bad(path, "jsonl")
    assert (row.line, row.id, row.code) == (2, "1", code)


def test_one_id_with_two_texts_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "id,text,polarity\n1,first,pos\n1,second,neg\n2,third,neu\n")
    assert [(row.line, row.id, row.code) for row in bad(path)] == [(3, "1", "different_texts")]
    assert [row.id for row in good(path)] == ["2"]
