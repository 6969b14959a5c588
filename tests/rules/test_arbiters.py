"""Both arbiters over all ballots, against the published table; then the laws that a ballot obeys."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest

from tests.rules.ballots import (
    CONFLICT_TYPES,
    JUSTIFIED,
    OVERLAP,
    STRUCTURAL,
    TABLE,
    Decided,
    Slot,
    ballots,
    published,
    said,
    votes_alone,
)
from tests.rules.cases_in import cases_in
from withstood.claims.ballot import Absent, Action, Ballot, Decision, Vote
from withstood.rules import arbiter_v1, arbiter_v2
from withstood.rules.rulebook import ARBITERS

Arbitrate: TypeAlias = Callable[[Ballot, str | None], Decision]

EDITIONS = sorted(ARBITERS.items())
STANDARD_CODES = (
    "NEGATION_SCOPE CONTRAST_CLAUSE IMPLICIT_ASPECT ASPECT_REF_MISMATCH SPAN_OVERLAP_MERGE DUPLICATE_TUPLE "
    "WEAK_EVIDENCE POLARITY_UNCERTAIN FORMAT_INCOMPLETE KEEP_BEST_SUPPORTED WEAK_INFERENCE EXPLICIT_NOT_REQUIRED "
    "STRUCTURAL_INCONSISTENT REDUNDANT_UPPER_REF REDUNDANT_REF_UNCERTAIN FACET_MINORITY_SIGNAL TIE_UNRESOLVED "
    "JUSTIFIED_INFERENCE EXPLICIT_EVIDENCE_PRESENT"
).split()

each_edition = pytest.mark.parametrize(("edition", "arbitrate"), EDITIONS)


def decided(decision: Decision) -> Decided:
    return decision.action.value, decision.reason_code, decision.new_value, decision.row


# --- the table ---------------------------------------------------------------------------------


def test_the_restated_table_is_whole() -> None:
    kinds = ["DROP", "FLAG", "FLIP", "KEEP"]
    votes = [" ".join(some) for n in range(4) for some in itertools.combinations_with_replacement(kinds, n)]
    assert sorted(TABLE["outcomes"]) == sorted(votes)


@each_edition
@pytest.mark.parametrize("conflict_type", CONFLICT_TYPES)
def test_every_ballot(edition: str, arbitrate: Arbitrate, conflict_type: str | None) -> None:
    wrong = [
        slots
        for slots in ballots()
        if decided(arbitrate(Ballot(*slots), conflict_type)) != published(edition, slots, conflict_type)
    ]
    assert wrong[:3] == []


@each_edition
@pytest.mark.parametrize("flip", STANDARD_CODES)
def test_every_standard_code_in_a_split(edition: str, arbitrate: Arbitrate, flip: str) -> None:
    for drop in STANDARD_CODES:
        for order in itertools.permutations([Vote(Action.FLIP, flip), Vote(Action.DROP, drop), None]):
            row = "3a" if flip in STRUCTURAL else "3b" if edition == "v1" or drop in JUSTIFIED else "3c"
            assert arbitrate(Ballot(*order), None).row == row


@each_edition
@pytest.mark.parametrize("code", ["negation_scope", "Contrast_Clause", "STRUCTURAL_inconsistent"])
def test_codes_are_compared_in_upper_case(edition: str, arbitrate: Arbitrate, code: str) -> None:
    ballot = Ballot(Vote(Action.FLIP, code), Vote(Action.DROP), Vote(Action.KEEP))
    assert arbitrate(ballot, None).row == "3a"


def _slot(text: str) -> Slot:
    if text in ("-", "absent"):
        return None if text == "-" else Absent()
    action, reason, polarity = _parts(text)
    return Vote(Action(action), reason, {"polarity": polarity} if polarity else None)


def _parts(text: str) -> tuple[str, str, str | None]:
    found = re.fullmatch(r"([A-Z]+)(?: (\w+))?(?: -> (\w+))?", text)
    assert found, f"wanted ACTION REASON -> polarity, found {text!r}"
    return found[1], found[2] or "", found[3]


@pytest.mark.parametrize("edition", ["v1", "v2"])
@pytest.mark.parametrize("case", cases_in("arbiter")["case"], ids=lambda case: case["name"])
def test_cases(case: dict[str, str], edition: str) -> None:
    slots = _slot(case["A"]), _slot(case["B"]), _slot(case["C"])
    written, row = case[edition].removesuffix(")").split(" (")
    action, reason, polarity = _parts(written)
    wanted = (action, reason, {"polarity": polarity} if polarity else None, row)
    conflict_type = case.get("conflict_type")
    assert decided(ARBITERS[edition](Ballot(*slots), conflict_type)) == wanted
    assert published(edition, slots, conflict_type) == wanted


@pytest.mark.parametrize("module", [arbiter_v1, arbiter_v2])
def test_every_row_that_fires_stands_in_the_docstring(module: Any) -> None:
    fired = {
        module.arbitrate(Ballot(*slots), kind).row
        for slots in itertools.product([None, Absent(), *_with_codes()], repeat=3)
        for kind in CONFLICT_TYPES
    }
    assert fired == set(module.TABLE.rows())


def _with_codes() -> list[Vote]:
    return [Vote(action, code) for action in Action for code in ("", "NEGATION_SCOPE", "WEAK_EVIDENCE")]


@pytest.mark.parametrize("module", [arbiter_v1, arbiter_v2])
def test_the_docstring_names_the_codes(module: Any) -> None:
    named = dict(re.findall(r"^(\w+) reasons: (.+)\.$", module.__doc__, re.MULTILINE))
    assert set(named["Structural"].split(", ")) == STRUCTURAL == module.STRUCTURAL
    if module is arbiter_v2:
        assert set(named["Justified"].split(", ")) == JUSTIFIED == module.JUSTIFIED


# --- laws --------------------------------------------------------------------------------------


@each_edition
@pytest.mark.parametrize("conflict_type", CONFLICT_TYPES)
def test_an_absent_voter_never_makes_an_action(edition: str, arbitrate: Arbitrate, conflict_type: str | None) -> None:
    """Taking a vote away never turns KEEP or FLAG into DROP or FLIP, unless two of those who stay want just that."""
    strong = Vote(Action.FLIP, "NEGATION_SCOPE"), Vote(Action.DROP, "WEAK_EVIDENCE")
    slots = [None, Absent(), *map(Vote, Action), *strong]
    for before in itertools.product(slots, repeat=3):
        if arbitrate(Ballot(*before), conflict_type).action not in (Action.KEEP, Action.FLAG):
            continue
        for away in range(3):
            after = [Absent() if place == away else slot for place, slot in enumerate(before)]
            action = arbitrate(Ballot(*after), conflict_type).action
            if action in (Action.DROP, Action.FLIP):
                assert list(map(said, after)).count(action.value) == 2, (before, away)


@each_edition
def test_an_action_that_changes_a_tuple_has_two_votes_or_a_full_split(edition: str, arbitrate: Arbitrate) -> None:
    for slots in ballots():
        action = arbitrate(Ballot(*slots), OVERLAP).action
        if action in (Action.DROP, Action.FLIP):
            votes = list(map(said, slots))
            assert votes.count(action.value) >= 2 or sorted(map(str, votes)) == ["DROP", "FLIP", "KEEP"], slots


@each_edition
def test_fewer_than_two_present_decide_nothing(edition: str, arbitrate: Arbitrate) -> None:
    for slot in (None, Absent(), *_with_codes()):
        for place in range(3):
            slots: list[Slot] = [Absent(), Absent(), Absent()]
            slots[place] = slot
            assert decided(arbitrate(Ballot(*slots), None)) == ("KEEP", "", None, "0")
            assert decided(arbitrate(Ballot(*slots), OVERLAP)) == ("FLAG", "REVIEW_INCOMPLETE", None, "0")


@each_edition
@pytest.mark.parametrize("conflict_type", CONFLICT_TYPES)
def test_who_says_it_does_not_matter(edition: str, arbitrate: Arbitrate, conflict_type: str | None) -> None:
    """Only the preferred reviewer of edition v2, and which of two new values is taken, depend on the seat."""
    places = [(1, 0, 2)] if edition == "v2" else list(itertools.permutations(range(3)))
    for slots in [*votes_alone(), *itertools.product(_with_codes(), repeat=3)]:
        wanted = arbitrate(Ballot(*slots), conflict_type)
        for order in places:
            moved = arbitrate(Ballot(*(slots[place] for place in order)), conflict_type)
            assert (moved.action, moved.reason_code, moved.row) == (wanted.action, wanted.reason_code, wanted.row)


@each_edition
def test_seats_matter_nowhere_without_a_preferred_one(edition: str, arbitrate: Arbitrate) -> None:
    for slots in votes_alone():
        actions = {arbitrate(Ballot(*order), None).action for order in itertools.permutations(slots)}
        assert len(actions) == 1, slots


@each_edition
@pytest.mark.parametrize("order", list(itertools.permutations("ABC")))
def test_the_first_new_value_in_order_is_taken(edition: str, arbitrate: Arbitrate, order: tuple[str, ...]) -> None:
    """`order` says who speaks first, second and not at all."""
    first, second, third = [*sorted(order[:2]), order[2]]
    flips = {actor: Vote(Action.FLIP, "", {"polarity": actor}) for actor in (first, second)}
    assert arbitrate(Ballot(**flips, **{third: None}), None).new_value == {"polarity": first}
    flips[first] = Vote(Action.FLIP, "", {})
    assert arbitrate(Ballot(**flips, **{third: Absent()}), None).new_value == {"polarity": second}


@each_edition
def test_only_a_flip_carries_a_value(edition: str, arbitrate: Arbitrate) -> None:
    for slots in ballots():
        decision = arbitrate(Ballot(*slots), OVERLAP)
        assert decision.new_value is None or (decision.action is Action.FLIP and decision.new_value)


@each_edition
def test_a_reason_stands_only_on_a_flag_of_its_own_making(edition: str, arbitrate: Arbitrate) -> None:
    for slots in ballots():
        decision = arbitrate(Ballot(*slots), None)
        assert bool(decision.reason_code) == (decision.action is Action.FLAG and decision.row != "1"), slots


@each_edition
def test_merge_is_never_decided(edition: str, arbitrate: Arbitrate) -> None:
    for slots, kind in itertools.product(votes_alone(), CONFLICT_TYPES):
        assert arbitrate(Ballot(*slots), kind).action is not Action.MERGE


def test_the_editions_differ_only_where_the_table_says() -> None:
    """A heard minority, a justified DROP, and the two reason codes."""
    for slots, kind in itertools.product(itertools.product([None, Absent(), *_with_codes()], repeat=3), CONFLICT_TYPES):
        old, new = (ARBITERS[edition](Ballot(*slots), kind) for edition in ("v1", "v2"))
        if old.action is not new.action:
            assert new.row in ("1a", "3b")
        assert (old.row == new.row) or (old.row, new.row) in {("1", "1a"), ("3b", "3c")}
