"""Whether two texts are one text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from withstood.claims.likeness import MOST, alike, likeness

WORDS = [f"word{no}" for no in range(400)]
TEXT = " ".join(WORDS)
KOREAN = "검색 증강 생성의 정답률은 68%였고 미세조정의 정답률은 41%였다. " * 1 + " ".join(
    f"낱말{no}은 여기 있다." for no in range(60)
)


def same(one: str, other: str) -> bool:
    return alike(likeness(one), likeness(other)) and alike(likeness(other), likeness(one))


def test_a_mirror_is_one_text() -> None:
    assert same(TEXT, TEXT)
    assert same(TEXT, TEXT.upper().replace(" ", "\n\n"))
    assert same(TEXT, f"From our partner. {TEXT} All rights reserved.")
    assert same(KOREAN, f"아래는 전문이다. {KOREAN}")
    assert same(TEXT, " ".join(WORDS[:350]))


def test_other_texts_are_not() -> None:
    assert not same(TEXT, " ".join(reversed(WORDS)))
    assert not same(TEXT, " ".join(f"other{no}" for no in range(400)))
    assert not same(TEXT, " ".join([*WORDS[:200], *[f"other{no}" for no in range(200)]]))
    assert not same(KOREAN, KOREAN.replace("여기", "저기").replace("있다", "없다"))


def test_short_texts_are_one_only_where_every_word_is() -> None:
    assert same("Retrieval wins.", "retrieval   WINS")
    assert not same("Retrieval wins by 12 percent.", "Retrieval wins by 21 percent.")
    assert not same("", "something")
    assert same("", "")


def test_a_book_is_known_by_some_of_its_runs() -> None:
    book = " ".join(f"{no} {no * 7 % 1009}" for no in range(40_000))
    known = likeness(book)
    assert len(known.runs) <= MOST
    assert known.step > 1
    assert alike(known, likeness(f"Preface. {book}"))
    assert not alike(known, likeness(" ".join(f"{no} {no * 11 % 1013}" for no in range(40_000))))
    half = " ".join(f"{no} {no * 7 % 1009}" for no in range(20_000))
    assert alike(known, likeness(half))


@given(st.lists(st.sampled_from("abcdefgh"), max_size=80), st.lists(st.sampled_from("abcdefgh"), max_size=80))
def test_it_goes_both_ways(one: list[str], other: list[str]) -> None:
    mine, theirs = likeness(" ".join(one)), likeness(" ".join(other))
    assert alike(mine, mine)
    assert alike(mine, theirs) == alike(theirs, mine)
