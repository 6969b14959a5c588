"""What of an opinion is compared: every row of the table, and the one that matches by more than being equal."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given

from tests.measures.labels import said, some
from withstood.claims.label import Label
from withstood.measures.pairs import KINDS, Hits, hits, knowledge, measurable, pairs
from withstood.measures.sample import Labels

ONE = Label("Battery", "본품#품질", "positive", 4, 11, "good")


@pytest.mark.parametrize(
    ("kind", "pair"),
    [
        ("ref-pol", ("본품#품질", "positive")),
        ("ote-pol", ("Battery", "positive")),
        ("attr-pol", ("품질", "positive")),
        ("term-pol", ("Battery", "positive")),
        ("place-pol", (4, 11, "positive")),
        ("ref-term-pol", ("본품#품질", "Battery", "positive")),
        ("triplet", ("Battery", "good", "positive")),
        ("quad", ("본품#품질", "Battery", "good", "positive")),
        ("ref", ("본품#품질",)),
        ("term", ("Battery",)),
    ],
)
def test_a_pair_of_each_kind(kind: str, pair: tuple[object, ...]) -> None:
    assert pairs(kind, [ONE, ONE]) == {pair}


def test_every_kind_is_tested() -> None:
    mark = test_a_pair_of_each_kind.pytestmark[0]  # pyright: ignore[reportFunctionMemberAccess]
    assert [kind for kind, _ in mark.args[1]] == list(KINDS)


@pytest.mark.parametrize(
    ("kind", "label"),
    [
        ("ref-pol", Label("a")),
        ("attr-pol", Label("a", "food")),
        ("place-pol", Label("a")),
        ("place-pol", Label("", begin=0, end=0)),
        ("ref", Label("a")),
    ],
)
def test_what_is_left_out(kind: str, label: Label) -> None:
    assert pairs(kind, [label]) == set()


def test_a_missing_polarity_counts_as_neutral() -> None:
    assert pairs("ref-pol", said("|food|")) == {("food", "neutral")}


def test_an_implicit_gold_target_takes_what_is_left() -> None:
    gold = said("||positive", "battery||positive")
    assert hits("ote-pol", said("battery||positive"), gold) == Hits(1, 0, 1)
    assert hits("ote-pol", said("battery||positive", "screen||positive"), gold) == Hits(2, 0, 0)
    assert hits("ote-pol", said("battery||positive", "screen||negative"), gold) == Hits(1, 1, 1)
    assert hits("term-pol", said("battery||positive", "screen||positive"), gold) == Hits(1, 1, 1)
    assert hits("ote-pol", said("||positive"), said("battery||positive")) == Hits(0, 1, 1)


@given(some, some)
def test_no_other_matching_finds_more(one: Labels, other: Labels) -> None:
    gold, found = sorted(pairs("ote-pol", other)), sorted(pairs("ote-pol", one))
    longer, shorter = (gold, found) if len(gold) > len(found) else (found, gold)
    implicit_first = longer is gold
    best = max(
        sum(_fits(a, b) if implicit_first else _fits(b, a) for a, b in zip(order, shorter, strict=False))
        for order in permutations(longer, len(shorter))
    )
    assert hits("ote-pol", one, other).tp == best


def _fits(gold: tuple[str | int, ...], found: tuple[str | int, ...]) -> bool:
    return gold[1] == found[1] and gold[0] in ("", found[0])


@given(some, some)
def test_counts_add_up(one: Labels, other: Labels) -> None:
    for kind in KINDS:
        found = hits(kind, one, other)
        assert min(found) >= 0
        assert found.tp + found.fp == len(pairs(kind, one))
        assert found.tp + found.fn == len(pairs(kind, other))


def test_only_what_the_gold_knows_is_measured() -> None:
    assert measurable(knowledge(said("|food|positive"))) == ("ref-pol", "attr-pol", "ref")
    assert measurable(knowledge([Label("a", "", "positive", 0, 1, "good")])) == (
        *("ote-pol", "term-pol", "place-pol", "triplet", "term"),
    )
    assert measurable(knowledge([ONE])) == tuple(KINDS)
    assert measurable(knowledge([])) == ()
