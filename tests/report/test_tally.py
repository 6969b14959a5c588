"""A tally counts all, keeps little, and keeps the telling ones."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.report.samples import disputed, opinion, refused, result, results
from withstood.form import Misfit
from withstood.report.counts import Counts
from withstood.report.tally import MOST_TEXT, OTHER, POLARITIES, Tally


@given(st.lists(st.sampled_from("abcdefgh"), max_size=200), st.integers(1, 10))
def test_counts_never_exceed_and_lack_at_most_what_they_say(things: list[str], most: int) -> None:
    counts, true = Counts[str](most), Counter(things)
    for thing in things:
        counts.add(thing)
    assert len(counts) <= most
    assert counts.exact == (counts.short_by == 0)
    assert all(true[thing] - counts.short_by <= counts[thing] <= true[thing] for thing in true)
    assert counts.exact >= (len(true) <= most)


def test_counts_are_in_order() -> None:
    counts = Counts[str]()
    for thing in "bbaacd":
        counts.add(thing)
    assert counts.items() == [("a", 2), ("b", 2), ("c", 1), ("d", 1)]


def _distinct(lines: list[dict[str, Any]], *fields: str) -> int:
    """How many opinions of a text differ in these fields and in polarity, summed over the texts."""
    return sum(
        len({(known(one), *(one[field].strip() for field in fields)) for one in line["final"]}) for line in lines
    )


def known(one: dict[str, Any]) -> str:
    return one["polarity"] if one["polarity"] in POLARITIES else OTHER


@given(st.lists(results(), max_size=12), st.integers(0, 5))
def test_every_opinion_is_counted_once(lines: list[dict[str, Any]], most: int) -> None:
    tally = Tally(most_shown=most)
    for line in lines:
        tally.add(line, (), "text", "en")
    assert tally.texts == len(lines)
    assert sum(bar.total for bar in tally.aspects()) == _distinct(lines, "aspect_ref")
    named = [line | {"final": [one for one in line["final"] if one["aspect_term"].strip()]} for line in lines]
    assert sum(bar.total for bar in tally.terms()) == _distinct(named, "aspect_term")
    assert tally.labels.total == len(lines) == tally.languages["en"]
    assert tally.shown == min(most, len(lines))


@given(st.lists(st.sampled_from(["disputed", "refused", "plain", "empty"]), max_size=30), st.integers(0, 8))
def test_the_telling_ones_are_shown_first_and_the_earliest_of_them(kinds: list[str], most: int) -> None:
    tally = Tally(most_shown=most)
    ranks = {"disputed": 0, "refused": 1, "plain": 2, "empty": 3}
    for kind in kinds:
        line, path = disputed() if kind == "disputed" else (refused(), ())
        if kind in ("plain", "empty"):
            line = result("r", [opinion()] if kind == "plain" else [])
        tally.add(line, path)
    wanted = sorted((ranks[kind], no) for no, kind in enumerate(kinds, start=1))[:most]
    assert [item.no for item in tally.items()] == [no for _, no in wanted]


def test_a_dispute_is_counted_by_what_it_was() -> None:
    tally = Tally()
    tally.add(*disputed("word"))
    tally.add(refused("r9"))
    assert tally.conflicts.items() == [("ref_polarity_mismatch", 1)]
    assert tally.flags.items() == [("word", 1)]
    assert tally.actions.items() == [("FLIP", 1)]
    assert tally.absences.items() == [(("C", "word"), 1)]
    assert (tally.asks, tally.saved, tally.errors.items()) == (3, 1, [("too_few_columns", 1)])
    assert dict(tally.rulings.items())["arbiter-v2", "1", "FLIP"] == 1
    (bar,) = [bar for bar in tally.aspects() if dict(bar.parts)["other"]]
    assert bar.total == 2  # what two readers found alike counts once


def test_a_text_that_is_kept_is_cut() -> None:
    tally = Tally()
    tally.add(result(), (), "x" * (MOST_TEXT * 3))
    (item,) = tally.items()
    assert len(item.text or "") == MOST_TEXT


def test_a_line_of_another_shape_is_refused_with_its_place() -> None:
    with pytest.raises(Misfit, match="begin"):
        Tally().add(result("r", [opinion(begin="four")]))
