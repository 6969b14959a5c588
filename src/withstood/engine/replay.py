"""Replay: the recorded answers are sent to the flow again. No model, no network, no clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from withstood.engine.entries import AnswerEntry
from withstood.engine.recall import Seat
from withstood.protocols.asks import Ask, Batch, Flow, digests
from withstood.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Needs:
    """Under these rules something is asked that nobody has answered. It is counted, never invented."""

    asks: tuple[Ask[Any], ...]


def rejudge(flow: Flow[Verdict], recorded: Mapping[Seat, AnswerEntry]) -> Verdict | Needs:
    try:
        batch = next(flow)
        while True:
            answers = [_recorded(ask, digest, recorded) for ask, digest in _asked(batch)]
            missing = tuple([ask for ask, answer in zip(batch, answers, strict=True) if answer is None])
            if missing:
                flow.close()
                return Needs(missing)
            batch = flow.send(tuple([answer.value(ask) for ask, answer in zip(batch, answers, strict=True) if answer]))
    except StopIteration as end:
        return end.value


def _asked(batch: Batch) -> list[tuple[Ask[Any], str]]:
    return list(zip(batch, digests(batch), strict=True))


def _recorded(ask: Ask[Any], digest: str, recorded: Mapping[Seat, AnswerEntry]) -> AnswerEntry | None:
    """The answer that was given to this very question."""
    known = recorded.get(ask.seat)
    return known if known is not None and known.ask == digest else None
