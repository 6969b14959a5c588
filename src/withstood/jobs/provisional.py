"""What can be judged of a case that a limit stopped: recorded answers are used, programs still look, models are silent.

Nothing of it is recorded: a run that goes on does so from its journal, as if this had not been.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from withstood.agents.port import Agent
from withstood.claims.inquiry import Inquiry
from withstood.engine.entries import AnswerEntry
from withstood.engine.recall import Seat
from withstood.jobs import recorded
from withstood.journal.port import Store
from withstood.models.port import Call, Model
from withstood.protocols.asks import Ask, Flow, Silent, digests
from withstood.verdict import Verdict


async def verdict(store: Store, run: str, flow: Flow[Verdict], panel: Mapping[str, Agent], why: str) -> Verdict:
    """Where the flow comes to if nobody is asked who costs anything."""
    known: Mapping[Seat, AnswerEntry] = {}
    async for case in recorded.cases(store, run, Inquiry):
        known = case.answers
    try:
        batch = next(flow)
        while True:
            pairs = zip(batch, digests(batch), strict=True)
            batch = flow.send(tuple([await _answer(ask, digest, known, panel, why) for ask, digest in pairs]))
    except StopIteration as end:
        return end.value


async def _answer(
    ask: Ask[Any], digest: str, known: Mapping[Seat, AnswerEntry], panel: Mapping[str, Agent], why: str
) -> Any:
    recorded_answer = known.get(ask.seat)
    if recorded_answer is not None and recorded_answer.ask == digest:
        return recorded_answer.value(ask)
    agent = panel[ask.role]
    return Silent(why) if agent.models() else await agent.answer(ask, _Dead())


class _Dead:
    """A line that leads to nobody: programs make no calls."""

    case = ""

    async def call(self, model: Model, call: Call) -> NoReturn:
        raise AssertionError("a program called a model")
