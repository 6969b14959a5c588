"""The words of a question, and how much of them a path, a name or a text has: English and Korean, by stems and kin.

`import` in a question meets `importer` in a path and `가져오기` in a comment. What is meant exactly (`total` in quotation
marks, `RefundJob`, `app/pay.py`, an exception) is kept as it stands.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from withstood.lexicons import files

FILE = "inquiry/kin.toml"
_Kin: TypeAlias = Mapping[str, tuple[str, ...]]

_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[가-힣]+")
_EXACT = re.compile(
    r"`([^`\n]{2,80})`|\"([^\"\n]{2,80})\"|(?<![\w가-힣])'([^'\n]{2,80})'(?!\w)|"
    r"\b((?:[a-z]+_[a-z_0-9]+)|(?:[A-Z]+_[A-Z_0-9]+)|(?:[A-Za-z]+[a-z]+[A-Z]\w+)|(?:[\w-]+(?:/[\w.-]+)+)|"
    r"(?:[\w-]+\.(?:py|js|ts|tsx|go|java|kt|rb|php|rs|cs|sql|toml|yaml|yml|json|ini)))\b"
)
_ADDRESSED = re.compile(
    r"(?i)\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instruction|prompt|rule|context)s?\b|\bsystem prompt\b|"
    r"\b(?:you are|as) an? (?:ai|llm|language model|assistant|investigator|agent)\b|"
    r"\b(?:report|mark|declare|conclude|answer)\b.{0,60}\b(?:cause|confirmed|refuted|upheld|finding|innocent)\b|"
    r"\b(?:do not|don't|never) (?:report|mention|investigate|flag)\b|"
    r"(?:지시|명령|프롬프트|규칙).{0,12}무시|무시하고.{0,40}(?:보고|답변|결론)|원인(?:이라고|으로) (?:보고|결론|답)"
)

SAME, KIN = 10, 6
"""How much a word counts that is the same, and one that is only kin."""


@dataclass(frozen=True, slots=True)
class _Words:
    kin: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Wording:
    """Stems that are asked for, each with what it counts; and what is meant exactly."""

    stems: Mapping[str, int] = field(default_factory=dict[str, int])
    groups: Mapping[str, int] = field(default_factory=dict[str, int])
    exact: tuple[str, ...] = ()

    def met(self, stems: Iterable[str]) -> int:
        """How much of the question these stems have. A word and its kin count once."""
        best: dict[int, int] = {}
        for stem in stems:
            if worth := self.stems.get(stem, 0):
                group = self.groups[stem]
                best[group] = max(best.get(group, 0), worth)
        return sum(best.values())

    def weighed(self, share: Callable[[str], float]) -> Wording:
        """The same with words counting less that most files have; `share` says how many of them, from 0 to 1."""
        worth = {stem: round(worth * _rarity(share(stem))) for stem, worth in self.stems.items()}
        return Wording(worth, self.groups, self.exact)

    def met_by(self, text: str) -> int:
        return self.met(stems(text))


def _rarity(share: float) -> float:
    return next(worth for most, worth in ((0.1, 1.0), (0.3, 0.7), (0.6, 0.4), (1.0, 0.1)) if share <= most)


def wording(question: str, lexicons: Path | None = None) -> Wording:
    """What a question asks for; the folder `lexicons` adds kin to ours."""
    kin, _, empty = _table(lexicons)
    worth: dict[str, int] = {}
    groups: dict[str, int] = {}
    for no, word in enumerate(dict.fromkeys(_words(question, empty))):
        for stem in _family(word, kin):
            if stem not in worth:
                worth[stem], groups[stem] = KIN, no
        worth[word], groups[word] = SAME, no
    exact = [next(filter(None, found)) for found in _EXACT.findall(question)]
    return Wording(worth, groups, tuple(dict.fromkeys(exact)))


def stems(text: str) -> set[str]:
    """Every word of a text or of the names in it, as it is compared."""
    return {stem(part) for part in _PART.findall(text)}


def addressed(text: str) -> bool:
    """Whether a text talks to whoever reads it: such a line is data of no weight."""
    return _ADDRESSED.search(text) is not None


@functools.lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """A word without what changes: `refunds`, `Refunded` and `refunding` are one, so are 환불이 and 환불을."""
    if word[0] >= "가":
        return _korean(word)
    low = word.lower()
    if low.isdigit() or len(low) < 4:
        return low
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("s", ""), ("e", "")):
        if low.endswith(ending) and len(low) - len(ending) >= 3 and not low.endswith(("ss", "us", "is")):
            low = low[: len(low) - len(ending)] + instead
            break
    return low[:-1] if len(low) > 4 and (low[-1] == low[-2] or low[-1] == "e") else low


def _korean(word: str) -> str:
    kin, endings, _ = _table()
    for ending in endings:
        rest = word.removesuffix(ending)
        if rest != word and (len(rest) >= 2 or rest in kin):
            return rest
    return word


def _words(question: str, empty: frozenset[str]) -> list[str]:
    found = [part for part in _PART.findall(question) if part.lower() not in empty]
    return [word for word in map(stem, found) if word not in empty and (len(word) > 1 or word >= "가")]


def _family(word: str, kin: _Kin) -> list[str]:
    """The stems of its kin. A Korean word may hold a shorter one: 환불금 is kin to 환불."""
    whole = kin.get(word, ())
    if whole or word < "가":
        return list(whole)
    return [one for end in range(len(word) - 1, 1, -1) for one in kin.get(word[:end], ())]


@functools.lru_cache(maxsize=4)
def _table(lexicons: Path | None = None) -> tuple[_Kin, tuple[str, ...], frozenset[str]]:
    parts = files.stack(FILE, _Words, lexicons)
    endings = sorted((one for part in parts for line in part.endings for one in line.split()), key=len, reverse=True)
    kin: dict[str, list[str]] = {}
    for line in [line for part in parts for line in part.kin]:
        # The stems of Korean words need the endings, which are not there yet: they stand as written.
        members = [one if one >= "가" else stem(one) for one in line.split()]
        for member in members:
            kin.setdefault(member, []).extend(members)
    empty = frozenset(one for part in parts for line in part.empty for one in line.split())
    return {word: tuple(dict.fromkeys(members)) for word, members in kin.items()}, tuple(endings), empty
