"""What searches have collected. A page is read by its id from here; an address that nobody collected has none."""

from __future__ import annotations

from collections.abc import Iterable

from withstood.claims import address
from withstood.sources.web.providers.port import Hit


class Collected:
    """One id for each page, however often and under whatever spelling it is found."""

    def __init__(self) -> None:
        self._ids: dict[str, str] = {}
        self._hits: dict[str, Hit] = {}

    def add(self, hits: Iterable[Hit]) -> tuple[str, ...]:
        """The ids of these hits in their order, each once."""
        return tuple(dict.fromkeys(self._id(hit) for hit in hits))

    def hit(self, id: str) -> Hit:
        """`KeyError` where nothing was collected under this id."""
        return self._hits[id]

    def _id(self, hit: Hit) -> str:
        page = address.page(hit.url)
        if page not in self._ids:
            self._ids[page] = f"h{len(self._ids) + 1}"
            self._hits[self._ids[page]] = hit
        return self._ids[page]


def spread(hits: Iterable[tuple[str, Hit]]) -> tuple[str, ...]:
    """The same ids with the first page of every owner before the second page of any."""
    seen: dict[str, int] = {}
    ranked: list[tuple[int, int, str]] = []
    for place, (id, hit) in enumerate(hits):
        owner = address.domain(hit.url)
        seen[owner] = seen.get(owner, 0) + 1
        ranked.append((seen[owner], place, id))
    return tuple([id for *_, id in sorted(ranked)])
