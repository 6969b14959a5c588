"""Which rulebook a run is judged by: a preset, then what the protocol sets, then what the user sets."""

from __future__ import annotations

from collections.abc import Mapping

from withstood.errors import UsageError
from withstood.rules.rulebook import PRESETS, Rulebook


def book(preset: str, by_protocol: Mapping[str, str], changes: Mapping[str, str]) -> Rulebook:
    if preset not in PRESETS:
        raise UsageError(f"There is no rulebook {preset!r}. There are: {', '.join(PRESETS)}.")
    return PRESETS[preset].adjusted(by_protocol).adjusted(changes)
