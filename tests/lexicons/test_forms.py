"""The written forms of Korean predicates and English words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withstood.lexicons import english, hangul

SYLLABLES = st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3)

# Entry, and words of running text that one of its forms must begin.
KOREAN = {
    "좋다": "좋다 좋아요 좋은 좋네요 좋았는데 좋습니다",
    "예쁘다": "예쁘다 예뻐요 예쁜 예쁩니다 예뻤어요 예쁠",
    "느리다": "느리다 느려요 느린 느립니다 느렸어요 느리네요",
    "귀엽다": "귀엽다 귀여워요 귀여운 귀엽습니다 귀여웠어요 귀여움",
    "비싸다": "비싸다 비싸요 비싼 비쌉니다 비쌌어요",
    "편하다": "편하다 편해요 편한 편합니다 편했어요 편함 편하게",
    "빠르다": "빠르다 빨라요 빠른 빠릅니다 빨랐어요",
    "게으르다": "게을러요 게으른",
    "길다": "길다 길어요 긴 깁니다",
    "고프다": "고파요 고픈",
    "재밌다": "재밌어요 재밌는",
    "넓다": "넓어요 넓은",
}

ENGLISH = [
    (english.verb, "love", {"love", "loves", "loved", "loving"}),
    (english.verb, "satisfy", {"satisfy", "satisfies", "satisfied", "satisfying"}),
    (english.verb, "fall in love with", {"falls in love with", "falling in love with"}),
    (english.noun, "dish", {"dish", "dishes"}),
    (english.noun, "battery", {"battery", "batteries"}),
    (english.noun, "hard drive", {"hard drive", "hard drives"}),
    (english.adjective, "tasty", {"tasty", "tastier", "tastiest"}),
    (english.adjective, "big", {"big", "bigger", "biggest"}),
    (english.adjective, "nice", {"nice", "nicer", "nicest", "nicely"}),
    (english.adjective, "horrible", {"horrible", "horribly"}),
]


@pytest.mark.parametrize(
    ("entry", "word"), [(entry, word) for entry, words in KOREAN.items() for word in words.split()]
)
def test_a_form_begins_each_word(entry: str, word: str) -> None:
    assert word.startswith(hangul.forms(entry))


@given(st.text(SYLLABLES, min_size=1, max_size=6))
def test_a_predicate_keeps_its_stem_among_its_forms(stem: str) -> None:
    forms = hangul.forms(stem + "다")
    assert stem in forms
    assert len(set(forms)) == len(forms)
    assert all(form and all("가" <= sign <= "힣" for sign in form) for form in forms)


@given(st.text(min_size=1).filter(lambda entry: not entry.endswith("다")))
def test_any_other_entry_stands_as_it_is(entry: str) -> None:
    assert hangul.forms(entry) == (entry,)


@pytest.mark.parametrize(("inflect", "word", "wanted"), ENGLISH)
def test_english_forms(inflect, word: str, wanted: set[str]) -> None:
    assert wanted <= set(inflect(word))
