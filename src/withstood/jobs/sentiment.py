"""The sentiment job: a file of reviews in, results and reports out, and a run that can be resumed and judged again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from withstood import form, lexicons
from withstood.__about__ import __version__
from withstood.agents.port import Agent
from withstood.claims.case import Case, Conventions
from withstood.engine.conduct import Conduct, Unfit, conduct
from withstood.engine.entries import EndEntry, record
from withstood.engine.events import Deaf, Listener
from withstood.engine.limits import Ledger, Limits, Spend
from withstood.engine.line import Exchange, Health
from withstood.engine.order import Done
from withstood.engine.pace import Pace
from withstood.engine.recall import Recall
from withstood.errors import (
    ConfigError,
    Diverged,
    Interrupted,
    JournalError,
    LimitReached,
    OutputError,
    StoreError,
    UsageError,
    WithstoodError,
)
from withstood.jobs import header as headers
from withstood.jobs import names, panels, recorded, settings
from withstood.jobs.forecast import Forecast, Size, forecast
from withstood.jobs.header import Header, Input, Seat
from withstood.jobs.outputs import Folder, Kept, Piped, Results
from withstood.jobs.rendered import rendered
from withstood.journal.port import Journal, RunEntry, Store
from withstood.protocols import sentiment as protocol
from withstood.report import table
from withstood.report.facts import RunFacts
from withstood.report.tally import Tally
from withstood.rules.rulebook import PRESETS, Rulebook
from withstood.sources import reviews

Status: TypeAlias = Literal["finished", "stopped", "parked", "interrupted"]


@dataclass(frozen=True, slots=True)
class Columns:
    """How the rows of a file are read."""

    text: str = "text"
    id: str = "id"
    encoding: str | None = None
    format: str | None = None


@dataclass(frozen=True, slots=True)
class Order:
    """What is wanted. `source` is a file, `-` for standard input, or the texts themselves.

    `out` is a folder, `-` for results on standard output, or None for no files at all. `agents` are your own, by role;
    they go before `models`. `rules` is the name of a preset, or a rulebook of your own, taken as it is. What is None
    here is as the configuration says."""

    source: Path | Literal["-"] | tuple[str, ...]
    protocol: str = "cr-v2"
    out: Path | Literal["-"] | None = None
    models: Mapping[str, str] = field(default_factory=dict[str, str])
    agents: Mapping[str, Agent] = field(default_factory=dict[str, Agent])
    rules: str | Rulebook | None = None
    changes: Mapping[str, str] = field(default_factory=dict[str, str])
    limits: Limits | None = None
    columns: Columns = Columns()
    taxonomy: str | None = None
    lexicons: str | None = None
    run: str | None = None
    resume: bool = False
    reuse: bool = False


@dataclass(frozen=True, slots=True)
class Watch:
    """What whoever watches a run may look at while it goes on."""

    run: str
    forecast: Forecast
    ledger: Ledger
    done_before: int


Watching: TypeAlias = Callable[[Watch], Listener]


@dataclass(frozen=True, slots=True)
class Ending:
    """What a run came to. `error` is why it stopped before its end, `refused` how many rows were refused."""

    run: str
    status: Status
    tally: Tally
    spent: Spend
    head: str
    refused: int
    undecided: int
    error: WithstoodError | None = None
    notes: tuple[str, ...] = ()
    results: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """All that is settled before anything is asked."""

    order: Order
    config: settings.Config
    book: Rulebook
    agreed: Conventions
    panel: Mapping[str, Agent]
    source: Source
    forecast: Forecast

    def header(self) -> Header:
        return Header(
            version=__version__,
            job="sentiment",
            protocol=self.order.protocol,
            rulebook=self.book,
            rulebook_hash=self.book.hash,
            conventions=self.agreed,
            seats={role: Seat(agent.name, agent.prompts()) for role, agent in self.panel.items()},
            input=self.source.input,
        )


def plan(order: Order, config: settings.Config | None = None) -> Plan:
    """Read everything that can be wrong before anything is asked, and forecast the cost."""
    if order.protocol not in protocol.PROTOCOLS:
        raise UsageError(f"There is no protocol {order.protocol!r}. There are: {', '.join(protocol.PROTOCOLS)}.")
    config = _configured(order, config or settings.load())
    book = _book(order, config)
    agreed = lexicons.conventions(config.taxonomy, Path(config.lexicons) if config.lexicons else None)
    panel = panels.panel(protocol.seats(order.protocol), config, order.agents)
    source = _source(order)
    expected = forecast(panel, agreed, source.size, book.review.when == "always")
    if config.limits.money is not None and expected.most.cost is None:
        raise ConfigError(
            "A limit in money needs the price of every model. Give price_in and price_out of its endpoint in "
            f"{settings.FILE}, or use a limit in tokens."
        )
    return Plan(order, config, book, agreed, panel, source, expected)


def _configured(order: Order, config: settings.Config) -> settings.Config:
    """The configuration, with what the order says in its place."""
    return replace(
        config,
        rules=order.rules if isinstance(order.rules, str) else config.rules,
        set={**config.set, **order.changes},
        models={**_of_seats(config.models, order.protocol), **order.models},
        limits=order.limits or config.limits,
        taxonomy=order.taxonomy or config.taxonomy,
        lexicons=order.lexicons or config.lexicons,
    )


def _of_seats(models: Mapping[str, str], protocol_name: str) -> Mapping[str, str]:
    """A configuration may name models for the seats of every protocol."""
    seats = (*protocol.seats(protocol_name), "default")
    return {role: spec for role, spec in models.items() if role in seats}


def _book(order: Order, config: settings.Config) -> Rulebook:
    changes = {name: str(value) for name, value in config.set.items()}
    if isinstance(order.rules, Rulebook):
        return order.rules.adjusted(changes)
    return rulebook(order.protocol, config.rules, changes)


def rulebook(protocol_name: str, preset: str, changes: Mapping[str, str]) -> Rulebook:
    """The preset, then what the protocol sets, then what the user sets."""
    if preset not in PRESETS:
        raise UsageError(f"There is no rulebook {preset!r}. There are: {', '.join(PRESETS)}.")
    return PRESETS[preset].adjusted(protocol.PROTOCOLS[protocol_name]).adjusted(changes)


# --- where the texts come from -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Source:
    """The texts, counted and known by their hash; `matters` begins anew each time it is called."""

    input: Input
    size: Size
    matters: Callable[[], Iterator[Case | Unfit]]


def _source(order: Order) -> Source:
    if isinstance(order.source, tuple):
        return _given(order.source)
    columns = order.columns
    survey = reviews.survey(
        order.source,
        text_column=columns.text,
        id_column=columns.id,
        encoding=columns.encoding,
        format=columns.format,
    )
    taken = Input(survey.name, survey.sha256, survey.rows)
    size = Size(survey.rows - survey.bad, survey.bad, survey.text_bytes)
    return Source(taken, size, lambda: map(_matter, reviews.rows(survey)))


def _given(texts: Sequence[str]) -> Source:
    taken = Input("texts", form.digest(form.dumps(texts)), len(texts))
    rows = [reviews.given(no, text) for no, text in enumerate(texts, start=1)]
    good = [row for row in rows if isinstance(row, reviews.Row)]
    size = Size(len(good), len(rows) - len(good), sum(len(row.text.encode()) for row in good))
    return Source(taken, size, lambda: map(_matter, rows))


def _matter(row: reviews.Row | reviews.BadRow) -> Case | Unfit:
    if isinstance(row, reviews.Row):
        return Case(row.no, row.id, row.text, lexicons.detect(row.text), row.line)
    fault = {"code": row.code, "message": row.message}
    return Unfit(row.no, row.id or "", form.dumps({"id": row.id, "line": row.line, "error": fault}))


# --- the run -----------------------------------------------------------------------------------


async def run(planned: Plan, store: Store, watching: Watching | None = None) -> Ending:
    """Decide what is not decided yet, and leave the results and reports where they were ordered."""
    async with AsyncExitStack() as stack:
        for model in panels.models_of(planned.panel):
            stack.push_async_callback(model.close)
        desk = _Desk(planned)
        stack.callback(desk.results.close)
        journal, recall = await _opened(planned, store)
        stack.push_async_callback(_let_go, journal)
        return await _conducted(planned, store, journal, recall, desk, watching)


async def _let_go(journal: Journal) -> None:
    with suppress(StoreError):  # it was reported when it was met
        await journal.close()


async def _conducted(
    planned: Plan, store: Store, journal: Journal, recall: Recall, desk: _Desk, watching: Watching | None
) -> Ending:
    limits = _held(planned)
    ledger = Ledger(limits, recall.spent)
    watch = Watch(journal.run, planned.forecast, ledger, len(recall.ruled))
    desk.listener = listener = watching(watch) if watching else Deaf()
    exchange = Exchange(journal, ledger, Pace(limits), limits, listener, Health())
    made = Conduct(
        lambda case: protocol.flow(planned.order.protocol, case, planned.book, planned.agreed),
        planned.panel,
        exchange,
        store,
        recall,
        planned.order.reuse,
    )
    try:
        error = await conduct(made, planned.source.matters(), desk.take)
    except Exception as fault:
        journal.append(record(0, EndEntry("parked", f"a fault of withstood or of an agent: {fault!r}", ledger.booked)))
        raise
    return await _closed(planned, store, journal, ledger, desk, error)


def _held(planned: Plan) -> Limits:
    """The limits as set; where none is set for tokens, the forecast is the most that may be spent."""
    limits = planned.config.limits
    if planned.forecast.free or limits.tokens is not None:
        return limits
    return replace(limits, tokens=planned.forecast.most.tokens)


async def _opened(planned: Plan, store: Store) -> tuple[Journal, Recall]:
    first, recall = planned.header().record(), Recall()
    if not planned.order.resume:
        name = names.checked(planned.order.run) if planned.order.run else await _fresh(store)
        return await store.create(name, first), recall
    name = planned.order.run or await _unfinished(planned, store)
    async for chunk in store.records(name):
        for kept in chunk:
            if kept.seq == 1:
                _same(name, headers.read(name, kept.record.body), planned.header())
            recall.take(kept.record)
    journal = await store.reopen(name)
    for lost in recall.close_unknown():
        journal.append(lost)
    await journal.kept()
    return journal, recall


async def _fresh(store: Store) -> str:
    return names.fresh([entry.name for entry in await store.runs()])


async def _unfinished(planned: Plan, store: Store) -> str:
    """The newest run of this very input that has not finished."""
    wanted = planned.source.input
    for entry in reversed(await store.runs()):
        if recorded.ended(entry).status != "finished" and _input_of(entry) == wanted:
            return entry.name
    raise ConfigError(
        f"There is no unfinished run of {wanted.name} to resume. Start it without --resume; `withstood runs` lists all."
    )


def _input_of(entry: RunEntry) -> Input | None:
    try:
        return headers.read(entry.name, entry.first).input
    except JournalError:
        return None


def _same(name: str, then: Header, now: Header) -> None:
    """A run goes on only as it was begun."""
    for what, before, after in (
        ("protocol", then.protocol, now.protocol),
        ("rulebook", then.rulebook, now.rulebook),
        ("input", then.input, now.input),
        ("agents or prompts", then.seats, now.seats),
        ("taxonomy or markers", then.conventions, now.conventions),
    ):
        if form.dumps(before) != form.dumps(after):
            raise Diverged(
                f"Run {name} was begun with another {what}, so it cannot go on with this one. Begin a new run, "
                "or judge the old one again with `withstood replay`."
            )


class _Desk:
    """Takes the results in order: to the files, to the tally, to whoever listens."""

    def __init__(self, planned: Plan) -> None:
        self.tally = Tally()
        self.kept: list[Mapping[str, Any]] = []
        self.refused = self.written = 0
        self.results = _results(planned.order)
        self._keep = planned.order.out is None
        self.listener: Listener = Deaf()
        self.results.write("results.jsonl", "")  # where nothing is decided yet, no earlier results stay
        self.results.write("opinions.csv", table.header())

    def take(self, done: Done) -> None:
        result: Any = form.loads(done.line)
        self.written += 1
        self.refused += "error" in result
        self.results.write("results.jsonl", done.line + "\n")
        self.results.write("opinions.csv", table.rows(result))
        case = form.read(Case, form.loads(done.matter)) if done.matter else None
        self.tally.add(result, done.path, case and case.text, case and case.language)
        if self._keep:
            self.kept.append(result)
        self.listener.tell("written", str(result["id"]))


def _results(order: Order) -> Results:
    if order.out is None:
        return Kept()
    return Piped() if order.out == "-" else Folder(order.out)


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
    planned: Plan, store: Store, journal: Journal, ledger: Ledger, desk: _Desk, error: WithstoodError | None
) -> Ending:
    """Write the end of this sitting and what it leaves, whatever stopped it."""
    error = await _ended(journal, ledger, error)
    ending = Ending(
        journal.run,
        _status(error),
        desk.tally,
        ledger.booked,
        journal.head,
        desk.refused,
        planned.source.input.rows - desk.written,
        error,
        _notes(planned, store),
        tuple(desk.kept),
    )
    try:
        reports = rendered(ending.tally, facts(planned, ending)) if isinstance(desk.results, Folder) else {}
        desk.results.finish(reports)
    except OutputError as fault:
        error = await _ended(journal, ledger, error or fault)
        return replace(ending, status=_status(error), head=journal.head, error=error)
    return ending


async def _ended(journal: Journal, ledger: Ledger, error: WithstoodError | None) -> WithstoodError | None:
    """Put on record how this sitting ended; the error that is then its reason."""
    try:
        journal.append(record(0, EndEntry(_status(error), str(error or ""), ledger.booked)))
        await journal.kept()
    except WithstoodError as fault:
        return error or fault
    return error


def _notes(planned: Plan, store: Store) -> tuple[str, ...]:
    """What the user should know beyond the verdicts."""
    return (*store.torn, *panels.unused_lines(planned.panel))


def facts(planned: Plan, ending: Ending) -> RunFacts:
    return RunFacts(
        run=ending.run,
        protocol=planned.order.protocol,
        rulebook=planned.book.preset,
        rulebook_hash=planned.book.hash,
        seats={role: agent.name for role, agent in planned.panel.items()},
        source=planned.source.input.name,
        status=ending.status,
        head=ending.head,
        calls=ending.spent.calls,
        tokens_in=ending.spent.tokens_in,
        tokens_out=ending.spent.tokens_out,
        cost=ending.spent.cost,
        notes=ending.notes,
    )


def decide(order: Order, *, store: str | None = None) -> Ending:
    """From Python, in one call: plan, run, close."""
    return asyncio.run(_decide(order, store))


async def _decide(order: Order, store_path: str | None) -> Ending:
    from withstood.journal.sqlite import SqliteStore

    config = settings.load()
    store = SqliteStore(Path(store_path or config.store))
    try:
        return await run(plan(order, config), store)
    finally:
        await store.close()
