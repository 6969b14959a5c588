"""The pages of the town as they are sent, read from `pages.toml`."""

from __future__ import annotations

import gzip
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from tests.sources.pdfs import pdf

FILE = Path(__file__).with_name("pages.toml")
TYPES = {"html": "text/html", "plain": "text/plain", "pdf": "application/pdf", "image": "image/png"}
MENU = "<nav><ul><li><a href='/'>Home</a></li><li><a href='/about'>About</a></li></ul></nav>"
FOOT = "<footer><p>All rights reserved. Privacy. Terms.</p></footer>"


@dataclass(frozen=True, slots=True)
class Page:
    """`paragraphs` are what it says; `copy_of` is the page that it is a mirror or reprint of."""

    url: str
    title: str = ""
    paragraphs: tuple[str, ...] = ()
    lang: str = "en"
    kind: str = "html"
    charset: str = "utf-8"
    packed: bool = False
    to: str = ""
    copy_of: str = ""

    @property
    def host(self) -> str:
        return self.url.split("/")[2]

    @property
    def path(self) -> str:
        return "/" + self.url.split("/", 3)[3]

    @property
    def words(self) -> str:
        return " ".join((self.title, *self.paragraphs))


@dataclass(frozen=True, slots=True)
class Sent:
    status: int
    headers: Mapping[str, str]
    body: bytes


def read() -> tuple[Mapping[str, Page], Mapping[str, str]]:
    """Pages by address, and the robots.txt of the hosts that have one."""
    told = tomllib.loads(FILE.read_text("utf-8"))
    plain = {row["url"]: _page(row) for row in told["page"] if "mirror" not in row and "reprint" not in row}
    copies = {row["url"]: _copy(row, plain) for row in told["page"] if row["url"] not in plain}
    return {row["url"]: (plain | copies)[row["url"]] for row in told["page"]}, told["robots"]


def _page(row: Mapping[str, Any]) -> Page:
    named = {name: row[name] for name in ("title", "lang", "kind", "charset", "packed", "to") if name in row}
    return Page(row["url"], paragraphs=_lines(row.get("text", "")), **named)


def _copy(row: Mapping[str, Any], plain: Mapping[str, Page]) -> Page:
    first = plain[row.get("mirror") or row["reprint"]]
    return Page(
        row["url"], first.title, (*_lines(row.get("text", "")), *first.paragraphs), first.lang, copy_of=first.url
    )


def _lines(text: str) -> tuple[str, ...]:
    return tuple([line for line in text.strip().split("\n") if line])


# --- as they are sent --------------------------------------------------------------------------


def sent(page: Page) -> Sent:
    if page.to:
        return Sent(302, {"Location": page.to}, b"")
    if page.kind in ("missing", "busy"):
        return Sent(404 if page.kind == "missing" else 429, {"Content-Type": "text/html"}, b"<p>not now</p>")
    if page.kind == "empty":
        return Sent(200, {"Content-Type": "text/html"}, b"<html><body></body></html>")
    headers = {"Content-Type": TYPES[page.kind]}
    if page.kind in ("html", "plain") and page.charset != "cp949":  # a page in CP949 says so in its head alone
        headers["Content-Type"] += f"; charset={page.charset}"
    body = _body(page)
    if page.packed:
        headers["Content-Encoding"], body = "gzip", gzip.compress(body)
    return Sent(200, headers, body)


def _body(page: Page) -> bytes:
    if page.kind == "image":
        return b"\x89PNG\r\n\x1a\n" + bytes(64)
    if page.kind == "pdf":
        return pdf(*page.paragraphs, title=page.title)
    if page.kind == "plain":
        return f"{page.title}\n\n{chr(10).join(page.paragraphs)}\n".encode(page.charset)
    return _html(page).encode(page.charset)


def _html(page: Page) -> str:
    told = "".join(f"<p>{escape(line)}</p>\n" for line in page.paragraphs)
    meta = f"<meta charset='{page.charset}'><title>{escape(page.title)}</title>"
    article = f"<main><article><h1>{escape(page.title)}</h1>\n{told}</article></main>"
    return f"<!doctype html><html lang='{page.lang}'><head>{meta}</head><body>{MENU}{article}{FOOT}</body></html>"
