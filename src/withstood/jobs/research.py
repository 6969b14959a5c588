"""The research job: a question and a place to look in; a graph that grows by iterations; a thesis of what withstood.

A session is a folder. Every sitting of it is a run of the store, and a run that was cut off goes on with its answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

from withstood import form, lexicons
from withstood.__about__ import __version__
from withstood.agents.port import Agent
from withstood.agents.programmed.research.archivist import Archivist
from withstood.agents.programmed.research.extractor import Extractor
from withstood.claims.graph import Graph
from withstood.claims.research import Session
from withstood.engine.limits import Limits, Spend
from withstood.engine.order import Done
from withstood.errors import ConfigError, UsageError, WithstoodError
from withstood.jobs import (
    addressing,
    books,
    continuing,
    explorers,
    finders,
    names,
    rulebook_file,
    sessions,
    settings,
    theses,
)
from withstood.jobs.finders import OpenFinder
from withstood.jobs.forecast import Forecast
from withstood.jobs.header import Header, Input, Seat
from withstood.jobs.research_forecast import forecast
from withstood.jobs.sessions import Note
from withstood.jobs.sitting import End, Sitting, Status, Watching, sit
from withstood.jobs.watched import watched
from withstood.journal.port import Store
from withstood.protocols import research as protocol
from withstood.protocols.asks import Batch
from withstood.protocols.research_briefs import EXPLORE
from withstood.report import cognigraph
from withstood.rules.rulebook import Rulebook
from withstood.sources import origins
from withstood.sources.finder import Finder
from withstood.sources.session_folder import SessionFolder

JOB = "research"
ITERATIONS = 15
RESERVE = (20, 1, 30)
"""Of the time a twentieth is kept for the thesis, at least one second and at most thirty."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is wanted. `out` is the folder of the session; None where a record in the store is all that is left. With
    `resume` the folder says what is not said here. With `reuse` answers to identical questions are taken from earlier
    runs, as they are with `resume`. `origins` is a table of where the documents of a folder came from. `finders` and
    `agents` are your own, and go before what `sources` and `models` name."""

    out: Path | None
    question: str = ""
    sources: tuple[str, ...] = ()
    iterations: int | None = None
    models: Mapping[str, str] = field(default_factory=dict[str, str])
    agents: Mapping[str, Agent] = field(default_factory=dict[str, Agent])
    finders: tuple[Finder, ...] = ()
    rules: str | None = None
    changes: Mapping[str, str] = field(default_factory=dict[str, str])
    limits: Limits | None = None
    run: str | None = None
    resume: bool = False
    origins: Path | None = None
    reuse: bool = False

    @property
    def folder(self) -> Path:
        """For whoever leaves one."""
        assert self.out is not None
        return self.out

    @property
    def named(self) -> str:
        """By its folder, else by its run."""
        return (self.out.name if self.out else self.run) or "research"


@dataclass(frozen=True, slots=True)
class Plan:
    """All that is settled before anything is asked. `known` is the graph as it stood then, `opened` what of the
    finders is ours to close."""

    order: Order
    config: settings.Config
    note: Note
    book: Rulebook
    known: Graph
    panel: Mapping[str, Agent]
    forecast: Forecast
    finders: tuple[Finder, ...] = ()
    opened: tuple[OpenFinder, ...] = ()

    def _origins(self) -> Mapping[str, object]:
        return {"origins": self.note.origins} if self.note.origins else {}

    @property
    def by_programs(self) -> bool:
        return isinstance(self.panel[EXPLORE], Extractor)

    def header(self, session: Session, archivist: Archivist) -> Header:
        seated = {**self.panel, **explorers.saving(archivist)}
        return Header(
            version=__version__,
            job=JOB,
            protocol="research",
            rulebook=self.book,
            rulebook_hash=self.book.hash,
            agreed=form.write({"sources": self.note.sources, "folder": str(self.order.out or ""), **self._origins()}),
            seats={role: Seat(agent.name, agent.prompts()) for role, agent in seated.items()},
            input=Input(session.question, form.digest(form.dumps(session)), 1),
        )


@dataclass(frozen=True, slots=True)
class Ending:
    """What a sitting came to. `error` is why it stopped before its end."""

    run: str
    status: Status
    graph: Graph
    conclusive: bool
    spent: Spend
    folder: Path
    error: WithstoodError | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Moment:
    """An iteration that has just been saved: what was asked on the way, the graph before it and after it."""

    batches: tuple[Batch, ...]
    before: Graph
    after: Graph


Telling: TypeAlias = Callable[[Moment], None]


def plan(order: Order, store: Store, config: settings.Config | None = None) -> Plan:
    """Read everything that can be wrong before anything is asked, and forecast the cost."""
    config = config or settings.load()
    known, note = _resumed(order) if order.resume else _begun(order)
    named = finders.named(order.sources) or note.sources
    note = _with_origins(order, _as_ordered(order, note, named, config))
    return settled(order, note, known, store, config)


def settled(order: Order, note: Note, known: Graph, store: Store, config: settings.Config) -> Plan:
    """The same for whoever has the note already."""
    book = _book(note, config)
    known = addressing.addressed(known, note.origins, book)
    opened = () if order.finders else finders.opened(note.sources, config.web, note.origins)
    looked_in = order.finders or opened
    panel = explorers.panel({**_of_seats(config.models), **note.models}, order.agents, config, store, looked_in)
    expected = forecast(panel, note.iterations)
    limits = order.limits or config.limits
    if limits.money is not None and expected.most.cost is None:
        raise ConfigError(
            "A limit in money needs the price of every model. Give price_in and price_out of its endpoint in "
            f"{settings.FILE}, or use a limit in tokens."
        )
    return Plan(order, replace(config, limits=limits), note, book, known, panel, expected, looked_in, opened)


def _of_seats(models: Mapping[str, str]) -> Mapping[str, str]:
    """A configuration may name models for the seats of every protocol."""
    return {role: spec for role, spec in models.items() if role in (*explorers.OPEN, "default")}


def _begun(order: Order) -> tuple[Graph, Note]:
    question = " ".join(order.question.split())
    if not any(map(str.isalnum, question)):
        raise UsageError('There is no question. Ask one: withstood research "Is X better than Y?" --sources DIR')
    if order.out and sessions.is_session(order.out):
        raise UsageError(
            f"{order.out} holds a research already. Go on with `withstood research resume {order.out}`, "
            "or name another folder with -o."
        )
    return Graph(question), Note(question, lexicons.detect(question), iterations=ITERATIONS)


def _resumed(order: Order) -> tuple[Graph, Note]:
    known = sessions.graph(order.folder)
    note = sessions.note(order.folder, known)
    if not known.question and not note.question:
        raise UsageError(f"The graph in {order.out} has no question. Write one into its `question`.")
    return known, note


def _as_ordered(order: Order, note: Note, named: str, config: settings.Config) -> Note:
    """The note with what is said now in its place."""
    plugged = finders.is_plugged(named)
    reach = sessions.gone_to(note.reach, named, elsewhere=plugged and named != note.sources)
    rules = order.rules or note.rules or ("strict" if named == finders.WEB or plugged else None)
    return replace(
        note,
        sources=named if plugged or named in ("", finders.WEB) else str(Path(named).resolve()),
        reach=reach,
        rules=_placed(rules or config.rules),
        set={**{name: str(value) for name, value in config.set.items()}, **note.set, **order.changes},
        models={**note.models, **order.models},
        iterations=_iterations(order, note),
    )


def _placed(rules: str) -> str:
    """A file is found again from anywhere."""
    return str(Path(rules).resolve()) if rulebook_file.is_file(rules) else rules


def _with_origins(order: Order, note: Note) -> Note:
    """Addresses that were given once hold until others are given."""
    if order.origins is None:
        return note
    if note.sources in ("", finders.WEB):
        raise UsageError("--origins says where the documents of a folder came from. Name the folder: --sources DIR.")
    return replace(note, origins=origins.read(order.origins))


def _iterations(order: Order, note: Note) -> int:
    wanted = note.iterations if order.iterations is None else order.iterations
    if wanted < 1:
        raise UsageError(f"Wanted at least one iteration, found {wanted}.")
    return wanted


def _book(note: Note, config: settings.Config) -> Rulebook:
    return books.book(note.rules or config.rules, {}, note.set)


# --- the run -----------------------------------------------------------------------------------


async def run(planned: Plan, store: Store, watching: Watching | None = None, telling: Telling | None = None) -> Ending:
    """Go on until the iterations, a limit or somebody ends it. The folder is current after each iteration."""
    with ExitStack() as stack:
        for finder in planned.opened:
            stack.callback(finder.close)
        folder = SessionFolder(planned.order.folder)
        stack.callback(folder.close)
        return await _held(planned, store, folder, watching, telling)


async def _held(
    planned: Plan, store: Store, folder: SessionFolder, watching: Watching | None, telling: Telling | None
) -> Ending:
    course = _Course(planned.known, telling)
    archivist = Archivist(folder, course.saved)
    begun = await _at(planned, store, archivist)
    finders.remember(planned.finders, await continuing.read_before(store, begun, planned.known))
    planned = replace(planned, note=sessions.of_run(planned.note, begun.run))
    folder.write(sessions.FILE, sessions.text(planned.note))
    if planned.note.origins or not sessions.is_session(planned.order.folder):
        folder.write(cognigraph.FILE, cognigraph.text(planned.known))
    desk = _Desk(planned, folder)
    wanted = sitting(planned, begun, archivist)
    looked_at = replace(wanted, flow_of=lambda session: watched(wanted.flow_of(session), course.batches.append))
    end = await sit(looked_at, store, desk, watching)
    return desk.ending(end, begun.told)


def sitting(planned: Plan, begun: continuing.Begun, archivist: Archivist) -> Sitting:
    """All that a sitting is about; who looks on, and what it shares with others, is added by whoever sits."""
    return Sitting(
        header=planned.header(begun.session, archivist),
        panel={**planned.panel, **explorers.saving(archivist)},
        flow_of=lambda session: protocol.flow(session, planned.book),
        matters=lambda: iter([begun.session]),
        limits=_with_reserve(planned.config.limits),
        forecast=planned.forecast,
        run=begun.run,
        resume=begun.goes_on,
        reuse=planned.order.resume or planned.order.reuse,
    )


def header(planned: Plan) -> Header:
    """What is put on record before anything is asked, where there is no folder."""
    return planned.header(session(planned), Archivist(None))


def session(planned: Plan) -> Session:
    """The research as it begins where the graph stands."""
    note, known = planned.note, planned.known
    question = known.question or note.question
    return Session(1, planned.order.named, question, note.language, known, note.iterations)


async def _at(planned: Plan, store: Store, archivist: Archivist) -> continuing.Begun:
    """The run to go on with, or a fresh one that begins where the folder stands."""
    order, note = planned.order, planned.note
    here, told = session(planned), ""
    if order.resume and note.run and order.iterations is None:
        found = await continuing.unfinished(store, note.run, planned.known, planned.book)
        if found.session is not None:
            same = await continuing.same(store, note.run, planned.header(found.session, archivist))
            if same:
                return continuing.Begun(note.run, found.session, True)
            told = f"Run {note.run} was begun otherwise, so a new run goes on from the graph as it stands."
        told = told or found.told
    if order.run:
        return continuing.Begun(names.checked(order.run), here, False, told)
    taken = [entry.name for entry in await store.runs()]
    return continuing.Begun(names.fresh(taken), here, False, told)


def _with_reserve(limits: Limits) -> Limits:
    """The thesis is written by code, so it needs no call and no token, only time."""
    if limits.seconds is None:
        return limits
    part, least, most = RESERVE
    reserve = min(max(limits.seconds / part, least), most)
    return replace(limits, seconds=max(limits.seconds - reserve, limits.seconds * 0))


class _Course:
    """What happens between two saved graphs."""

    def __init__(self, start: Graph, telling: Telling | None) -> None:
        self.batches: list[Batch] = []
        self._before, self._telling = start, telling

    def saved(self, graph: Graph) -> None:
        moment = Moment(tuple(self.batches), self._before, graph)
        self.batches.clear()
        self._before = graph
        if self._telling:
            self._telling(moment)


class _Desk:
    """Leaves the thesis of what there is, however the sitting ended."""

    def __init__(self, planned: Plan, folder: SessionFolder) -> None:
        self._planned, self._folder = planned, folder
        self._notes: list[str] = []
        self._taken = False

    def take(self, done: Done) -> str:
        """The thesis stands before the end is put on record, so that whoever resumes a run cut off here writes it."""
        result: Any = form.loads(done.line)
        skipped = dict.fromkeys(f"{one['role']}: {one['why']}" for one in result["skipped"])
        self._notes += [f"skipped: {told}" for told in skipped]
        self._write("")
        self._taken = True
        return str(result["id"])

    def leave(self, end: End) -> None:
        if end.error is not None or not self._taken:
            self._write(str(end.error or ""))

    def _write(self, stopped: str) -> None:
        graph = sessions.graph(self._planned.order.folder)
        for name, text in theses.files(self._matter(graph, stopped), self._planned.book).items():
            self._folder.write(name, text)

    def _matter(self, graph: Graph, stopped: str) -> theses.Matter:
        planned = self._planned
        return theses.matter(
            graph, planned.book, planned.note.language, by_programs=planned.by_programs, stopped=stopped
        )

    def ending(self, end: End, told: str) -> Ending:
        graph = sessions.graph(self._planned.order.folder)
        notes = (*([told] if told else ()), *end.notes, *self._notes)
        conclusive = bool(self._matter(graph, "").concluded.core)
        return Ending(end.run, end.status, graph, conclusive, end.spent, self._planned.order.folder, end.error, notes)

    def close(self) -> None:
        return


def saturated(graph: Graph) -> bool:
    return "SATURATED" in graph.health.issues
