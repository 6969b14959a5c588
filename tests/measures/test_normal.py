"""Spellings of one thing become one thing; what is published about `#` and the package entity holds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.measures.labels import label
from withstood.claims.label import Label
from withstood.measures import normal
from withstood.measures.sample import labels


@pytest.mark.parametrize(
    ("stated", "plain"),
    [
        ("  Battery  Life ", "battery life"),
        ('"배터리"', "배터리"),
        ("“screen”.", "screen"),
        ("(the) `menu`;", "the) `menu"),
        ("don't", "don't"),
        ("「화면」!?", "화면"),
        ("...", ""),
    ],
)
def test_terms(stated: str, plain: str) -> None:
    assert normal.term(stated) == plain


@pytest.mark.parametrize(
    ("stated", "plain"),
    [
        ("패키지/구성품#품질", "패키지·구성품#품질"),
        ("패키지 / 구성품 # 품질", "패키지·구성품#품질"),
        ("패키지·구성품#품질", "패키지·구성품#품질"),
        (" 제품  전체 #일반 ", "제품 전체#일반"),
        ("Food/Drinks#Style", "Food/Drinks#Style"),
        ("a#b#c", "a#b#c"),
        ("패키지/구성품들#품질", "패키지/구성품들#품질"),
    ],
)
def test_refs(stated: str, plain: str) -> None:
    assert normal.ref(stated) == plain


@pytest.mark.parametrize(
    ("stated", "plain"),
    [("POS", "positive"), ("neg", "negative"), (" Neutral", "neutral"), ("mixed", "mixed"), ("", ""), ("좋음", "")],
)
def test_polarities(stated: str, plain: str) -> None:
    assert normal.polarity(stated) == plain


@given(st.text(max_size=12))
def test_nothing_changes_twice(text: str) -> None:
    assert normal.term(normal.term(text)) == normal.term(text)
    assert normal.ref(normal.ref(text)) == normal.ref(text)
    assert normal.polarity(normal.polarity(text)) == normal.polarity(text)


@given(st.text(max_size=12))
def test_the_sign_of_a_ref_is_kept(text: str) -> None:
    assert normal.ref(text).count("#") == text.count("#")


@given(label)
def test_a_label_keeps_its_places(one: Label) -> None:
    again = normal.label(one)
    assert (again.begin, again.end, again.opinion_begin) == (one.begin, one.end, one.opinion_begin)
    assert labels([one, one]) == (again,)
