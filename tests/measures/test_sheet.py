"""Figures and intervals: the same on every machine, the same in every order, and as wide as they should be."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.measures.labels import said, sample, samples
from tests.measures.test_finding import THREE, value
from withstood.measures import agreement, bootstrap, change, debating, finding, polarity, rates
from withstood.measures.pairs import KINDS
from withstood.measures.sample import FINAL, STAGE1, Held, Mapped, Sample
from withstood.measures.sheet import Figure, Figures, Sheet
from withstood.measures.subsets import SUBSETS, cued

EVERY = (
    *(one for kind in KINDS for of in (FINAL, STAGE1) for one in finding.measures(kind, of)),
    *finding.by_explicitness(FINAL),
    *change.measures("ref-pol"),
    *agreement.measures(),
    *rates.measures(),
    *rates.of_system(FINAL),
    *debating.measures(),
    *polarity.measures(FINAL),
)
MICRO = [one for of in (FINAL, STAGE1) for one in finding.measures("ref-pol", of)]
RIGHT, WRONG = said("|a#x|positive"), said("|a#x|negative")


def figures(over: list[Sample], resamples: int = 50) -> Figures:
    sheet = Sheet(EVERY)
    for one in over:
        sheet.add(one)
    return sheet.figures(resamples)


@given(st.lists(samples, max_size=6))
@settings(max_examples=20)
def test_a_sheet_says_what_its_measures_say(over: list[Sample]) -> None:
    found = figures(over)
    for measure in EVERY:
        figure, wanted = found.figure(measure.name, measure.of), value(measure, over)
        assert figure.value == (None if wanted is None else round(Decimal(wanted), 6))
        if figure.low is not None and figure.high is not None:
            assert figure.low <= figure.high


def test_figures_are_the_same_on_every_machine() -> None:
    found = figures(list(THREE) * 10, 200)
    assert found.figure("ref-pol micro", FINAL) == Figure(Decimal("0.571429"), Decimal("0.484796"), Decimal("0.666667"))
    assert list(bootstrap.draw(1, 2, 6)) == [2, 0, 1, 5, 4, 5]


def test_draws_are_even() -> None:
    counts = Counter(number for no in range(400) for number in bootstrap.draw(7, no, 25))
    assert set(counts) == set(range(25))
    assert max(counts.values()) < 1.2 * 400 > min(counts.values()) > 0.8 * 400
    assert list(bootstrap.draw(7, 1, 25)) != list(bootstrap.draw(8, 1, 25)) != list(bootstrap.draw(7, 2, 25))


def test_an_interval_is_as_wide_as_that_of_a_share() -> None:
    """400 samples, half of them right: 1.96 standard errors are 0.049."""
    found = figures([sample(RIGHT, RIGHT if no % 2 else WRONG) for no in range(400)], 1000)
    figure = found.figure("ref-pol recall", FINAL)
    assert figure.value == Decimal("0.5")
    assert figure.low == pytest.approx(Decimal("0.451"), abs=Decimal("0.006"))
    assert figure.high == pytest.approx(Decimal("0.549"), abs=Decimal("0.006"))


def test_many_samples_are_dealt_into_units_and_the_interval_stays() -> None:
    over = [sample(RIGHT, RIGHT if no % 3 else WRONG) for no in range(3 * bootstrap.MOST_UNITS)]
    sheet = Sheet(MICRO)
    for one in over:
        sheet.add(one)
    figure = sheet.figures(400).figure("ref-pol recall", FINAL)
    assert sheet.samples == len(over)
    assert figure.value == Decimal("0.666667")
    assert figure.low == pytest.approx(Decimal("0.6548"), abs=Decimal("0.003"))


def test_differences_are_paired() -> None:
    """Every sample is one better: the difference has no spread, whatever each of the two has."""
    over = [sample(RIGHT, RIGHT, WRONG)] * 5 + [sample(RIGHT, WRONG, WRONG)] * 5
    found = figures([*over], 400)
    gap = found.difference("ref-pol micro", FINAL, STAGE1)
    assert (gap.value, gap.sure) == (Decimal("0.5"), True)
    assert found.difference("ref-pol micro", FINAL, FINAL) == Figure(Decimal(0), Decimal(0), Decimal(0))
    assert not found.difference("ref-pol micro", FINAL, FINAL).sure
    back = found.difference("ref-pol micro", STAGE1, FINAL)
    assert (back.value, back.low, back.high) == (-Decimal("0.5"), -(gap.high or 0), -(gap.low or 0))


def test_nothing_was_measured() -> None:
    found = figures([])
    assert found.figure("ref-pol micro", FINAL) == Figure(None)
    assert found.difference("ref-pol micro", FINAL, STAGE1) == Figure(None)


@given(st.lists(st.integers(0, 2**63), min_size=1, max_size=5))
def test_packed_numbers_come_back(numbers: list[int]) -> None:
    assert bootstrap.unpacked(bootstrap.packed(numbers), len(numbers)) == tuple(numbers)


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=40))
def test_an_interval_lies_within_what_was_drawn(values: list[int]) -> None:
    low, high = bootstrap.interval([float(one) for one in values]) or (0, 0)
    assert min(values) <= low <= high <= max(values)
    assert bootstrap.interval([Fraction(3).__float__()] * 4) == (3, 3)


FULL = sample(
    said("food|a#x|positive", "|a#y|negative"), held=Held(flags=1), debate=Mapped(), answered=True, relabelled=False
)


@pytest.mark.parametrize(
    ("subset", "member", "other"),
    [
        ("all", FULL, None),
        ("implicit", FULL, sample(said("food|a#x|positive"))),
        ("explicit", sample(said("food|a#x|positive")), FULL),
        ("negated", replace(FULL, text="배터리가 안 좋아요"), replace(FULL, text="편안하고 좋아요")),
        ("single", sample(said("food|a#x|positive", "wine|a#x|positive")), FULL),
        ("multi", FULL, sample(said("food||positive"))),
        ("conflict", FULL, sample(said("food||positive"))),
        ("mixed", FULL, sample(said("food||positive", "wine||positive"))),
    ],
)
def test_subsets(subset: str, member: Sample, other: Sample | None) -> None:
    assert SUBSETS[subset](member)
    assert other is None or not SUBSETS[subset](other)


@pytest.mark.parametrize(
    "text", ["좋지만 비싸다", "맛이 없다", "그러나 늦다", "못 먹겠다", "It isn't good", "fine, but slow"]
)
def test_cues(text: str) -> None:
    assert cued(text)


@pytest.mark.parametrize("text", ["잘못 없는데도"[:2], "button", "a nothingness", "편안한 좌석", "반면"[:1]])
def test_no_cue_inside_another_word(text: str) -> None:
    assert not cued(text)


def test_a_measure_on_a_subset_leaves_the_others_out() -> None:
    micro = finding.measures("ref-pol", FINAL)[0]
    sheet = Sheet([micro, replace(micro, on="mixed")])
    sheet.add(sample(said("|a#x|positive", "|a#y|negative"), said("|a#x|positive", "|a#y|negative")))
    sheet.add(sample(RIGHT, WRONG))
    found = sheet.figures(10)
    assert found.figure(micro.name, FINAL, "mixed").value == 1
    assert found.figure(micro.name, FINAL).value == round(Decimal(4) / 6, 6)
