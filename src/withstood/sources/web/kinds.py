"""What kind of thing an answer is, by what its head says, and by its first bytes where the head says nothing.

| the head says | kind |
|---|---|
| text/html, application/xhtml+xml | html |
| application/pdf, application/x-pdf | pdf |
| text/plain, text/markdown, text/x-markdown, text/x-rst | plain |
| application/octet-stream, or nothing | html where it begins with a tag, else plain |
| anything else | refused |

What begins with %PDF- is a PDF whatever its head says; a text that holds NUL bytes is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

from withstood.sources.web.targets import Refused

Kind: TypeAlias = Literal["html", "pdf", "plain"]

_KINDS: Mapping[str, Kind] = {
    "text/html": "html", "application/xhtml+xml": "html", "application/pdf": "pdf", "application/x-pdf": "pdf",
    "text/plain": "plain", "text/markdown": "plain", "text/x-markdown": "plain", "text/x-rst": "plain",
}  # fmt: skip
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:+-]{1,40})", re.I)
_HEAD = 1_024


class Found(NamedTuple):
    """`charset` is what the head says, or nothing."""

    kind: Kind
    charset: str


def kind(content_type: str, content: bytes) -> Found:
    """`Refused` where it is nothing that has text. Without content, what it may be."""
    said = content_type.partition(";")[0].strip().lower()
    charset = _CHARSET.search(content_type)
    name = _KINDS.get(said)
    if name is None and said not in ("", "application/octet-stream"):
        raise Refused(f"it is {said[:60]}, which is no text that can be read")
    found = _looked_at(name or "plain", content, guess=name is None)
    return Found(found, charset[1] if charset else "")


def _looked_at(name: Kind, content: bytes, *, guess: bool) -> Kind:
    head = content[:_HEAD].lstrip(b"\xef\xbb\xbf \t\r\n")
    if head.startswith(b"%PDF-"):
        return "pdf"
    if name != "pdf" and b"\0" in head and content[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        raise Refused("it is called a text and holds bytes that no text has")
    return "html" if guess and head.startswith(b"<") else name
