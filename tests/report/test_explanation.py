"""An explanation names every tuple, every row that fired, every voice; a terminal is safe with it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from tests.report.samples import HOSTILE, ROWS, TEXT, disputed, refused, result, results
from withstood.report import inert
from withstood.report.explanation import explain


def test_a_dispute_is_told_whole() -> None:
    line, path = disputed("word")
    told = explain(line, path, ROWS, text=TEXT)
    for part in (
        "# r1: mixed (0.7)",
        f"> {TEXT}",
        "negative → positive  [changed]",
        "[dropped]",
        "[kept and marked: word]",
        "ref_polarity_mismatch with t1",
        '"two or three equal votes → that action"',
        "A: FLIP word",
        "minority opinion: C: KEEP (word)",
        "the term does not stand in the text",
        "an implicit aspect, no term",
        '"word" (found in the text)',
        '"two or more polarities → mixed"',
        "nothing was flagged",
    ):
        assert part in told, part


def test_a_step_is_told_of_its_own_tuples_only() -> None:
    line, path = disputed()
    parts = {part.split()[1]: part for part in explain(line, path, ROWS).split("\n\n") if part.startswith("## t")}
    assert [tuple_id for tuple_id, part in parts.items() if "conflicts-1" in part] == ["t0", "t1"]
    assert [tuple_id for tuple_id, part in parts.items() if "arbiter-v2" in part] == ["t1"]


def test_korean_labels() -> None:
    line, path = disputed()
    told = explain(line, path, ROWS, text=TEXT, language="ko")
    assert "# r1: 혼합 (0.7)" in told
    assert "소수 의견: C: KEEP" in told


def test_what_there_is_little_of() -> None:
    assert "too_few_columns" in explain(refused("r9"), (), ROWS)
    assert "No opinion was found" in explain(result(), (), ROWS, text=TEXT)
    assert "no verdict" in explain(result(label=None, confidence=None), (), ROWS)


@given(results())
def test_any_line_can_be_explained(line: dict[str, Any]) -> None:
    assert safe(explain(line, (), ROWS, text=line["id"]))


@pytest.mark.parametrize("word", HOSTILE)
def test_nothing_reaches_the_terminal(word: str) -> None:
    line, path = disputed(word, case=word)
    assert safe(explain(line, path, {("arbiter-v2", "1"): word}, text=word))


def safe(told: str) -> bool:
    return all(char == "\n" or inert.visible(char) == char for char in told)
