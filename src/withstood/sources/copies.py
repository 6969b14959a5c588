"""Which text was read first under another address: mirrors and reprints are known by their words."""

from __future__ import annotations

from withstood.claims import address
from withstood.claims.likeness import Likeness, alike, likeness


class Copies:
    """Remembers every text that it is shown. Whatever order they come in, one text has one first address."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}
        self._known: list[tuple[str, Likeness]] = []

    def first(self, url: str, text: str) -> str:
        """The address where this text was read first; nothing where that is this address."""
        page = address.page(url)
        if page not in self._first:
            mine = likeness(text)
            found = next((there for there, known in self._known if alike(mine, known)), "")
            self._first[page] = found
            if not found:
                self._known.append((url, mine))
        return self._first[page]
