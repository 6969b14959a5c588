"""Providers one after the other: the first that finds something answers, and the others are not asked."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from withstood.sources.web.providers.port import Hit, NotSearched, Provider


@dataclass(frozen=True, slots=True)
class Searched:
    """Hits in the provider's order, and why the providers before it have none."""

    hits: tuple[Hit, ...]
    notes: tuple[tuple[str, str], ...] = ()


class Chain:
    """A provider that is limited rests for as long as it says; one that refuses a key is not asked again."""

    def __init__(self, providers: Sequence[Provider], clock: Callable[[], float] = time.monotonic) -> None:
        self.providers = tuple(providers)
        self._clock = clock
        self._resting: dict[str, tuple[float, str]] = {}

    async def search(self, query: str, language: str, most: int) -> Searched:
        notes: list[tuple[str, str]] = []
        for provider in self.providers:
            if (why := self._rests(provider.name)) is not None:
                notes.append((provider.name, why))
                continue
            try:
                hits = await provider.search(query, language, most)
            except NotSearched as fault:
                notes.append((provider.name, str(fault)))
                self._rest(provider.name, fault)
                continue
            if hits:
                return Searched(hits, tuple(notes))
            notes.append((provider.name, "it found nothing"))
        return Searched((), tuple(notes))

    def _rests(self, name: str) -> str | None:
        until, why = self._resting.get(name, (0.0, ""))
        return f"it rests: {why}" if until > self._clock() else None

    def _rest(self, name: str, fault: NotSearched) -> None:
        until = float("inf") if fault.pause is None else self._clock() + fault.pause
        self._resting[name] = (until, str(fault))
