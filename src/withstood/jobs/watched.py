"""A flow that somebody looks at, and a flow of which some asks are answered on the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from withstood.claims.research import Saved
from withstood.protocols.asks import Ask, Batch, Flow
from withstood.protocols.research_briefs import SAVE
from withstood.verdict import Verdict


def watched(flow: Flow[Verdict], look: Callable[[Batch], None]) -> Flow[Verdict]:
    """The same flow; every batch is shown before it is put."""
    try:
        batch = next(flow)
        while True:
            look(batch)
            answers = yield batch
            batch = flow.send(answers)
    except StopIteration as end:
        return end.value


def unsaved(flow: Flow[Verdict]) -> Flow[Verdict]:
    """The same flow for whoever has no disk to write to: nothing hangs on what SAVE answers."""
    try:
        batch = next(flow)
        while True:
            batch = flow.send((Saved(),) if _saves(batch) else (yield batch))
    except StopIteration as end:
        return end.value


def _saves(batch: tuple[Ask[Any], ...]) -> bool:
    return len(batch) == 1 and batch[0].role == SAVE
