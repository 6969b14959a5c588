"""Conducting a run: flows side by side, every ask filled through its agent, everything journaled before going on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from withstood import form
from withstood.agents.port import Agent
from withstood.engine.entries import AnswerEntry, RulingEntry, line, record
from withstood.engine.limits import Spend
from withstood.engine.line import Exchange, JournaledLine
from withstood.engine.order import Done, InOrder, Write
from withstood.engine.recall import CaseRecall, Recall, recorded
from withstood.errors import CallFailed, Interrupted, OutputError, StoreError, WithstoodError
from withstood.form import Misfit
from withstood.journal.port import Record, Store
from withstood.models.port import PREFIX
from withstood.protocols.asks import Ask, Batch, Flow, Silent, digests
from withstood.verdict import Verdict

Panel: TypeAlias = Mapping[str, Agent]
AHEAD = 256
"""So many matters may be decided before the first of them is written: one commit then serves many."""
BREATH = 0.05
"""So long may programs decide before the loop does something else."""


class Matter(Protocol):
    """One thing to decide, as the protocol's flow takes it. `no` is its place in the input, from 1."""

    @property
    def no(self) -> int: ...
    @property
    def id(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Unfit:
    """A row of the input that is no matter to decide. Its line says why, at its place."""

    no: int
    id: str
    line: str


@dataclass(frozen=True, slots=True)
class Conduct:
    """What a run is made of."""

    flow_of: Callable[[Any], Flow[Verdict]]
    panel: Panel
    exchange: Exchange
    store: Store
    recall: Recall
    reuse: bool = False
    one_by_one: bool = False
    """Each matter is written before the next one is begun, so that the next may be advised by it."""


async def conduct(run: Conduct, matters: Iterator[Matter | Unfit], write: Write) -> WithstoodError | None:
    """Decide every matter that is not decided yet; `write` is given each result in input order. The error that
    stopped the run is returned, not raised: what could be decided stands written by then."""
    order = InOrder(write, run.exchange.journal, width=_width(run))
    floor = _Floor(run, matters, order)
    pump = asyncio.ensure_future(order.pump())
    workers = [asyncio.ensure_future(floor.work()) for _ in range(run.exchange.limits.in_flight)]
    all_work = asyncio.gather(*workers)
    try:
        await floor.recount()
        await asyncio.wait([all_work, pump], return_when=asyncio.FIRST_COMPLETED)
    except asyncio.CancelledError:
        floor.stopped = Interrupted("Interrupted.")
    except WithstoodError as fault:
        floor.stopped = fault
    for task in (*workers, pump):
        task.cancel()
    everything: list[asyncio.Future[Any]] = [*workers, pump, all_work]
    ends = await asyncio.gather(*everything, return_exceptions=True)
    return await _ending(floor, order, [end for end in ends if isinstance(end, BaseException)])


def _width(run: Conduct) -> int:
    return 1 if run.one_by_one else max(AHEAD, 4 * run.exchange.limits.in_flight)


async def _ending(floor: _Floor, order: InOrder, ends: Sequence[BaseException]) -> WithstoodError | None:
    """Why it stopped, after what is left has been written. A fault of our own is raised as it is."""
    for end in ends:
        if isinstance(end, WithstoodError):
            floor.stopped = floor.stopped or end
    try:
        if not isinstance(floor.stopped, StoreError | OutputError):
            await order.flush()
    except WithstoodError as fault:
        floor.stopped = floor.stopped or fault
    for end in ends:
        if isinstance(end, Exception) and not isinstance(end, WithstoodError):
            raise end
    return floor.stopped


class _Floor:
    """The workers' shared state: the input, and why the run stops if it does."""

    def __init__(self, run: Conduct, matters: Iterator[Matter | Unfit], order: InOrder) -> None:
        self._run, self._matters, self._order = run, matters, order
        self._x = run.exchange
        self._ready = asyncio.Event()
        self._breathed = 0.0
        self.stopped: WithstoodError | None = None

    async def recount(self) -> None:
        """Put the results of an earlier sitting in their places, then let the workers begin."""
        if len(self._run.recall.ruled):
            matters: dict[int, str] = {}
            async for chunk in self._run.store.records(self._x.journal.run):
                for kept in chunk:
                    if done := recorded(kept.record, matters):
                        self._order.put(done)
        self._ready.set()

    async def work(self) -> None:
        await self._ready.wait()
        while self.stopped is None and (matter := next(self._matters, None)) is not None:
            if matter.no in self._run.recall.ruled:
                continue
            await self._order.room(matter.no)
            if self.stopped is None:
                await self._decide_or_stop(matter)
                await self._breathe()

    async def _breathe(self) -> None:
        """Agents that are programs wait for nothing: without this, commits would begin when nothing more may."""
        if time.monotonic() - self._breathed > BREATH:
            await asyncio.sleep(0)
            self._breathed = time.monotonic()

    async def _decide_or_stop(self, matter: Matter | Unfit) -> None:
        try:
            self._x.ledger.check_time()
            await self._decide(matter)
        except WithstoodError as fault:
            self.stopped = self.stopped or fault
            await self._order.close()

    async def _decide(self, matter: Matter | Unfit) -> None:
        if isinstance(matter, Unfit):
            self._x.journal.append(record(matter.no, RulingEntry(matter.line)))
            self._order.put(Done(matter.no, "", matter.line))
            return self._x.listener.tell("refused", matter.id)
        verdict = await self._see_through(matter)
        result = line(verdict.result)
        self._x.journal.append(record(matter.no, RulingEntry(result, verdict.path, verdict.lesson)))
        self._x.listener.tell("ruled", matter.id)
        return self._order.put(Done(matter.no, form.dumps(matter), result, verdict.path, verdict.lesson))

    async def _see_through(self, matter: Matter) -> Verdict:
        """Drive one flow to its end."""
        known = self._run.recall.cases.pop(matter.no, None)
        if known is None:
            self._x.journal.append(Record("case", matter.no, form.dumps(matter)))
            known = CaseRecall()
        self._x.listener.tell("opened", matter.id)
        flow = self._run.flow_of(matter)
        try:
            batch = next(flow)
            while True:
                answers = await self._answers(matter, batch, known)
                self._x.listener.tell("batch_answered", matter.id)
                batch = flow.send(answers)
        except StopIteration as end:
            return end.value

    async def _answers(self, matter: Matter, batch: Batch, known: CaseRecall) -> tuple[Any, ...]:
        """In the order asked. Whatever is under way is let finish, and is journaled, before an error goes on."""
        asked = list(zip(batch, digests(batch), strict=True))
        if len(asked) == 1 or not any(self._agent(ask).models() for ask in batch):
            return tuple([await self._answer(matter, *pair, known) for pair in asked])
        filled = [self._answer(matter, *pair, known) for pair in asked]
        answers = await asyncio.gather(*filled, return_exceptions=True)
        for answer in answers:
            if isinstance(answer, BaseException):
                raise answer
        return tuple(answers)

    def _agent(self, ask: Ask[Any]) -> Agent:
        return self._run.panel[ask.role]

    async def _answer(self, matter: Matter, ask: Ask[Any], digest: str, known: CaseRecall) -> Any:
        recorded = known.answers.get(ask.seat)
        if recorded is not None and recorded.ask == digest:
            return recorded.value(ask)
        self._x.ledger.check_time()
        self._x.listener.tell("asked", matter.id, ask.role)
        agent = self._agent(ask)
        key = _key(agent, ask, digest) if agent.models() else None
        answer = await self._reused(ask, digest, agent, key)
        if answer is None:
            replies = known.replies.get(ask.seat, ())
            answer = await self._asked(matter, ask, digest, agent, tuple(replies))
        self._x.journal.append(record(matter.no, answer, key if answer.silent is None else None))
        self._x.listener.tell("answered", matter.id, ask.role)
        return answer.value(ask)

    async def _reused(self, ask: Ask[Any], digest: str, agent: Agent, key: str | None) -> AnswerEntry | None:
        found = await self._run.store.find(key) if key and self._run.reuse else None
        if found is None:
            return None
        earlier = form.read(AnswerEntry, form.loads(found.body))
        if earlier.silent is not None:
            return None
        return AnswerEntry(ask.role, ask.round, digest, agent.name, earlier.answer, reused=True)

    async def _asked(
        self, matter: Matter, ask: Ask[Any], digest: str, agent: Agent, replies: tuple[Any, ...]
    ) -> AnswerEntry:
        line_to_models = JournaledLine(self._x, matter.no, matter.id, ask, replies)
        began = time.monotonic()
        try:
            answer = await agent.answer(ask, line_to_models)
        except (CallFailed, Misfit) as fault:
            answer = Silent(str(fault))
        last = line_to_models.last
        silent = answer.why if isinstance(answer, Silent) else None
        return AnswerEntry(
            ask.role,
            ask.round,
            digest,
            agent.name,
            answer=None if silent is not None else form.write(answer),
            silent=silent,
            spent=last.spent if last else Spend(),
            attempts=last.attempts if last else 0,
            milliseconds=round(1000 * (time.monotonic() - began)) if agent.models() else 0,
        )


def _key(agent: Agent, ask: Ask[Any], digest: str) -> str:
    """Names a question to an agent: same agent, same prompt, same ask. A batch is another way to the same model."""
    prompts = "\n".join(f"{name} {text}" for name, text in sorted(agent.prompts().items()) if name.startswith(ask.role))
    return form.digest(f"{agent.name.removeprefix(PREFIX)}\n{prompts}\n{digest}")
