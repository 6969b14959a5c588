"""The shape in which a rule module publishes its table: what goes in, what comes out, which row says what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Table:
    """One edition of a table. `decide` is given a `takes` and the numbers of the rulebook's `section`.

    A module of this room that has a `TABLE` is found by the command line; nothing is registered.
    """

    edition: str
    text: str | None
    takes: type[Any]
    gives: type[Any]
    decide: Callable[[Any, Any], Any]
    section: str
    aliases: tuple[str, ...] = ()

    @property
    def summary(self) -> str:
        return (self.text or "").strip().splitlines()[0]

    def rows(self) -> Mapping[str, str]:
        """Row id to its sentence, as they stand in the docstring's table."""
        lines = [
            line.strip().strip("|").split("|")
            for line in (self.text or "").splitlines()
            if line.strip().startswith("|")
        ]
        cells = [[cell.strip() for cell in line] for line in lines[2:]]
        return {row: " → ".join(part for part in rest if part) for row, *rest in cells}


@dataclass(frozen=True, slots=True)
class NoNumbers:
    """The section of a table that has nothing to set."""
