"""What the readers say of targets that are given."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.agents.programmed.asking import answer, refs
from tests.agents.programmed.test_readers import LANGUAGES, TEXTS
from withstood.agents.programmed.given import balance
from withstood.claims.case import Target
from withstood.claims.opinion import Reading, Span
from withstood.lexicons import detect
from withstood.protocols.briefs import READERS, SINGLE, ReadingBrief

POLARITIES = ("positive", "negative", "neutral")


def term(text: str, words: str, ref: str = "") -> Target:
    begin = text.find(words)
    return Target(words, ref, begin, begin + len(words))


def told(role: str, text: str, *targets: Target) -> dict[str, str]:
    language = detect(text)
    found = answer(role, ReadingBrief(text, language, refs(language), targets), Reading)
    assert isinstance(found, Reading)
    return {triplet.aspect_term or triplet.aspect_ref or "": triplet.polarity for triplet in found.triplets}


TWO = "The soup was great but the service was slow."
ROWS = [
    (TWO, ("soup", "service"), {"soup": "positive", "service": "negative"}),
    ("The soup came at six, the bread was good.", ("soup", "bread"), {"soup": "neutral", "bread": "positive"}),
    ("The soup was tasty. The soup was cold.", ("soup",), {"soup": "positive"}),
    ("I do not think the pasta is good.", ("pasta",), {"pasta": "negative"}),
    ("We came for the tasting and it was awful.", ("tasting",), {"tasting": "negative"}),
    ("We came for the tasting on Friday.", ("tasting",), {"tasting": "neutral"}),
    ("Everything on the menu was great.", ("menu",), {"menu": "positive"}),
    ("Everything on the menu was great, even the bread.", ("menu", "bread"), {"menu": "neutral", "bread": "neutral"}),
    ("The plain pizza was superb.", ("pizza",), {"pizza": "negative"}),
]


@pytest.mark.parametrize(("text", "words", "wanted"), ROWS)
def test_one_pass_tells_of_every_target(text: str, words: tuple[str, ...], wanted: dict[str, str]) -> None:
    assert told(SINGLE, text, *(term(text, word) for word in words)) == wanted


def test_three_readers_divide_the_targets_among_them() -> None:
    text = "The soup came at six, the bread was good."
    targets = (term(text, "soup"), term(text, "bread"))
    assert [told(role, text, *targets) for role in READERS] == [
        {"bread": "positive"},
        {"soup": "neutral"},
        {"bread": "positive"},
    ]


def test_a_denial_from_afar_is_heard_by_the_reader_of_scope_alone() -> None:
    text = "I do not think the pasta is good."
    assert [told(role, text, term(text, "pasta")) for role in READERS] == [
        {"pasta": "negative"},
        {},
        {"pasta": "positive"},
    ]


def test_where_opinions_hold_each_other_one_reader_goes_by_the_nearest_and_one_by_all() -> None:
    text = "The soup was cold and tasty, and the bread was good."
    targets = (term(text, "soup"), term(text, "bread"))
    assert [told(role, text, *targets).get("soup") for role in (*READERS, SINGLE)] == [
        "neutral",
        None,
        "negative",
        "negative",
    ]


def test_a_ref_that_is_given_is_told_of_by_what_comes_to_it() -> None:
    targets = (Target(aspect_ref="service#general"), Target(aspect_ref="food#quality"))
    assert told(SINGLE, TWO, *targets) == {"service#general": "negative", "food#quality": "positive"}


def test_the_right_one_of_two_equal_terms_is_meant() -> None:
    text = "The wine was awful but the red wine was superb."
    second = text.rfind("wine")
    targets = (Target("wine", "", 4, 8), Target("wine", "", second, second + 4))
    found = answer(SINGLE, ReadingBrief(text, "en", (), targets), Reading)
    assert isinstance(found, Reading)
    assert [(t.span, t.polarity) for t in found.triplets] == [
        (Span(4, 8), "negative"),
        (Span(second, second + 4), "positive"),
    ]


@given(TEXTS, LANGUAGES, st.data())
def test_each_target_is_told_of_as_it_was_given(text: str, language: str, data: st.DataObject) -> None:
    places = st.integers(0, len(text))
    spans = data.draw(st.lists(st.tuples(places, places).filter(lambda pair: pair[0] < pair[1]), max_size=4))
    targets = tuple(Target(text[begin:end], "", begin, end) for begin, end in spans)
    targets = tuple(target for target in targets if target.aspect_term.strip())
    brief = ReadingBrief(text, language, (), targets)
    readings = [answer(role, brief, Reading) for role in READERS]
    single = answer(SINGLE, replace(brief), Reading)
    assert isinstance(single, Reading)
    if targets:
        assert [(t.aspect_term, t.span) for t in single.triplets] == [
            (target.aspect_term, Span(target.begin or 0, target.end or 0)) for target in targets
        ]
        told_of = {t.span for reading in readings if isinstance(reading, Reading) for t in reading.triplets}
        assert told_of == {Span(target.begin or 0, target.end or 0) for target in targets}


@given(st.lists(st.sampled_from(POLARITIES)))
def test_a_balance_turns_with_its_polarities(said: list[str]) -> None:
    turned = {"positive": "negative", "negative": "positive", "neutral": "neutral"}
    assert balance([turned[one] for one in said]) == turned[balance(said)]  # type: ignore[list-item, arg-type]
