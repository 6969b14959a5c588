"""Quotes: whether words stand in a text, and where. Code decides this; nobody's word is taken for it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from withstood.claims.opinion import Span

_TYPOGRAPHY = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "′": "'", "″": '"', "\u00a0": " "})


def stands(quote: str, text: str) -> bool:
    """True where the quote stands in the text, up to white space, NFC and typographic quotes. An empty one does not."""
    if quote in text and quote.strip() and unicodedata.is_normalized("NFC", text):
        return True
    plain = normal(quote)
    return bool(plain) and plain in normal(text)


def normal(text: str) -> str:
    """The declared normalisation of quotes."""
    return " ".join(unicodedata.normalize("NFC", text).translate(_TYPOGRAPHY).split())


def place(term: str, text: str, said: Span | None = None, near: str | None = None) -> Span | None:
    """Where the term stands. Of several places: the one that was said, else the nearest to it,
    else the first inside `near` (the evidence, where that stands in the text), else the first."""
    if said is not None and text[said.start : said.end] == term:
        return said
    starts = list(_starts(term, text))
    if not starts:
        return None
    if said is not None:
        start = min(starts, key=lambda start: abs(start - said.start))
    else:
        start = _first_inside(starts, near, text)
    return Span(start, start + len(term))


def _starts(term: str, text: str) -> Iterator[int]:
    start = text.find(term)
    while start >= 0:
        yield start
        start = text.find(term, start + 1)


def _first_inside(starts: list[int], near: str | None, text: str) -> int:
    begin = text.find(near) if near else -1
    if begin < 0 or near is None:
        return starts[0]
    return next((start for start in starts if begin <= start < begin + len(near)), starts[0])
