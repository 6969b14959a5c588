"""The sentiment job: a file of reviews in, results and reports out, and a run that can be resumed and judged again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, get_args

from withstood import form, lexicons
from withstood.__about__ import __version__
from withstood.agents.port import Agent
from withstood.claims.case import Case, Conventions, Target, Task
from withstood.claims.episode import Lesson
from withstood.claims.label import Labelled
from withstood.engine.conduct import Unfit
from withstood.engine.limits import Limits, Spend
from withstood.engine.order import Done
from withstood.errors import ConfigError, UsageError, WithstoodError
from withstood.jobs import books, panels, remembering, settings, text_protocols
from withstood.jobs.debate_forecast import of_debate
from withstood.jobs.facts import facts as known_facts
from withstood.jobs.forecast import Forecast, Need, Size, forecast, of_review, of_single
from withstood.jobs.header import Header, Input, Seat
from withstood.jobs.outputs import Folder, Kept, Piped, Results
from withstood.jobs.rendered import add, rendered
from withstood.jobs.sitting import End, Sitting, Status, Watching, sit
from withstood.journal.port import Store
from withstood.lexicons import forum
from withstood.memory.recollection import Recollection
from withstood.report import table, worklist
from withstood.report.facts import RunFacts
from withstood.report.tally import Tally
from withstood.rules.rulebook import Rulebook
from withstood.sources import labelled, reviews


@dataclass(frozen=True, slots=True)
class Columns:
    """How the rows of a file are read."""

    text: str = "text"
    id: str = "id"
    encoding: str | None = None
    format: str | None = None
    group: str | None = None
    time: str | None = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """Rows that were read and looked at before, numbered from 1."""

    name: str
    sha256: str
    matters: tuple[Case | Unfit, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """What is wanted. `source` is a file, `-` for standard input, the texts themselves, or rows read before.

    `out` is a folder, `-` for results on standard output, or None for no files at all. `agents` are your own, by role;
    they go before `models`. `rules` is the name of a preset, or a rulebook of your own, taken as it is. With the task
    `polarity` the source is a labelled file: its targets are given, its polarities are not looked at. With `batch`
    models are called by their batch endpoints. What is None here is as the configuration says."""

    source: Path | Literal["-"] | tuple[str, ...] | Prepared
    protocol: str = "cr-v2"
    task: Task = "all"
    out: Path | Literal["-"] | None = None
    models: Mapping[str, str] = field(default_factory=dict[str, str])
    agents: Mapping[str, Agent] = field(default_factory=dict[str, Agent])
    rules: str | Rulebook | None = None
    changes: Mapping[str, str] = field(default_factory=dict[str, str])
    limits: Limits | None = None
    columns: Columns = Columns()
    taxonomy: str | None = None
    lexicons: str | None = None
    memory: str | None = None
    memory_store: str | None = None
    run: str | None = None
    resume: bool = False
    reuse: bool = False
    batch: bool = False


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
    memory: Recollection | None = None

    def header(self) -> Header:
        return Header(
            version=__version__,
            job="sentiment",
            protocol=self.order.protocol,
            rulebook=self.book,
            rulebook_hash=self.book.hash,
            agreed=form.write(self.agreed),
            seats={role: Seat(agent.name, agent.prompts()) for role, agent in self.panel.items()},
            input=self.source.input,
            begun_with=form.write(self.memory.mark()) if self.memory else None,
        )


def plan(order: Order, config: settings.Config | None = None) -> Plan:
    """Read everything that can be wrong before anything is asked, and forecast the cost."""
    chosen = text_protocols.named(order.protocol)
    _check_task(order)
    config = _configured(order, config or settings.load())
    book = _book(order, config)
    agreed = replace(_agreed(order.protocol, config), task=order.task)
    seats = chosen.seats(book, agreed)
    models = {**_of_seats(config.models, seats), **order.models}
    config = replace(config, models=panels.in_batches(models) if order.batch else models)
    panel = panels.panel(seats, config, order.agents)
    source = _source(order)
    expected = forecast(panel, _needs(order.protocol, panel, book, agreed), source.size)
    memory = remembering.recollection(order.protocol, book, config.episodes)
    if config.limits.money is not None and expected.most.cost is None:
        raise ConfigError(
            "A limit in money needs the price of every model. Give price_in and price_out of its endpoint in "
            f"{settings.FILE}, or use a limit in tokens."
        )
    seated = {**panel, **remembering.seats(memory)}
    return Plan(order, config, book, agreed, seated, source, expected, memory)


_TASKED = ("cr-v1", "cr-v2", "single")


def _check_task(order: Order) -> None:
    if order.task not in get_args(Task):
        raise UsageError(f"There is no task {order.task!r}. There are: {', '.join(get_args(Task))}.")
    if order.task != "all" and order.protocol not in _TASKED:
        raise UsageError(f"The task {order.task} is for the protocols {', '.join(_TASKED)}, not {order.protocol}.")
    if order.task == "polarity" and isinstance(order.source, tuple):
        raise UsageError("The task polarity needs a labelled file with the targets, found bare texts. Name a file.")


def _configured(order: Order, config: settings.Config) -> settings.Config:
    """The configuration, with what the order says in its place."""
    config = settings.for_batches(config) if order.batch else config
    return replace(
        config,
        rules=order.rules if isinstance(order.rules, str) else config.rules,
        set={**_condition(config.memory), **config.set, **_condition(order.memory), **order.changes},
        limits=order.limits or config.limits,
        taxonomy=order.taxonomy or config.taxonomy,
        lexicons=order.lexicons or config.lexicons,
        memory_store=order.memory_store or config.memory_store,
    )


def _condition(named: str | None) -> Mapping[str, str]:
    return {"memory.condition": named} if named else {}


def _of_seats(models: Mapping[str, str], seats: Sequence[str]) -> Mapping[str, str]:
    """A configuration may name models for the seats of every protocol."""
    return {role: spec for role, spec in models.items() if role in (*seats, "default")}


def _agreed(protocol_name: str, config: settings.Config) -> Conventions:
    extra = Path(config.lexicons) if config.lexicons else None
    agreed = lexicons.conventions(config.taxonomy, extra)
    if protocol_name != "debate":
        return agreed
    return replace(agreed, forum=forum.with_personas(forum.forum(extra), config.personas))


def _needs(protocol_name: str, panel: Mapping[str, Agent], book: Rulebook, agreed: Conventions) -> list[Need]:
    advice = remembering.longest_advice(book)
    if protocol_name == "debate":
        return list(of_debate(panel, book, agreed, advice))
    if protocol_name == "single":
        return of_single(panel, agreed, book.single.passes)
    return of_review(panel, agreed, book.review.when == "always", advice)


def _book(order: Order, config: settings.Config) -> Rulebook:
    changes = {name: str(value) for name, value in config.set.items()}
    if isinstance(order.rules, Rulebook):
        return order.rules.adjusted(changes)
    return rulebook(order.protocol, config.rules, changes)


def rulebook(protocol_name: str, preset: str, changes: Mapping[str, str]) -> Rulebook:
    return books.book(preset, text_protocols.named(protocol_name).presets, changes)


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
    if isinstance(order.source, Prepared):
        return _prepared(order.source)
    columns = order.columns
    if order.task == "polarity":
        return _targets(order.source, columns)
    survey = reviews.survey(
        order.source,
        text_column=columns.text,
        id_column=columns.id,
        encoding=columns.encoding,
        format=columns.format,
        group_column=columns.group,
        time_column=columns.time,
    )
    taken = Input(survey.name, survey.sha256, survey.rows)
    size = Size(survey.rows - survey.bad, survey.bad, survey.text_bytes)
    return Source(taken, size, lambda: map(matter, reviews.rows(survey)))


def _prepared(found: Prepared) -> Source:
    cases = [matter for matter in found.matters if isinstance(matter, Case)]
    size = Size(len(cases), len(found.matters) - len(cases), sum(len(case.text.encode()) for case in cases))
    return Source(Input(found.name, found.sha256, len(found.matters)), size, lambda: iter(found.matters))


def _targets(path: Path | Literal["-"], columns: Columns) -> Source:
    """The texts and targets of a labelled file."""
    file = labelled.read(
        path, columns.format, encoding=columns.encoding, text_column=columns.text, id_column=columns.id
    )
    rows = bad = size = 0
    for matter in map(_aimed, file):
        rows += 1
        bad += isinstance(matter, Unfit)
        size += len(matter.text.encode()) if isinstance(matter, Case) else 0
    return Source(Input(file.name, file.sha256, rows), Size(rows - bad, bad, size), lambda: map(_aimed, file))


def _aimed(row: Labelled | reviews.BadRow) -> Case | Unfit:
    if isinstance(row, reviews.BadRow):
        return matter(row)
    targets = tuple(dict.fromkeys(Target(one.aspect_term, one.aspect_ref, one.begin, one.end) for one in row.labels))
    if not targets:
        message = "wanted at least one target whose polarity is asked, found none. Give it one, or leave it out."
        return matter(reviews.BadRow(row.no, row.line, row.id, "no_targets", message))
    return Case(row.no, row.id, row.text, lexicons.detect(row.text), row.line, targets)


def _given(texts: Sequence[str]) -> Source:
    taken = Input("texts", form.digest(form.dumps(texts)), len(texts))
    rows = [reviews.given(no, text) for no, text in enumerate(texts, start=1)]
    good = [row for row in rows if isinstance(row, reviews.Row)]
    size = Size(len(good), len(rows) - len(good), sum(len(row.text.encode()) for row in good))
    return Source(taken, size, lambda: map(matter, rows))


def matter(row: reviews.Row | reviews.BadRow) -> Case | Unfit:
    if isinstance(row, reviews.Row):
        return Case(row.no, row.id, row.text, lexicons.detect(row.text), row.line, (), row.group, row.time)
    fault = {"code": row.code, "message": row.message}
    return Unfit(row.no, row.id or "", form.dumps({"id": row.id, "line": row.line, "error": fault}))


# --- the run -----------------------------------------------------------------------------------


async def run(planned: Plan, store: Store, watching: Watching | None = None) -> Ending:
    """Decide what is not decided yet, and leave the results and reports where they were ordered."""
    order = planned.order
    rows = planned.source.input.rows
    desk = Desk(order.out, rows, lambda ending: facts(planned, ending), planned.memory)
    return desk.ending(await sit(sitting(planned), store, desk, watching))


def sitting(planned: Plan) -> Sitting:
    """What is settled, as one sitting takes it."""
    order, memory = planned.order, planned.memory
    decide_one = text_protocols.named(order.protocol).flow
    return Sitting(
        header=planned.header(),
        panel=planned.panel,
        flow_of=lambda case: decide_one(case, planned.book, planned.agreed),
        matters=planned.source.matters,
        limits=planned.config.limits,
        forecast=planned.forecast,
        run=order.run,
        resume=order.resume,
        reuse=order.reuse,
        one_by_one=memory is not None and memory.one_by_one,
        opened=memory and (lambda name, begun: remembering.begin(memory, name, begun)),
    )


class Desk:
    """Takes the results in order: to the files and to the tally. `rows` is how many there are to come, `describe` what
    the reports say of the run."""

    def __init__(
        self,
        out: Path | Literal["-"] | None,
        rows: int,
        describe: Callable[[Ending], RunFacts],
        memory: Recollection | None = None,
    ) -> None:
        self._out, self._rows, self._describe, self._memory = out, rows, describe, memory
        self._tally = Tally()
        self._kept: list[Mapping[str, Any]] = []
        self._refused = self._written = 0
        self._results = _results(out)
        self._results.write("results.jsonl", "")  # where nothing is decided yet, no earlier results stay
        self._results.write("opinions.csv", table.header())
        self._results.write("worklist.csv", worklist.header())

    def take(self, done: Done) -> str:
        result: Any = form.loads(done.line)
        self._written += 1
        if self._memory and done.lesson is not None:
            self._memory.learn(done.no, form.read(Lesson, done.lesson))
        self._refused += "error" in result
        self._results.write("results.jsonl", done.line + "\n")
        self._results.write("opinions.csv", table.rows(result))
        case = form.read(Case, form.loads(done.matter)) if done.matter else None
        self._results.write("worklist.csv", worklist.rows(result, done.path, case and case.text))
        add(self._tally, result, done.path, case)
        if self._out is None:
            self._kept.append(result)
        return str(result["id"])

    def leave(self, end: End) -> None:
        ending = self.ending(end)
        folder = isinstance(self._results, Folder)
        self._results.finish(rendered(ending.tally, self._describe(ending)) if folder else {})
        if self._memory:
            self._memory.settle()

    def ending(self, end: End) -> Ending:
        return Ending(
            end.run,
            end.status,
            self._tally,
            end.spent,
            end.head,
            self._refused,
            self._rows - self._written,
            end.error,
            (*end.notes, *(self._memory.told() if self._memory else ())),
            tuple(self._kept),
        )

    def close(self) -> None:
        self._results.close()


def _results(out: Path | Literal["-"] | None) -> Results:
    if out is None:
        return Kept()
    return Piped() if out == "-" else Folder(out)


def facts(planned: Plan, ending: Ending) -> RunFacts:
    return known_facts(planned.header(), ending.run, ending.status, ending.head, ending.spent, ending.notes)


def decide(order: Order, *, store: str | None = None) -> Ending:
    """From Python, in one call: plan, run, close."""
    return asyncio.run(_decide(order, store))


async def _decide(order: Order, store_path: str | None) -> Ending:
    from withstood.journal import opening

    config = settings.load()
    store = opening.store(store_path or config.store)
    try:
        return await run(plan(order, config), store)
    finally:
        await store.close()
