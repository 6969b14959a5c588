"""Tables of panels, by their laws."""

from __future__ import annotations

from decimal import Decimal
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withstood.claims.pool import Cast, Choice, Votes
from withstood.rules import panel_confidence, panel_evidence, panel_majority, panel_order, panel_reliability
from withstood.rules.rulebook import Rulebook

SHARES = st.decimals("0", "1", places=2)
CASTS = st.builds(
    Cast,
    voter=st.sampled_from("abcde"),
    vote=st.sampled_from(["x", "y", "z"]),
    order=st.sampled_from(["", "1", "2"]),
    confidence=st.none() | SHARES,
    grade=st.sampled_from([None, "STRONG", "MODERATE", "WEAK"]),
    reliability=st.none() | SHARES,
    independent=SHARES,
)
VOTES = st.lists(CASTS, max_size=9, unique_by=lambda one: (one.voter, one.order)).map(tuple).map(Votes)
MASS = Rulebook().mass


def all_of(votes: Votes) -> list[Choice]:
    tables = (panel_majority, panel_confidence, panel_order, panel_reliability)
    return [*[table.choose(votes) for table in tables], panel_evidence.choose(votes, MASS)]


@given(VOTES, st.randoms(use_true_random=False))
def test_the_order_of_lines_decides_nothing(votes: Votes, dice: Random) -> None:
    shuffled = list(votes.votes)
    dice.shuffle(shuffled)
    assert all_of(Votes(tuple(shuffled))) == all_of(votes)


@given(VOTES)
def test_what_is_chosen_leads_and_a_tie_chooses_nothing(votes: Votes) -> None:
    for found in all_of(votes):
        most = max(found.mass.values(), default=None)
        leaders = [name for name, mass in found.mass.items() if mass == most]
        speaks_for_itself = len(leaders) == 1 and (most or 0) >= 0
        assert found.choice == (leaders[0] if speaks_for_itself else None)
        assert found.row == ("0" if not leaders else "2" if len(leaders) > 1 else found.row)
        assert found.lead >= 0


def test_who_contradicts_itself_is_absent() -> None:
    votes = Votes((Cast("a", "x", "1"), Cast("a", "y", "2"), Cast("b", "y", "1"), Cast("b", "y", "2")))
    assert panel_order.choose(votes).mass == {"y": Decimal(1)}
    assert panel_majority.choose(votes).tied == ("x", "y")


def test_equal_reliabilities_count_like_a_majority() -> None:
    votes = Votes(
        tuple([Cast(name, vote, reliability=Decimal("0.8")) for name, vote in zip("abc", "xxy", strict=True)])
    )
    assert panel_reliability.choose(votes).choice == panel_majority.choose(votes).choice == "x"


def test_one_good_voter_outweighs_two_poor_ones_and_a_bad_one_speaks_for_the_other() -> None:
    good, poor, bad = Decimal("0.95"), Decimal("0.6"), Decimal("0.1")
    votes = (Cast("a", "x", reliability=good), Cast("b", "y", reliability=poor), Cast("c", "y", reliability=poor))
    assert panel_reliability.choose(Votes(votes)).choice == "x"
    assert panel_reliability.choose(Votes((Cast("a", "x", reliability=bad),), ("x", "y"))).choice == "y"


def test_copies_that_share_their_weight_are_one_voter() -> None:
    third = Decimal("0.333333333333333333")
    copies = [Cast(name, "x", reliability=Decimal("0.8"), independent=third) for name in "abc"]
    one = Cast("d", "y", reliability=Decimal("0.85"))
    assert panel_reliability.choose(Votes((*copies, one))).choice == "y"


@pytest.mark.parametrize(
    ("grades", "row"), [(("STRONG", None), "1"), (("STRONG", "MODERATE"), "3"), (("WEAK", "WEAK"), "2")]
)
def test_evidence_decides_by_mass(grades: tuple[str | None, ...], row: str) -> None:
    votes = Votes((Cast("a", "x", grade=grades[0]), Cast("b", "y", grade=grades[1])))  # pyright: ignore[reportArgumentType]
    assert panel_evidence.choose(votes, MASS).row == row
