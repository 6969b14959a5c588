"""A protocol for texts as a value, so that a package of the user's may bring one beside ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from withstood.claims.case import Case, Conventions
from withstood.protocols.asks import Flow
from withstood.rules.rulebook import Rulebook
from withstood.verdict import Verdict

Seats: TypeAlias = Callable[[Rulebook, Conventions], tuple[str, ...]]
Deciding: TypeAlias = Callable[[Case, Rulebook, Conventions], Flow[Verdict]]


@dataclass(frozen=True, slots=True)
class TextProtocol:
    """`seats` says who is asked; of somebody else's protocol each seat once for a text at most. `flow` decides a text,
    and ends with `outcome.conclude`. `presets` are what it sets in a rulebook before the user does."""

    seats: Seats
    flow: Deciding
    presets: Mapping[str, str] = field(default_factory=dict[str, str])
