"""What a run agrees on before anybody looks: refs and markers, per language."""

from __future__ import annotations

import functools
from pathlib import Path

from withstood.claims.case import Conventions
from withstood.lexicons.lexicon import load
from withstood.lexicons.taxonomy import find

DEFAULTS = {"ko": "nikl", "en": "generic"}


@functools.lru_cache(maxsize=16)
def conventions(taxonomy: str | None = None, extra: Path | None = None) -> Conventions:
    """Per language the refs of its taxonomy, and its markers of negation, contrast and irony; for others nothing.

    `taxonomy` is one of `taxonomies()` or the path of a TOML file. It stands for its own language; the other language
    keeps its default.
    """
    chosen = {language: find(name, extra) for language, name in DEFAULTS.items()}
    if taxonomy is not None:
        named = find(taxonomy, extra)
        chosen[named.language] = named
    markers = {language: load(language, extra).markers for language in DEFAULTS}
    return Conventions(
        refs={language: (*part.refs, *part.also) for language, part in chosen.items()} | {"other": ()},
        negation={language: part.negation for language, part in markers.items()} | {"other": ()},
        contrast={language: part.contrast for language, part in markers.items()} | {"other": ()},
        irony={language: part.irony for language, part in markers.items()} | {"other": ()},
    )
