"""A research by programs on the small web: true quotes only, mirrors once, a poisoned owner moves no more than one."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from pathlib import Path

import pytest

from tests.town.served import Town, served
from withstood.claims import address, quote
from withstood.claims.graph import Graph
from withstood.jobs import research as job
from withstood.journal.sqlite import SqliteStore
from withstood.sources.web.opening import opened

ENGLISH = "Is retrieval augmented generation better than fine-tuning?"
KOREAN = "검색 증강 생성은 미세조정보다 나은가?"
POISONED = "surefacts.click"


def researched(town: Town, folder: Path, question: str, iterations: int = 15) -> tuple[job.Ending, dict[str, str]]:
    """The ending, and the kept text of every observation."""

    async def sitting() -> tuple[job.Ending, dict[str, str]]:
        finder = opened(town.web, permitted=town.permitted)
        store = SqliteStore(folder / "runs.db")
        try:
            order = job.Order(folder / "out", question, ("web",), iterations, finders=(finder,))
            ending = await job.run(job.plan(order, store), store)
            kept = {name: await store.text(one.sha256 or "") for name, one in ending.graph.observations.items()}
            return ending, {name: text or "" for name, text in kept.items()}
        finally:
            finder.close()
            await store.close()

    return asyncio.run(sitting())


@pytest.mark.parametrize("question", [ENGLISH, KOREAN])
def test_fifteen_iterations_stand_on_true_quotes(tmp_path: Path, question: str) -> None:
    with served() as town:
        ending, kept = researched(town, tmp_path, question)
    graph = ending.graph
    assert (ending.status, graph.iteration) == ("finished", 15)
    assert len(graph.observations) >= 4
    assert all(one.checked and quote.stands(one.quote, kept[name]) for name, one in graph.observations.items())
    assert "CONTRADICTS" in {edge.type for edge in graph.edges}
    assert len({address.domain(one.source_url) for one in graph.observations.values()}) >= 4
    assert not [host for host, _ in town.asked if host.startswith("169.")]
    for name in graph.hypotheses:
        assert owned(graph, name, POISONED) <= Decimal("0.024")


def owned(graph: Graph, name: str, owner: str) -> Decimal:
    """The most that one owner's pages take from a hypothesis: its strongest edge, once."""
    weights = [
        graph.observations[edge.start].authority * edge.weight * Decimal("0.15")
        for edge in graph.edges
        if edge.end == name and edge.type == "CONTRADICTS"
        and address.domain(graph.observations[edge.start].source_url) == owner
    ]  # fmt: skip
    return max(weights, default=Decimal(0))


def test_a_search_that_is_down_is_told_and_the_run_goes_on(tmp_path: Path) -> None:
    with served() as town:
        town.down = 503
        ending, _ = researched(town, tmp_path, ENGLISH, 2)
    assert (ending.status, ending.graph.iteration) == ("finished", 2)
    assert any("search with" in note for note in ending.notes)
    assert not ending.conclusive
