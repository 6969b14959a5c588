"""Cited words: true ones are found under noise and drift, mutated ones never."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.claims.test_quote import noisy
from withstood.claims.citing import Stands, find, lines_of

CODE = """def refund(order, now):
    if not order.paid:
        raise NotPaid(order.id)

    amount = order.total - order.fee
    limit = 30 * 24 * 60
    return gateway.send(amount, limit)  # 환불을 보낸다
""".splitlines()


@pytest.mark.parametrize(
    ("snippet", "wanted"),
    [
        ("amount = order.total - order.fee", (5, 5)),
        ("   amount   =  order.total - order.fee  ", (5, 5)),
        ("if not order.paid:\n  raise NotPaid(order.id)", (2, 3)),
        ("raise NotPaid(order.id)\n\n    amount = order.total", (3, 5)),
        ("환불을 보낸다", (7, 7)),
        ("\u1112\u116a\u11ab\u1107\u116e\u11af\u110b\u1173\u11af 보낸다", (7, 7)),
        ("30 * 24", (6, 6)),
    ],
)
def test_true_words_are_found(snippet: str, wanted: tuple[int, int]) -> None:
    assert find(snippet, CODE, 1, wanted) == Stands(*wanted)
    assert find(snippet, CODE, 101, wanted) == Stands(wanted[0] + 100, wanted[1] + 100)


@pytest.mark.parametrize(
    "snippet",
    [
        "if order.paid:",  # a dropped "not"
        "order.paid:",  # cut off right after one
        "limit = 31 * 24 * 60",  # another digit
        "limit = 30 * 24 * 6",  # half a number
        "def refund(order, now):\n raise NotPaid(order.id)",  # two parts in one
        "amount = order.total\nlimit = 30",
        "it",  # too short to mean anything
        ")",
        "",
        "  \n ",
    ],
)
def test_other_words_are_not(snippet: str) -> None:
    assert find(snippet, CODE, 1, (1, 7)) is None


def test_the_nearest_place_is_taken() -> None:
    lines = ["x = load()", "other = 1", "x = load()", "more = 2", "x = load()"]
    assert find("x = load()", lines, 1, (4, 4)) == Stands(3, 3)
    assert find("x = load()", lines, 1, (5, 5)) == Stands(5, 5)


def test_a_short_line_may_be_cited_whole() -> None:
    assert find("fi", ["if x", "fi", "done"], 1, (2, 2)) == Stands(2, 2)
    assert find("x", ["if x", "fi"], 1, (1, 1)) is None


def test_a_denial_after_the_words_is_not_cut_off() -> None:
    assert find("결제가 완료되", ["결제가 완료되지 않았습니다"], 1, (1, 1)) is None
    assert find("결제가 완료되지 않았습니다", ["결제가 완료되지 않았습니다"], 1, (1, 1)) == Stands(1, 1)


def test_blank_lines_do_not_count() -> None:
    assert lines_of("a\n\n \nb\n") == 2


words = st.lists(st.text("abcdef가나", min_size=3, max_size=6), min_size=3, max_size=6).map(" ".join)


@given(st.lists(words, min_size=1, max_size=8), st.data())
def test_whatever_stands_there_is_found_where_it_stands(lines: list[str], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(lines) - 1))
    found = find(f"  {lines[at]}\t", lines, 1, (at + 1, at + 1))
    assert found == Stands(at + 1, at + 1)


SAID = "the refund is not paid within 14 days 환불은 안 되고 값은 1,290원 입니다 (x != 3) “finally”".split()
DENIALS = ("not", "안")


@given(st.lists(st.permutations(SAID), min_size=1, max_size=4), st.data())
def test_true_words_are_found_under_noise(rows: list[list[str]], data: st.DataObject) -> None:
    lines = [" ".join(row) for row in rows]
    at = data.draw(st.integers(0, len(rows) - 1))
    assume(not at or rows[at - 1][-1] not in DENIALS)
    shown = data.draw(noisy(lines[at].replace("fi", "ﬁ")))
    assert find(shown, [unicodedata.normalize("NFD", line) for line in lines], 1, (at + 1, at + 1)) is not None


@given(st.permutations(SAID), st.sampled_from(DENIALS), st.data())
def test_a_denial_is_neither_dropped_nor_cut_off(row: list[str], denial: str, data: st.DataObject) -> None:
    at = row.index(denial)
    assume(0 < at < len(row) - 1)
    assert find(data.draw(noisy(" ".join([*row[:at], *row[at + 1 :]]))), [" ".join(row)], 1, (1, 1)) is None
    assert find(" ".join(row[at + 1 :]), [" ".join(row)], 1, (1, 1)) is None


@given(st.permutations(SAID), st.integers(1, 9), st.data())
def test_no_digit_is_changed(row: list[str], by: int, data: st.DataObject) -> None:
    line = " ".join(row)
    at = data.draw(st.sampled_from([no for no, sign in enumerate(line) if sign.isdigit()]))
    lie = line[:at] + str((int(line[at]) + by) % 10) + line[at + 1 :]
    assert find(data.draw(noisy(lie)), [line], 1, (1, 1)) is None


@pytest.mark.parametrize(
    ("snippet", "line"),
    [
        ("5 degrees of frost", "it was -5 degrees of frost"),
        ("== null) return", "if (x !== null) return"),
        ("= b + 10", "a != b + 10"),
    ],
)
def test_a_sign_that_turns_the_meaning_is_not_cut_off(snippet: str, line: str) -> None:
    assert find(snippet, [line], 1, (1, 1)) is None


def test_a_range_is_no_minus() -> None:
    assert find("14 days", ["within 7-14 days"], 1, (1, 1)) == Stands(1, 1)
