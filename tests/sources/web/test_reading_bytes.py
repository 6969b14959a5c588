"""What kind of thing an answer is, and its bytes as text."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withstood.sources.web.charsets import decoded
from withstood.sources.web.kinds import kind
from withstood.sources.web.targets import Refused

KOREAN = "검색 증강 생성은 최신 문서에서 답을 찾는다. 똠방각하 펲시콜라"


@pytest.mark.parametrize(
    ("said", "content", "wanted"),
    [
        ("text/html", b"", ("html", "")),
        ("TEXT/HTML; Charset=EUC-KR", b"<p>x", ("html", "EUC-KR")),
        ('text/html; charset="utf-8"; x=y', b"x", ("html", "utf-8")),
        ("application/xhtml+xml", b"<html>", ("html", "")),
        ("application/pdf", b"", ("pdf", "")),
        ("text/html", b"%PDF-1.7 ...", ("pdf", "")),
        ("application/octet-stream", b"%PDF-1.7", ("pdf", "")),
        ("", b"\n <html>", ("html", "")),
        ("", b"plain words", ("plain", "")),
        ("text/plain", b"<not html>", ("plain", "")),
        ("text/markdown", b"# a", ("plain", "")),
        ("text/plain", "wörter".encode("utf-16"), ("plain", "")),
    ],
)
def test_kinds(said: str, content: bytes, wanted: tuple[str, str]) -> None:
    assert kind(said, content) == wanted


@pytest.mark.parametrize(
    ("said", "content"),
    [("image/png", b""), ("application/json", b"{}"), ("text/plain", b"a\0b"), ("", bytes(9)), ("audio/x", b"%PDF-")],
)
def test_what_has_no_text_is_refused(said: str, content: bytes) -> None:
    with pytest.raises(Refused):
        kind(said, content)


@pytest.mark.parametrize("codec", ["utf-8", "cp949", "utf-16", "utf-8-sig"])
def test_korean_is_found_without_being_told(codec: str) -> None:
    assert decoded(KOREAN.encode(codec)) == KOREAN


@pytest.mark.parametrize("name", ["euc-kr", "EUC-KR", "ks_c_5601-1987", "cp949", "ms949", "windows-949", "korean"])
def test_korean_is_read_under_all_of_its_names(name: str) -> None:
    content = KOREAN.encode("cp949")
    assert decoded(content, name) == KOREAN
    page = f"<html><head><meta charset='{name}'></head><p>".encode() + content
    assert KOREAN in decoded(page)
    old = f'<meta http-equiv="Content-Type" content="text/html; charset={name}"><p>'.encode() + content
    assert KOREAN in decoded(old)


@pytest.mark.parametrize(
    ("content", "said", "wanted"),
    [
        ("naïve — café".encode("cp1252"), "iso-8859-1", "naïve — café"),
        ("Привет мир".encode("cp1251"), "windows-1251", "Привет мир"),
        ("日本語の文".encode("cp932"), "Shift_JIS", "日本語の文"),
        (KOREAN.encode(), "euc-kr", KOREAN),
        (KOREAN.encode("cp949"), "utf-8", KOREAN),
        (codecs.BOM_UTF8 + KOREAN.encode(), "euc-kr", KOREAN),
        (b"+ADw-script+AD4-", "utf-7", "+ADw-script+AD4-"),
        (b"\\x3cscript", "unicode_escape", "\\x3cscript"),
        (b"a\xff\xffb", "no-such-charset", "a\ufffd\ufffdb"),
    ],
)
def test_what_is_said_is_believed_where_it_fits(content: bytes, said: str, wanted: str) -> None:
    assert decoded(content, said) == wanted


@given(st.binary(max_size=200), st.sampled_from(["", "euc-kr", "utf-16", "gb18030", "iso-2022-kr", "zlib", "\udc80"]))
def test_any_bytes_become_text(content: bytes, said: str) -> None:
    assert isinstance(decoded(content, said), str)
