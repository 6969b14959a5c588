"""Flags: places where the candidates of one text do not agree."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Flag:
    """One conflict and the tuples that it concerns."""

    conflict_type: str
    aspect_ref: str
    aspect_term: str
    tuple_ids: tuple[str, ...]
