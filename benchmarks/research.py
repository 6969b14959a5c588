"""A large graph: one full rule pass, and the state saved. And a research on a small web that stands on the loopback.

    python -m benchmarks.research [--hypotheses 2000] [--edges 20000] [--web]

The rule pass is one iteration as the protocol makes it: selection, what was explored comes in, strengths, statuses,
health. Ratios are to reading the graph's file as plain JSON, in the same run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
import time
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from statistics import median
from typing import Any

from withstood import form
from withstood.agents.programmed.research.archivist import Archivist
from withstood.claims.graph import Edge, Graph, Hypothesis, Observation
from withstood.claims.research import Exploration, Inspected, Pages, Phrasing, Saved, Seen, Session
from withstood.protocols import research as protocol
from withstood.protocols.asks import Ask
from withstood.protocols.research_briefs import CHECK, SAVE
from withstood.report import cognigraph
from withstood.rules.rulebook import PRESETS
from withstood.sources.session_folder import SessionFolder

WORDS = 6_000
ITERATIONS = 5


def graph(hypotheses: int, edges: int, dice: random.Random) -> Graph:
    """As many observations as a quarter of the edges, on as many hosts as there are hypotheses."""
    words = ["".join(dice.choices("abcdefghijklmnoprstuvw", k=dice.randint(4, 9))) for _ in range(WORDS)]

    def said(least: int) -> str:
        return " ".join(dice.choices(words, k=dice.randint(least, least + 12)))

    seen = {
        f"obs_{no}": Observation(said(10), Decimal(dice.choice(["0.9", "0.85", "0.5", "0.2"])),
                                 f"https://site{dice.randrange(hypotheses)}.com/{no}", "paper", no % 40)
        for no in range(1, edges // 4 + 1)
    }  # fmt: skip
    held = {
        f"hyp_{kind}{no}": Hypothesis(kind, said(8), status="tested", visit_count=1, last_visited=no % 40)
        for no in range(1, hypotheses // 2 + 1)
        for kind in ("A", "B")
    }
    names, ids = [*seen], [*held]
    drawn = [
        Edge("SUPPORTS" if dice.random() < 0.7 else "CONTRADICTS", dice.choice(names), dice.choice(ids),
             Decimal(dice.choice(["0.8", "0.5", "0.3"])), no % 40)
        for no in range(edges)
    ]  # fmt: skip
    return Graph("Is the large graph still quick?", 41, seen, held, tuple(drawn))


def answers(ask: Ask[Any]) -> Any:
    """What one iteration brings: five observations, a claim, ten edges, all found where they were quoted."""
    given: dict[type, Any] = {Phrasing: Phrasing("a query"), Pages: Pages(), Exploration: _found(ask.round)}
    if ask.role == CHECK:
        brief: Any = ask.brief
        return Inspected(tuple([Seen(one.id, True, url=one.source_url) for one in brief.observations]))
    return Saved("0") if ask.role == SAVE else given.get(ask.wants)


def _found(no: int) -> Exploration:
    observed = [
        {"id": f"o{place}", "summary": f"round {no} measured {place} of {no * 7 + place} things in a row of {place}.",
         "source_url": f"https://new{no}{place}.com/"} for place in range(5)
    ]  # fmt: skip
    claims = [{"id": "c", "summary": f"The claim of round {no} is that the number {no} is the better one."}]
    edges = [
        {"from": f"o{place}", "to": to, "type": kind, "weight": "0.8"}
        for place in range(5)
        for to, kind in (("hyp_A1", "SUPPORTS"), ("c", "CONTRADICTS"))
    ]
    whole = {"status": "success", "observations": observed, "type_a_hypotheses": claims, "edges": edges}
    return form.read(Exploration, form.loads(form.dumps(whole)))


def passes(start: Graph) -> tuple[list[float], list[Graph]]:
    """The seconds of each iteration's rules, and the graph after each."""
    session = Session(1, "bench", start.question, "en", start, ITERATIONS)
    flow, graphs, seconds, spent = protocol.flow(session, PRESETS["strict"]), list[Graph](), list[float](), 0.0
    sent: Any = None
    try:
        while True:
            began = time.perf_counter()
            batch = flow.send(sent)
            spent += time.perf_counter() - began
            if batch[0].role == SAVE:
                brief: Any = batch[0].brief
                graphs.append(brief.graph)
                seconds.append(spent)
                spent = 0.0
            sent = tuple([answers(ask) for ask in batch])
    except StopIteration:
        return seconds, graphs


def timed(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def saves(start: Graph, graphs: list[Graph]) -> list[float]:
    """The seconds of each save, after one that writes every page."""
    with tempfile.TemporaryDirectory() as path:
        folder = SessionFolder(Path(path) / "session")
        archivist = Archivist(folder)
        archivist.save(start)
        archivist.save(graphs[0])  # its first pass has moved every strength
        found = [timed(lambda one=one: archivist.save(one)) for one in graphs[1:]]
        folder.close()
    return found


def on_the_web() -> dict[str, Any]:
    """Fifteen iterations by programs alone; politeness waits are switched off for the loopback."""
    from tests.town.served import served
    from withstood.jobs import research as job
    from withstood.journal.sqlite import SqliteStore
    from withstood.sources.web.opening import opened

    question = "Is retrieval augmented generation better than fine-tuning?"

    async def sitting(finder: Any, folder: Path) -> job.Ending:
        store = SqliteStore(folder / "runs.db")
        order = job.Order(folder / "out", question, sources=("web",), finders=(finder,))
        try:
            return await job.run(job.plan(order, store), store)
        finally:
            await store.close()

    with served() as town, tempfile.TemporaryDirectory() as path:
        finder = opened(town.web, permitted=town.permitted)
        began = time.perf_counter()
        ending = asyncio.run(sitting(finder, Path(path)))
        spent = time.perf_counter() - began
        finder.close()
        return {
            "seconds_on_the_web": round(spent, 1),
            "iterations": ending.graph.iteration,
            "observations": len(ending.graph.observations),
            "requests": len(town.asked),
        }


def main() -> None:
    told = argparse.ArgumentParser()
    told.add_argument("--hypotheses", type=int, default=2_000)
    told.add_argument("--edges", type=int, default=20_000)
    told.add_argument("--web", action="store_true")
    given = told.parse_args()
    start = graph(given.hypotheses, given.edges, random.Random(7))
    seconds, graphs = passes(start)
    saved = saves(start, graphs)
    text = cognigraph.text(graphs[-1])
    plain = timed(lambda: json.loads(text))
    found = {
        "hypotheses": len(graphs[-1].hypotheses),
        "edges": len(graphs[-1].edges),
        "seconds_a_rule_pass": round(median(seconds), 3),
        "slowest_pass": round(max(seconds), 3),
        "seconds_a_save": round(median(saved), 3),
        "slowest_save": round(max(saved), 3),
        "megabytes": round(len(text.encode()) / 1e6, 1),
        "pass_to_plain_json": round(median(seconds) / plain, 1),
        "save_to_plain_json": round(median(saved) / plain, 1),
    }
    print(json.dumps(found | (on_the_web() if given.web else {})))


if __name__ == "__main__":
    main()
