"""Nothing that a text holds acts where it is shown."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.report.samples import ANY_TEXT, HOSTILE
from withstood.report import inert

DANGEROUS = ("Cc", "Cs", "Zl", "Zp")
TURNING = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff\u200b"


@given(st.text())
@example(TURNING)
def test_visible_text_holds_nothing_that_acts(text: str) -> None:
    shown = inert.visible(text)
    assert [char for char in shown if unicodedata.category(char) in DANGEROUS or char in TURNING] == []
    assert inert.visible(shown) == shown


@given(st.text(st.characters(categories=("L", "N", "P", "S"))))
def test_ordinary_text_is_shown_as_it_is(text: str) -> None:
    assert inert.visible(text) == text


def test_escapes_are_shown_by_their_code() -> None:
    assert inert.visible("\x1b[0m\u202ea\nb\U000e0041") == "\\x1b[0m\\u202ea b\\U000e0041"


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_shows_the_text_and_nothing_else(text: str) -> None:
    reader = MarkdownIt("commonmark").enable("table")
    for frame in ("word {}", "- **{}** x", "| a | b |\n| --- | --- |\n| {} | y |"):
        drawn = reader.render(frame.format(inert.markdown(text)))
        wanted = reader.render(frame.format("plain"))
        kinds = [[tag.split(">")[0] for tag in page.split("<")[1:]] for page in (drawn, wanted)]
        assert kinds[0] == kinds[1]


@given(ANY_TEXT)
def test_no_cell_begins_like_a_formula(text: str) -> None:
    cell = inert.cell(text)
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
    cell.encode()
