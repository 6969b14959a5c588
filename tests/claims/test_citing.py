"""Cited words: true ones are found under noise and drift, mutated ones never."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
