"""Arbiter, edition v2: as v1, and a minority with a facet of its own is heard, and a justified DROP carries a split.

A slot without an action votes KEEP, and so does MERGE. An absent reviewer has no vote. First match decides.

| row | when | then |
|---|---|---|
| 0 | fewer than two reviewers present | FLAG (REVIEW_INCOMPLETE) where the tuple is flagged, else KEEP |
| 1a | two equal votes, and the actor preferred for this conflict type named another action | FLAG (FACET_MINORITY_SIGNAL) |
| 1 | two or three equal votes | that action |
| 3a | FLIP, DROP and KEEP, and the FLIP has a structural reason | FLIP |
| 3b | FLIP, DROP and KEEP, and the DROP has a justified reason | DROP |
| 3c | FLIP, DROP and KEEP otherwise | FLAG (REDUNDANT_REF_UNCERTAIN on granularity overlap, else TIE_UNRESOLVED) |
| 2 | any other votes, all different | FLAG (REDUNDANT_REF_UNCERTAIN on granularity overlap, else POLARITY_UNCERTAIN) |

Structural reasons: NEGATION_SCOPE, CONTRAST_CLAUSE, STRUCTURAL_INCONSISTENT.
Justified reasons: WEAK_EVIDENCE, REDUNDANT_UPPER_REF.
Preferred actors: C for granularity_overlap_candidate and for REDUNDANT_UPPER_REF.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from withstood.claims.ballot import Action, Ballot, Decision, Voice, adopted_value, majority
from withstood.rules.table import WHOLE, NoNumbers, Table, Without, first

STRUCTURAL = frozenset({"NEGATION_SCOPE", "CONTRAST_CLAUSE", "STRUCTURAL_INCONSISTENT"})
JUSTIFIED = frozenset({"WEAK_EVIDENCE", "REDUNDANT_UPPER_REF"})
PREFERRED = {"granularity_overlap_candidate": "C", "REDUNDANT_UPPER_REF": "C"}
SPLIT = {Action.FLIP, Action.DROP, Action.KEEP}


def arbitrate(ballot: Ballot, conflict_type: str | None = None, without: Without = WHOLE) -> Decision:
    return first(_rows(ballot.voices(), conflict_type), without)


def _rows(voices: list[Voice], conflict_type: str | None) -> Iterator[Decision]:
    if len(voices) < 2:
        yield _incomplete(conflict_type)
    if action := majority(voices):
        if _facet_minority(voices, action, conflict_type):
            yield Decision(Action.FLAG, "FACET_MINORITY_SIGNAL", None, "1a")
        yield Decision(action, "", adopted_value(voices, action), "1")
    if {voice.action for voice in voices} == SPLIT:
        yield from _split(voices, conflict_type)
    yield Decision(Action.FLAG, _doubt(conflict_type, "POLARITY_UNCERTAIN"), None, "2")


def _incomplete(conflict_type: str | None) -> Decision:
    if conflict_type:
        return Decision(Action.FLAG, "REVIEW_INCOMPLETE", None, "0")
    return Decision(Action.KEEP, "", None, "0")


def _facet_minority(voices: list[Voice], adopted: Action, conflict_type: str | None) -> bool:
    preferred = PREFERRED.get(conflict_type or "")
    return any(voice.actor == preferred and voice.named and voice.action is not adopted for voice in voices)


def _split(voices: list[Voice], conflict_type: str | None) -> Iterator[Decision]:
    by_action = {voice.action: voice for voice in voices}
    flip, drop = by_action[Action.FLIP], by_action[Action.DROP]
    if flip.reason in STRUCTURAL:
        yield Decision(Action.FLIP, "", flip.new_value or None, "3a")
    if drop.reason in JUSTIFIED:
        yield Decision(Action.DROP, "", None, "3b")
    yield Decision(Action.FLAG, _doubt(conflict_type, "TIE_UNRESOLVED"), None, "3c")


def _doubt(conflict_type: str | None, otherwise: str) -> str:
    return "REDUNDANT_REF_UNCERTAIN" if conflict_type == "granularity_overlap_candidate" else otherwise


@dataclass(frozen=True, slots=True)
class Input:
    votes: Ballot
    conflict_type: str | None = None


def _decide(case: Input, numbers: NoNumbers, without: Without = WHOLE) -> Decision:
    return arbitrate(case.votes, case.conflict_type, without)


TABLE = Table(
    "arbiter-v2", __doc__, Input, Decision, _decide, section="none", droppable=("0", "1a", "1", "3a", "3b", "3c")
)
