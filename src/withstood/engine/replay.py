"""Replay: the recorded answers are sent to the flow again. No model, no network, no clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from withstood.engine.entries import AnswerEntry
from withstood.engine.recall import Seat
from withstood.protocols.asks import Ask, Batch, Flow, Silent, digests
from withstood.verdict import Verdict

Change: TypeAlias = Callable[[Any], Any]
"""From an answer as it was given to the answer as it is supposed to have been."""

SUPPOSED = "supposed to be absent"


@dataclass(frozen=True, slots=True)
class Supposed:
    """What is supposed to have been otherwise: answers by their seat, and seats from which none came, also when they
    were asked again."""

    changed: Mapping[Seat, Change]
    silent: frozenset[Seat] = frozenset()
    exact: bool = False
    """Answers count only for the questions that they were given to; a question that would have been another is open."""


@dataclass(frozen=True, slots=True)
class Needs:
    """Under these rules something is asked that nobody has answered. It is counted, never invented."""

    asks: tuple[Ask[Any], ...]


class Answered:
    """The recorded answers of one matter, ready to be sent again any number of times. Each is read once."""

    def __init__(self, recorded: Mapping[Seat, AnswerEntry]) -> None:
        self._recorded = recorded
        self._read: dict[Seat, Any] = {}
        self._asks: dict[Seat, Ask[Any]] = {}
        self._digests: dict[Seat, tuple[object, str]] = {}

    def judge(self, flow: Flow[Verdict]) -> Verdict | Needs:
        """An answer counts only for the very question that it was given to."""
        self._asks.clear()
        return self._driven(flow, self._exact)

    def suppose(self, flow: Flow[Verdict], supposed: Supposed) -> Verdict | Needs:
        """The verdict if some answers had been others, and all the rest had been as they were, whatever the questions
        would have been then. It is a supposition: no verdict that is kept comes from it."""

        def answers_to(batch: Batch) -> list[Any]:
            return [self._supposed(ask, batch, supposed) for ask in batch]

        return self._driven(flow, answers_to)

    def given(self) -> list[tuple[Ask[Any], Any]]:
        """What was asked and answered when this was judged last, in order."""
        return [(ask, self._read[seat]) for seat, ask in self._asks.items()]

    def _driven(self, flow: Flow[Verdict], answers_to: Callable[[Batch], list[Any]]) -> Verdict | Needs:
        try:
            batch = next(flow)
            while True:
                answers = answers_to(batch)
                if None in answers:
                    flow.close()
                    return Needs(tuple([ask for ask, one in zip(batch, answers, strict=True) if one is None]))
                batch = flow.send(tuple(answers))
        except StopIteration as end:
            return end.value

    def _exact(self, batch: Batch) -> list[Any]:
        return [self._value(ask) if self._is_same(ask, batch) else None for ask in batch]

    def _is_same(self, ask: Ask[Any], batch: Batch) -> bool:
        known = self._recorded.get(ask.seat)
        return known is not None and known.ask == self._digest(ask, batch)

    def _digest(self, ask: Ask[Any], batch: Batch) -> str:
        """The digest of an ask; it is computed once for as long as its brief is the same."""
        known = self._digests.get(ask.seat)
        if known is not None and (known[0] is ask.brief or known[0] == ask.brief):
            return known[1]
        for one, digest in zip(batch, digests(batch), strict=True):
            self._digests[one.seat] = (one.brief, digest)
        return self._digests[ask.seat][1]

    def _value(self, ask: Ask[Any]) -> Any:
        self._asks[ask.seat] = ask
        if ask.seat not in self._read:
            self._read[ask.seat] = self._recorded[ask.seat].value(ask)
        return self._read[ask.seat]

    def _supposed(self, ask: Ask[Any], batch: Batch, supposed: Supposed) -> Any:
        if ask.seat in supposed.silent:
            return Silent(SUPPOSED)
        if ask.seat not in self._recorded:
            again = any(role == ask.role and no < ask.round for role, no in supposed.silent)
            return Silent(SUPPOSED) if again else None
        if supposed.exact and not self._is_same(ask, batch):
            return None
        if ask.seat not in self._read:
            self._read[ask.seat] = self._recorded[ask.seat].value(ask)
        value = self._read[ask.seat]
        return supposed.changed[ask.seat](value) if ask.seat in supposed.changed else value


def rejudge(flow: Flow[Verdict], recorded: Mapping[Seat, AnswerEntry]) -> Verdict | Needs:
    return Answered(recorded).judge(flow)
