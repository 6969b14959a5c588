"""One sitting of a run, whatever its job: the journal is opened, flows are conducted within limits, the end is put on
record. A run may have several sittings; each goes on where the last one stopped."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, TypeAlias

from withstood import form
from withstood.engine.allowance import Allowance
from withstood.engine.conduct import Conduct, Matter, Panel, Unfit, conduct
from withstood.engine.entries import EndEntry, record
from withstood.engine.events import Deaf, Event, Listener
from withstood.engine.limits import Ledger, Limits, Spend
from withstood.engine.line import ALONE, Exchange, Health
from withstood.engine.order import Done
from withstood.engine.pace import Pace
from withstood.engine.posting import gatherers_of, gathering
from withstood.engine.recall import Recall
from withstood.errors import (
    ConfigError,
    Diverged,
    Interrupted,
    JournalError,
    LimitReached,
    OutputError,
    StoreError,
    WithstoodError,
)
from withstood.jobs import header as headers
from withstood.jobs import names, panels, recorded
from withstood.jobs.forecast import Forecast
from withstood.jobs.header import Header, Input
from withstood.journal.port import Journal, Kept, Record, RunEntry, Store
from withstood.models.port import Model
from withstood.protocols.asks import Flow
from withstood.verdict import Verdict

Status: TypeAlias = Literal["finished", "stopped", "parked", "interrupted"]


@dataclass(frozen=True, slots=True)
class Sitting:
    """What a job has settled before anything is asked. `matters` begins anew each time it is called. `run` names the
    run; with `resume`, it is the run to go on with, or None for the newest unfinished one of this input."""

    header: Header
    panel: Panel
    flow_of: Callable[[Any], Flow[Verdict]]
    matters: Callable[[], Iterator[Matter | Unfit]]
    limits: Limits
    forecast: Forecast
    run: str | None = None
    resume: bool = False
    reuse: bool = False
    one_by_one: bool = False
    allowance: Allowance = ALONE
    """What the run may spend beside others."""
    take_over: bool = False
    """Another process may still hold the run: it is fenced off."""
    opened: Callable[[str, Header], None] | None = None
    """Told the name of the run and the header that it was begun with, before anything is asked."""
    ready: Callable[[Recall], Awaitable[None]] | None = None
    """Told what earlier sittings have left; what it raises goes to whoever sits."""


@dataclass(frozen=True, slots=True)
class Watch:
    """What whoever watches a run may look at while it goes on."""

    run: str
    forecast: Forecast
    ledger: Ledger
    done_before: int
    under_way: Callable[[], Sequence[str]] = tuple
    """What is waited for at a provider, in words."""


Watching: TypeAlias = Callable[[Watch], Listener]


@dataclass(frozen=True, slots=True)
class End:
    """How a sitting ended. `error` is why it stopped before the end of the run."""

    run: str
    status: Status
    spent: Spend
    head: str
    error: WithstoodError | None = None
    notes: tuple[str, ...] = ()


class Desk(Protocol):
    """Where results are laid as they come, in input order."""

    def take(self, done: Done) -> str:
        """Write what has come to its end; the id under which it was written."""
        ...

    def leave(self, end: End) -> None:
        """Nothing more comes: write the reports and make all of it durable, or raise `errors.OutputError` or
        `errors.StoreError`."""
        ...

    def close(self) -> None: ...


async def sit(sitting: Sitting, store: Store, desk: Desk, watching: Watching | None = None) -> End:
    """Decide what is not decided yet. What stopped it is in the `End`; a fault of our own is raised."""
    async with AsyncExitStack() as stack:
        for model in panels.models_of(sitting.panel):
            stack.push_async_callback(model.close)
        stack.callback(desk.close)
        journal, recall, begun = await _opened(sitting, store)
        stack.push_async_callback(_let_go, journal)
        if sitting.opened:
            sitting.opened(journal.run, begun)
        if sitting.ready:
            await sitting.ready(recall)
        return await _conducted(sitting, store, journal, recall, desk, watching)


async def _let_go(journal: Journal) -> None:
    with suppress(StoreError):  # it was reported when it was met
        await journal.close()


async def _conducted(
    sitting: Sitting, store: Store, journal: Journal, recall: Recall, desk: Desk, watching: Watching | None
) -> End:
    limits = _held(sitting)
    ledger = Ledger(limits, recall.spent)
    models = panels.models_of(sitting.panel)
    watch = Watch(journal.run, sitting.forecast, ledger, len(recall.ruled), lambda: _under_way(models))
    listener = watching(watch) if watching else Deaf()
    pace = Pace(limits, sitting.allowance)
    exchange = Exchange(journal, ledger, pace, limits, listener, Health(), sitting.allowance)
    made = Conduct(sitting.flow_of, sitting.panel, exchange, store, recall, sitting.reuse, sitting.one_by_one)

    def take(done: Done) -> None:
        listener.tell(_WRITTEN, desk.take(done))

    try:
        async with gathering(models, exchange, recall):
            error = await conduct(made, sitting.matters(), take)
    except Exception as fault:
        journal.append(record(0, EndEntry("parked", f"a fault of withstood or of an agent: {fault!r}", ledger.booked)))
        raise
    return await _closed(sitting, store, journal, ledger, desk, error)


_WRITTEN: Event = "written"


def _under_way(models: Sequence[Model]) -> tuple[str, ...]:
    """The batches that nobody has the answers of yet."""
    return tuple([one for model in gatherers_of(models) for one in model.under_way()])


def _held(sitting: Sitting) -> Limits:
    """The limits as set; where none is set for tokens, the forecast is the most that may be spent."""
    if sitting.forecast.free or sitting.limits.tokens is not None:
        return sitting.limits
    return replace(sitting.limits, tokens=sitting.forecast.most.tokens)


# --- the journal of the run --------------------------------------------------------------------


async def _opened(sitting: Sitting, store: Store) -> tuple[Journal, Recall, Header]:
    recall, begun = Recall(), sitting.header
    if not sitting.resume:
        name = names.checked(sitting.run) if sitting.run else await _fresh(store)
        return await store.create(name, begun.record()), recall, begun
    name = sitting.run or await _unfinished(sitting.header, store)
    earlier = _Earlier(name, sitting.header, recall)
    journal = await store.reopen(name, take_over=sitting.take_over, hear=earlier.hear)
    try:
        if sitting.take_over:
            journal.append(Record("taken", 0, "{}"))  # refused where whoever had the run has written since it was read
            await journal.kept()
        for lost in recall.close_unknown():
            journal.append(lost)
        await journal.kept()
    except BaseException:
        await _let_go(journal)
        raise
    return journal, recall, earlier.begun


class _Earlier:
    """What earlier sittings have left. It must have been begun with what is sat over now."""

    def __init__(self, name: str, now: Header, recall: Recall) -> None:
        self._name, self._now, self._recall = name, now, recall
        self.begun = now

    def hear(self, records: Sequence[Kept]) -> None:
        for kept in records:
            if kept.seq == 1:
                self.begun = headers.read(self._name, kept.record.body)
                _same(self._name, self.begun, self._now)
            self._recall.take(kept.record)


async def _fresh(store: Store) -> str:
    return names.fresh([entry.name for entry in await store.runs()])


async def _unfinished(wanted: Header, store: Store) -> str:
    """The newest run of this very input that has not finished."""
    for entry in reversed(await store.runs()):
        if recorded.ended(entry).status != "finished" and _input_of(entry, wanted.job) == wanted.input:
            return entry.name
    raise ConfigError(
        f"There is no unfinished run of {wanted.input.name} to resume. Start it without --resume; "
        "`withstood runs` lists all."
    )


def _input_of(entry: RunEntry, job: str) -> Input | None:
    try:
        known = headers.read(entry.name, entry.first)
    except JournalError:
        return None
    return known.input if known.job == job else None


def _same(name: str, then: Header, now: Header) -> None:
    """A run goes on only as it was begun."""
    for what, before, after in (
        ("job", then.job, now.job),
        ("protocol", then.protocol, now.protocol),
        ("rulebook", then.rulebook, now.rulebook),
        ("input", then.input, now.input),
        ("agents or prompts", then.seats, now.seats),
        ("conventions", then.agreed, now.agreed),
    ):
        if form.dumps(before) != form.dumps(after):
            raise Diverged(
                f"Run {name} was begun with another {what}, so it cannot go on with this one. Begin a new run, "
                "or judge the old one again with `withstood replay`."
            )


# --- the end -----------------------------------------------------------------------------------

STATUS: tuple[tuple[type[WithstoodError], Status], ...] = (
    (Interrupted, "interrupted"),
    (LimitReached, "stopped"),
    (WithstoodError, "parked"),
)


def _status(error: WithstoodError | None) -> Status:
    for kind, status in STATUS:
        if isinstance(error, kind):
            return status
    return "finished"


async def _closed(
    sitting: Sitting, store: Store, journal: Journal, ledger: Ledger, desk: Desk, error: WithstoodError | None
) -> End:
    """Write the end of this sitting and what it leaves, whatever stopped it."""
    error = await _ended(journal, ledger, error)
    left = [
        f"{one}. It goes on there; --resume takes its answers." for one in _under_way(panels.models_of(sitting.panel))
    ]
    notes = (*store.torn, *panels.unused_lines(sitting.panel), *left)
    end = End(journal.run, _status(error), ledger.booked, journal.head, error, notes)
    try:
        desk.leave(end)
    except (OutputError, StoreError) as fault:
        error = await _ended(journal, ledger, error or fault)
        return replace(end, status=_status(error), head=journal.head, error=error)
    return end


async def _ended(journal: Journal, ledger: Ledger, error: WithstoodError | None) -> WithstoodError | None:
    """Put on record how this sitting ended; the error that is then its reason."""
    try:
        journal.append(record(0, EndEntry(_status(error), str(error or ""), ledger.booked)))
        await journal.kept()
    except WithstoodError as fault:
        return error or fault
    return error
