"""Driving a research by hand: answers by seat and round in, graph and verdict out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias, cast

from withstood import form
from withstood.claims.graph import Graph
from withstood.claims.research import Exploration, Ideas, Inspected, Pages, Phrasing, Saved, Seen, Session
from withstood.protocols import research
from withstood.protocols.asks import Ask, Silent
from withstood.protocols.research_briefs import CHECK, EXPLORE, SAVE, SEARCH, SELECT
from withstood.rules.rulebook import PRESETS, Rulebook
from withstood.verdict import Verdict

Told: TypeAlias = Mapping[Any, Any]
"""By seat, or by seat and round: an answer, JSON of one, or a function of the brief."""


class Course(NamedTuple):
    verdict: Verdict
    graphs: list[Graph]
    asked: list[Ask[Any]]

    @property
    def graph(self) -> Graph:
        return self.graphs[-1]

    def briefs(self, role: str) -> list[Any]:
        return [ask.brief for ask in self.asked if ask.role == role]

    def rulings(self, table: str) -> list[tuple[str, str, str, str]]:
        steps = [step for step in self.verdict.path if step.table == table]
        return [(step.item, step.ruling.outcome, step.ruling.row, step.ruling.because) for step in steps]


def found_as_quoted(brief: Any) -> Inspected:
    """As if every quote stood in its page."""
    return Inspected(tuple(Seen(one.id, True, url=one.source_url) for one in brief.observations))


QUIET: Told = {
    SELECT: Phrasing("a query"),
    SEARCH: Pages(),
    EXPLORE: Exploration("success"),
    CHECK: found_as_quoted,
    SAVE: Saved("0"),
}


def go(told: Told, iterations: int = 1, start: Graph | None = None, rules: Rulebook | None = None) -> Course:
    session = Session(1, "s1", "Is RAG better?", "en", start or Graph(), iterations)
    flow = research.flow(session, rules or PRESETS["published"])
    answers, graphs, asked = {**QUIET, **told}, [session.start], list[Any]()
    try:
        batch = next(flow)
        while True:
            asked += batch
            graphs += [
                brief.graph for role, brief in [(ask.role, cast("Any", ask.brief)) for ask in batch] if role == SAVE
            ]
            batch = flow.send(tuple(_answer(ask, answers) for ask in batch))
    except StopIteration as end:
        return Course(end.value, graphs, asked)


def _answer(ask: Ask[Any], answers: Told) -> Any:
    told = answers.get((ask.role, ask.round), answers.get(ask.role, Silent("not told")))
    if isinstance(told, Callable):
        told = told(ask.brief)
    return form.read(ask.wants, told) if isinstance(told, dict) else told


def exploration(**parts: Any) -> Exploration:
    """An exploration from its published form."""
    return form.read(Exploration, form.loads(form.dumps({"status": "success"} | parts)))


def observed(no: int, url: str | None = None, said: str | None = None) -> dict[str, Any]:
    words = said or f"Measurement number {no} of the independent study came to {no}00 points in all of its {no} trials."
    return {"id": f"obs_{no}", "summary": words, "source_url": url or f"https://site{no}.com/a", "quote": words}


def claimed(no: int, *keywords: str, said: str | None = None) -> dict[str, Any]:
    words = said or f"Claim {no} holds that method {'abcdefghij'[no % 10] * 12} is the better one by far."
    return {"id": f"hyp_A{no}", "summary": words, "verify_keywords": list(keywords)}


def edge(start: str, kind: str, end: str, weight: str = "0.8") -> dict[str, Any]:
    return {"from": start, "to": end, "type": kind, "weight": weight}


def ideas(*tools: str) -> Ideas:
    proposals = [{"summary": f"an idea by {tool}", "reasoning_tool": tool, "verify_keywords": [tool]} for tool in tools]
    return form.read(Ideas, {"hypothesis": proposals[0], "proposals": proposals})
