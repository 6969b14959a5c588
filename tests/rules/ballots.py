"""Every ballot, and a second statement of the arbiters' table that reads it from `cases/votes.toml`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, TypeAlias

from tests.rules.cases_in import cases_in
from withstood.claims.ballot import Absent, Action, Vote

Slot: TypeAlias = Vote | Absent | None
Slots: TypeAlias = tuple[Slot, ...]
Decided: TypeAlias = tuple[str, str, Any, str]

OVERLAP = "granularity_overlap_candidate"
CONFLICT_TYPES = (None, "ref_polarity_mismatch", OVERLAP, "REDUNDANT_UPPER_REF")
REASONS = ("", "NEGATION_SCOPE", "WEAK_EVIDENCE")
VALUES: tuple[dict[str, Any] | None, ...] = (None, {}, {"polarity": "negative"})
SLOTS: tuple[Slot, ...] = (
    None,
    Absent(),
    *(Vote(*parts) for parts in itertools.product(Action, REASONS, VALUES)),
)

TABLE = cases_in("votes")
STRUCTURAL, JUSTIFIED = set(TABLE["split"]["structural"]), set(TABLE["split"]["justified"])


def ballots() -> Iterator[Slots]:
    return itertools.product(SLOTS, repeat=3)


def votes_alone() -> list[Slots]:
    """Every ballot, where reasons and values are left out."""
    plain: list[Slot] = [None, Absent(), *map(Vote, Action)]
    return list(itertools.product(plain, repeat=3))


def said(slot: Slot) -> str | None:
    """What a slot counts as; None: nothing."""
    if isinstance(slot, Absent):
        return None
    return "KEEP" if slot is None or slot.action_type is Action.MERGE else slot.action_type.value


def published(edition: str, slots: Slots, conflict_type: str | None) -> Decided:
    """Action, reason code, new value, row: as the published table says."""
    outcome = TABLE["outcomes"][" ".join(sorted(vote for vote in map(said, slots) if vote))]
    if outcome == "incomplete":
        return ("FLAG", "REVIEW_INCOMPLETE", None, "0") if conflict_type else ("KEEP", "", None, "0")
    if outcome == "tie":
        return ("FLAG", _doubt(edition, "tie", conflict_type), None, "2")
    if outcome == "split":
        return _split(edition, slots, conflict_type)
    if edition == "v2" and _is_heard(slots, outcome, conflict_type):
        return ("FLAG", "FACET_MINORITY_SIGNAL", None, "1a")
    return (outcome, "", _value(slots) if outcome == "FLIP" else None, "1")


def _split(edition: str, slots: Slots, conflict_type: str | None) -> Decided:
    flip = next(slot for slot in slots if isinstance(slot, Vote) and slot.action_type is Action.FLIP)
    drop = next(slot for slot in slots if isinstance(slot, Vote) and slot.action_type is Action.DROP)
    if flip.reason_code.upper() in STRUCTURAL:
        return ("FLIP", "", flip.new_value or None, "3a")
    if edition == "v2" and drop.reason_code.upper() in JUSTIFIED:
        return ("DROP", "", None, "3b")
    return ("FLAG", _doubt(edition, "split", conflict_type), None, "3c" if edition == "v2" else "3b")


def _doubt(edition: str, why: str, conflict_type: str | None) -> str:
    codes = TABLE["doubt"][edition]
    return codes.get("on_granularity_overlap", codes[why]) if conflict_type == OVERLAP else codes[why]


def _is_heard(slots: Slots, adopted: str, conflict_type: str | None) -> bool:
    preferred = TABLE["preferred"].get(conflict_type)
    slot = dict(zip("ABC", slots, strict=True)).get(preferred)
    return isinstance(slot, Vote) and said(slot) != adopted


def _value(slots: Slots) -> Any:
    flips = [slot for slot in slots if isinstance(slot, Vote) and slot.action_type is Action.FLIP]
    return next((vote.new_value for vote in flips if vote.new_value), None)
