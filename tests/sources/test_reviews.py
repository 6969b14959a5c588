"""Files of reviews: what was written is what is read, and one bad row costs one row."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import threading
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from withstood.errors import InputError
from withstood.sources.reviews import BadRow, Row, rows, survey

TEXTS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0\r"), min_size=1, max_size=60).filter(
    lambda text: not text.isspace()
)
TABLES = st.lists(TEXTS, min_size=1, max_size=12)
SOME = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def read(path: Path, **options: Any) -> list[Row | BadRow]:
    return list(rows(survey(path, **options)))


def texts(path: Path, **options: Any) -> list[str]:
    return [row.text if isinstance(row, Row) else f"<{row.code}>" for row in read(path, **options)]


def written(tmp_path: Path, content: str | bytes, name: str = "r.csv") -> Path:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


# --- round trips -------------------------------------------------------------------------------


@SOME
@given(TABLES, st.sampled_from([",", ";", "\t"]), st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]), st.booleans())
def test_any_csv_comes_back(tmp_path: Path, table: list[str], delimiter: str, encoding: str, packed: bool) -> None:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter)
    writer.writerows([["id", "n", "text"], *([f"r{no}", no, text] for no, text in enumerate(table))])
    content = out.getvalue().encode(encoding)
    path = written(tmp_path, gzip.compress(content, mtime=0) if packed else content, "r.csv.gz" if packed else "r.csv")
    found = read(path)
    assert [row.id for row in found] == [f"r{no}" for no in range(len(table))]
    assert [row.text for row in found if isinstance(row, Row)] == table
    assert [row.no for row in found] == list(range(1, len(table) + 1))


@SOME
@given(TABLES, st.booleans(), st.booleans())
def test_any_jsonl_comes_back(tmp_path: Path, table: list[str], plain: bool, numbers: bool) -> None:
    lines = [
        json.dumps({"id": no if numbers else f"r{no}", "text": t}, ensure_ascii=plain) for no, t in enumerate(table)
    ]
    found = read(written(tmp_path, "\n".join(lines), "r.jsonl"))
    assert [row.id for row in found] == [str(no) if numbers else f"r{no}" for no in range(len(table))]
    assert [row.text for row in found if isinstance(row, Row)] == table


@SOME
@given(TABLES)
@example(["text", "{", "[1]"])
def test_plain_text_is_one_review_a_line(tmp_path: Path, table: list[str]) -> None:
    flat = [" ".join(text.split()) for text in table]
    path = written(tmp_path, "\n\n".join(["앞줄", *flat]), "r.txt")
    assert texts(path, format="text") == ["앞줄", *flat]


@SOME
@given(st.binary(min_size=1, max_size=300), st.sampled_from(["r.csv", "r.jsonl", "r.txt", "r", "r.csv.gz"]))
@example(b"\xef\xbb\xbf", "r.csv")
@example(b'text\n"', "r.csv")
@example(b"\x1f\x8b", "r.csv")
def test_any_bytes_are_read_or_refused_in_words(tmp_path: Path, content: bytes, name: str) -> None:
    path = written(tmp_path, content, name)
    try:
        surveyed = survey(path)
    except InputError as refusal:
        assert len(str(refusal)) > 20
        return
    found = list(rows(surveyed))
    assert len(found) == surveyed.rows
    assert sum(isinstance(row, BadRow) for row in found) >= surveyed.bad


# --- formats, encodings, ids -------------------------------------------------------------------


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp949", "euc-kr", "utf-32"]
)
@pytest.mark.parametrize("name", ["r.csv", "r.jsonl", "r.txt"])
def test_encodings_are_found(tmp_path: Path, encoding: str, name: str) -> None:
    text = "배송이 정말 빨랐어요, 포장은 별로."
    content = {
        "r.csv": f'id,text\n1,"{text}"\n',
        "r.jsonl": json.dumps({"id": 1, "text": text}, ensure_ascii=False),
        "r.txt": text,
    }[name]
    assert texts(written(tmp_path, content.encode(encoding), name)) == [text]


def test_laughter_and_stars_are_korean_too(tmp_path: Path) -> None:
    text = "ㅋㅋㅋㅋㅋㅋ 좋아요 ★★★★★ ㅠㅠ"
    assert texts(written(tmp_path, f"text\n{text}\n".encode("cp949"))) == [text]


@pytest.mark.parametrize(
    ("name", "content", "wanted"),
    [
        ("r.csv", "id,text\na,b\n", "csv"),
        ("r.csv", "id;text\na;b\n", "csv"),
        ("r.tsv", "id\ttext\na\tb\n", "tsv"),
        ("r", "id\ttext\na\tb\n", "tsv"),
        ("r", "id,text\na,b\n", "csv"),
        ("r", "text\nb\n", "csv"),
        ("r.csv", '{"text": "b"}\n', "jsonl"),
        ("r.json", '{"text": "b"}\n{"text": "c"}\n', "jsonl"),
        ("r", "just a review, with text\n", "text"),
        ("r.txt", "[one] review\n", "text"),
    ],
)
def test_the_format_is_found_by_content_and_name(tmp_path: Path, name: str, content: str, wanted: str) -> None:
    assert survey(written(tmp_path, content, name)).format == wanted


def test_without_an_id_column_the_row_number_is_the_id(tmp_path: Path) -> None:
    found = read(written(tmp_path, "text,stars\nfine,5\n\n,1\ngood,4\n"))
    assert [(row.no, row.line, row.id) for row in found] == [(1, 2, "1"), (2, 4, "2"), (3, 5, "3")]


def test_columns_are_mapped(tmp_path: Path) -> None:
    path = written(tmp_path, "번호,리뷰\n7,좋아요\n")
    assert [(row.id, row.no) for row in read(path, text_column="리뷰", id_column="번호")] == [("7", 1)]


def test_a_survey_counts_what_the_rows_are(tmp_path: Path) -> None:
    path = written(tmp_path, "id,text\na,좋다\na,again\nb,\n")
    found = survey(path)
    assert (found.rows, found.bad, found.text_bytes) == (3, 2, len("좋다".encode()) + len("again"))
    assert len(found.twins) == 1


def test_tab_separated_text_may_know_no_quoting(tmp_path: Path) -> None:
    assert texts(written(tmp_path, 'id\ttext\n1\t"Great" they said\n2\tfine\n', "r.tsv")) == [
        '"Great" they said',
        "fine",
    ]


# --- bad rows ----------------------------------------------------------------------------------

BIG = "x" * (5 << 20)


@pytest.mark.parametrize(
    ("name", "row", "code"),
    [
        ("r.csv", "b,", "empty_text"),
        ("r.csv", "b,   ", "empty_text"),
        ("r.csv", "b", "too_few_columns"),
        ("r.csv", "b,c,d", "too_many_columns"),
        ("r.csv", 'b,"c"d', "broken_quotes"),
        ("r.csv", 'b,"never closed', "broken_quotes"),
        ("r.csv", "b,c\0d", "nul"),
        ("r.csv", f"b,{BIG}", "too_long"),
        ("r.csv", "a,again", "duplicate_id"),
        ("r.jsonl", '{"id": "b"}', "missing_text"),
        ("r.jsonl", '{"id": "b", "text": null}', "missing_text"),
        ("r.jsonl", '{"id": "b", "text": 5}', "text_not_text"),
        ("r.jsonl", '{"id": ["b"], "text": "c"}', "bad_id"),
        ("r.jsonl", '{"id": true, "text": "c"}', "bad_id"),
        ("r.jsonl", '{"id": "b", "text": ""}', "empty_text"),
        ("r.jsonl", '{"id": "b", "text": "c"', "broken_json"),
        ("r.jsonl", '{"text": "c", "text": "d"}', "broken_json"),
        ("r.jsonl", '["b", "c"]', "not_an_object"),
        ("r.jsonl", '{"id": "b", "text": "\\ud83d"}', "broken_json"),
        ("r.jsonl", '{"id": "\\ud83d", "text": "c"}', "broken_json"),
        ("r.jsonl", '{"id": "b", "text": "c\\u0000d"}', "nul"),
        ("r.jsonl", f'{{"id": "b", "text": "{BIG}"}}', "too_long"),
        ("r.jsonl", '{"id": "a", "text": "again"}', "duplicate_id"),
        ("r.txt", BIG, "too_long"),
        ("r.txt", "c\0d", "nul"),
    ],
)
def test_one_bad_row_never_stops_the_others(tmp_path: Path, name: str, row: str, code: str) -> None:
    make = {"r.csv": "{0},{1}", "r.jsonl": '{{"id": "{0}", "text": "{1}"}}', "r.txt": "{1}"}[name]
    head = ["id,text"] if name == "r.csv" else []
    path = written(tmp_path, "\n".join([*head, make.format("a", "first"), row, make.format("z", "last"), ""]), name)
    found = read(path)
    assert [getattr(row, "code", None) for row in found] == [None, code, None]
    bad = found[1]
    assert isinstance(bad, BadRow)
    assert bad.message.startswith("wanted ")
    assert [row.line - len(head) for row in found] == [1, 2, 3]


def test_an_unclosed_quote_costs_one_row(tmp_path: Path) -> None:
    path = written(tmp_path, 'id,text\n1,"open\n2,b\n3,"c ""d"" e"\n4,"two\nlines"\n5,f\n')
    assert texts(path) == ["<broken_quotes>", "b", 'c "d" e', "two\nlines", "f"]


def test_an_unclosed_quote_before_a_long_file_costs_one_row(tmp_path: Path) -> None:
    lines = [f"{no},some review" for no in range(40_000)]
    found = texts(written(tmp_path, "\n".join(["id,text", 'x,"open', *lines])), most_characters=1 << 16)
    assert found[0] == "<too_long>"
    assert found[1:] == ["some review"] * 40_000


def test_duplicates_keep_the_first(tmp_path: Path) -> None:
    found = read(written(tmp_path, "id,text\na,1st\nb,2nd\na,3rd\na,4th\nb,5th\n"))
    assert [getattr(row, "code", row.id) for row in found] == ["a", "b", "duplicate_id", "duplicate_id", "duplicate_id"]


def test_memory_stays_flat_over_a_long_line(tmp_path: Path) -> None:
    path = written(tmp_path, "id,text\na,b\n" + "x" * (40 << 20) + "\nc,d\n")
    tracemalloc.start()
    try:
        assert texts(path) == ["b", "<too_long>", "d"]
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
    finally:
        tracemalloc.stop()


# --- whole files -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("r.csv", b"", ["empty", "0 bytes"]),
        ("r.csv", b" \n\n", ["empty"]),
        ("r.csv", b"id,text\n", ["no rows"]),
        ("r.csv", b"id,review\n1,a\n", ["no column 'text'", "id, review", "--text-column review"]),
        ("r.csv", b"id,Text\n1,a\n", ["--text-column Text"]),
        ("r.csv", b"text,text\na,b\n", ["more than one column 'text'"]),
        ("r.jsonl", b'{"id": 1, "body": "a"}\n', ["no column 'text'", "id, body", "--text-column body"]),
        ("r.jsonl", b"not json\n", ["no JSON object"]),
        ("r.json", b'[\n{"text": "a"}\n]', ["one JSON document", "jq"]),
        ("r.csv", b"id,text\n1,caf\xe9 au lait\n", ["UTF-8", "CP949", "byte 13", "line 2", "--encoding"]),
        ("r.csv", "id,text\n1,很好吃，下次再来\n".encode("gbk"), ["little Hangul", "--encoding"]),
        ("r.csv", "id,text\n1,とてもおいしい\n".encode("euc-jp"), ["little Hangul", "--encoding"]),
        ("r.xlsx", b"PK\x03\x04rest", ["spreadsheet", "Export"]),
        ("r.parquet", b"PAR1rest", ["Parquet"]),
        ("r.pdf", b"%PDF-1.7", ["PDF"]),
        ("r.xml", b"<?xml version='1.0'?><r/>", ["XML"]),
        ("r.csv.gz", gzip.compress(b"id,text\n1,a\n" * 500, mtime=0)[:-20], ["gzip", "again"]),
    ],
)
def test_what_cannot_be_read_at_all_is_refused_in_words(
    tmp_path: Path, name: str, content: bytes, words: list[str]
) -> None:
    with pytest.raises(InputError) as refusal:
        survey(written(tmp_path, content, name))
    assert [word for word in words if word not in str(refusal.value)] == []


def test_the_place_of_a_broken_byte_is_exact_far_into_a_file(tmp_path: Path) -> None:
    head = "id,text\n" + "1,배송이 빨라요\n" * 40_000
    with pytest.raises(InputError, match=rf"byte {len(head.encode()) + 2:,} \(line 40,002\)"):
        survey(written(tmp_path, head.encode() + b"1,\xff\n" * 4_000), encoding="utf-8")


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "txt"])
@pytest.mark.parametrize("encoding", [None, "utf-8"])
def test_few_torn_lines_cost_their_own_rows(tmp_path: Path, ending: str, encoding: str | None) -> None:
    """The byte that does not decode stands in the text of the 30th review; all others are read."""
    line = {"csv": "{no},{text}\n", "tsv": "{no}\t{text}\n", "jsonl": '{{"id": {no}, "text": "{text}"}}\n'}
    shape, head = line.get(ending, "{text}\n"), {"csv": "id,text\n", "tsv": "id\ttext\n"}.get(ending, "")
    whole = [shape.format(no=no, text=f"배송이 {no}일 걸려요").encode() for no in range(60)]
    whole[30] = shape.format(no=30, text="배송이 ?일").encode().replace(b"?", b"\xff\xfe")
    path = written(tmp_path, head.encode() + b"".join(whole), f"r.{ending}")
    found = list(rows(survey(path, encoding=encoding)))
    assert len(found) == 60
    (bad,) = [row for row in found if isinstance(row, BadRow)]
    assert (bad.no, bad.code) == (31, "torn")
    assert "--encoding" in bad.message
    assert survey(path, encoding=encoding).bad == 1


def test_paths_that_are_no_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        survey(tmp_path / "none.csv")
    with pytest.raises(InputError, match="directory"):
        survey(tmp_path)
    with pytest.raises(InputError, match="device"):
        survey(Path("/dev/null"))


@pytest.mark.parametrize(("option", "value"), [("encoding", "klingon"), ("encoding", "rot13"), ("format", "xml")])
def test_options_that_do_not_exist(tmp_path: Path, option: str, value: Any) -> None:
    with pytest.raises(InputError, match=value):
        survey(written(tmp_path, "id,text\n1,a\n"), **{option: value})


def test_a_named_id_column_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--id-column"):
        survey(written(tmp_path, "id,text\n1,a\n"), id_column="uid")


def test_a_file_that_changes_between_the_passes_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "id,text\n1,a\n")
    surveyed = survey(path)
    path.write_text("id,text\n1,a\n2,b\n")
    with pytest.raises(InputError, match="changed"):
        list(rows(surveyed))


# --- pipes -------------------------------------------------------------------------------------


def test_standard_input_is_read_twice_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    surveyed = survey("-", piped=io.BytesIO(gzip.compress(b"id,text\n1,a\n2,b\n", mtime=0)))
    assert [row.id for row in rows(surveyed)] == ["1", "2"]
    assert [row.id for row in rows(surveyed)] == ["1", "2"]
    assert list(tmp_path.iterdir()) == []


def test_a_named_pipe_is_read_once(tmp_path: Path) -> None:
    pipe = tmp_path / "reviews"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"id,text\n1,a\n",))
    writer.start()
    assert [row.id for row in read(pipe)] == ["1"]
    writer.join()


# --- secrets -----------------------------------------------------------------------------------


def test_secrets_are_covered_before_anybody_sees_them(tmp_path: Path) -> None:
    key = "sk-" + "a1B2c3D4" * 4
    path = written(tmp_path, f'id,text\n1,"my key is {key}, fine"\n')
    (row,) = read(path)
    assert isinstance(row, Row)
    assert (row.redacted, key in row.text, len(row.text)) == (1, False, len(f"my key is {key}, fine"))


def test_messages_hold_no_secrets(tmp_path: Path) -> None:
    key = "ghp_" + "a1B2c3D4" * 5
    (_, bad) = read(written(tmp_path, f'{{"text": "a"}}\n{{"text": "{key}"\n', "r.jsonl"))
    assert isinstance(bad, BadRow)
    assert key not in bad.message
    with pytest.raises(InputError) as refusal:
        survey(written(tmp_path, f"id,{key}\n1,a\n"))
    assert key not in str(refusal.value)
