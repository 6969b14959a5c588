"""Names of runs: short, sayable, unlike those there are."""

from __future__ import annotations

import secrets
import time
from collections.abc import Collection

_HEADS, _VOWELS = "bdfgklmnprstvz", "aeiou"


def fresh(taken: Collection[str]) -> str:
    """The day, and three syllables that no other run of the store has."""
    while True:
        name = f"{time.strftime('%Y%m%d')}-{''.join(_syllable() for _ in range(3))}"
        if name not in taken:
            return name


def _syllable() -> str:
    return secrets.choice(_HEADS) + secrets.choice(_VOWELS)
