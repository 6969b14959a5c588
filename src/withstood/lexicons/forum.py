"""What a debate agrees on beforehand, from data files: the patterns of each language, and its personas."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from withstood.claims.debate import Forum, Patterns, Persona, SynonymGroup
from withstood.errors import ConfigError
from withstood.lexicons import files
from withstood.protocols.briefs import MEMORY, READERS, REVIEWERS, SINGLE
from withstood.protocols.debate_briefs import RAPPORTEUR, SPEAKER, STAGE1, STAGE2

LANGUAGES = ("ko", "en")
PATTERNS, PERSONAS = "debate.toml", "personas.toml"
FILES = tuple(f"{language}/{name}" for language in LANGUAGES for name in (PATTERNS, PERSONAS))
OTHER = "en"
"""Personas speak this language on texts of a language that has none of its own."""

_KEY = re.compile(r"[\w-]+")
_TAKEN = (*READERS, *REVIEWERS, SINGLE, MEMORY, *STAGE1, *STAGE2, RAPPORTEUR, SPEAKER, "repair", "default")


@dataclass(frozen=True, slots=True)
class _Personas:
    personas: Mapping[str, Persona] = field(default_factory=dict[str, Persona])


@functools.lru_cache(maxsize=16)
def forum(extra: Path | None = None) -> Forum:
    """Ours, and what the user's folder adds to it: patterns and lists grow, a persona of the same key is replaced."""
    personas = {language: _personas(language, extra) for language in LANGUAGES}
    return Forum(
        {language: _patterns(language, extra) for language in LANGUAGES} | {"other": Patterns()},
        personas | {"other": personas[OTHER]},
    )


def with_personas(agreed: Forum, own: Mapping[str, Persona]) -> Forum:
    """With personas of the configuration over those of the files, in every language."""
    for key in (*own, *(key for ours in agreed.personas.values() for key in ours)):
        if key in _TAKEN or not _KEY.fullmatch(key):
            raise ConfigError(
                f"A persona's key names its seat: wanted letters, digits, _ and -, and none of {', '.join(_TAKEN)}; "
                f"found {key!r}. Rename it."
            )
    return Forum(agreed.patterns, {language: {**ours, **own} for language, ours in agreed.personas.items()})


def _personas(language: str, extra: Path | None) -> dict[str, Persona]:
    found: dict[str, Persona] = {}
    for part in files.stack(f"{language}/{PERSONAS}", _Personas, extra):
        found |= part.personas
    return found


def _patterns(language: str, extra: Path | None) -> Patterns:
    parts = files.stack(f"{language}/{PATTERNS}", Patterns, extra)
    synonyms: dict[str, tuple[str, ...]] = {}
    groups: list[SynonymGroup] = []
    for part in parts:
        synonyms |= part.synonyms
        groups += part.groups
    token = next((part.token for part in reversed(parts) if part.token), "")
    _check(token, language)
    return Patterns(
        _joined([part.contrast for part in parts]),
        _joined([part.negation for part in parts]),
        _joined([part.particles for part in parts]),
        token,
        synonyms,
        tuple(groups),
    )


def _joined(lists: list[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for part in lists for word in part))


def _check(token: str, language: str) -> None:
    try:
        re.compile(token)
    except re.error as fault:
        raise ConfigError(
            f"{language}/{PATTERNS}: at token: wanted a regular expression, found {token!r} ({fault}). Correct it."
        ) from None
