"""Asks, flows and `put`: the whole vocabulary between a protocol and whoever drives it.

A flow yields a batch of asks and is sent their answers in the same order; it returns its verdict.
It touches no model, clock, file, network or random number, so driving it is `next` and `send`.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from withstood import form

Answer = TypeVar("Answer")
Ending = TypeVar("Ending")


class Brief(Protocol):
    """What an agent is given to work on: a frozen dataclass that `form` can write."""

    @property
    def language(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Ask(Generic[Answer]):
    """One question to one seat. A flow puts no two asks of the same role and round."""

    role: str
    brief: Brief
    wants: type[Answer]
    round: int = 1

    @property
    def seat(self) -> tuple[str, int]:
        return (self.role, self.round)


@dataclass(frozen=True, slots=True)
class Silent:
    """The answer of an agent that gave none. It is absent; it never counts as a vote."""

    why: str


Batch: TypeAlias = tuple[Ask[Any], ...]
Answers: TypeAlias = tuple[Any, ...]
Flow: TypeAlias = Generator[Batch, Answers, Ending]


def digests(batch: Batch) -> list[str]:
    """What was asked, in 64 characters each: on replay the same question must have the same digest."""
    written: dict[int, str] = {}
    for ask in batch:
        if id(ask.brief) not in written:
            written[id(ask.brief)] = form.dumps(ask.brief)
    return [form.digest(f"{ask.role}\n{ask.round}\n{written[id(ask.brief)]}") for ask in batch]


def put(asks: Sequence[Ask[Answer]]) -> Generator[Batch, Answers, tuple[Answer | Silent, ...]]:
    """Put a batch of like asks: `answers = yield from put(asks)`. Nothing is asked where there is nothing to ask."""
    if not asks:
        return ()
    answers = yield tuple(asks)
    if len(answers) != len(asks):
        raise ValueError(f"wanted {len(asks)} answers, one for each ask in order; found {len(answers)}")
    return answers
