"""Sections look alike on a terminal and on a page; what says nothing is left out, what is hostile stays text."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest

from tests.report.samples import HOSTILE
from withstood.measures.sheet import Figure
from withstood.report import figures_page, sections
from withstood.report.sections import Gap, Report, Section

SURE = Figure(Decimal("0.25"), Decimal("0.1"), Decimal("0.4"))
WORSE = Figure(Decimal("-0.25"), Decimal("-0.4"), Decimal("-0.1"))
NONE = Figure(None)


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        (None, ""),
        ("word", "word"),
        (12345, "12,345"),
        (NONE, ""),
        (Gap(NONE), ""),
        (Figure(Decimal("0.5")), "0.500"),
        (Figure(Decimal(1234)), "1,234"),
        (Figure(Decimal(1)), "1.000"),
        (SURE, "0.250 [0.100, 0.400]"),
        (Gap(SURE), "+0.250 [+0.100, +0.400]*"),
        (Gap(WORSE), "-0.250 [-0.400, -0.100]*"),
        (Gap(Figure(Decimal(0), Decimal("-0.0001"), Decimal("0.1"))), "+0.000 [+0.000, +0.100]"),
    ],
)
def test_cells(cell: sections.Cell, words: str) -> None:
    assert sections.shown(cell) == words


def test_columns_and_rows_that_say_nothing_are_left_out() -> None:
    section = Section("t", ("", "one", "two"), (("a", None, 3), ("b", NONE, None), ("c", None, 0)))
    assert sections.filled([section, Section("empty", ("", "x"), (("a", None),))]) == [
        Section("t", ("", "two"), (("a", 3), ("c", 0)))
    ]


def test_columns_stand_below_each_other() -> None:
    assert sections.aligned([("", "수"), ("배터리", "1"), ("fan", "22")]) == ["        수", "배터리  1", "fan     22"]


def told(*found: Section, title: str = "title", notes: tuple[str, ...] = ()) -> Report:
    return Report("name", title, found, notes, {})


def hostile(word: str) -> Report:
    return told(Section(word, ("", word), ((word, word),), word), title=word, notes=(word,))


def test_text_is_inert() -> None:
    assert sections.text(told(Section("empty", ("",), ()))) == f"title\n{sections.HOW}\n"
    for word in HOSTILE:
        text = sections.text(hostile(word))
        assert "\x1b" not in text
        assert "\u202e" not in text


def test_a_page_draws_what_has_an_interval() -> None:
    section = Section("t", ("", "value", "gap", "count"), (("a", SURE, Gap(WORSE), 3), ("b", NONE, Gap(SURE), 4)))
    page = figures_page.render(told(section))
    assert page.count("<svg") == 3
    assert 'class="plot gap sure worse"' in page
    assert re.search(r'x1="10\.0" y1="5" x2="40\.0"', page)
    assert re.search(r'class="zero" x1="50\.0"', page)


def test_figures_beyond_a_share_are_not_drawn() -> None:
    counts = Section("t", ("", "value"), (("a", Figure(Decimal(12), Decimal(9), Decimal(15))),))
    assert "<svg" not in figures_page.render(told(counts))


def test_a_page_is_inert() -> None:
    for word in HOSTILE:
        page = figures_page.render(hostile(word))
        assert "<script" not in page
        assert "<img" not in page
        assert "\x1b" not in page
    assert "default-src 'none'" in figures_page.render(told())
