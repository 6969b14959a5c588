"""Patterns: what `re` finds is found, whatever is not in the table is refused, and no pattern is slow."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withstood.errors import Misfit
from withstood.sources import patterns
from withstood.sources.patterns import Pattern

ATOMS = ("a", "b", "가", ".", r"\d", r"\W", "[ab]", "[^a1]", "[0-9_]", "(a|b)", "(?:ab|c|)", "(?P<n>a+b)", r"\.", "1")
EDGES = ("^", "$", r"\b", r"\B")
TIMES = ("", "", "*", "+", "?", "{2}", "{1,3}", "{0,1}", "{2,}", "*?", "+?")

repeated = st.builds("{}{}".format, st.sampled_from(ATOMS), st.sampled_from(TIMES))
rows = st.lists(st.one_of(repeated, st.sampled_from(EDGES)), min_size=1, max_size=5).map("".join)
written = st.lists(rows, min_size=1, max_size=3).map("|".join).filter(lambda one: one.count("?P") < 2)
lines = st.text("abAB1가_. -", max_size=10)


@given(written, lines.filter(bool), st.booleans())  # of an empty line re once said that it has no edge and no inside
def test_a_pattern_finds_what_re_finds(pattern: str, line: str, ignore_case: bool) -> None:
    expected = re.compile(pattern, re.IGNORECASE if ignore_case else 0).search(line) is not None
    assert Pattern(pattern, ignore_case=ignore_case).found(line) == expected


@given(st.text("a(){}[]|*+?\\^$.,1-b", max_size=12), lines)
def test_any_text_is_read_or_refused(pattern: str, line: str) -> None:
    try:
        found = Pattern(pattern).found(line)
    except Misfit:
        return
    assert found in (True, False)


@given(written, lines)
def test_what_is_needed_stands_wherever_it_is_found(pattern: str, line: str) -> None:
    made = Pattern(pattern)
    if made.needed and made.found(line):
        assert any(part in line for part in made.needed)


@pytest.mark.parametrize(
    ("pattern", "place"),
    [
        ("(?=a)", "sign 2"),
        ("a(?<!b)", "sign 3"),
        (r"(a)\1", "sign 5"),
        ("a**", "sign 2"),
        ("*a", "sign 1"),
        ("(a", "sign 2"),
        ("a)", "sign 1"),
        ("[a", "sign 2"),
        ("[b-a]", "sign 4"),
        ("a{101}", "sign 6"),
        ("a{3,2}", "sign 6"),
        ("(?i)a)", "sign 5"),
        ("a" * 301, "the pattern"),
        ("(" * 30 + ")" * 30, "sign"),
    ],
)
def test_what_is_refused_and_where(pattern: str, place: str) -> None:
    with pytest.raises(Misfit) as fault:
        Pattern(pattern)
    assert place in fault.value.at


@pytest.mark.parametrize("pattern", ["((((a{50}){50}){50}){50})", "(((((((){100}){100}){100}){100}){100}){100})"])
def test_repetitions_that_multiply_are_refused(pattern: str) -> None:
    with pytest.raises(Misfit):
        Pattern(pattern)


@pytest.mark.parametrize("pattern", ["(a*)*b", "(a|a)*b", "(a+a+)+b", "a*a*a*a*a*a*b", "(.*)(.*)(.*)b"])
def test_each_sign_of_a_line_is_looked_at_once(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made, states = Pattern(pattern), 0

    def counted(*arguments: Any) -> object:
        nonlocal states
        states += 1
        return find(*arguments)

    find = made._next  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(made, "_next", counted)
    assert not made.found("a" * 20_000)
    assert states < 20


def test_a_pattern_with_too_many_states_is_refused_while_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "MOST_WORK", 20_000)
    line = "".join(random.Random(1).choices("ab", k=2_000))
    with pytest.raises(Misfit, match="too many ways"):
        Pattern("(a|b)*a(a|b){14}[cd]").found(line)


def test_capital_letters() -> None:
    assert Pattern("(?i)REFUND").found("a refund")
    assert Pattern("[A-F]x", ignore_case=True).found("cX")
    assert not Pattern("REFUND").found("a refund")
