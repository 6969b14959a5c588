"""Ballots: how slots are counted, before any table looks at them."""

from __future__ import annotations

import itertools

import pytest

from withstood.claims.ballot import Absent, Action, Ballot, Vote, adopted_value, majority


@pytest.mark.parametrize("written", ["DROP", "drop", "Drop", " drop "])
def test_an_action_is_read_in_any_case(written: str) -> None:
    assert Action(written) is Action.DROP


@pytest.mark.parametrize("written", ["", " ", "DELETE", "DROP TUPLE", "Action.DROP", "DR0P", None, 1])
def test_an_unknown_action_is_none(written: object) -> None:
    with pytest.raises(ValueError):
        Action(written)


def test_slots_speak_in_order() -> None:
    ballot = Ballot(C=Vote(Action.DROP), A=None, B=Absent())
    assert [(voice.actor, voice.action, voice.named) for voice in ballot.voices()] == [
        ("A", Action.KEEP, False),
        ("C", Action.DROP, True),
    ]


def test_absence_says_nothing_and_an_empty_slot_keeps() -> None:
    for slots in itertools.product([None, Absent(), Vote(Action.MERGE)], repeat=3):
        voices = Ballot(*slots).voices()
        assert len(voices) == sum(not isinstance(slot, Absent) for slot in slots)
        assert {voice.action for voice in voices} <= {Action.KEEP}
        assert [voice.named for voice in voices] == [slot is not None for slot in slots if not isinstance(slot, Absent)]


def test_a_majority_is_two() -> None:
    for votes in itertools.product(Action, repeat=3):
        counted = [Action.KEEP if vote is Action.MERGE else vote for vote in votes]
        winners = {vote for vote in counted if counted.count(vote) > 1}
        assert majority(Ballot(*map(Vote, votes)).voices()) == (winners.pop() if winners else None)


def test_values_of_other_actions_are_not_adopted() -> None:
    value = {"polarity": "negative"}
    voices = Ballot(Vote(Action.DROP, "", value), Vote(Action.FLIP), Vote(Action.FLIP, "", {"polarity": "x"})).voices()
    assert adopted_value(voices, Action.FLIP) == {"polarity": "x"}
    assert adopted_value(voices, Action.DROP) is None
