"""Ballots: what reviewers want done with a tuple, one slot for each of A, B and C."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Literal, NamedTuple

from withstood.form import Json


class Action(str, Enum):
    """What may be done with a tuple. MERGE is a wish that the arbiter reads as KEEP."""

    KEEP = "KEEP"
    DROP = "DROP"
    FLIP = "FLIP"
    FLAG = "FLAG"
    MERGE = "MERGE"

    @classmethod
    def _missing_(cls, value: object) -> Action | None:
        return cls.__members__.get(value.strip().upper()) if isinstance(value, str) else None


REASON_CODES = frozenset(
    "NEGATION_SCOPE CONTRAST_CLAUSE IMPLICIT_ASPECT ASPECT_REF_MISMATCH SPAN_OVERLAP_MERGE DUPLICATE_TUPLE "
    "WEAK_EVIDENCE POLARITY_UNCERTAIN FORMAT_INCOMPLETE KEEP_BEST_SUPPORTED WEAK_INFERENCE EXPLICIT_NOT_REQUIRED "
    "STRUCTURAL_INCONSISTENT REDUNDANT_UPPER_REF REDUNDANT_REF_UNCERTAIN FACET_MINORITY_SIGNAL TIE_UNRESOLVED "
    "REVIEW_INCOMPLETE".split()
)
"""The published ones. Reviewers may name others, which nothing looks at."""


@dataclass(frozen=True, slots=True)
class Vote:
    """One reviewer's action on one tuple."""

    action_type: Action
    reason_code: str = ""
    new_value: Mapping[str, Json] | None = None


@dataclass(frozen=True, slots=True)
class Absent:
    """A reviewer that failed, refused or abstained: no vote at all."""

    absent: Literal[True] = True


class Voice(NamedTuple):
    """A slot as it is counted. `named` is False where the reviewer named no action for this tuple."""

    actor: str
    action: Action
    reason: str = ""
    new_value: Mapping[str, Json] | None = None
    named: bool = True


_EMPTY = {actor: Voice(actor, Action.KEEP, named=False) for actor in "ABC"}


@dataclass(frozen=True, slots=True)
class Ballot:
    """The three slots of one tuple. None: the reviewer answered and named no action for it."""

    A: Vote | Absent | None = None
    B: Vote | Absent | None = None
    C: Vote | Absent | None = None

    def slots(self) -> tuple[tuple[str, Vote | Absent | None], ...]:
        return (("A", self.A), ("B", self.B), ("C", self.C))

    def voices(self) -> list[Voice]:
        """Those present, in order A, B, C: an empty slot says KEEP, MERGE says KEEP (rule 4), absence says nothing."""
        return [_voice(actor, slot) for actor, slot in self.slots() if not isinstance(slot, Absent)]


def _voice(actor: str, slot: Vote | None) -> Voice:
    if slot is None:
        return _EMPTY[actor]
    action = Action.KEEP if slot.action_type is Action.MERGE else slot.action_type
    return Voice(actor, action, slot.reason_code.strip().upper(), slot.new_value)


def majority(voices: list[Voice]) -> Action | None:
    """The action that two or more voices share."""
    said = [voice.action for voice in voices]
    return next((action for action in said if said.count(action) >= 2), None)


def adopted_value(voices: list[Voice], action: Action) -> Mapping[str, Json] | None:
    """The first non-empty new value among the voices for a FLIP; other actions carry none."""
    if action is not Action.FLIP:
        return None
    return next((voice.new_value for voice in voices if voice.action is action and voice.new_value), None)


@dataclass(frozen=True, slots=True)
class Decision:
    """What an arbiter decided on one tuple, by which row. The reason code stands only on a FLAG of its own making."""

    action: Action
    reason_code: str
    new_value: Mapping[str, Json] | None
    row: str


@dataclass(frozen=True, slots=True)
class ReviewAction:
    """What a reviewer asks for, on one or more tuples."""

    action_type: Action
    target_tuple_ids: tuple[str, ...] = ()
    new_value: Mapping[str, Json] | None = None
    reason_code: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """An action of a kind that does not exist: recorded, and no action named."""

    action_type: str
    target_tuple_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Review:
    """A reviewer's answer: its actions in order, and what was refused at the door."""

    review_actions: tuple[ReviewAction, ...] = ()
    refused: tuple[Refusal, ...] = ()
