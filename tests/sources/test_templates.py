from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withstood.sources.templates import template


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        ("user 17 took 12ms", "user 4 took 3ms", "user <n> took <n>"),
        ("worker-1 lost order_77", "worker-22 lost order_8", "worker-<n> lost order_<n>"),
        ("GET https://a.example/x?y=1 failed", "GET https://b.example/ failed", "GET <url> failed"),
        ("open /var/log/a.log", "open /srv/data/b.log", "open <path>"),
        ('no key "alpha" here', 'no key "beta gamma" here', "no key <str> here"),
        ("id 550e8400-e29b-41d4-a716-446655440000", "id deadbeef0123", "id <id>"),
        ("from 10.0.0.1:8080", "from 192.168.1.20", "from <ip>"),
        ("주문 123 환불 실패", "주문 9 환불 실패", "주문 <n> 환불 실패"),
        ("disk at 91%", "disk at 7.5%", "disk at <n>"),
    ],
)
def test_what_changes_is_taken_out(one: str, other: str, wanted: str) -> None:
    assert (template(one), template(other)) == (wanted, wanted)


@pytest.mark.parametrize("line", ["don't retry, can't connect", "utf8 decoder facade", "결제 서버 연결 거부"])
def test_words_stay(line: str) -> None:
    assert template(line).replace("<n>", "8") == line


@given(st.text(max_size=400))
def test_any_line_has_one(line: str) -> None:
    assert template(line) == template(line)
    assert len(template(line)) <= 4 * 300
