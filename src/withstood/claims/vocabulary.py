"""Fixed vocabularies of causes and directions, and how words of one's own are matched to them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+", re.UNICODE)
_EMPTY = frozenset("a an the of in on at to for is are was were be been it its this that and or by with from".split())


@dataclass(frozen=True, slots=True)
class Term:
    """One cause or direction: its id, its name by language, and words by which it is known in a text."""

    id: str
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    cues: tuple[str, ...] = ()

    def name(self, language: str) -> str:
        return self.names.get(language) or self.names.get("en") or self.id


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Terms in a fixed order; of equal matches the earlier one is taken."""

    terms: tuple[Term, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple([term.id for term in self.terms])

    def name(self, id: str, language: str) -> str:
        return next((term.name(language) for term in self.terms if term.id == id), id)

    def key(self, text: str) -> str:
        """The id of the term that a text names: by its id, else by its longest cue. A text that names none is its own
        key, whatever the order of its words; an empty one has the key ""."""
        plain = normal(text)
        slug = plain.replace(" ", "-")
        if any(term.id == slug for term in self.terms):
            return slug
        found = [
            (len(cue), -no, term.id) for no, term in enumerate(self.terms) for cue in _cues(term) if _has(plain, cue)
        ]
        if found:
            return max(found)[2]
        return " ".join(sorted(set(plain.split()) - _EMPTY))


@lru_cache(maxsize=4096)
def normal(text: str) -> str:
    """Words alone, in lower case, one space between them."""
    return " ".join(_WORD.findall(unicodedata.normalize("NFC", text).casefold()))


def _cues(term: Term) -> list[str]:
    return [normal(cue) for cue in (*term.cues, *term.names.values())]


def _has(plain: str, cue: str) -> bool:
    """Latin cues stand in whole words; Korean ones may have endings after them."""
    if not cue:
        return False
    return f" {cue} " in f" {plain} " if cue.isascii() else f" {cue}" in f" {plain}"
