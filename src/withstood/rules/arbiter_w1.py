"""Arbiter, edition w1: what happens to one tuple, by the votes of reviewers A, B and C, each with its measured weight.

The weight of a reviewer with reliability p is ln(p / (1 - p)) + ln(3), as there are four actions; p is held between
0.01 and 0.99. `arbiter.reliability` names them, as in `A:0.82;B:0.7;C:0.64`; one that is not named weighs nothing.
A slot without an action votes KEEP, and so does MERGE. An absent reviewer has no vote. First match decides.

| row | when | then |
|---|---|---|
| 0 | fewer than two reviewers present | FLAG (REVIEW_INCOMPLETE) where the tuple is flagged, else KEEP |
| 1 | one action has more weight behind it than any other, and more than nothing | that action |
| 2 | otherwise | FLAG (TIE_UNRESOLVED) |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from withstood.claims.ballot import Action, Ballot, Decision, Voice, adopted_value
from withstood.claims.pool import heaviest, log_odds
from withstood.rules.table import Table

ACTIONS = 4


class Measured(Protocol):
    """The setting `arbiter.reliability`."""

    @property
    def reliability(self) -> str: ...


def reliabilities(stated: str) -> Mapping[str, Decimal]:
    """By reviewer, from `A:0.82;B:0.7`."""
    pairs = [part.partition(":") for part in stated.split(";") if part]
    return {actor: Decimal(share) for actor, _, share in pairs}


def arbitrate(ballot: Ballot, conflict_type: str | None, numbers: Measured) -> Decision:
    voices = ballot.voices()
    if len(voices) < 2:
        action, code = (Action.FLAG, "REVIEW_INCOMPLETE") if conflict_type else (Action.KEEP, "")
        return Decision(action, code, None, "0")
    mass = _mass(voices, reliabilities(numbers.reliability))
    found = heaviest(mass)
    if found.choice is None or mass[found.choice] <= 0:
        return Decision(Action.FLAG, "TIE_UNRESOLVED", None, "2")
    action = Action(found.choice)
    return Decision(action, "", adopted_value(voices, action), "1")


def _mass(voices: list[Voice], known: Mapping[str, Decimal]) -> Mapping[str, Decimal]:
    mass: dict[str, Decimal] = {}
    for voice in voices:
        weight = log_odds(known[voice.actor], ACTIONS) if voice.actor in known else Decimal(0)
        mass[voice.action.value] = mass.get(voice.action.value, Decimal(0)) + weight
    return mass


@dataclass(frozen=True, slots=True)
class Input:
    votes: Ballot
    conflict_type: str | None = None


def _decide(case: Input, numbers: Measured) -> Decision:
    return arbitrate(case.votes, case.conflict_type, numbers)


TABLE = Table("arbiter-w1", __doc__, Input, Decision, _decide, section="arbiter")
