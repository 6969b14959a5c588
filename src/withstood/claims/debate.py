"""Debates: who speaks, what was said, and how it was summed up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Persona:
    """A speaker. `stance` is pro, con, neutral or a word of your own."""

    name: str
    role: str
    goal: str
    stance: str
    style: str


@dataclass(frozen=True, slots=True)
class SynonymGroup:
    """Words for one thing: a term that has one of `triggers` in it may also be called by the others and by `also`."""

    triggers: tuple[str, ...]
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Patterns:
    """What code looks for in the texts of one language. `token` is a regular expression for a word that may be an
    aspect; markers are looked for as they stand in the lower-cased text with a space before and after it."""

    contrast: tuple[str, ...] = ()
    negation: tuple[str, ...] = ()
    particles: tuple[str, ...] = ()
    token: str = ""
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    groups: tuple[SynonymGroup, ...] = ()


@dataclass(frozen=True, slots=True)
class Forum:
    """What a debate agrees on beforehand, by language: its patterns, and the personas by their keys."""

    patterns: Mapping[str, Patterns] = field(default_factory=dict[str, Patterns])
    personas: Mapping[str, Mapping[str, Persona]] = field(default_factory=dict[str, Mapping[str, Persona]])


@dataclass(frozen=True, slots=True)
class Turn:
    """The answer of a speaker. An empty speaker or stance is filled from the persona."""

    speaker: str = ""
    stance: str = ""
    planning: str = ""
    reflection: str = ""
    message: str = ""
    key_points: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Round:
    """The turns of one round, in the order in which they were taken; who was silent has none."""

    round_index: int
    turns: tuple[Turn, ...] = ()


@dataclass(frozen=True, slots=True)
class Summary:
    """The answer of the rapporteur, who sums up and decides nothing. `label` is the one part that is not prose:
    positive, negative, neutral or mixed."""

    winner: str | None = None
    consensus: str | None = None
    key_agreements: tuple[str, ...] = ()
    key_disagreements: tuple[str, ...] = ()
    rationale: str = ""
    label: str | None = None
