"""Marks and confidence of candidates."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.cases_in import cases_in
from withstood.rules import candidates
from withstood.rules.candidates import Input
from withstood.rules.table import NoNumbers

CASES = cases_in("candidates")
MARKS = ("invalid_ref", "invalid_language", "invalid_target")
REFS = ("본품#품질",)


@pytest.mark.parametrize("case", CASES["case"], ids=lambda case: case["name"])
def test_cases(case: dict[str, Any]) -> None:
    stated = Decimal(case.get("stated", "0.8")) if case.get("stated", "0.8") else None
    asked = Input(case["term"], case.get("ref"), stated, REFS, case.get("language", "ko"))
    found = candidates.TABLE.decide(asked, NoNumbers())
    assert found.invalid == tuple(case["marks"])
    assert found.confidence == Decimal(case["confidence"])


def test_the_lexicon_is_the_published_one() -> None:
    assert set(CASES["opinion_words"].split()) == candidates.OPINION_WORDS
    assert set(candidates.OPINION_SUFFIXES) == set(CASES["opinion_suffixes"].split())


@pytest.mark.parametrize("word", CASES["opinion_words"].split())
def test_every_opinion_word_is_marked(word: str) -> None:
    assert candidates.marks(word, None, REFS, "en") == ("invalid_target",)


@pytest.mark.parametrize("suffix", CASES["opinion_suffixes"].split())
def test_every_opinion_suffix_is_marked(suffix: str) -> None:
    assert candidates.marks(f"아주{suffix}", None, REFS, "ko") == ("invalid_target",)
    assert candidates.marks(f"{suffix}요", None, REFS, "ko") == ()


@given(st.decimals(0, 1), st.sets(st.sampled_from(MARKS)))
def test_each_mark_halves_once_and_exactly(stated: Decimal, marks: set[str]) -> None:
    wanted = Fraction(stated or Decimal("0.5")) / 2 ** len(marks)
    assert Fraction(candidates.confidence(stated, marks)) == wanted


@given(st.text(), st.text() | st.none(), st.sampled_from(["ko", "en"]))
def test_marks_are_those_of_the_table_in_its_order(term: str, ref: str | None, language: str) -> None:
    wanted = {
        "invalid_ref": (ref or "").strip() not in ("", *REFS),
        "invalid_language": language == "ko" and any(sign.isascii() and sign.isalpha() for sign in term),
        "invalid_target": term.strip().lower() in CASES["opinion_words"].split()
        or any(term.strip().lower().endswith(suffix) for suffix in CASES["opinion_suffixes"].split()),
    }
    assert candidates.marks(term, ref, REFS, language) == tuple(mark for mark in MARKS if wanted[mark])


def test_every_mark_has_its_row() -> None:
    rows = candidates.TABLE.rows()
    assert {mark: rows[row].endswith(mark) for mark, row in candidates.ROWS.items()} == dict.fromkeys(MARKS, True)
