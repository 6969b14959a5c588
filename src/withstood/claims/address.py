"""Addresses of sources: who owns the place that an address leads to, and which one document it is.

An address is taken apart here, strictly: what a browser might read in another way than we do is no address at all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_ADDRESS = re.compile(
    r"(https?)://(?:[^/?#@]*@)?(\[[0-9A-Fa-f:.]+\]|[^/?#@:\[\]]+)(?::(\d{1,5}))?(/[^?#]*)?(\?[^#]*)?(#.*)?", re.I
)
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBERS = re.compile(r"\d+(?:\.\d+){3}")

PLATFORMS: dict[str, int] = {
    "arxiv.org": 2,
    "doi.org": 9,
    "biorxiv.org": 9,
    "medrxiv.org": 9,
    "openreview.net": 9,
    "aclanthology.org": 1,
    "ssrn.com": 9,
    "github.com": 2,
    "gitlab.com": 2,
    "bitbucket.org": 2,
    "codeberg.org": 2,
    "huggingface.co": 2,
    "medium.com": 1,
    "dev.to": 1,
    "velog.io": 1,
    "brunch.co.kr": 1,
    "naver.com": 1,
    "tistory.com": 0,
    "substack.com": 0,
    "reddit.com": 4,
    "stackoverflow.com": 2,
    "stackexchange.com": 2,
    "superuser.com": 2,
    "serverfault.com": 2,
    "quora.com": 1,
    "ycombinator.com": 1,
}
"""Where many people publish under one owner's name: how many steps of the path tell one from another."""


@dataclass(frozen=True, slots=True)
class Address:
    """`host` in lower case and punycode, `path` with its first slash, `query` with its question mark."""

    scheme: str
    host: str
    port: str
    path: str
    query: str

    @property
    def steps(self) -> tuple[str, ...]:
        return tuple([step for step in self.path.split("/") if step])

    @property
    def page(self) -> str:
        """The same for all addresses of one page: without the fragment, the default port and the last slash."""
        port = (
            "" if (self.scheme, self.port) in (("http", "80"), ("https", "443"), (self.scheme, "")) else f":{self.port}"
        )
        return f"{self.host}{port}{self.path.rstrip('/')}{self.query}"


def read(url: str) -> Address | None:
    """None where it is no http address, or one that could be read in two ways."""
    if not url.isprintable() or any(sign in url for sign in ' \\"<>'):
        return None
    found = _ADDRESS.fullmatch(url)
    host = _host(found[2]) if found else ""
    if found is None or not host:
        return None
    return Address(found[1].lower(), host, found[3] or "", found[4] or "/", found[5] or "")


def _host(written: str) -> str:
    """In lower case and punycode; nothing where it is no name that could be registered, and no number."""
    if written.startswith("["):
        return written.lower()
    labels = written.lower().rstrip(".").split(".")
    plain = [_label(label) for label in labels]
    return ".".join(plain) if all(_LABEL.fullmatch(label) for label in plain) and len(plain) > 1 else ""


def _label(label: str) -> str:
    return label if label.isascii() else f"xn--{label.encode('punycode').decode('ascii')}"


def owner(host: str) -> str:
    """The registrable domain; of a number, or of a bare public suffix, the host itself."""
    from withstood.claims.suffixes import SUFFIXES  # ten thousand names, read by whoever asks for an owner

    if host.startswith("[") or _NUMBERS.fullmatch(host):
        return host
    labels = host.split(".")
    for place in range(len(labels)):
        here, above = ".".join(labels[place:]), ".".join(labels[place + 1 :])
        if f"!{here}" in SUFFIXES:
            return here
        if here in SUFFIXES or f"*.{above}" in SUFFIXES:
            return ".".join(labels[max(0, place - 1) :])
    return ".".join(labels[-2:])


@lru_cache(maxsize=65_536)
def domain(url: str | None) -> str:
    """The registrable domain of an address; nothing where it is none."""
    found = read(url) if url else None
    return owner(found.host) if found else ""


@lru_cache(maxsize=65_536)
def page(url: str | None) -> str:
    """What an address is compared by: two addresses of one page are one. What is no address stands for itself."""
    found = read(url) if url else None
    return found.page if found else url or ""


@lru_cache(maxsize=65_536)
def origin(url: str | None) -> str:
    """Whose word it is: the registrable domain, and on platforms the document, the repository or the account."""
    found = read(url) if url else None
    if found is None:
        return ""
    owned = owner(found.host)
    steps = PLATFORMS.get(owned)
    if steps is None:
        return owned
    within = [] if found.host in (owned, f"www.{owned}") else [found.host]
    if owned == "arxiv.org":
        return f"{owned}/{_paper(found.steps)}"
    query = found.query if owned in ("ycombinator.com", "openreview.net", "ssrn.com") else ""
    return "/".join([owned, *within, *[step.lower() for step in found.steps[:steps]]]) + query


def _paper(steps: tuple[str, ...]) -> str:
    """abs/1234.5678, pdf/1234.5678v2.pdf and html/1234.5678 are one paper."""
    last = "/".join(steps[1:]).lower()
    return re.sub(r"(?:v\d+)?(?:\.pdf)?$", "", last)
