"""The thesis of a research as data: the same that the other two forms say, for whoever reads on with a program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from withstood import form
from withstood.claims.graph import Edge
from withstood.form import Json
from withstood.report import thesis
from withstood.report.cognigraph import edges_of
from withstood.report.thesis import Matter


def data(matter: Matter, courses: Mapping[str, Sequence[Decimal]]) -> Mapping[str, Json]:
    """Every sentence of the conclusion names its hypotheses; an inconclusive one has none, and says what is missing."""
    graph, weighing = matter.graph, edges_of(matter.graph)
    return {
        "question": graph.question,
        "language": matter.language,
        "iterations": graph.iteration,
        "conclusive": bool(matter.concluded.core),
        "partial": matter.stopped or None,
        "conclusion": [{"text": one.text, "hypotheses": one.names} for one in thesis.conclusion(matter)],
        "missing": [] if matter.concluded.core else list(thesis.missing(matter)),
        "figures": dict(thesis.figures(matter)),
        "findings": [_finding(name, matter, weighing.get(name, ()), courses) for name in matter.concluded.core],
        "conditions": list(thesis.conditions(matter)),
        "rejected": form.write(matter.concluded.rejected),
        "unresolved": form.write(matter.concluded.unresolved),
        "history": [{"iteration": event.iteration, "event": told} for event, told in thesis.events(graph)],
        "sources": form.write(thesis.sources(graph)),
        "about": list(thesis.about(matter)),
    }


def _finding(
    name: str, matter: Matter, edges: Sequence[Edge], courses: Mapping[str, Sequence[Decimal]]
) -> Mapping[str, Json]:
    one = matter.graph.hypotheses[name]
    return {
        "id": name,
        "type": one.type,
        "summary": one.summary,
        "status": one.status,
        "strength": one.strength,
        "course": list(courses.get(name, ())),
        "reasoning_tool": one.reasoning_tool,
        "evidence": [_ground(edge, matter) for edge in edges],
    }


def _ground(edge: Edge, matter: Matter) -> Mapping[str, Json]:
    one = matter.graph.observations[edge.start]
    return {
        "id": edge.start,
        "type": edge.type,
        "weight": edge.weight,
        "authority": one.authority,
        "summary": one.summary,
        "quote": one.quote,
        "url": one.source_url,
        "file": one.file,
        "checked": one.checked,
        "sha256": one.sha256,
    }
