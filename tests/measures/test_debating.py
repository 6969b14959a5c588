"""Mapping rates are means of samples, fail rates are pooled, and every bound is strict."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.measures.labels import sample
from tests.measures.test_finding import value
from withstood.measures import debating
from withstood.measures.sample import Mapped

MEASURES = {one.name: one for one in debating.measures()}
OVER = [
    sample(None, debate=Mapped(4, 1, 1, {"fallback_used": 1, "no_match": 1}, {"applied": 1, "skipped_conflict": 2})),
    sample(None, debate=Mapped(0, 0, 2, {"neutral_stance": 2}, {"skipped_already_confident": 5})),
    sample(None, debate=Mapped()),
    sample(None),
]


def test_means_of_samples_and_pooled_reasons() -> None:
    found = {name: value(one, OVER) for name, one in MEASURES.items()}
    assert found["coverage"] == pytest.approx((5 / 6 + 0) / 2)
    assert found["direct rate"] == pytest.approx((4 / 6 + 0) / 2)
    assert found["none rate"] == pytest.approx((1 / 6 + 1) / 2)
    assert found["fail: no_match"] == pytest.approx(1 / 8)
    assert found["fail: neutral_stance"] == pytest.approx(2 / 8)
    assert (found["override applied"], found["override skipped_conflict"]) == (1, 2)
    assert found["already confident rate"] == pytest.approx(5 / 8)


def test_a_run_without_a_debate_has_no_rates() -> None:
    assert value(MEASURES["coverage"], [sample(None)]) is None
    assert list(debating.cautions({"coverage": None})) == []


@pytest.mark.parametrize(
    ("measure", "at", "level"),
    [
        ("coverage", "0.40", None),
        ("coverage", "0.399", "warn"),
        ("coverage", "0.25", "warn"),
        ("coverage", "0.249", "high"),
        ("fail: no_match", "0.40", None),
        ("fail: no_match", "0.41", "warn"),
        ("fail: no_match", "0.60", "warn"),
        ("fail: no_match", "0.61", "high"),
        ("fail: neutral_stance", "0.40", None),
        ("fail: neutral_stance", "0.61", "high"),
        ("already confident rate", "0.5", None),
        ("already confident rate", "0.51", "note"),
        ("direct rate", "0", None),
    ],
)
def test_bounds_are_strict(measure: str, at: str, level: str | None) -> None:
    assert [one.level for one in debating.cautions({measure: Decimal(at)})] == ([level] if level else [])
