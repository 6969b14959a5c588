"""A listener that keeps what it is told."""

from __future__ import annotations

from withstood.engine.events import Event


class Heard:
    def __init__(self) -> None:
        self.told: list[tuple[Event, str, str]] = []

    def tell(self, event: Event, case: str, role: str = "") -> None:
        self.told.append((event, case, role))

    def cases(self, event: Event) -> list[str]:
        return [case for told, case, _ in self.told if told == event]
