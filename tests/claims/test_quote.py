"""Quotes: true ones are found under every noise that is declared, false ones under none."""

from __future__ import annotations

import unicodedata
from typing import Literal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from withstood.claims import quote
from withstood.claims.opinion import Span

WORDS = (
    "the food was warm café naïve “fine” it's 42 화면이 좋고 가격은 39,900원 각자 ‘최고’ Größe 3.5″ 않았다 별로예요"
).split()
FORMS: tuple[Literal["NFC", "NFD"], ...] = ("NFC", "NFD")
SPACES = (" ", "  ", "\n", "\t", "\u00a0", "\u3000", " \r\n ")
QUOTES = {"'": "'‘’′", '"': '"“”″'}

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join)
distinct = st.permutations(WORDS).map(lambda words: words[:10])


@st.composite
def noisy(draw: st.DrawFn, said: str) -> str:
    """The same words with other white space, other quotation marks, and in either form."""
    plain = said.translate(str.maketrans({sign: straight for straight, signs in QUOTES.items() for sign in signs}))
    signs = [
        draw(st.sampled_from(SPACES)) if sign == " " else draw(st.sampled_from(QUOTES.get(sign, sign)))
        for sign in plain
    ]
    return unicodedata.normalize(draw(st.sampled_from(FORMS)), "".join(signs))


@st.composite
def slices(draw: st.DrawFn, text: str) -> str:
    """Some words of the text, in a row."""
    words = text.split(" ")
    begin = draw(st.integers(0, len(words) - 1))
    return " ".join(words[begin : draw(st.integers(begin + 1, len(words)))])


# --- stands ------------------------------------------------------------------------------------


@given(texts, st.data())
def test_a_true_quote_is_found_under_noise(text: str, data: st.DataObject) -> None:
    said = data.draw(slices(text))
    assume(said.strip())
    assert quote.stands(said, text)
    assert quote.stands(data.draw(noisy(said)), data.draw(noisy(text)))


@given(st.text(), st.text())
def test_the_form_of_writing_decides_nothing(said: str, text: str) -> None:
    answers = {
        quote.stands(unicodedata.normalize(one, said), unicodedata.normalize(other, text))
        for one in FORMS
        for other in FORMS
    }
    assert len(answers) == 1


@pytest.mark.parametrize(("said", "text"), [("가", "각"), ("e", "é"), ("화며", "화면"), ("cafe", "café")])
@pytest.mark.parametrize("form", FORMS)
def test_part_of_a_character_is_no_quote(said: str, text: str, form: Literal["NFC", "NFD"]) -> None:
    assert not quote.stands(unicodedata.normalize(form, said), unicodedata.normalize(form, text))


@pytest.mark.parametrize(
    ("said", "text", "found"),
    [
        ("happy", "an unhappy end", False),
        ("happy", "a happy-go-lucky end", True),
        ("costs 10", "it costs 100", False),
        ("costs 10", "it costs 10.5", False),
        ("costs 10", "it costs 10.", True),
        ("000원", "39,000원", False),
        ("9", "9 of 10", False),
        ("good", "good", True),
        ("가격", "이가격은", True),
        ("격", "가격은", False),
        ("굳", "굳", True),
        ("the file", "the \ufb01le is lost", True),
        ("off", "it is o\ufb00", True),
    ],
)
def test_a_quote_is_whole_words_and_means_something(said: str, text: str, found: bool) -> None:
    assert quote.stands(said, text) == found


@pytest.mark.parametrize("said", ["", " ", "\n\t", "\u00a0"])
@pytest.mark.parametrize("text", ["", "a b", " ", "\u00a0 \n\t"])
def test_nothing_is_no_quote(said: str, text: str) -> None:
    assert not quote.stands(said, text)


@given(distinct, st.integers(1, 9), st.sampled_from(["not", "never", "안", "못"]), st.data())
def test_a_dropped_negation_is_refused(words: list[str], place: int, negation: str, data: st.DataObject) -> None:
    text = " ".join([*words[:place], negation, *words[place:]])
    assert not quote.stands(data.draw(noisy(" ".join(words))), data.draw(noisy(text)))
    assert not quote.stands(" ".join(words[place - 1 : place + 1]), text)


@given(distinct, st.integers(10, 99999), st.integers(0, 4), st.integers(1, 9), st.integers(1, 9))
def test_a_changed_digit_is_refused(words: list[str], number: int, which: int, by: int, place: int) -> None:
    digits = list(str(number))
    which %= len(digits)
    digits[which] = str((int(digits[which]) + by) % 10)
    text, said = (" ".join([*words[:place], told, *words[place:]]) for told in (str(number), "".join(digits)))
    assert quote.stands(text, text)
    assert not quote.stands(said, text)


@given(distinct, st.tuples(*[st.integers(0, 10)] * 4).map(sorted))
def test_stitched_halves_are_refused(words: list[str], cuts: list[int]) -> None:
    begin, first_end, second_begin, end = cuts
    assume(begin < first_end < second_begin < end)
    halves = words[begin:first_end], words[second_begin:end]
    text = " ".join(words)
    assert all(quote.stands(" ".join(half), text) for half in halves)
    assert not quote.stands(" ".join([*halves[0], *halves[1]]), text)
    assert not quote.stands(" ".join([*halves[1], *halves[0]]), text)


@given(distinct, st.integers(0, 9), st.sampled_from(["…", "...", "[…]"]))
def test_an_ellipsis_is_a_stitch(words: list[str], place: int, mark: str) -> None:
    said = [*words[:place], mark, *words[place + 1 :]]
    assert not quote.stands(" ".join(said), " ".join(words))


@pytest.mark.parametrize("said", ["Warm", "warm food", "foodwas", "was, warm"])
def test_case_order_joins_and_signs_are_not_forgiven(said: str) -> None:
    assert not quote.stands(said, "food was warm")


@given(texts, texts)
def test_normal_is_done_once(one: str, other: str) -> None:
    assert quote.normal(quote.normal(one)) == quote.normal(one)
    assert quote.normal(f"{one}  {other}\n") == f"{quote.normal(one)} {quote.normal(other)}"


# --- place -------------------------------------------------------------------------------------

TWICE = "battery good, screen bad, battery bad, battery fine"
PLACES = (0, 26, 39)


@pytest.mark.parametrize("start", PLACES)
def test_the_occurrence_that_was_said_is_kept(start: int) -> None:
    said = Span(start, start + 7)
    assert quote.place("battery", TWICE, said) == said
    assert quote.place("battery", TWICE, said, "battery bad") == said


@pytest.mark.parametrize(
    ("said", "start"),
    [
        ((1, 8), 0),
        ((12, 19), 0),
        ((13, 20), 0),
        ((14, 21), 26),
        ((25, 30), 26),
        ((0, 3), 0),
        ((900, 907), 39),
        ((33, 3), 39),
    ],
)
def test_of_a_place_that_is_not_right_the_nearest(said: tuple[int, int], start: int) -> None:
    assert quote.place("battery", TWICE, Span(*said), "battery bad") == Span(start, start + 7)


@pytest.mark.parametrize(
    ("near", "start"),
    [
        ("battery bad", 26),
        ("bad, battery fine", 39),
        ("screen bad, battery", 26),
        (TWICE, 0),
        ("no such words", 0),
        (None, 0),
        ("", 0),
    ],
)
def test_without_a_place_the_first_inside_the_evidence(near: str | None, start: int) -> None:
    assert quote.place("battery", TWICE, None, near) == Span(start, start + 7)


def test_a_term_that_does_not_stand_there_has_no_place() -> None:
    assert quote.place("charger", TWICE, Span(0, 7), TWICE) is None


def test_offsets_are_code_points() -> None:
    assert quote.place("화면", "👍🏽 화면 굿") == Span(3, 5)


@given(
    st.text("ab 가", max_size=20),
    st.text("ab 가", min_size=1, max_size=4),
    st.integers(0, 25),
    st.text("ab 가", max_size=5),
)
def test_a_place_is_where_the_term_stands(text: str, term: str, start: int, near: str) -> None:
    for said in (None, Span(start, start + len(term))):
        found = quote.place(term, text, said, near)
        assert (found is None) == (term not in text)
        assert found is None or text[found.start : found.end] == term


@given(st.text("ab ", max_size=20), st.text("ab", min_size=1, max_size=3))
def test_every_occurrence_can_be_kept(text: str, term: str) -> None:
    for start in range(len(text)):
        if text.startswith(term, start):
            assert quote.place(term, text, Span(start, start + len(term))) == Span(start, start + len(term))
