"""Polarity given the target: which target an opinion is taken to be about, and what is counted."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.measures.labels import said, sample, some
from tests.measures.test_finding import value
from withstood.claims.label import Label
from withstood.measures import polarity
from withstood.measures.sample import FINAL, Labels

MEASURES = {one.name: one for one in polarity.measures(FINAL)}
FIRST, SECOND = Label("food", "", "positive", 0, 4), Label("food", "", "negative", 20, 24)


def test_a_term_that_occurs_twice_is_two_targets() -> None:
    over = [sample((FIRST, SECOND), (FIRST, SECOND))]
    assert value(MEASURES["polarity accuracy"], over) == 1
    turned = [sample((FIRST, SECOND), (Label("food", "", "negative", 0, 4),))]
    assert value(MEASURES["polarity accuracy"], turned) == 0
    assert value(MEASURES["targets found"], turned) == pytest.approx(1 / 2)


@pytest.mark.parametrize(
    ("gold", "found", "right"),
    [
        ("food||positive", "food|a#x|positive", 1),
        ("food|a#x|positive", "food|a#x|positive", 1),
        ("food|a#x|positive", "food||positive", 0),
        ("|a#x|positive", "food|a#x|positive", 1),
        ("|a#x|positive", "|a#y|positive", 0),
        ("food||neutral", "food||", 1),
    ],
)
def test_terms_and_refs(gold: str, found: str, right: int) -> None:
    assert value(MEASURES["polarity accuracy"], [sample(said(gold), said(found))]) == right


def test_several_polarities_of_one_target_are_mixed() -> None:
    assert polarity.given(said("food||positive", "food|| negative", "wine||positive")) == {
        ("food", ""): "mixed",
        ("wine", ""): "positive",
    }


def test_macro_is_over_the_polarities_of_the_gold() -> None:
    gold = said("a||positive", "b||positive", "c||negative")
    guess = said("a||positive", "b||positive", "c||positive")
    assert value(MEASURES["polarity macro-F1"], [sample(gold, guess)]) == pytest.approx((4 / 5 + 0) / 2)
    assert value(MEASURES["polarity macro-F1"], [sample(None)]) is None


@given(some.filter(bool))
def test_gold_against_gold_is_one(gold: Labels) -> None:
    (one,) = [sample(gold, gold)]
    assert value(MEASURES["targets found"], [one]) == 1
    assert 0 <= (value(MEASURES["polarity accuracy"], [one]) or 0) <= 1


@given(some, some)
def test_nothing_is_counted_twice(gold: Labels, found: Labels) -> None:
    parts = MEASURES["polarity macro-F1"].parts(sample(gold, found))
    right, targets = MEASURES["polarity accuracy"].parts(sample(gold, found))
    assert min(parts) >= 0
    assert (sum(parts[0::3]), sum(parts[0::3]) + sum(parts[2::3])) == (right, targets)
