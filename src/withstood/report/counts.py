"""Counts of things whose number nobody knows beforehand, in bounded memory.

Up to `most` different things are counted exactly. After that the rarest are let go, and every count is at least so
much: `short_by` is the most that any of them can lack (the algorithm of Misra and Gries).
"""

from __future__ import annotations

from typing import Generic, TypeVar

Thing = TypeVar("Thing", bound="str | tuple[str, ...]")


class Counts(Generic[Thing]):
    """`add` things, read them off with `items`: the most frequent first, ties in the order of their names."""

    def __init__(self, most: int = 1000) -> None:
        self.short_by = 0
        self._most = most
        self._found: dict[Thing, int] = {}

    def add(self, thing: Thing, times: int = 1) -> None:
        if thing in self._found or len(self._found) < self._most:
            self._found[thing] = self._found.get(thing, 0) + times
        elif times > 0:
            self._make_room(thing, times)

    def _make_room(self, thing: Thing, times: int) -> None:
        step = min(times, *self._found.values())
        self.short_by += step
        self._found = {known: count - step for known, count in self._found.items() if count > step}
        if times > step:
            self.add(thing, times - step)

    def __getitem__(self, thing: Thing) -> int:
        return self._found.get(thing, 0)

    def __len__(self) -> int:
        return len(self._found)

    @property
    def exact(self) -> bool:
        return self.short_by == 0

    @property
    def total(self) -> int:
        return sum(self._found.values())

    def items(self) -> list[tuple[Thing, int]]:
        return sorted(self._found.items(), key=lambda item: (-item[1], item[0]))
