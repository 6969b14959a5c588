"""Arbiter, edition v1: what happens to one tuple, by the votes of reviewers A, B and C.

A slot without an action votes KEEP, and so does MERGE. An absent reviewer has no vote. First match decides.

| row | when | then |
|---|---|---|
| 0 | fewer than two reviewers present | FLAG (REVIEW_INCOMPLETE) where the tuple is flagged, else KEEP |
| 1 | two or three equal votes | that action |
| 3a | FLIP, DROP and KEEP, and the FLIP has a structural reason | FLIP |
| 3b | FLIP, DROP and KEEP otherwise | FLAG (POLARITY_UNCERTAIN) |
| 2 | any other votes, all different | FLAG (POLARITY_UNCERTAIN) |

Structural reasons: NEGATION_SCOPE, CONTRAST_CLAUSE, STRUCTURAL_INCONSISTENT.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from withstood.claims.ballot import Action, Ballot, Decision, Voice, adopted_value, majority
from withstood.rules.table import WHOLE, NoNumbers, Table, Without, first

STRUCTURAL = frozenset({"NEGATION_SCOPE", "CONTRAST_CLAUSE", "STRUCTURAL_INCONSISTENT"})
SPLIT = {Action.FLIP, Action.DROP, Action.KEEP}


def arbitrate(ballot: Ballot, conflict_type: str | None = None, without: Without = WHOLE) -> Decision:
    return first(_rows(ballot.voices(), conflict_type), without)


def _rows(voices: list[Voice], conflict_type: str | None) -> Iterator[Decision]:
    if len(voices) < 2:
        yield _incomplete(conflict_type)
    if action := majority(voices):
        yield Decision(action, "", adopted_value(voices, action), "1")
    if {voice.action for voice in voices} == SPLIT:
        yield from _split(voices)
    yield Decision(Action.FLAG, "POLARITY_UNCERTAIN", None, "2")


def _incomplete(conflict_type: str | None) -> Decision:
    if conflict_type:
        return Decision(Action.FLAG, "REVIEW_INCOMPLETE", None, "0")
    return Decision(Action.KEEP, "", None, "0")


def _split(voices: list[Voice]) -> Iterator[Decision]:
    flip = next(voice for voice in voices if voice.action is Action.FLIP)
    if flip.reason in STRUCTURAL:
        yield Decision(Action.FLIP, "", flip.new_value or None, "3a")
    yield Decision(Action.FLAG, "POLARITY_UNCERTAIN", None, "3b")


@dataclass(frozen=True, slots=True)
class Input:
    votes: Ballot
    conflict_type: str | None = None


def _decide(case: Input, numbers: NoNumbers, without: Without = WHOLE) -> Decision:
    return arbitrate(case.votes, case.conflict_type, without)


TABLE = Table("arbiter-v1", __doc__, Input, Decision, _decide, section="none", droppable=("0", "1", "3a", "3b"))
