"""One chunk from its claim to its outcome: a run of the store that goes on wherever an earlier one stopped."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

from withstood import form
from withstood.claims.case import Case
from withstood.engine.conduct import Unfit
from withstood.engine.order import Done
from withstood.errors import ConfigError, JournalDamaged, WithstoodError
from withstood.fleet.commission import Entry, Outcome, Settled, lines, read_lines, seal
from withstood.fleet.registry import Claim, Registry
from withstood.fleet.sharing import SharedAllowance
from withstood.jobs import panels, sentiment
from withstood.jobs.sitting import End, sit
from withstood.journal.port import Store


class Unable(Exception):
    """This worker cannot decide the chunk; another one may."""


@dataclass(frozen=True, slots=True)
class Sat:
    """How a sitting over a chunk ended: with its outcome, or with what stopped it."""

    end: End
    outcome: Outcome | None


async def decide(claim: Claim, store: Store, registry: Registry) -> Sat | None:
    """None where the chunk was tried too often and has been set aside."""
    decided = await _decided(store, claim.run)
    entries = await _entries(claim, store)
    planned = _planned(claim, entries, resume=decided is not None)
    if seal(planned.header()) != claim.commission.seal:
        await _close(planned)
        raise Unable(
            f"job {claim.job} was submitted with other prompts, word lists or rules than this worker has. Give it the "
            "version of withstood and the files that the job was submitted with."
        )
    if not await asyncio.to_thread(registry.begin_try, claim, decided or 0):
        await _close(planned)
        return None
    desk = ChunkDesk([entry.no for entry in entries])
    sitting = replace(
        sentiment.sitting(planned), allowance=SharedAllowance(registry, claim), take_over=decided is not None
    )
    end = await sit(sitting, store, desk)
    if end.error is not None:
        return Sat(end, None)
    kept = await store.keep_text(lines(desk.settled))
    return Sat(end, Outcome(kept, end.spent, desk.refused, len(entries) - len(desk.settled)))


async def _decided(store: Store, run: str) -> int | None:
    """How many rows an earlier sitting has decided; None where there was none."""
    decided = 0
    try:
        async for chunk in store.records(run):
            decided += sum(kept.record.kind == "ruling" for kept in chunk)
    except ConfigError as fault:
        if "There is no run" in str(fault):
            return None
        raise
    return decided


async def _entries(claim: Claim, store: Store) -> list[Entry]:
    text = await store.text(claim.source)
    if text is None:
        raise JournalDamaged(f"The rows of {claim.run} are not in the store any more: {claim.source}.")
    return read_lines(Entry, text)


def _planned(claim: Claim, entries: list[Entry], *, resume: bool) -> sentiment.Plan:
    """The job of one chunk. What this worker lacks is said before anything is begun."""
    commission = claim.commission
    matters = tuple([_matter(no, entry) for no, entry in enumerate(entries, start=1)])
    source = sentiment.Prepared(f"{commission.header.input.name}[{claim.no}]", claim.source, matters)
    order = sentiment.Order(source, commission.protocol, run=claim.run, resume=resume, reuse=claim.phase > 0)
    try:
        return sentiment.plan(order, commission.of_chunk)
    except WithstoodError as fault:
        raise Unable(str(fault)) from fault


async def _close(planned: sentiment.Plan) -> None:
    for model in panels.models_of(planned.panel):
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
