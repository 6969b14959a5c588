"""Results as Parquet: the same rows in the same order, in parts."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest

from withstood.errors import OutputError
from withstood.fleet.parquet import Parts

LINES = [{"id": f"r{no}", "label": ("positive", None)[no % 2], "text_hash": "h", "line": no} for no in range(1, 8)]


def test_parts_hold_the_rows_in_order(tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").write_text("".join(json.dumps(line) + "\n" for line in LINES))
    (tmp_path / "p").mkdir()
    (tmp_path / "p/part-00009.parquet").write_text("of an earlier time")
    found = Parts(tmp_path / "p", 3).convert(tmp_path / "results.jsonl")
    assert [path.name for path in found] == [f"part-0000{no}.parquet" for no in (1, 2, 3)]
    assert sorted(path.name for path in (tmp_path / "p").iterdir()) == [path.name for path in found]
    rows = duckdb.sql(f"SELECT id, label, line, result FROM read_parquet('{tmp_path}/p/*.parquet')").fetchall()
    assert [row[:3] for row in rows] == [(line["id"], line["label"], line["line"]) for line in LINES]
    assert [json.loads(row[3]) for row in rows] == LINES


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="Parquet cannot be written"):
        Parts(tmp_path / "file", 3).convert(tmp_path / "results.jsonl")
