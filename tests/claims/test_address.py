"""Addresses: whose they are, and which of them are the same document."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withstood.claims import address

OWNERS = [
    ("https://arxiv.org/abs/1", "arxiv.org"),
    ("https://export.arxiv.org/abs/1", "arxiv.org"),
    ("https://arxiv.attacker.tld/abs/1", "attacker.tld"),
    ("https://arxiv.org.attacker.tld/", "attacker.tld"),
    ("https://arxiv.org@attacker.tld/", "attacker.tld"),
    ("https://arxiv.org:443@attacker.tld:8443/", "attacker.tld"),
    ("HTTPS://ARXIV.ORG./abs/1", "arxiv.org"),
    ("https://somebody.github.io/docs", "somebody.github.io"),
    ("https://a.b.co.uk/", "b.co.uk"),
    ("https://city.kawasaki.jp/", "city.kawasaki.jp"),
    ("https://x.y.kawasaki.jp/", "x.y.kawasaki.jp"),
    ("https://www.korea.go.kr/", "korea.go.kr"),
    ("https://한국.kr/", "xn--3e0b707e.kr"),
    ("http://127.0.0.1:8080/x", "127.0.0.1"),
    ("http://[::1]/x", "[::1]"),
]


@pytest.mark.parametrize(("url", "owner"), OWNERS)
def test_the_owner_is_the_registrable_domain(url: str, owner: str) -> None:
    assert address.domain(url) == owner


NONE_AT_ALL = [
    "",
    "arxiv.org/abs/1",
    "ftp://arxiv.org/",
    "javascript:alert(1)",
    "https://arxiv.org\\@attacker.tld/",
    "https://arxiv.org /",
    "https://arxiv.org\n.attacker.tld/",
    "https:///arxiv.org",
    "https://localhost/",
    "https://a..b/",
    "https://-a.com/",
    "https://[::1/",
]


@pytest.mark.parametrize("url", NONE_AT_ALL)
def test_what_could_be_read_in_two_ways_is_no_address(url: str) -> None:
    assert address.read(url) is None
    assert address.domain(url) == address.origin(url) == ""


SAME_ORIGIN = [
    ("https://arxiv.org/abs/2401.00001", "https://export.arxiv.org/pdf/2401.00001v3.pdf"),
    ("https://github.com/Owner/Repo", "https://www.github.com/owner/repo/issues/1"),
    ("https://news.example.co.kr/a", "https://blog.example.co.kr/b"),
    ("https://stackoverflow.com/questions/1/a", "https://stackoverflow.com/questions/1/b#c"),
]
OTHER_ORIGIN = [
    ("https://arxiv.org/abs/2401.00001", "https://arxiv.org/abs/2401.00002"),
    ("https://github.com/a/one", "https://github.com/a/two"),
    ("https://medium.com/@a/x", "https://medium.com/@b/x"),
    ("https://a.github.io/", "https://b.github.io/"),
    ("https://blog.naver.com/a/1", "https://blog.naver.com/b/1"),
]


@pytest.mark.parametrize(("one", "other"), SAME_ORIGIN)
def test_one_origin(one: str, other: str) -> None:
    assert address.origin(one) == address.origin(other)


@pytest.mark.parametrize(("one", "other"), OTHER_ORIGIN)
def test_other_origins(one: str, other: str) -> None:
    assert address.origin(one) != address.origin(other)


def test_a_page_is_one_whatever_stands_behind_it() -> None:
    pages = {address.page(f"{scheme}://Example.com{port}/a{end}") for scheme, port in (("http", ":80"), ("https", ""))
             for end in ("", "/", "#b")}  # fmt: skip
    assert pages == {"example.com/a"}
    assert address.page("https://example.com/a?b=1") != address.page("https://example.com/a?b=2")


@given(st.text(max_size=60), st.sampled_from(["", "https://", "http://a.com/", "https://a@"]))
def test_any_text_is_an_address_or_none(text: str, before: str) -> None:
    found = address.read(before + text)
    assert found is None or (found.host == found.host.lower() and address.owner(found.host) in found.host)
