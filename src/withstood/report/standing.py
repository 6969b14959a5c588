"""Where a research stands: counts by type and state, conflicts, leads, health, the graph. As lines and as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from withstood.claims.graph import Graph, natural
from withstood.form import Json
from withstood.report import graph_picture
from withstood.report.inert import visible
from withstood.rules import selection
from withstood.rules.rulebook import Rulebook

STATES = ("verified", "tested", "unvisited", "rejected")
MOST_LEADS = 10


def data(graph: Graph, book: Rulebook) -> Mapping[str, Json]:
    """`next` is what the table would look at now."""
    target = selection.select(graph, book.selection)
    counts = _counts(graph)
    return {
        "question": graph.question,
        "iteration": graph.iteration,
        "observations": len(graph.observations),
        "copies": sum(one.copy_of is not None for one in graph.observations.values()),
        "unchecked": sum(one.checked is not True for one in graph.observations.values()),
        "source_types": dict(sorted(Counter(one.source_type for one in graph.observations.values()).items())),
        "hypotheses": {kind: {state: counts[kind, state] for state in STATES} for kind in ("A", "B")},
        "edges": dict(sorted(Counter(edge.type for edge in graph.edges).items())),
        "conflicts": _conflicts(graph, book),
        "leads": [lead.keyword for lead in graph.unexplored if not lead.used],
        "leads_followed": sum(lead.used for lead in graph.unexplored),
        "health": {"last_check": graph.health.last_check, "issues": list(graph.health.issues)},
        "next": {"target_type": target.target_type, "target_id": target.target_id or target.lens, "row": target.row},
    }


def _counts(graph: Graph) -> Counter[tuple[str, str]]:
    return Counter((one.type, one.status) for one in graph.hypotheses.values())


def _conflicts(graph: Graph, book: Rulebook) -> list[Json]:
    """Open ones, with those that are set aside for now; then the resolved ones."""
    open_ones = [(edge, selection.set_aside(edge, graph.iteration, book.selection)) for edge in graph.conflicts()]
    told: list[Json] = [
        {"from": edge.start, "to": edge.end, "state": "set aside" if aside else "open", "tries": edge.tries}
        for edge, aside in sorted(open_ones, key=lambda one: (natural(one[0].start), natural(one[0].end)))
    ]
    resolved = [edge for edge in graph.edges if edge.type == "CONFLICTS" and edge.resolved]
    return told + [
        {"from": edge.start, "to": edge.end, "state": "resolved", "resolution": edge.resolution} for edge in resolved
    ]


def lines(graph: Graph, book: Rulebook, width: int = 100) -> Iterator[str]:
    found = data(graph, book)
    counts = _counts(graph)
    yield visible(graph.question)
    kinds = ", ".join(f"{count} {kind}" for kind, count in _pairs(found["source_types"]))
    seen = f"{len(graph.observations)} observations ({kinds or 'none'})"
    yield f"{graph.iteration} iterations, {seen}, {found['copies']} copies"
    for kind, name in (("A", "claims of sources (A)"), ("B", "ideas of its own (B)")):
        states = ", ".join(f"{counts[kind, state]} {state}" for state in STATES)
        yield f"{name:<24} {states}"
    yield f"{'edges':<24} {', '.join(f'{count} {kind}' for kind, count in _pairs(found['edges'])) or 'none'}"
    yield from _told_conflicts(found["conflicts"])
    yield from _told_leads(graph)
    yield f"{'health':<24} {', '.join(graph.health.issues) or 'sound'} (iteration {graph.health.last_check})"
    target = selection.select(graph, book.selection)
    yield f"{'next':<24} {visible(target.target_id or target.lens or '')} (row {target.row}, {target.search_mode})"
    yield ""
    yield from graph_picture.lines(graph, width)


def _pairs(value: Json) -> Iterator[tuple[str, Json]]:
    if isinstance(value, Mapping):
        yield from value.items()


def _told_conflicts(conflicts: Json) -> Iterator[str]:
    rows = [one for one in conflicts if isinstance(one, Mapping)] if isinstance(conflicts, list) else []
    states = Counter(str(one["state"]) for one in rows)
    yield f"{'conflicts':<24} {', '.join(f'{states[name]} {name}' for name in ('open', 'set aside', 'resolved'))}"
    for one in rows:
        more = f"tried {one['tries']} times" if "tries" in one else str(one["resolution"] or "")
        yield f"  {one['from']} ⇄ {one['to']}: {one['state']}, {visible(more)}"


def _told_leads(graph: Graph) -> Iterator[str]:
    waiting = [lead.keyword for lead in graph.unexplored if not lead.used]
    yield f"{'leads':<24} {len(waiting)} waiting, {len(graph.unexplored) - len(waiting)} followed"
    for keyword in waiting[:MOST_LEADS]:
        yield f"  {visible(keyword)}"
    if len(waiting) > MOST_LEADS:
        yield f"  and {len(waiting) - MOST_LEADS} more"
