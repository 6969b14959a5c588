"""One chunk from its claim to its outcome: a run of the store that goes on wherever an earlier one stopped."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from withstood import form
from withstood.agents.port import Agent
from withstood.agents.programmed.research.archivist import Archivist
from withstood.claims.case import Case, Conventions
from withstood.claims.graph import Graph
from withstood.engine.conduct import Unfit
from withstood.engine.limits import Spend
from withstood.engine.order import Done
from withstood.engine.recall import Recall
from withstood.errors import ConfigError, JournalDamaged, WithstoodError
from withstood.fleet.commission import Entry, Outcome, Question, Settled, Study, lines, read, read_lines, seal
from withstood.fleet.registry import Claim, Registry
from withstood.fleet.sharing import SharedAllowance
from withstood.jobs import continuing, finders, investigation, panels, research, research_record, sentiment
from withstood.jobs.settings import Config
from withstood.jobs.sitting import End, Sitting, Watching, sit
from withstood.journal.port import Store


class TriedTooOften(Exception):
    """So many tries without progress that the chunk has been set aside."""


class Unable(Exception):
    """This worker cannot decide the chunk; another one may."""


@dataclass(frozen=True, slots=True)
class Sat:
    """How a sitting over a chunk ended: with its outcome, or with what stopped it."""

    spent: Spend
    error: WithstoodError | None = None
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True)
class Seated:
    """A chunk with the store that it is decided over. `resume`: an earlier try has begun the run. `alongside` gives the
    sitting what it shares with others."""

    claim: Claim
    store: Store
    resume: bool
    alongside: Callable[[Sitting], Sitting]
    watching: Watching | None = None


async def decide(claim: Claim, store: Store, registry: Registry, watching: Watching | None = None) -> Sat | None:
    """None where the chunk was tried too often and has been set aside."""
    resume = await was_begun(store, claim.run)

    async def count(recall: Recall) -> None:
        if not await asyncio.to_thread(registry.begin_try, claim, _progress(claim, recall)):
            raise TriedTooOften

    def alongside(sitting: Sitting) -> Sitting:
        return replace(sitting, allowance=SharedAllowance(registry, claim), take_over=resume, ready=count)

    try:
        return await _KINDS[claim.commission.kind](Seated(claim, store, resume, alongside, watching))
    except TriedTooOften:
        return None


def _progress(claim: Claim, recall: Recall) -> int:
    """Rows that are decided; of a job of one unit, answers that it has."""
    return recall.answered if claim.commission.is_unit else len(recall.ruled)


async def _rows(at: Seated) -> Sat:
    """A chunk of rows."""
    claim, store = at.claim, at.store
    entries = await _entries(claim, store)
    planned = _planned(claim, entries, resume=at.resume)
    if seal(planned.header()) != claim.commission.seal:
        await close(planned.panel)
        raise Unable(
            f"job {claim.job} was submitted with other prompts, word lists or rules than this worker has. Give it the "
            "version of withstood and the files that the job was submitted with."
        )
    desk = ChunkDesk([entry.no for entry in entries])
    end = await sit(at.alongside(sentiment.sitting(planned)), store, desk, at.watching)
    if end.error is not None:
        return Sat(end.spent, end.error)
    kept = await store.keep_text(lines(desk.settled))
    return Sat(end.spent, None, Outcome(kept, end.spent, desk.refused, len(entries) - len(desk.settled)))


async def _investigated(at: Seated) -> Sat:
    """A job of one unit: what it leaves in its folder is kept as it is."""
    claim, store = at.claim, at.store
    known = read(Question, await _text(claim, store))
    with tempfile.TemporaryDirectory(prefix="withstood-") as folder:
        order = investigation_order(known, claim.commission.of_chunk, Path(folder), claim.run, resume=at.resume)
        with _investigation(claim, order) as planned:
            ending = await investigation.run(planned, store, at.watching, at.alongside)
        facts = ending.facts
        spent = Spend(facts.calls, facts.tokens_in, facts.tokens_out, facts.cost)
        if ending.error is not None:
            return Sat(spent, ending.error)
        files = _files(Path(folder))
    return Sat(spent, None, Outcome(await store.keep_text(form.dumps(files)), spent))


def _files(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in sorted(folder.iterdir()) if path.is_file()}


@contextmanager
def _investigation(claim: Claim, order: investigation.Order) -> Iterator[investigation.Plan]:
    """Planned here as it was where it was submitted: with the same sources, or not at all."""
    with ExitStack() as stack:
        try:
            planned = stack.enter_context(investigation.planned(order, claim.commission.of_chunk))
        except WithstoodError as fault:
            raise Unable(str(fault)) from fault
        if planned.input != claim.commission.header.input or seal(planned.header()) != claim.commission.seal:
            raise Unable(
                f"the repository, the logs or the rules of job {claim.job} are not the same here as where it was "
                "submitted. Give this worker the same, under the same paths."
            )
        yield planned


def investigation_order(
    known: Question, config: Config, out: Path | None, run: str | None, *, resume: bool = False
) -> investigation.Order:
    return investigation.Order(
        known.question,
        repo=Path(known.repo) if known.repo else None,
        logs=tuple([Path(path) for path in known.logs]),
        documents=tuple([Path(path) for path in known.documents]),
        out=out,
        cast=known.cast,
        profile=known.profile,
        kind=known.kind,
        quick=known.quick,
        language=known.language,
        models=known.models,
        limits=config.limits,
        zone=known.zone,
        run=run,
        resume=resume,
    )


async def _researched(at: Seated) -> Sat:
    """A job of one unit, decided without a folder: what stands in the journal makes one."""
    claim, store = at.claim, at.store
    known = read(Study, await _text(claim, store))
    with ExitStack() as stack:
        planned = await _study(claim, known, store, stack)
        begun = continuing.Begun(claim.run, research.session(planned), at.resume)
        finders.remember(planned.finders, await continuing.read_before(store, begun, planned.known))
        end = await sit(at.alongside(research.sitting(planned, begun, Archivist(None))), store, Nowhere(), at.watching)
    if end.error is not None:
        return Sat(end.spent, end.error)
    files = await research_record.folder(store, claim.run, known.note)
    return Sat(end.spent, None, Outcome(await store.keep_text(form.dumps(files)), end.spent))


async def _study(claim: Claim, known: Study, store: Store, stack: ExitStack) -> research.Plan:
    """Planned here as it was where it was submitted: over the same documents, or not at all. A large folder takes its
    time, and the loop goes on meanwhile."""
    order = research.Order(None, run=claim.run, reuse=known.reuse)
    config = claim.commission.of_chunk
    try:
        planned = await asyncio.to_thread(
            research.settled, order, known.note, Graph(known.note.question), store, config
        )
    except WithstoodError as fault:
        raise Unable(str(fault)) from fault
    for finder in planned.opened:
        stack.callback(finder.close)
    if (study_of(planned), seal(research.header(planned))) != (known, claim.commission.seal):
        await close(planned.panel)
        raise Unable(
            f"the documents, the prompts or the rules of job {claim.job} are not the same here as where it was "
            "submitted. Give this worker the same, under the same paths."
        )
    return planned


def study_of(planned: research.Plan) -> Study:
    return Study(planned.note, finders.known_by(planned.finders), planned.order.reuse)


_KINDS: Mapping[str, Callable[[Seated], Awaitable[Sat]]] = {
    "sentiment": _rows,
    investigation.JOB: _investigated,
    research.JOB: _researched,
}


async def was_begun(store: Store, run: str) -> bool:
    """Whether there is such a run: its first records are looked at."""
    try:
        async for _ in store.records(run):
            return True
    except ConfigError as fault:
        if "There is no run" in str(fault):
            return False
        raise
    return False


async def _entries(claim: Claim, store: Store) -> list[Entry]:
    return read_lines(Entry, await _text(claim, store))


async def _text(claim: Claim, store: Store) -> str:
    text = await store.text(claim.source)
    if text is None:
        raise JournalDamaged(f"What {claim.run} is to decide is not in the store any more: {claim.source}.")
    return text


def _planned(claim: Claim, entries: list[Entry], *, resume: bool) -> sentiment.Plan:
    """The job of one chunk. What this worker lacks is said before anything is begun."""
    commission = claim.commission
    matters = tuple([_matter(no, entry) for no, entry in enumerate(entries, start=1)])
    source = sentiment.Prepared(f"{commission.header.input.name}[{claim.no}]", claim.source, matters)
    agreed = form.read(Conventions, commission.header.agreed)
    order = sentiment.Order(
        source, commission.protocol, agreed.task, run=claim.run, resume=resume, reuse=claim.phase > 0
    )
    try:
        return sentiment.plan(order, commission.of_chunk)
    except WithstoodError as fault:
        raise Unable(str(fault)) from fault


async def close(panel: Mapping[str, Agent]) -> None:
    for model in panels.models_of(panel):
        await model.close()


def _matter(no: int, entry: Entry) -> Case | Unfit:
    if entry.case is not None:
        return replace(entry.case, no=no)
    assert entry.unfit is not None
    return replace(entry.unfit, no=no)


class ChunkDesk:
    """Keeps what comes, each row with its place in the whole input."""

    def __init__(self, places: list[int]) -> None:
        self._places = places
        self.settled: list[Settled] = []
        self.refused = 0

    def take(self, done: Done) -> str:
        result = form.loads(done.line)
        assert isinstance(result, dict)
        self.refused += "error" in result
        self.settled.append(Settled(self._places[done.no - 1], done.matter, done.line, tuple(done.path)))
        return str(result["id"])

    def leave(self, end: End) -> None:
        return

    def close(self) -> None:
        return


class Nowhere:
    """Keeps nothing: what is wanted stands in the journal."""

    def take(self, done: Done) -> str:
        result = form.loads(done.line)
        assert isinstance(result, dict)
        return str(result["id"])

    def leave(self, end: End) -> None:
        return

    def close(self) -> None:
        return
