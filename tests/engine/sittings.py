"""A small protocol and one sitting of a run of it: the engine with everything around it replaced at its ports."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tests.fakes.agents import ToldAgent, call
from tests.fakes.listeners import Heard
from tests.fakes.models import ToldModel
from tests.fakes.stores import MemoryStore
from withstood import form
from withstood.agents.port import Agent, Line
from withstood.claims.case import Case
from withstood.claims.opinion import Reading
from withstood.engine.conduct import Conduct, Unfit, conduct
from withstood.engine.limits import Ledger, Limits
from withstood.engine.line import Exchange, Health
from withstood.engine.order import Done
from withstood.engine.pace import Pace
from withstood.engine.recall import Recall
from withstood.errors import StoreError, WithstoodError
from withstood.journal.port import Record, Store
from withstood.models.port import Model, Reply
from withstood.protocols.asks import Ask, Flow, Silent, put
from withstood.protocols.briefs import ReadingBrief
from withstood.verdict import Verdict

T = TypeVar("T")
ROLES = ("one", "two")


def flow(case: Case, roles: Sequence[str] = ROLES, rounds: int = 1) -> Flow[Verdict]:
    """Every role is asked in every round; the verdict says who answered and who was silent, and why."""
    said: list[Any] = []
    for no in range(1, rounds + 1):
        brief = ReadingBrief(case.text, case.language, ())
        answers = yield from put([Ask(role, brief, Reading, no) for role in roles])
        said += [answer.why if isinstance(answer, Silent) else len(answer.triplets) for answer in answers]
    return Verdict({"id": case.id, "said": said})


def cases(count: int) -> list[Case | Unfit]:
    return [Case(no, f"c{no}", f"text {no}", "en", no) for no in range(1, count + 1)]


def asking(model: Model, most_tokens: int = 100) -> ToldAgent:
    """An agent that makes one call and takes whatever comes for an empty reading."""

    async def doing(ask: Ask[Any], line: Line) -> Any:
        reply = await line.call(model, call(ask, line, most_tokens))
        return Silent(reply.text) if reply.finish == "refused" else Reading()

    return ToldAgent(doing, model)


def saying(text: str = "{}", tokens: int = 10) -> Callable[[Any], Awaitable[Reply]]:
    async def say(_: Any) -> Reply:
        await asyncio.sleep(0)
        return Reply(text, tokens, tokens)

    return say


@dataclass(slots=True)
class Sitting:
    """What there is to conduct a run, and what came of it."""

    panel: Mapping[str, Agent] = field(default_factory=dict[str, Agent])
    limits: Limits = Limits(in_flight=4)
    rounds: int = 1
    store: Store = field(default_factory=MemoryStore)
    listener: Heard = field(default_factory=Heard)
    written: list[Done] = field(default_factory=list[Done])
    ledger: Ledger = field(default_factory=lambda: Ledger(Limits()))
    health: Health = field(default_factory=Health)
    reuse: bool = False
    write: Callable[[Done], None] | None = None

    @property
    def lines(self) -> list[Any]:
        return [form.loads(done.line) for done in self.written]

    @property
    def numbers(self) -> list[int]:
        return [done.no for done in self.written]

    async def hold(self, matters: Sequence[Case | Unfit] | Iterator[Case | Unfit], run: str = "run") -> Any:
        """Begin the run, or go on with it; the error that stopped it."""
        recall = Recall()
        known = [entry.name for entry in await self.store.runs()]
        if run in known:
            async for chunk in self.store.records(run):
                for kept in chunk:
                    recall.take(kept.record)
            journal = await self.store.reopen(run)
            for lost in recall.close_unknown():
                journal.append(lost)
        else:
            journal = await self.store.create(run, Record("run", 0, "{}"))
        self.ledger = Ledger(self.limits, recall.spent)
        exchange = Exchange(journal, self.ledger, Pace(self.limits), self.limits, self.listener, self.health)
        made = Conduct(
            lambda case: flow(case, tuple(self.panel), self.rounds),
            self.panel,
            exchange,
            self.store,
            recall,
            self.reuse,
        )
        try:
            return await conduct(made, iter(matters), self.write or self.written.append)
        finally:
            with suppress(StoreError):
                await journal.close()

    async def kinds(self, run: str = "run") -> list[str]:
        return [kept.record.kind async for chunk in self.store.records(run) for kept in chunk]


def seated(model: ToldModel, roles: Sequence[str] = ROLES) -> dict[str, Agent]:
    return dict.fromkeys(roles, asking(model))


def held(sitting: Sitting, matters: Any, seconds: float = 15) -> WithstoodError | None:
    """The sitting in a loop of its own. A task that is left over, or a fault that nobody looks at, fails."""
    return within(sitting.hold(matters), seconds)


def within(work: Awaitable[T], seconds: float = 15) -> T:
    noise: list[Any] = []

    async def bounded() -> T:
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: noise.append(context))
        outcome = await asyncio.wait_for(work, seconds)
        left = asyncio.all_tasks() - {asyncio.current_task()}
        assert not left, left
        return outcome

    outcome = asyncio.run(bounded())
    assert not noise, noise
    return outcome
