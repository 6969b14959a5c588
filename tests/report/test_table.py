"""The long table comes back from any CSV reader, and no cell of it runs."""

from __future__ import annotations

import csv
import io
from typing import Any

from hypothesis import given

from tests.report.samples import disputed, opinion, refused, result, results
from withstood.report import inert, table


def read_back(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


@given(results())
def test_every_row_comes_back(line: dict[str, Any]) -> None:
    found = read_back(table.header() + table.rows(line))
    assert tuple(found[0]) == table.COLUMNS
    assert len(found) == 1 + len(line["final"])
    for row, one in zip(found[1:], line["final"], strict=True):
        assert len(row) == len(table.COLUMNS)
        assert row[0] == inert.cell(line["id"])
        assert row[2] == inert.cell(one["aspect_term"])
        assert row[5] == ("" if one["begin"] is None else str(one["begin"]))


@given(results())
def test_no_cell_is_a_formula(line: dict[str, Any]) -> None:
    cells = [cell for row in read_back(table.rows(line)) for cell in row]
    assert [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))] == []


def test_numbers_of_ours_stay_numbers() -> None:
    (row,) = read_back(table.rows(result("r", [opinion(begin=0, end=3, confidence="0.50")])))
    assert (row[5], row[6], row[8]) == ("0", "3", "0.50")


def test_dropped_tuples_and_refused_rows_have_no_row() -> None:
    assert len(read_back(table.rows(disputed()[0]))) == 3
    assert table.rows(refused()) == ""
