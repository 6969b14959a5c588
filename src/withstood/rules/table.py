"""The shape in which a rule module publishes its table: what goes in, what comes out, which row says what."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, TypeVar

Without: TypeAlias = frozenset[str]
"""Ids of rows that are passed over, as if the table did not have them."""

WHOLE: Without = frozenset()


class Row(Protocol):
    """What a row comes to, with its id."""

    @property
    def row(self) -> str: ...


R = TypeVar("R", bound=Row)


def first(rows: Iterable[R], without: Without) -> R:
    """The first of the rows that hold, in the order of the table. The last row of a ladder is never passed over."""
    return next(one for one in rows if one.row not in without)


class Book(Protocol):
    """A rulebook, as far as a table asks it."""

    def section(self, name: str) -> Any: ...
    def without(self, edition: str) -> Without: ...


@dataclass(frozen=True, slots=True)
class Table:
    """One edition of a table. `decide` is given a `takes` and the numbers of the rulebook's `section`.

    A module of this room that has a `TABLE` is found by the command line; nothing is registered. A rulebook may pass
    over rows that are `droppable`; where there are such, `decide` is told which.
    """

    edition: str
    text: str | None
    takes: type[Any]
    gives: type[Any]
    decide: Callable[..., Any]
    section: str
    aliases: tuple[str, ...] = ()
    droppable: tuple[str, ...] = ()

    @property
    def summary(self) -> str:
        return (self.text or "").strip().splitlines()[0]

    def judge(self, case: Any, book: Book) -> Any:
        """What this rulebook makes of a case by this table."""
        numbers = book.section(self.section)
        return self.decide(case, numbers, book.without(self.edition)) if self.droppable else self.decide(case, numbers)

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
