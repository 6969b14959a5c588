"""Names of runs: short, sayable, unlike those there are."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Collection

from withstood.errors import ConfigError
from withstood.form import shown

_HEADS, _VOWELS = "bdfgklmnprstvz", "aeiou"


def fresh(taken: Collection[str]) -> str:
    """The day, and three syllables that no other run of the store has."""
    while True:
        name = f"{time.strftime('%Y%m%d')}-{''.join(_syllable() for _ in range(3))}"
        if name not in taken:
            return name


def checked(name: str) -> str:
    """A name that somebody chose: it also names a file, and `last` is the newest run."""
    if not re.fullmatch(r"\w[\w.-]{0,63}", name) or name == "last":
        raise ConfigError(
            f"Wanted a run's name of letters, digits, '.', '_' and '-', at most 64 and not 'last'; found {shown(name)}."
        )
    return name


def _syllable() -> str:
    return secrets.choice(_HEADS) + secrets.choice(_VOWELS)
