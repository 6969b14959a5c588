"""The debate override, at its thresholds and by its laws."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withstood import form
from withstood.rules.override import TABLE, Input, Numbers, Output


def decided(hints: dict[str, Any], sentiments: list[dict[str, Any]], **more: Any) -> Output:
    return TABLE.decide(form.read(Input, {"aspect_hints": hints, "sentiments": sentiments} | more), Numbers())


def hint(polarity: str, weight: str = "1.0") -> dict[str, str]:
    return {"speaker": "empath", "stance": "pro", "weight": weight, "polarity_hint": polarity}


PRO, CON, NEUTRAL = hint("positive"), hint("negative"), hint("neutral", "0.6")
WEAK = {"term": "맛", "polarity": "negative", "confidence": "0.5"}


@pytest.mark.parametrize(
    ("hints", "outcome"),
    [
        ([PRO], "skipped_low_signal"),
        ([PRO, NEUTRAL, NEUTRAL], "skipped_low_signal"),
        ([PRO, PRO], "applied"),
        ([PRO, PRO, CON, CON], "skipped_conflict"),
        ([hint("positive", "1.2"), hint("negative", "0.4")], "applied"),
        ([hint("positive", "1.1999"), hint("negative", "0.4001")], "skipped_conflict"),
        ([hint("positive", "1.5999")], "skipped_low_signal"),
        ([hint("positive", f"1.5{'9' * 40}")], "skipped_low_signal"),
        ([hint("positive", "1.6")], "applied"),
    ],
)
def test_thresholds_are_exact(hints: list[dict[str, str]], outcome: str) -> None:
    out = decided({"맛": hints}, [WEAK])
    assert [entry.outcome for entry in out.log] == [outcome]
    assert out.sentiments[0].polarity == ("positive" if outcome == "applied" else "negative")


def test_a_term_without_a_sentiment_gets_one() -> None:
    out = decided({"가격": [CON, CON]}, [WEAK])
    added = out.sentiments[1]
    assert (added.term, added.polarity, added.confidence) == ("가격", "negative", Decimal("0.7"))
    assert (out.log[0].reason, out.stats.applied) == ("debate_override_add", 1)


def test_each_sentiment_of_the_term_is_looked_at() -> None:
    sure = {"term": "맛", "polarity": "positive", "confidence": "0.7"}
    unsure = {"term": "맛", "polarity": "positive", "confidence": "0.69"}
    out = decided({"맛": [PRO, PRO]}, [WEAK, sure, unsure])
    assert [entry.outcome for entry in out.log] == ["applied", "skipped_already_confident", "applied"]
    assert next(entry.reason for entry in out.log) == "debate_override_flip negative->positive"
    assert [str(one.confidence) for one in out.sentiments] == ["0.7", "0.7", "0.7"]


def test_the_input_goes_before_the_settings() -> None:
    assert decided({"맛": [PRO]}, [WEAK], min_total="1").stats.applied == 1


polarities = st.sampled_from(["positive", "negative", "neutral"])
hints = st.lists(st.builds(hint, polarities, st.sampled_from(["0.6", "0.8", "1.0"])), max_size=6)
sentiments = st.builds(
    lambda term, polarity, tenth: {"term": term, "polarity": polarity, "confidence": f"0.{tenth}"},
    st.sampled_from("abc"),
    polarities,
    st.integers(0, 9),
)


@given(st.dictionaries(st.sampled_from("abcd"), hints), st.lists(sentiments, max_size=5))
def test_nothing_is_lost_and_every_term_is_accounted_for(
    given_hints: dict[str, Any], told: list[dict[str, Any]]
) -> None:
    out = decided(given_hints, told)
    assert [one.term for one in out.sentiments[: len(told)]] == [one["term"] for one in told]
    assert list(dict.fromkeys(entry.term for entry in out.log)) == list(given_hints)
    assert sum(form.write(out.stats).values()) == len(out.log)
    for before, after in zip(told, out.sentiments, strict=False):
        assert after.confidence >= Decimal(before["confidence"])


@given(hints)
def test_swapping_sides_swaps_the_target(given_hints: list[dict[str, str]]) -> None:
    other = {"positive": "negative", "negative": "positive", "neutral": "neutral"}
    swapped = [one | {"polarity_hint": other[one["polarity_hint"]]} for one in given_hints]
    one, two = decided({"a": given_hints}, []), decided({"a": swapped}, [])
    assert [other[found.polarity] for found in one.sentiments] == [found.polarity for found in two.sentiments]
