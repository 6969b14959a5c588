"""Text as terms to search by: words of alphabets, pairs of signs where words are not set apart or are inflected.

Korean glues endings to its words, so a Korean word is found by its pairs of syllables; it needs no dictionary. Whoever
has one says how Korean words are cut instead: see `morphemes`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import TypeAlias

Cut: TypeAlias = Callable[[str], Sequence[str]]
"""A run of Hangul syllables, cut into terms."""

_RUNS = re.compile(r"[\uac00-\ud7a3]+|[\u3040-\u30ff\u4e00-\u9fff]+|[^\W_\uac00-\ud7a3\u3040-\u30ff\u4e00-\u9fff]+")
_HANGUL = re.compile(r"[\uac00-\ud7a3]")
_PAIRED = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_EMPTY = frozenset(
    "a an the of in on at to for from by with and or is are was were be been it its this that these those as what "
    "which who how why when where do does did can could should would will not no than then there their "
    "they we you i".split()
)


def pairs(run: str) -> list[str]:
    return [run[place : place + 2] for place in range(max(1, len(run) - 1))]


def terms(text: str, korean: Cut = pairs) -> list[str]:
    """In order, with repetitions."""
    found: list[str] = []
    for run in _RUNS.findall(unicodedata.normalize("NFC", text).casefold()):
        if _HANGUL.match(run):
            found += korean(run)
        elif _PAIRED.match(run):
            found += pairs(run)
        else:
            found.append(_stem(run))
    return found


def telling(text: str, korean: Cut = pairs) -> list[str]:
    """The terms of a query: each once, without the words that say nothing; all of them where nothing else is left."""
    found = list(dict.fromkeys(terms(text, korean)))
    return [term for term in found if term not in _EMPTY] or found


def _stem(word: str) -> str:
    """English plurals and some endings are let go, so that a query finds both forms."""
    for ending, least in (("ies", 5), ("ing", 6), ("ed", 5), ("es", 5), ("s", 4)):
        if word.endswith(ending) and len(word) >= least and not word.endswith("ss"):
            return word[: -len(ending)] + ("y" if ending == "ies" else "")
    return word
