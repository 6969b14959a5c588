"""Quotes: whether words stand in a text, and where. Code decides this; nobody's word is taken for it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from withstood.claims.opinion import Span

LEAST_SIGNS = 2
"""Fewer letters and digits than that mean nothing."""

_OPERATORS = "=!<>&|"
_TYPOGRAPHY = str.maketrans(
    {"‘": "'", "’": "'", "‚": "'", "‛": "'", "′": "'", "“": '"', "”": '"', "„": '"', "‟": '"', "″": '"', "\u00a0": " "}
    | dict.fromkeys("\u200b\u2060\ufeff\u00ad", "")
    | {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
)


def stands(quote: str, text: str) -> bool:
    """True where the words occur in the text and mean something: two letters or digits at least, or the whole text."""
    plain = normal(quote)
    means = sum(map(str.isalnum, plain)) >= LEAST_SIGNS or plain == normal(text)
    return means and occurs(quote, text)


def occurs(words: str, text: str) -> bool:
    """True where the words stand in the text, up to white space, signs without width, NFC, typographic quotes and
    ligatures.

    They may not begin or end inside a Latin word, a number with its minus, or an operator of several signs ("happy" is
    not in "unhappy", nor "10" in "100" or "-10", nor "= b" in "a != b")."""
    return next(places(normal(words), normal(text)), None) is not None


def places(plain: str, whole: str) -> Iterator[int]:
    """Where normal words begin in a normal text, wherever they stand there in whole words."""
    return (start for start in _starts(plain, whole) if plain and _is_whole(plain, whole, start))


def _is_whole(quote: str, text: str, start: int) -> bool:
    end = start + len(quote)
    before, after = text[max(0, start - 2) : start][::-1], text[end : end + 2]
    negative = quote[0].isdigit() and before[:1] in ("-", "−") and not before[1:].isalnum()
    return not negative and not _goes_on(quote[0], before) and not _goes_on(quote[-1], after)


def _goes_on(sign: str, beyond: str) -> bool:
    """Whether what the sign belongs to goes on beyond it: a word of Latin letters, a number with its separators."""
    if sign.isdigit():
        return beyond[:1].isdigit() or (beyond[:1] in (".", ",") and beyond[1:].isdigit())
    if sign in _OPERATORS:
        return beyond[:1] != "" and beyond[:1] in _OPERATORS
    return _is_latin(sign) and _is_latin(beyond[:1])


def _is_latin(sign: str) -> bool:
    return sign.isalpha() and sign < "\u0250"


@lru_cache(maxsize=64)
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
