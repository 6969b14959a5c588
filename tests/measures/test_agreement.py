"""Kappas against worked examples and their laws; every action under every labelling."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.measures.labels import sample
from tests.measures.test_finding import value
from withstood.claims.ballot import Absent, Action, Ballot, Vote
from withstood.measures import agreement
from withstood.measures.sample import Held, Rated, Sample

KEEP, DROP, FLAG, MERGE = (Vote(action) for action in (Action.KEEP, Action.DROP, Action.FLAG, Action.MERGE))
POS, NEG, NEU, BARE = (
    Vote(Action.FLIP, new_value=new)
    for new in ({"polarity": "POSITIVE"}, {"polarity": "neg"}, {"polarity": "neutral"}, None)
)


@pytest.mark.parametrize(
    ("vote", "process", "measured", "flag_keeps"),
    [
        (None, "KEEP", "NEG", "NEG"),
        (KEEP, "KEEP", "NEG", "NEG"),
        (DROP, "DROP", "DROP", "DROP"),
        (MERGE, "MERGE", "DROP", "DROP"),
        (FLAG, "OTHER", "DROP", "NEG"),
        (POS, "FLIP_POS", "POS", "POS"),
        (NEG, "FLIP_NEG", "NEG", "NEG"),
        (NEU, "FLIP", "NEU", "NEU"),
        (BARE, "FLIP", "NEU", "NEU"),
    ],
)
def test_every_action_under_every_labelling(vote: Vote | None, process: str, measured: str, flag_keeps: str) -> None:
    one = Rated("negative", Ballot(A=vote))
    assert [labelled(one, vote) for labelled in agreement.LABELLINGS.values()] == [process, measured, flag_keeps]


def test_mixed_is_measured_as_neutral() -> None:
    assert agreement.measured(Rated("mixed", Ballot()), None) == "NEU"


def held(*ballots: Ballot, polarity: str = "positive") -> Sample:
    return sample(None, held=Held(rated=tuple([Rated(polarity, ballot) for ballot in ballots])))


MEASURES = {one.name: one for one in agreement.measures()}


def test_kappas_of_a_worked_example() -> None:
    """Two tuples: one all KEEP, one KEEP, DROP, DROP."""
    found = agreement.rows(
        [Rated("positive", Ballot()), Rated("positive", Ballot(None, DROP, DROP))], agreement.process
    )
    assert found == [("KEEP", "KEEP", "KEEP"), ("KEEP", "DROP", "DROP")]
    assert agreement.cohen(found) == Fraction(1, 3)
    alike, by_chance = Fraction(3 * 2 + 2 * 1, 2 * 3 * 2), Fraction(4**2 + 2**2, 36)
    assert agreement.fleiss(found) == (alike - by_chance) / (1 - by_chance)
    assert [agreement.alike(found, how) for how in ("perfect", "majority", "none")] == [
        Fraction(1, 2),
        Fraction(1, 2),
        0,
    ]


def test_texts_are_averaged_and_those_without_three_reviewers_left_out() -> None:
    over = [
        held(Ballot(), Ballot()),
        held(Ballot(DROP, DROP, None), Ballot()),
        held(Ballot(Absent(), DROP, None)),
        sample(None),
    ]
    assert value(MEASURES["perfect (process)"], over) == pytest.approx((1 + 1 / 2) / 2)
    assert value(MEASURES["AAR"], over) == 1
    assert value(MEASURES["cohen (process)"], over) == pytest.approx((1 + 1 / 3) / 2)
    assert value(MEASURES["cohen (process)"], [sample(None)]) is None


def test_a_flag_is_measured_both_ways() -> None:
    over = [held(Ballot(FLAG, DROP, None), Ballot(None, DROP, None))]
    assert value(MEASURES["majority (measured)"], over) == 1
    assert value(MEASURES["perfect (measured, FLAG keeps)"], over) == 0
    assert value(MEASURES["fleiss (measured)"], over) != value(MEASURES["fleiss (measured, FLAG keeps)"], over)


rows = st.lists(st.tuples(*[st.sampled_from("abc")] * 3), min_size=1, max_size=6)


@given(rows)
def test_kappas_stay_in_their_range(found: list[tuple[str, ...]]) -> None:
    assert -1 <= agreement.cohen(found) <= 1
    assert -1 <= agreement.fleiss(found) <= 1
    assert sum(agreement.alike(found, how) for how in ("perfect", "majority", "none")) == 1


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=6))
def test_reviewers_that_never_differ_agree_wholly(labels: list[str]) -> None:
    found = [(one, one, one) for one in labels]
    assert agreement.cohen(found) == agreement.fleiss(found) == agreement.alike(found, "perfect") == 1


@given(rows, st.permutations(range(3)))
def test_no_reviewer_weighs_more(found: list[tuple[str, ...]], order: list[int]) -> None:
    turned = [tuple([row[place] for place in order]) for row in found]
    assert agreement.cohen(found) == agreement.cohen(turned)
    assert agreement.fleiss(found) == agreement.fleiss(turned)
