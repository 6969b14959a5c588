"""Korean words as their morphemes, by Kiwi: an extra. Endings and particles are let go, compounds are taken apart."""

from __future__ import annotations

import importlib
import importlib.util
from functools import cache, lru_cache
from typing import Any

from withstood.sources.terms import Cut, pairs

_TELLING = ("NN", "NP", "NR", "VV", "VA", "XR", "MAG", "SL", "SN")
"""Nouns, numerals, stems of verbs and adjectives, roots, adverbs: by the first signs of their tags."""
_KEPT_WORDS = 1 << 16


@cache
def cut() -> Cut | None:
    """None where Kiwi is not installed. Its model is loaded with the first word, once."""
    if importlib.util.find_spec("kiwipiepy") is None or importlib.util.find_spec("kiwipiepy_model") is None:
        return None
    loaded: list[Any] = []

    @lru_cache(maxsize=_KEPT_WORDS)
    def morphemes(word: str) -> tuple[str, ...]:
        """Of a word that has none that tells anything, its pairs of syllables."""
        if not loaded:
            loaded.append(importlib.import_module("kiwipiepy").Kiwi(num_workers=1))
        told = tuple([token.form for token in loaded[0].tokenize(word) if token.tag.startswith(_TELLING)])
        return told or tuple(pairs(word))

    return morphemes
