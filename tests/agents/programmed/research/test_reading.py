"""Sentences as programs read them: what is taken from a page, and how one sentence bears on another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withstood.agents.programmed.research import reading, relating
from withstood.agents.programmed.research.reading import Weights
from withstood.claims import quote

PLAIN = Weights([])

PAGE = """# A heading of some length

Caching is a way to keep answers that were computed before. It is often useful for this.
See also the other page on this matter, which is longer.

- The cache answered 87 % of 412 read requests, e.g. Those of last week. Is that enough?

```python
cache.get("this line of code is no sentence at all.")
```

| a | table | is none |

조회 요청에서 캐시는 데이터베이스보다 빠르다. 짧다.
"""


def test_sentences_are_taken_as_they_stand() -> None:
    found = [one.text for one in reading.sentences(PAGE)]
    assert found == [
        "Caching is a way to keep answers that were computed before.",
        "The cache answered 87 % of 412 read requests, e.g. Those of last week.",
        "조회 요청에서 캐시는 데이터베이스보다 빠르다.",
    ]


@given(st.text(alphabet="ab .\n#-*|`!?가나다0%<>", max_size=300))
def test_whatever_a_page_is_its_sentences_stand_in_it(text: str) -> None:
    for one in reading.sentences(text):
        assert quote.occurs(one.text, text) or "\n" in text


KINDS = [
    ("The cache answered 87 % of the requests.", "fact"),
    ("We measured the cache on a quiet evening.", "fact"),
    ("In 1999 the house was built by them.", "said"),
    ("A cache is a store of answers from before.", "definition"),
    ("캐시란 계산한 답을 저장해 두는 곳을 말한다.", "definition"),
    ("You should put a cache before the database.", "claim"),
    ("조회 요청에는 캐시를 두는 것이 좋다.", "claim"),
    ("평균 응답 시간이 62% 줄었다.", "fact"),
    ("The words of this one say nothing of it.", "said"),
]


@pytest.mark.parametrize(("text", "kind"), KINDS)
def test_what_a_sentence_is(text: str, kind: str) -> None:
    assert reading.read(text).kind == kind


BEARINGS = [
    ("Caching makes read requests faster.", "Caching makes read requests slower.", -1),
    ("Caching makes read requests faster.", "Caching makes read requests quicker.", 1),
    ("Caching makes read requests faster.", "Caching does not make read requests faster.", -1),
    ("Caching does not make read requests faster.", "Caching never makes read requests faster.", 1),
    ("Trees are faster than lists.", "Lists are faster than trees.", -1),
    ("Trees are faster than lists.", "Lists are slower than trees.", 1),
    ("Caching reduces response time.", "Caching increases response time.", -1),
    ("Caching reduces the time of read requests.", "Caching makes read requests faster.", 1),
    ("캐시는 조회 요청의 응답 시간을 줄인다.", "캐시는 조회 요청을 빠르게 한다.", 1),
    ("The cache hit rate was 87 %.", "The cache hit rate was 12 %.", -1),
    ("The cache hit rate was 87 %.", "The cache hit rate was 87 percent.", 1),
    ("Caching reads is fast, but writing is slow.", "Caching reads is slow.", -1),
    ("When data does not change, caching makes reads faster.", "Caching makes reads faster.", 1),
    ("If there is more than one server, caching makes reads slower.", "Caching makes reads slower.", 1),
    ("캐시는 조회 요청을 빠르게 한다.", "캐시는 조회 요청을 느리게 한다.", -1),
    ("캐시는 응답 시간을 줄인다.", "캐시는 응답 시간을 줄이지 않는다.", -1),
    ("캐시는 데이터베이스보다 빠르다.", "데이터베이스는 캐시보다 빠르다.", -1),
    ("캐시는 데이터베이스보다 빠르다.", "데이터베이스는 캐시보다 느리다.", 1),
    ("데이터가 바뀌지 않는 경우 캐시는 응답 시간을 줄인다.", "캐시는 응답 시간을 줄인다.", 1),
    ("The weather in spring is mild.", "Caching makes read requests faster.", 0),
]


@pytest.mark.parametrize(("one", "other", "sign"), BEARINGS)
def test_same_opposite_or_neither(one: str, other: str, sign: int) -> None:
    assert reading.bearing(reading.read(one), reading.read(other), PLAIN).sign == sign


@pytest.mark.parametrize(("one", "other", "sign"), [row for row in BEARINGS if " " in row[0]])
def test_it_is_the_same_both_ways(one: str, other: str, sign: int) -> None:
    there = reading.bearing(reading.read(one), reading.read(other), PLAIN, 0.1)
    back = reading.bearing(reading.read(other), reading.read(one), PLAIN, 0.1)
    assert there.sign == back.sign


def edge(one: str, other: str) -> tuple[str, str] | None:
    drawn = relating.edge("obs_1", reading.read(one), "hyp_A1", reading.read(other), PLAIN)
    return (drawn.type, str(drawn.weight)) if drawn else None


def test_a_fact_weighs_more_than_a_saying() -> None:
    held = "Caching makes read requests faster."
    assert edge("In 300 trials caching made read requests faster.", held) == ("SUPPORTS", "0.8")
    assert edge("Surely caching makes all read requests quicker.", held) == ("SUPPORTS", "0.5")
    assert edge("In 300 trials caching made read requests slower.", held) == ("CONTRADICTS", "0.8")


READS = "Caching makes read requests faster."
APART = [
    (READS, "Caching makes write requests slower, because every write has to invalidate entries."),
    (READS, "In our benchmark write requests took 18 percent longer with a cache in front of the store."),
    (READS, "Read requests are 10 times faster with solid state disks."),
    ("Large models answer questions faster.", "Small models answer questions slower than people do."),
    ("Retrieval is not better than fine-tuning.", "We compare retrieval with fine-tuning on 1,200 questions."),
    ("읽기 요청은 캐시가 빠르게 처리한다.", "쓰기 요청은 캐시가 느리게 처리했다."),
    ("검색 증강 생성이 미세조정보다 안전하다.", "검색 증강 생성은 미세조정보다 우수하지 않다."),
]


@pytest.mark.parametrize(("held", "seen"), APART)
def test_another_thing_bears_on_nothing(held: str, seen: str) -> None:
    assert relating.edge("obs_1", reading.read(seen), "hyp_A1", reading.read(held), PLAIN) is None
    assert relating.conflict("hyp_A2", reading.read(seen), "hyp_A1", reading.read(held), PLAIN) is None


BORNE = [
    (READS, "A read cache reduced the median response time of read requests by 62 percent.", "SUPPORTS"),
    (READS, "In 3 of 4 tests read requests were slower with caching.", "CONTRADICTS"),
    (READS, "Write requests took 18 percent longer, but read requests were faster with the cache.", "SUPPORTS"),
    ("재택근무는 생산성을 높인다.", "재택근무를 한 직원의 생산성은 13% 향상되었다.", "SUPPORTS"),
    ("재택근무는 생산성을 높인다.", "재택근무자의 생산성은 8% 낮아졌다.", "CONTRADICTS"),
    ("재택근무는 생산성을 높인다.", "관리자 41%는 재택근무가 생산성에 도움이 되지 않는다고 답했다.", "CONTRADICTS"),
    ("다음은 사실이 아니다 — 재택근무는 생산성을 높인다.", "재택근무자의 생산성은 13% 높아졌다.", "CONTRADICTS"),
]


@pytest.mark.parametrize(("held", "seen", "kind"), BORNE)
def test_the_same_thing_bears_for_or_against(held: str, seen: str, kind: str) -> None:
    drawn = relating.edge("obs_1", reading.read(seen), "hyp_A1", reading.read(held), PLAIN)
    assert drawn is not None
    assert drawn.type == kind


@given(st.sampled_from(["read", "write", "cold", "large"]), st.sampled_from(["read", "write", "cold", "large"]))
def test_a_noun_of_another_kind_is_another_thing(one: str, other: str) -> None:
    """Whatever is said of it: edges are drawn within a kind alone."""
    held, seen = f"Caching makes {one} requests faster.", f"In 12 tests caching made {other} requests slower."
    drawn = relating.edge("obs_1", reading.read(seen), "hyp_A1", reading.read(held), PLAIN)
    assert (drawn is not None) == (one == other)


@pytest.mark.parametrize(
    "text",
    [
        "Sign up now and get 30 days free.",
        "By using this site you agree to our terms.",
        "Products Solutions Pricing Contact Company Careers.",
        "Copyright 2024 by the makers of this cache.",
        "Returns the number of entries in the cache.",
        "required, but not provided to the cache at all.",
        "이 사이트는 쿠키를 사용합니다.",
        "무단 전재 및 재배포 금지.",
    ],
)
def test_what_stands_beside_a_text_is_not_taken(text: str) -> None:
    assert reading.sentences(text) == ()


def test_marks_of_markdown_are_no_words() -> None:
    assert reading.bare("**Use** a [cache](https://x.org/a) for `read` requests.") == "Use a cache for read requests."
    assert reading.bare("2 * 3 is 6 and a_b is a name.") == "2 * 3 is 6 and a_b is a name."


def test_what_holds_under_a_condition_is_weak_on_what_is_held_without_one() -> None:
    assert edge("When data changes, caching made 300 read requests slower.", "Caching makes read requests faster.") == (
        "CONTRADICTS",
        "0.3",
    )


def test_its_own_words_are_no_evidence() -> None:
    assert edge("Caching makes read requests faster.", "Caching makes read requests faster.") is None


def test_claims_conflict_where_they_point_apart() -> None:
    one = reading.read("Caching makes read requests faster than the database.")
    other = reading.read("When data changes often, caching makes read requests slower than the database.")
    assert relating.conflict("hyp_A2", other, "hyp_A1", one, PLAIN) is not None
    assert relating.conflict("hyp_A2", one, "hyp_A1", one, PLAIN) is None
