"""The results of a job in the order of its input, from the runs of its chunks."""

from __future__ import annotations

import heapq
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from withstood import form
from withstood.engine.order import Done
from withstood.engine.recall import recorded
from withstood.errors import JournalDamaged, UsageError
from withstood.fleet.commission import Entry, Study, read, read_lines, run_name
from withstood.fleet.deciding import was_begun
from withstood.fleet.registry import Job, Registry, Result
from withstood.jobs import research, research_record, sessions
from withstood.jobs.outputs import Folder
from withstood.jobs.sentiment import Desk, Ending
from withstood.jobs.sitting import End, Status
from withstood.journal.port import Store, Texts
from withstood.report.facts import RunFacts

STATES: dict[str, Status] = {"finished": "finished", "stopped": "stopped", "parked": "parked"}


async def settled(store: Store, results: Sequence[Result]) -> AsyncIterator[Done]:
    """Every row that was decided, by its place in the input. Of each phase one chunk is held at a time."""
    phases = [[one for one in results if one.phase == wanted] for wanted in (0, 1)]
    streams = [_rows(store, phase) for phase in phases]
    heads: list[tuple[int, int, Done]] = []
    for place, stream in enumerate(streams):
        await _push(heads, place, stream)
    while heads:
        _, place, row = heapq.heappop(heads)
        yield row
        await _push(heads, place, streams[place])


async def _push(heads: list[tuple[int, int, Done]], place: int, stream: AsyncIterator[Done]) -> None:
    async for row in stream:
        heapq.heappush(heads, (row.no, place, row))
        return


async def _rows(store: Store, results: Sequence[Result]) -> AsyncIterator[Done]:
    for one in results:
        places = [entry.no for entry in read_lines(Entry, await _kept(store, one.source))]
        for done in await _decided(store, one):
            yield done._replace(no=places[done.no - 1])


async def _decided(store: Store, result: Result) -> list[Done]:
    """The rows of a chunk in order. Its run must end where its outcome says."""
    matters, found, head = dict[int, str](), list[Done](), ""
    async for records in store.records(result.run):
        found += [done for kept in records if (done := recorded(kept.record, matters))]
        head = records[-1].hash
    if head != result.result:
        raise JournalDamaged(f"Run {result.run} does not end as it was decided. Restore the store from a copy.")
    return sorted(found, key=lambda done: done.no)


async def collect(
    job: Job,
    registry: Registry,
    store: Store,
    out: Path | Literal["-"],
    listen: Callable[[int], None] = lambda count: None,
) -> Ending:
    """Write what is decided as `withstood sentiment` writes it. A job that is not finished is collected as far as it
    has come."""
    results = registry.results(job.name)
    if not results:
        raise UsageError(f"Job {job.name} has no results yet. `withstood status {job.name}` says how far it is.")
    desk = Desk(out, job.rows, lambda ending: _facts(job, ending))
    count = 0
    try:
        async for row in settled(store, results):
            desk.take(row)
            count += 1
            listen(count)
        end = End(job.name, STATES.get(job.state, "interrupted"), job.spent, "", notes=_notes(job))
        desk.leave(end)
        return desk.ending(end)
    finally:
        desk.close()


async def lay_out(job: Job, registry: Registry, store: Store, out: Path) -> tuple[str, ...]:
    """The files of a job of one unit, in a folder: their names."""
    if job.commission.kind == research.JOB:
        _check_same(out, run_name(job.name, 1))
    files = await _files(job, registry, store)
    if files is None:
        raise UsageError(f"Job {job.name} has no results yet. `withstood status {job.name}` says how far it is.")
    folder = Folder(out)
    try:
        folder.finish(files)
        return tuple(files)
    finally:
        folder.close()


def _check_same(out: Path, run: str) -> None:
    """A research that somebody works on is not overwritten by an earlier state of it, nor by another one."""
    if sessions.is_session(out) and sessions.note(out, sessions.graph(out)).run != run:
        raise UsageError(f"{out} holds another research, or this one gone on with. Name another folder with -o.")


async def _files(job: Job, registry: Registry, store: Store) -> Mapping[str, str] | None:
    """As they were kept; of a research that is not finished, as far as it has come."""
    for one in registry.results(job.name):
        return form.read(dict[str, str], form.loads(await _kept(store, one.result)))
    run = run_name(job.name, 1)
    if job.commission.kind != research.JOB or not await was_begun(store, run):
        return None
    known = read(Study, await _kept(store, job.chunks[0].source))
    return await research_record.folder(store, run, known.note)


async def _kept(texts: Texts, sha256: str) -> str:
    text = await texts.text(sha256)
    if text is None:
        raise JournalDamaged(f"The text {sha256} is not in the store any more. Restore it from a copy.")
    return text


def _notes(job: Job) -> tuple[str, ...]:
    aside = [f"chunk {one.no} is set aside: {one.why}" for one in job.chunks if one.state == "aside"]
    return (*([job.why] if job.why else []), *aside)


def _facts(job: Job, ending: Ending) -> RunFacts:
    known = job.commission.header
    return RunFacts(
        run=job.name,
        protocol=known.protocol,
        rulebook=known.rulebook.preset,
        rulebook_hash=known.rulebook_hash,
        seats={role: seat.agent for role, seat in known.seats.items()},
        source=known.input.name,
        status=ending.status,
        calls=ending.spent.calls,
        tokens_in=ending.spent.tokens_in,
        tokens_out=ending.spent.tokens_out,
        cost=ending.spent.cost,
        notes=ending.notes,
    )
