"""Labelled texts as any file may hold them, drawn at random: terms that repeat, every kind of label."""

from __future__ import annotations

from hypothesis import assume
from hypothesis import strategies as st

from withstood.claims.label import Label, Labelled
from withstood.sources.labels.checking import checked
from withstood.sources.labels.entries import Entry

POLARITIES = ("positive", "negative", "neutral", "mixed", "")
_WORDS = (
    "국물",
    "맛이",
    "soup",
    "so",
    "good",
    "😀",
    "NULL",
    "####",
    "a|b",
    "'",
    '"',
    "\\",
    "<b>&",
    "=1+1",
    ",",
    "e\u0301",
)
_SIGNS = st.characters(exclude_categories=("Cs",), exclude_characters="\0\ufeff")
_PIECES = st.one_of(st.sampled_from(_WORDS), st.text(_SIGNS, min_size=1, max_size=4))
TEXTS = st.lists(_PIECES, min_size=1, max_size=9).map(" ".join).filter(lambda text: bool(text.strip()))
REFS = st.sampled_from(["", "FOOD#QUALITY", "제품 전체#일반", "food", "a 'b' #c"])


@st.composite
def spans(draw: st.DrawFn, text: str) -> tuple[str, int | None, int | None]:
    begin = draw(st.integers(0, len(text) - 1))
    end = draw(st.integers(begin + 1, len(text)))
    assume(bool(text[begin:end].strip()))
    placed = draw(st.booleans())
    return (text[begin:end], begin, end) if placed else (text[begin:end], None, None)


@st.composite
def labels(draw: st.DrawFn, text: str) -> Label:
    term, begin, end = draw(st.one_of(spans(text), st.just(("", None, None))))
    opinion: tuple[str | None, int | None, int | None]
    opinion = draw(st.one_of(spans(text), st.sampled_from([("", None, None), (None, None, None)])))
    return Label(term, draw(REFS), draw(st.sampled_from(POLARITIES)), begin, end, *opinion)


@st.composite
def tables(draw: st.DrawFn) -> list[Labelled]:
    """Rows such as reading gives them: each text and each id is there once."""
    found: list[Labelled] = []
    for no, text in enumerate(draw(st.lists(TEXTS, min_size=1, max_size=5, unique=True)), start=1):
        said = draw(st.lists(labels(text), max_size=4))
        row = checked(no, Entry(no, f"r{no}", text, tuple(said)))
        if isinstance(row, Labelled) and row.text == text:
            found.append(row)
    return found
