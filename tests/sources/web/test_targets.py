"""Addresses taken apart: one reading or none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withstood.sources.web.targets import Refused, Target, joined, target

PLAIN = [
    ("http://example.com", Target("http", "example.com", 80, "/")),
    ("HTTPS://Example.COM:443/A?b=c#d", Target("https", "example.com", 443, "/A?b=c")),
    ("http://example.com:8080/x", Target("http", "example.com", 8080, "/x")),
    (
        "http://한글.kr/경로?질의=값",
        Target("http", "xn--bj0bj06e.kr", 80, "/%EA%B2%BD%EB%A1%9C?%EC%A7%88%EC%9D%98=%EA%B0%92"),
    ),
    ("http://example.com/a%20b/%EA", Target("http", "example.com", 80, "/a%20b/%EA")),
    ("http://93.184.216.34/", Target("http", "93.184.216.34", 80, "/")),
    ("https://[2606:4700::1]/x", Target("https", "2606:4700::1", 443, "/x")),
    ("http://example.com./", Target("http", "example.com", 80, "/")),
]


@pytest.mark.parametrize(("url", "wanted"), PLAIN)
def test_plain_addresses(url: str, wanted: Target) -> None:
    assert target(url) == wanted
    assert target(wanted.url) == wanted


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://user:pass@example.com/", "user name"),
        ("http://user@example.com/", "user name"),
        ("http://example.com:22/", "port 22"),
        ("http://example.com:0/", "port 0"),
        ("http://example.com:99999/", "port 99999"),
        ("ftp://example.com/", "no plain"),
        ("http://127.1/", "number"),
        ("http://example.com/" + "a" * 3000, "longer"),
    ],
)
def test_the_reason_is_told(url: str, said: str) -> None:
    with pytest.raises(Refused, match=said):
        target(url)


@pytest.mark.parametrize(
    ("location", "wanted"),
    [
        ("/b", "http://a.com/b"),
        ("b?c", "http://a.com/x/b?c"),
        ("//b.com/", "http://b.com/"),
        ("https://b.com", "https://b.com/"),
    ],
)
def test_redirects_are_read_from_where_they_stand(location: str, wanted: str) -> None:
    assert joined(target("http://a.com/x/y"), location).url == wanted


@pytest.mark.parametrize("location", ["file:///etc/passwd", "http://[::1", "javascript:1", "http:\\\\a", "http://a b/"])
def test_redirects_to_nowhere_are_refused(location: str) -> None:
    with pytest.raises(Refused):
        joined(target("http://a.com/x/y"), location)


@given(st.text(max_size=60), st.sampled_from(["", "http://", "https://", "http://a.com", "http://a.com:", "//"]))
def test_any_text_is_an_address_or_is_refused(text: str, before: str) -> None:
    try:
        found = target(before + text)
    except Refused as fault:
        assert str(fault)
    else:
        assert found.url.isascii()
        assert target(found.url) == found
        assert found.port in (80, 443, 8080, 8443)
