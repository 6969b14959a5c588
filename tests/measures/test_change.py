"""Every fate of a sample, and the rates that are made of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.measures.labels import said, sample, samples
from tests.measures.test_finding import value
from withstood.measures import change
from withstood.measures.sample import FINAL, STAGE1, Sample

MEASURES = {one.name: one for one in change.measures("ref-pol")}
GOLD, WRONG, OTHER = said("|a#x|positive"), said("|a#x|negative"), said("|a#x|neutral")
FIX = sample(GOLD, GOLD, WRONG)
BREAK = sample(GOLD, WRONG, GOLD)
STILL = sample(GOLD, WRONG, WRONG)
MOVED = sample(GOLD, OTHER, WRONG)
KEEP = sample(GOLD, GOLD, GOLD)


def test_fates_and_rates() -> None:
    over = [FIX, FIX, BREAK, STILL, MOVED, KEEP, KEEP, sample(None, GOLD, WRONG)]
    assert {name: value(one, over) for name, one in MEASURES.items()} == {
        "fix": 2,
        "break": 1,
        "still": 2,
        "keep": 2,
        "fix rate": pytest.approx(2 / 4),
        "break rate": pytest.approx(1 / 3),
        "net gain": pytest.approx(1 / 7),
        "CDA": pytest.approx(2 / 3),
    }


def test_a_rate_of_nothing_is_undefined() -> None:
    assert value(MEASURES["fix rate"], [KEEP]) is None
    assert value(MEASURES["break rate"], [FIX]) is None
    assert value(MEASURES["net gain"], [sample(None)]) is None


def test_what_changed_needs_no_gold() -> None:
    one = change.changed()
    over = [sample(None, WRONG, GOLD), sample(None, GOLD, GOLD), replace(sample(None), relabelled=True)]
    assert value(one, over) == pytest.approx(2 / 3)


@given(st.lists(samples, max_size=8))
def test_each_sample_with_gold_has_one_fate(over: list[Sample]) -> None:
    counts = [value(MEASURES[name], over) for name in change.FATES]
    assert sum(count or 0 for count in counts) == sum(bool(one.gold) for one in over)


@given(st.lists(samples, max_size=8))
def test_turning_the_stages_round_turns_the_gain_round(over: list[Sample]) -> None:
    turned = {one.name: one for one in change.measures("ref-pol", FINAL, STAGE1)}
    there, back = value(MEASURES["net gain"], over), value(turned["net gain"], over)
    assert there == (None if back is None else -back)
    assert value(MEASURES["fix"], over) == value(turned["break"], over)
