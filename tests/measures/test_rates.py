"""Rates: each counts what its row says, and is undefined where the record does not say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.measures.labels import said, sample
from tests.measures.test_finding import value
from withstood.measures import rates
from withstood.measures.sample import FINAL, Held, Sample

RUN = {one.name: one for one in rates.measures()}
SYSTEM = {one.name: one for one in rates.of_system(FINAL, ("a#x", "a#y"))}
GOLD = {one.name: one for one in rates.against_gold(FINAL)}


def test_what_a_run_did() -> None:
    busy = Held(candidates=4, flags=2, arbitrated=4, changed=1, named=3, marks={"invalid_ref": 1})
    calm = Held(candidates=1, arbitrated=1, named=0, marks={})
    over = [sample(None, held=busy), sample(None, held=calm), sample(None)]
    assert {name: value(one, over) for name, one in RUN.items()} == {
        "conflict detection rate": pytest.approx(1 / 3),
        "review action rate": pytest.approx(1 / 2),
        "arbiter intervention rate": pytest.approx(2 / 3),
        "arbiter change rate": pytest.approx(1 / 3),
        "invalid_ref": pytest.approx(1 / 5),
        "invalid_language": 0,
        "invalid_target": 0,
    }


def test_what_is_not_recorded_is_undefined() -> None:
    assert value(RUN["review action rate"], [sample(None)]) is None
    assert value(RUN["invalid_ref"], [sample(None)]) is None


def test_of_one_system() -> None:
    over = [
        sample(None, said("|a#x|positive", "b|a#x|negative", "|z#z|positive", "c||positive")),
        sample(None, said("|a#x|positive", "|a#y|negative", "c||positive", "c||negative")),
        sample(None, said("|a#x|positive", "b|a#x|")),
    ]
    assert value(SYSTEM["polarity conflict rate"], over) == pytest.approx(1 / 3)
    assert value(SYSTEM["ref fill"], over) == pytest.approx(7 / 10)
    assert value(SYSTEM["ref valid"], over) == pytest.approx(6 / 7)
    assert "ref valid" not in {one.name for one in rates.of_system(FINAL)}


def test_against_gold() -> None:
    gold = said("|a#x|positive", "b|a#y|negative")
    told = sample(gold, said("|a#x|positive", "|a#y|positive"))
    unsaid = sample(gold, said("|a#x|"))
    over = [told, unsaid, sample(said("b|a#x|positive"), ()), replace(told, answered=False)]
    assert value(GOLD["ref coverage"], over) == pytest.approx(2 / 7)
    assert value(GOLD["implicit invalid rate"], over) == pytest.approx(2 / 3)


def test_without_gold_there_is_no_rate() -> None:
    none: list[Sample] = [sample(None, said("|a#x|positive"))]
    assert value(GOLD["ref coverage"], none) is None
    assert value(GOLD["implicit invalid rate"], none) is None
