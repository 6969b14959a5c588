"""Which language a text is in: Korean, English, or another one that no reader knows."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from withstood.lexicons import files

Language: TypeAlias = Literal["ko", "en", "other"]

_MOST = 1500
_HANGUL = re.compile("[가-힣ㄱ-ㅎㅏ-ㅣᄀ-ᇿ]+")
_LATIN = re.compile("[A-Za-z]+")
_FOREIGN = re.compile(
    "[\u0370-\u052f\u0530-\u10ff\u1200-\u1cff\u1f00-\u1fff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+"
)
_BRANDS = 4


@dataclass(frozen=True, slots=True)
class Tells:
    """Function words that tell one Latin-written language from another."""

    english: tuple[str, ...] = ()
    other: tuple[str, ...] = ()
    letters: str = ""


def detect(text: str) -> Language:
    """Hangul is Korean, also among Latin brand names; Latin letters are English unless the words of another prevail.

    Only the beginning of a long text is looked at. A text without a letter is of no language: `other`.
    """
    text = text[:_MOST]
    hangul, foreign = _HANGUL.search(text), None if text.isascii() else _FOREIGN.search(text)
    if hangul is None and foreign is None:
        return _by_words(text)
    counted = {"ko": _letters(_HANGUL, text), "other": _letters(_FOREIGN, text) if foreign else 0}
    latin = _letters(_LATIN, text)
    if latin > _BRANDS * sum(counted.values()) and _is_english(text):
        return "en"
    return "ko" if counted["ko"] >= counted["other"] else "other"


def _letters(kind: re.Pattern[str], text: str) -> int:
    return sum(map(len, kind.findall(text)))


def _is_english(text: str) -> bool:
    known = _tells()[0]
    return sum(word in known for word in text.lower().split()) >= 3


def _by_words(text: str) -> Language:
    english, other, letters = _tells()
    words = text.lower().split()
    strange = sum(word in other for word in words)
    if not text.isascii():
        strange += sum(sign in letters for sign in text.lower())
    ours = sum(word in english for word in words)
    if strange > ours:
        return "other"
    return "en" if ours or any(map(str.isalpha, text)) else "other"


@functools.cache
def _tells() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    found = files.read(files.OURS / "languages.toml", Tells)[0]
    return frozenset(found.english), frozenset(found.other), frozenset(found.letters)
