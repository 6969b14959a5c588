"""Precision, recall and F1 against the printed formulas, and the laws that hold for any sample."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.measures.labels import said, sample, samples, some
from withstood.measures import finding
from withstood.measures.measure import Measure
from withstood.measures.pairs import KINDS, pairs
from withstood.measures.sample import FINAL, Labels, Sample

REF_POL = {one.name: one for one in finding.measures("ref-pol", FINAL)}
OTHERS = {one.name: one for one in finding.by_explicitness(FINAL)}


def value(measure: Measure, over: Sequence[Sample]) -> float | None:
    found = [measure.parts(one) for one in over]
    assert {len(parts) for parts in found} <= {measure.width}
    return measure.formula([sum(column) for column in zip(*found, strict=True)] or [0] * measure.width)


THREE = (
    sample(said("|a#x|positive", "|a#y|negative"), said("|a#x|positive", "|a#z|negative")),
    sample(said("|a#x|negative"), said("|a#x|negative")),
    sample(said("|a#x|neutral"), ()),
)


def test_the_published_formulas() -> None:
    assert value(REF_POL["ref-pol micro"], THREE) == pytest.approx(2 * 2 / (2 * 2 + 1 + 2))
    assert value(REF_POL["ref-pol macro"], THREE) == pytest.approx((0.5 + 1 + 0) / 3)
    assert value(REF_POL["ref-pol precision"], THREE) == pytest.approx(2 / 3)
    assert value(REF_POL["ref-pol recall"], THREE) == pytest.approx(2 / 4)


def test_per_polarity() -> None:
    found = {one.name: value(one, THREE) for one in finding.by_polarity("ref-pol", FINAL)}
    assert found == {
        "ref-pol positive": 1,
        "ref-pol negative": pytest.approx(0.5),
        "ref-pol neutral": 0,
        "ref-pol mixed": None,
    }


def test_explicit_only_leaves_implicit_gold_out_and_no_prediction() -> None:
    one = sample(said("battery|a#x|positive", "|a#y|negative"), said("battery|a#x|positive", "|a#y|negative"))
    none = sample(said("|a#y|negative"), said("|a#y|negative"))
    assert value(OTHERS["ref-pol explicit-only micro"], [one, none]) == pytest.approx(2 / 3)
    assert value(OTHERS["ote-pol explicit-only micro"], [one, none]) == 1
    assert value(OTHERS["ref-pol explicit-only macro"], [none]) is None


def test_implicit_only_compares_sets_of_polarities() -> None:
    gold = said("|a#x|positive", "|a#y|positive", "battery|a#x|negative")
    assert value(OTHERS["implicit-only micro"], [sample(gold, said("screen|b#z|positive"))]) == 1
    assert value(OTHERS["implicit-only micro"], [sample(gold, said("|a#x|negative", "|a#x|"))]) == 0
    assert value(OTHERS["implicit-only macro"], [sample(gold, ())]) == 0


def test_without_gold_nothing_is_measured() -> None:
    for one in (*REF_POL.values(), *OTHERS.values(), *finding.by_polarity("ref-pol", FINAL)):
        assert value(one, [sample(None, said("|a#x|positive"))]) is None


def test_a_text_with_nothing_in_it_is_left_out_where_that_is_published_and_counts_elsewhere() -> None:
    (empty,) = [sample((), said("battery|a#x|positive"))]
    for kind in KINDS:
        micro = finding.measures(kind, FINAL)[0]
        assert value(micro, [empty]) == (None if kind in finding.PUBLISHED or kind == "place-pol" else 0)


@given(some.filter(bool))
def test_gold_against_gold_is_one(gold: Labels) -> None:
    for kind in KINDS:
        for one in finding.measures(kind, FINAL):
            assert value(one, [sample(gold, gold)]) == (1 if pairs(kind, gold) else None)


@given(st.lists(samples, min_size=1, max_size=6), st.sampled_from(sorted(KINDS)))
def test_f1_is_what_exact_arithmetic_says(over: list[Sample], kind: str) -> None:
    by_name = {one.name: one for one in finding.measures(kind, FINAL)}
    counts = [by_name[f"{kind} micro"].parts(one) for one in over]
    per_sample = [Fraction(2 * tp, 2 * tp + fp + fn) for tp, fp, fn in counts if tp + fn]
    macro = value(by_name[f"{kind} macro"], over)
    assert macro == (pytest.approx(float(sum(per_sample) / len(per_sample)), abs=1e-9) if per_sample else None)
    found = [value(by_name[f"{kind} {name}"], over) for name in ("micro", "precision", "recall")]
    assert all(one is None or 0 <= one <= 1 for one in found)


@given(st.lists(samples, min_size=1, max_size=6))
def test_the_order_of_samples_does_not_matter(over: list[Sample]) -> None:
    turned = over[::-1]
    for one in (*REF_POL.values(), *OTHERS.values()):
        assert value(one, over) == value(one, turned)
