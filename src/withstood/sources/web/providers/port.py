"""The port to a search provider."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from withstood.sources.web.settings import MOST_ADDRESS

MOST_TITLE = 300


@dataclass(frozen=True, slots=True)
class Hit:
    """What a provider found: an address and what it is called. Nothing of it is believed; it is only looked up."""

    url: str
    title: str = ""


def hit(url: object, title: object) -> Hit | None:
    """None where a provider gives something that cannot be an address."""
    if not isinstance(url, str) or not url.isprintable() or not 0 < len(url) <= MOST_ADDRESS:
        return None
    told = title if isinstance(title, str) else ""
    return Hit(url, "".join(sign if sign.isprintable() else " " for sign in told[:MOST_TITLE]))


class NotSearched(Exception):
    """Why a provider gave no answer. `pause`: for so many seconds it is not asked again; None: not in this run."""

    def __init__(self, why: str, pause: float | None = 0.0) -> None:
        super().__init__(why)
        self.pause = pause


class Provider(Protocol):
    """`search` raises `NotSearched`."""

    @property
    def name(self) -> str: ...

    async def search(self, query: str, language: str, most: int) -> tuple[Hit, ...]: ...
