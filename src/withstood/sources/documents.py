"""Documents as text: Markdown, reStructuredText, plain text, HTML and PDF, with their titles.

A PDF is read by another process that may be killed; everything else is read here, by code of the standard library.
Secrets are covered before anybody sees the text.
"""

from __future__ import annotations

import html.parser
import re
import unicodedata
from dataclasses import dataclass
from pathlib import PurePosixPath

from withstood.errors import CallFailed, MissingExtra
from withstood.sources import pdf
from withstood.sources.redaction import redact
from withstood.sources.workspace import decoded

KINDS = {
    ".md": "markdown", ".markdown": "markdown", ".txt": "plain", ".text": "plain", ".rst": "plain",
    ".html": "html", ".htm": "html", ".xhtml": "html", ".pdf": "pdf",
}  # fmt: skip
MOST_SIGNS = 2_000_000


@dataclass(frozen=True, slots=True)
class Document:
    """`text` is what quotes are looked for in."""

    title: str
    text: str


class NotADocument(Exception):
    """Why a file gives no text."""


def read(path: str, raw: bytes) -> Document:
    """`NotADocument` where there is no text in it, or none that can be read."""
    kind = KINDS.get(PurePosixPath(path).suffix.lower())
    if kind is None:
        raise NotADocument("it is of none of the kinds " + ", ".join(KINDS))
    title, text = _READERS[kind](raw)
    plain = redact(unicodedata.normalize("NFC", text))[0][:MOST_SIGNS].strip()
    if not plain:
        raise NotADocument("there is no text in it")
    return Document(redact(title)[0].strip() or PurePosixPath(path).stem, plain)


def of_html(raw: bytes) -> tuple[str, str]:
    """Title and text of a page: what a reader sees, a paragraph for each block."""
    page = _Page()
    page.feed(
        decoded(raw).replace("<![", "<! [")
    )  # marked sections are comments in HTML, and its parser trips over some
    page.close()
    lines = [" ".join(line.split()) for line in "".join(page.parts).split("\n")]
    return page.title.strip(), "\n\n".join([line for line in lines if line])


_UNSEEN = frozenset("script style noscript template svg head nav footer form button select iframe object".split())
_BLOCKS = frozenset(
    "p div section article h1 h2 h3 h4 h5 h6 li ul ol table tr td th blockquote pre br hr dd dt main aside".split()
)
_VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())


class _Page(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.title = ""
        self._hidden: list[str] = []
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._in_title = tag == "title"
        if tag in _UNSEEN:
            self._hidden.append(tag)
        elif tag == "body":
            self._hidden.clear()
        if tag in _BLOCKS:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self._in_title = False
        if tag in self._hidden:
            while self._hidden and self._hidden.pop() != tag:
                pass
        if tag in _BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title += data
        elif not self._hidden:
            self.parts.append(data)


_HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$|^(\S.*)\n[=\-~^\"]{3,}\s*$", re.MULTILINE)


def _plain(raw: bytes) -> tuple[str, str]:
    text = decoded(raw)
    heading = _HEADING.search(text[:4000])
    return (heading[1] or heading[2]) if heading else "", text


def _of_pdf(raw: bytes) -> tuple[str, str]:
    try:
        return pdf.text(raw)
    except (CallFailed, MissingExtra) as fault:
        raise NotADocument(str(fault)) from None


_READERS = {"markdown": _plain, "plain": _plain, "html": of_html, "pdf": _of_pdf}
