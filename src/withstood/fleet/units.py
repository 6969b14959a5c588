"""Jobs of one unit: an investigation, a research. What they look at is the same wherever they are decided."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from withstood import form
from withstood.agents.programmed.research.archivist import Archivist
from withstood.claims.graph import Graph
from withstood.engine.limits import Spend
from withstood.errors import WithstoodError
from withstood.fleet.commission import Outcome, Question, Study, read, seal
from withstood.fleet.deciding import NoDesk, Sat, Seated, Unable, close, text_of
from withstood.fleet.registry import Claim
from withstood.jobs import books, continuing, finders, investigation, research, research_record
from withstood.jobs.settings import Config
from withstood.jobs.sitting import sit
from withstood.journal.port import Store


async def investigated(at: Seated) -> Sat:
    """What it leaves in its folder is kept as it is."""
    claim, store = at.claim, at.store
    known = read(Question, await text_of(claim, store))
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


async def researched(at: Seated) -> Sat:
    """It is decided without a folder: what stands in the journal makes one."""
    claim, store = at.claim, at.store
    known = read(Study, await text_of(claim, store))
    with ExitStack() as stack:
        planned = await _study(claim, known, store, stack)
        begun = continuing.Begun(claim.run, research.session(planned), at.resume)
        finders.remember(planned.finders, await continuing.read_before(store, begun, planned.known))
        end = await sit(at.alongside(research.sitting(planned, begun, Archivist(None))), store, NoDesk(), at.watching)
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
    note = planned.note
    preset, changes = books.spelled_out(note.rules or planned.config.rules, note.set)
    return Study(replace(note, rules=preset, set=changes), finders.known_by(planned.finders), planned.order.reuse)


KINDS: Mapping[str, Callable[[Seated], Awaitable[Sat]]] = {
    investigation.JOB: investigated,
    research.JOB: researched,
}
