"""Going on with a research: whether its last run was cut off, and whether the folder still stands where that run left
it. A folder that somebody has changed since is the truth; the run is then let go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from withstood import form
from withstood.claims.graph import Graph
from withstood.claims.research import Page, Pages, Session
from withstood.engine.replay import rejudge
from withstood.jobs import header as headers
from withstood.jobs import recorded
from withstood.jobs.header import Header
from withstood.jobs.recorded import Recorded
from withstood.jobs.watched import watched
from withstood.journal.port import Store
from withstood.protocols import research as protocol
from withstood.protocols.asks import Batch
from withstood.protocols.research_briefs import SAVE, SEARCH
from withstood.report import cognigraph
from withstood.rules.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class Begun:
    """The run of a sitting, and the session that it works on. `goes_on`: it stands in the store already."""

    run: str
    session: Session
    goes_on: bool
    told: str = ""


@dataclass(frozen=True, slots=True)
class Left:
    """A session to go on with; None, and why, where there is none."""

    session: Session | None
    told: str = ""


async def unfinished(store: Store, run: str, folder: Graph, book: Rulebook) -> Left:
    entry = next((one for one in await store.runs() if one.name == run), None)
    if entry is None:
        return Left(None, f"Run {run} is not in this store, so a new run goes on from the graph as it stands.")
    if recorded.ended(entry).status == "finished":
        return Left(None)
    async for case in recorded.cases(store, run, Session):
        if case.case is None:
            return Left(None)
        if _stands(case, folder, book):
            return Left(case.case)
        return Left(None, "The graph was changed since; a new run goes on from it as it stands.")
    return Left(None)


def _stands(case: Recorded, folder: Graph, book: Rulebook) -> bool:
    """Whether the folder is as the run found it or as it left it: what it saved follows from its answers."""
    saved: list[Graph] = [case.case.start]

    def look(batch: Batch) -> None:
        briefs: list[Any] = [ask.brief for ask in batch if ask.role == SAVE]
        saved.extend(brief.graph for brief in briefs)

    rejudge(watched(protocol.flow(case.case, book), look), case.answers)
    now = cognigraph.text(folder)
    return any(cognigraph.text(graph) == now for graph in saved[-2:])


async def same(store: Store, run: str, now: Header) -> bool:
    """Whether a run was begun by the same agents, rules and sources."""
    entry = await recorded.find(store, run)
    then = headers.read(entry.name, entry.first)
    return form.dumps(then) == form.dumps(now)


async def read_before(store: Store, begun: Begun, folder: Graph) -> Sequence[tuple[str, str]]:
    """Address and text of what earlier sittings have read, as far as it is known."""
    kept = {one.source_url: one.sha256 for one in folder.observations.values() if one.source_url and one.sha256}
    if begun.goes_on:
        async for case in recorded.cases(store, begun.run, Session):
            kept |= {page.url: page.sha256 for page in _pages(case)}
    texts = [(url, await store.text(sha256)) for url, sha256 in kept.items()]
    return [(url, text) for url, text in texts if text is not None]


def _pages(case: Recorded) -> Iterator[Page]:
    for (role, _), answer in case.answers.items():
        if role.startswith(SEARCH) and answer.silent is None:
            yield from form.read(Pages, answer.answer).pages
