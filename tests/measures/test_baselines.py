"""The constant guess is the best constant there is; a majority needs two."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.measures.labels import said, some
from withstood.claims.label import Label
from withstood.measures.baselines import MAJORITY, Constant, constant, majority, readings
from withstood.measures.pairs import hits, polarity_of
from withstood.measures.sample import Labels


def test_the_commonest_ref_and_the_commonest_polarity() -> None:
    guess = constant([said("|a#x|positive", "|b#y|negative"), said("|b#y|negative"), said("|c#z|positive")] * 2)
    assert guess == Constant("b#y", "negative", "negative")
    assert guess.on_text() == said("|b#y|negative")
    assert guess.on_targets(said("food||positive")) == said("food||negative")


def test_gold_without_refs_has_no_constant_text() -> None:
    assert constant([said("food||positive")]) == Constant("", "", "positive")
    assert constant([said("food||positive")]).on_text() == ()
    assert constant([]) == Constant("", "", "")


@given(st.lists(some, max_size=6))
def test_no_constant_does_better(golds: list[Labels]) -> None:
    guess = constant(golds)
    best = sum(hits("ref-pol", guess.on_text(), gold).tp for gold in golds)
    for ref, polarity in {(one.aspect_ref, polarity_of(one)) for gold in golds for one in gold if one.aspect_ref}:
        assert sum(hits("ref-pol", (Label("", ref, polarity),), gold).tp for gold in golds) <= best


def test_a_majority_needs_two_readings_not_two_triplets() -> None:
    one, other, third = said("food|a#x|positive"), said("food|a#x|positive", "wine||negative"), said("wine||positive")
    assert majority([one, other, third]) == said("food|a#x|positive")
    assert majority([said("wine||negative") * 2, (), ()]) == ()
    assert readings({"S0": one}) == {"S0": one}
    assert readings({"P-NEG": one, "P-LIT": one})[MAJORITY] == one


@given(some, some, some)
def test_the_order_of_readings_changes_no_majority(one: Labels, two: Labels, three: Labels) -> None:
    def opinions(found: Labels) -> set[tuple[str, str, str]]:
        return {(label.aspect_ref, label.aspect_term, polarity_of(label)) for label in found}

    assert opinions(majority([one, two, three])) == opinions(majority([three, one, two]))
    assert opinions(majority([one, one, ()])) == opinions(one)
