"""The investigation job: a question and what there is to look at in, a report that can be checked line by line out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, TypeAlias

from withstood import form
from withstood.__about__ import __version__
from withstood.agents.port import Agent
from withstood.claims import iid
from withstood.claims.inquiry import Agreed, Inquiry
from withstood.engine.limits import Limits
from withstood.engine.order import Done
from withstood.errors import ConfigError, InputError, LimitReached, OutputError, UsageError, WithstoodError
from withstood.jobs import (
    books,
    investigation_record,
    investigation_seats,
    investigation_sources,
    provisional,
    settings,
)
from withstood.jobs.facts import facts as known_facts
from withstood.jobs.forecast import Forecast
from withstood.jobs.header import Header, Input
from withstood.jobs.investigation_forecast import first_batch, forecast
from withstood.jobs.outputs import Folder, Kept, Results, whole
from withstood.jobs.sitting import End, Sitting, Status, Watching, sit
from withstood.journal.port import Store
from withstood.lexicons import detect
from withstood.lexicons import inquiry as lexicon
from withstood.protocols.asks import Flow
from withstood.protocols.investigation import investigate
from withstood.protocols.investigation_briefs import CHECK, PLAN
from withstood.report import inquest_files
from withstood.report.facts import RunFacts
from withstood.report.inquest import TAGS, Inquest
from withstood.rules.judgements import Certainty
from withstood.rules.rulebook import Rulebook
from withstood.sources import workspace
from withstood.sources.workspace import Workspace
from withstood.verdict import Verdict

JOB = "investigation"
MOST_QUESTION = 4_000
Language: TypeAlias = Literal["en", "ko"]


@dataclass(frozen=True, slots=True)
class Order:
    """What is wanted. `repo` is the folder of a repository, `logs` and `documents` are files or folders.

    `cast` names voices (`CODE-CALLCHAIN`); without it the kind of the question calls them, which is `kind` or is told
    from its words. `out` is a folder, `-` for the report as JSON on standard output, or None for no files at all.
    `agents` are your own, by the same names as models; they go before `models`. `rules` is the name of a preset, or a
    rulebook of your own. With `reuse` answers to identical questions are taken from earlier runs. `zone` is how many
    minutes the clocks of logs that name no zone are ahead of UTC. What is None here is as the configuration says."""

    question: str
    repo: Path | None = None
    logs: tuple[Path, ...] = ()
    documents: tuple[Path, ...] = ()
    out: Path | Literal["-"] | None = None
    cast: tuple[str, ...] = ()
    profile: str = "default"
    kind: str = ""
    quick: bool = False
    language: Language | None = None
    models: Mapping[str, str] = field(default_factory=dict[str, str])
    agents: Mapping[str, Agent] = field(default_factory=dict[str, Agent])
    rules: str | Rulebook | None = None
    changes: Mapping[str, str] = field(default_factory=dict[str, str])
    limits: Limits | None = None
    lexicons: str | None = None
    zone: int = 0
    run: str | None = None
    resume: bool = False
    reuse: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """All that is settled before anything is asked. The workspace is open as long as the plan is."""

    order: Order
    config: settings.Config
    book: Rulebook
    agreed: Agreed
    matter: Inquiry
    space: Workspace
    panel: Mapping[str, Agent]
    input: Input
    forecast: Forecast
    first: tuple[str, ...]
    """Whom round 1 asks."""

    def header(self) -> Header:
        return Header(
            version=__version__,
            job=JOB,
            protocol="investigation",
            rulebook=self.book,
            rulebook_hash=self.book.hash,
            agreed=form.write(self.agreed),
            seats=investigation_seats.told(self.panel),
            input=self.input,
        )

    def flow(self, matter: Inquiry) -> Flow[Verdict]:
        return investigate(matter, self.book, self.agreed)


@dataclass(frozen=True, slots=True)
class Ending:
    """What a run came to. `inquest` is None where it stopped before there was anything to report; where a limit
    stopped it, it is what could be judged until then. `error` is why it stopped before its end."""

    run: str
    status: Status
    inquest: Inquest | None
    facts: RunFacts
    error: WithstoodError | None = None

    @property
    def report(self) -> Mapping[str, form.Json] | None:
        """The published report."""
        return inquest_files.published(self.inquest) if self.inquest else None

    @property
    def nobody(self) -> bool:
        """Whether no investigator gave a result."""
        return self.inquest is not None and not self.inquest.record.heard

    def reaches(self, tag: Certainty) -> bool:
        """Whether a finding is at least so certain."""
        found = self.inquest.report.findings if self.inquest else ()
        return any(TAGS.index(one.tag) <= TAGS.index(tag) for one in found)


# --- before anything is asked ------------------------------------------------------------------


@contextmanager
def planned(order: Order, config: settings.Config | None = None) -> Iterator[Plan]:
    """Look at everything that can be wrong before anything is asked, and forecast the cost."""
    configuration = _configured(order, config or settings.load())
    question = _question(order)
    agreed = lexicon.agreed(Path(configuration.lexicons) if configuration.lexicons else None)
    investigation_seats.check_cast(agreed.cast)
    _check_wishes(order, agreed)
    book = _book(order, configuration)
    with workspace.opened(order.repo, order.logs, documents=order.documents, zone=order.zone) as space:
        own = investigation_seats.names(agreed.cast)
        configuration = replace(configuration, models=_models(order, configuration, own))
        panel = investigation_seats.panel(agreed.cast, space, configuration, order.agents)
        matter = _matter(order, question, agreed, space, planner=PLAN in panel)
        expected = forecast(panel, matter, book, agreed)
        if configuration.limits.money is not None and expected.most.cost is None:
            raise ConfigError(
                "A limit in money needs the price of every model. Give price_in and price_out of its endpoint in "
                f"{settings.FILE}, or use a limit in tokens."
            )
        first = tuple([ask.role for ask in first_batch(matter, book, agreed)])
        if not first:
            raise InputError(f"There is nobody to ask: no investigator that was wanted has a source. {_gaps(matter)}")
        known = Input(question, _digest(matter, space), 1)
        yield Plan(order, configuration, book, agreed, matter, space, panel, known, expected, first)


def _configured(order: Order, config: settings.Config) -> settings.Config:
    return replace(
        config,
        rules=order.rules if isinstance(order.rules, str) else config.rules,
        set={**config.set, **order.changes},
        limits=order.limits or config.limits,
        lexicons=order.lexicons or config.lexicons,
    )


def _models(order: Order, config: settings.Config, names: frozenset[str]) -> Mapping[str, str]:
    """A configuration may name models for the seats of every protocol; an order names its own alone."""
    return {name: spec for name, spec in config.models.items() if name in names} | dict(order.models)


def _book(order: Order, config: settings.Config) -> Rulebook:
    changes = {name: str(value) for name, value in config.set.items()}
    if isinstance(order.rules, Rulebook):
        return order.rules.adjusted(changes)
    return books.book(config.rules, {}, changes)


def _question(order: Order) -> str:
    question = " ".join(order.question.split())
    if not any(map(str.isalpha, question)):
        raise UsageError(
            f"The question has no words: {form.shown(order.question)}. Ask in a sentence, as in "
            '"why do refunds fail at night?".'
        )
    if len(question) > MOST_QUESTION:
        raise UsageError(
            f"Wanted a question of at most {MOST_QUESTION:,} characters, found {len(question):,}. Put what is long "
            "into a file, and give it as a log (--logs) or a document (--docs)."
        )
    return question


def _check_wishes(order: Order, agreed: Agreed) -> None:
    table = agreed.cast
    kinds, profiles = [one.name for one in table.kinds], [one.name for one in table.profiles]
    if order.kind and order.kind not in kinds:
        raise UsageError(f"There is no kind of question {order.kind!r}. There are: {', '.join(kinds)}.")
    if order.profile not in profiles:
        raise UsageError(f"There is no profile {order.profile!r}. There are: {', '.join(profiles)}.")
    voices = table.voices()
    for name in order.cast:
        if name not in voices:
            raise UsageError(f"There is no investigator {name!r}. There are: {', '.join(voices)}.")
    if len(set(order.cast)) != len(order.cast):
        raise UsageError("The cast names one investigator twice: the same type and perspective may look once a round.")
    if order.cast and all(map(iid.is_challenger, order.cast)):
        raise UsageError("The cast names challengers alone. Name at least one investigator, such as CODE-CALLCHAIN.")


def _matter(order: Order, question: str, agreed: Agreed, space: Workspace, *, planner: bool) -> Inquiry:
    found = order.language or detect(question)
    return Inquiry(
        1,
        "",
        question,
        "ko" if found == "ko" else "en",
        investigation_sources.notes(space, order.repo, order.documents),
        order.profile,
        order.cast,
        order.quick,
        planner,
        order.kind,
    )


def _gaps(matter: Inquiry) -> str:
    return " ".join(f"{one.kind}: {one.missing.rstrip('.')}." for one in matter.sources if one.missing)


def _digest(matter: Inquiry, space: Workspace) -> str:
    """The same for the same question over the same sources."""
    return form.digest(form.dumps([matter, investigation_sources.known_by(space)]))


# --- the run -----------------------------------------------------------------------------------


async def run(
    plan: Plan,
    store: Store,
    watching: Watching | None = None,
    alongside: Callable[[Sitting], Sitting] = lambda sitting: sitting,
) -> Ending:
    """Look, judge, and leave the report where it was ordered. `alongside` gives the sitting what it shares with
    others."""
    from withstood.agents.programmed.inspector import Inspector

    order, desk = plan.order, _Desk(plan)
    panel = {**plan.panel, CHECK: Inspector(plan.space, store.keep_text)}
    sitting = Sitting(
        header=plan.header(),
        panel=panel,
        flow_of=plan.flow,
        matters=lambda: iter([desk.matter]),
        limits=plan.config.limits,
        forecast=plan.forecast,
        run=order.run,
        resume=order.resume,
        reuse=order.reuse,
        opened=desk.named,
    )
    with desk.results():
        end = await sit(alongside(sitting), store, desk, watching)
        found = desk.verdict
        if found is None and isinstance(end.error, LimitReached):
            found = await provisional.verdict(store, end.run, plan.flow(desk.matter), panel, str(end.error))
        return await _ending(plan, store, desk, end, found)


async def _ending(plan: Plan, store: Store, desk: _Desk, end: End, found: Verdict | None) -> Ending:
    facts = known_facts(plan.header(), end.run, end.status, end.head, end.spent, end.notes)
    if found is None:
        return Ending(end.run, end.status, None, facts, end.error)
    why = str(end.error or "")
    inquest = await investigation_record.inquest(store, end.run, found, facts, why)
    try:
        desk.write(inquest)
    except OutputError as fault:
        return Ending(end.run, "parked", inquest, facts, end.error or fault)
    return Ending(end.run, end.status, inquest, facts, end.error)


class _Desk:
    """Takes the one verdict; writes the files when everything that they tell is known."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._results: Results = Kept()
        self.matter = plan.matter
        self.verdict: Verdict | None = None

    @contextmanager
    def results(self) -> Iterator[None]:
        """The folder is ours from before the first ask until the last file."""
        out = self._plan.order.out
        self._results = Folder(out) if isinstance(out, Path) else Kept()
        try:
            yield
        finally:
            self._results.close()

    def named(self, run: str, begun: Header) -> None:
        """An investigation has the name of its run."""
        self.matter = replace(self._plan.matter, id=run)

    def take(self, done: Done) -> str:
        result = form.loads(done.line)
        assert isinstance(result, dict)
        self.verdict = Verdict(result, tuple(done.path))
        return self.matter.id

    def leave(self, end: End) -> None:
        return

    def close(self) -> None:
        return

    def write(self, inquest: Inquest) -> None:
        if self._plan.order.out == "-":
            whole("-", [form.line(inquest_files.published(inquest)), "\n"])
        self._results.finish(inquest_files.files(inquest))


def look_into(order: Order, *, store: str | None = None) -> Ending:
    """From Python, in one call: plan, run, close."""
    config = settings.load()
    return asyncio.run(look(order, replace(config, store=store) if store else config))


async def look(order: Order, config: settings.Config) -> Ending:
    """The same for whoever has a loop and a configuration."""
    from withstood.journal import opening

    with planned(order, config) as plan:
        store = opening.store(config.store)
        try:
            return await run(plan, store)
        finally:
            await store.close()
