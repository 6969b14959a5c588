"""One chunk from its claim to its outcome: a run of the store that goes on wherever an earlier one stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace

from withstood import form
from withstood.agents.port import Agent
from withstood.claims.case import Case, Conventions
from withstood.engine.conduct import Unfit
from withstood.engine.limits import Spend
from withstood.engine.order import Done
from withstood.engine.recall import Recall
from withstood.errors import ConfigError, JournalDamaged, WithstoodError
from withstood.fleet.commission import Entry, Outcome, read_lines, seal
from withstood.fleet.registry import Claim, Registry
from withstood.fleet.sharing import SharedAllowance
from withstood.jobs import panels, sentiment
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
        return await _kind(claim)(Seated(claim, store, resume, alongside, watching))
    except TriedTooOften:
        return None


def _kind(claim: Claim) -> Callable[[Seated], Awaitable[Sat]]:
    """What most jobs do not need is imported when a job needs it."""
    if not claim.commission.is_unit:
        return _rows
    from withstood.fleet import units

    return units.KINDS[claim.commission.kind]


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
    end = await sit(at.alongside(sentiment.sitting(planned)), store, NoDesk(), at.watching)
    return Sat(end.spent, end.error, None if end.error else Outcome(end.head, end.spent))


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
    return read_lines(Entry, await text_of(claim, store))


async def text_of(claim: Claim, store: Store) -> str:
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


class NoDesk:
    """Keeps nothing: what is wanted stands in the journal."""

    def take(self, done: Done) -> str:
        return str(done.no)

    def leave(self, end: End) -> None:
        return

    def close(self) -> None:
        return
