"""The weighing arbiter, by its laws."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import pytest

from withstood.claims.ballot import Absent, Action, Ballot, Vote
from withstood.errors import Misfit
from withstood.rules import arbiter_v1, arbiter_w1
from withstood.rules.rulebook import Rulebook

SLOTS = (None, Absent(), *(Vote(action, "", {"polarity": "neutral"}) for action in Action))


@dataclass(frozen=True, slots=True)
class Measured:
    reliability: str


EVEN = Measured("A:0.8;B:0.8;C:0.8")


@pytest.mark.parametrize("conflict", [None, "ref_polarity_mismatch"])
def test_equal_weights_are_a_majority(conflict: str | None) -> None:
    for slots in product(SLOTS, repeat=3):
        ballot = Ballot(*slots)
        old, new = arbiter_v1.arbitrate(ballot, conflict), arbiter_w1.arbitrate(ballot, conflict, EVEN)
        if old.row in ("0", "1"):
            assert new == old
        else:
            assert (new.action, new.row) == (Action.FLAG, "2")


def test_one_good_reviewer_outweighs_two_poor_ones() -> None:
    ballot = Ballot(Vote(Action.DROP), Vote(Action.KEEP), Vote(Action.KEEP))
    assert arbiter_w1.arbitrate(ballot, None, Measured("A:0.95;B:0.4;C:0.4")).action is Action.DROP
    assert arbiter_w1.arbitrate(ballot, None, EVEN).action is Action.KEEP


def test_nobody_of_known_weight_decides_nothing() -> None:
    ballot = Ballot(Vote(Action.DROP), Vote(Action.DROP), Vote(Action.DROP))
    assert arbiter_w1.arbitrate(ballot, None, Measured("")).row == "2"


@pytest.mark.parametrize("stated", ["A", "A:2", "D:0.5", "A:0.5,B:0.5", "A:0.5 "])
def test_what_is_no_reliability_is_refused(stated: str) -> None:
    with pytest.raises(Misfit, match=r"arbiter\.reliability"):
        Rulebook().adjusted({"arbiter.reliability": stated})
