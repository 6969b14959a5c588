"""Thesis: which hypotheses the answer stands on, what was rejected and why, what is still open.

| row | what | where it goes |
|---|---|---|
| 1 | verified | the core, the strongest first, ties by id |
| 2 | tested, with a strength of at least tested_at (0.55) | the core, in the same order |
| 3 | observations that support the core | the observations, by id |
| 4 | rejected | the rejected, each with its strength and what contradicts it |
| 5 | unvisited, and tested under tested_at | unresolved hypotheses |
| 6 | conflicts between active hypotheses that are not resolved, also those set aside | unresolved conflicts |
| 7 | keywords that nobody has followed | unresolved keywords |

A tested hypothesis with a strong contradiction may be in the core: its contradiction is then told beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from withstood.claims.graph import Graph, Hypothesis, Share, check, natural
from withstood.form import EXACT
from withstood.rules.table import Table


@dataclass(frozen=True, slots=True)
class Numbers:
    tested_at: Share = Decimal("0.55")


@dataclass(frozen=True, slots=True)
class Rejected:
    id: str
    why: str


@dataclass(frozen=True, slots=True)
class Unresolved:
    hypotheses: tuple[str, ...]
    conflicts: tuple[tuple[str, str], ...]
    keywords: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Output:
    core: tuple[str, ...]
    observations: tuple[str, ...]
    rejected: tuple[Rejected, ...]
    unresolved: Unresolved


def conclude(graph: Graph, numbers: Numbers) -> Output:
    names = sorted(graph.hypotheses, key=natural)
    in_core = frozenset(name for name in names if _is_core(graph.hypotheses[name], numbers))
    strongest_first = sorted(in_core, key=lambda name: (EXACT.minus(graph.hypotheses[name].strength), natural(name)))
    supports = {edge.start for edge in graph.edges if edge.type == "SUPPORTS" and edge.end in in_core}
    against = _contradictions(graph)
    return Output(
        core=tuple(strongest_first),
        observations=tuple(sorted(supports, key=natural)),
        rejected=tuple(
            [
                Rejected(name, _why(graph.hypotheses[name], against.get(name, [])))
                for name in names
                if not graph.hypotheses[name].active
            ]
        ),
        unresolved=Unresolved(
            tuple([name for name in names if name not in in_core and graph.hypotheses[name].active]),
            tuple([(edge.start, edge.end) for edge in graph.conflicts()]),
            tuple([lead.keyword for lead in graph.unexplored if not lead.used]),
        ),
    )


def _is_core(one: Hypothesis, numbers: Numbers) -> bool:
    return one.status == "verified" or (one.status == "tested" and one.strength >= numbers.tested_at)


def _contradictions(graph: Graph) -> Mapping[str, list[str]]:
    """By hypothesis, what contradicts it."""
    found: dict[str, list[str]] = {}
    for edge in graph.edges:
        if edge.type == "CONTRADICTS":
            found.setdefault(edge.end, []).append(edge.start)
    return found


def _why(one: Hypothesis, against: Sequence[str]) -> str:
    told = f"strength {one.strength}"
    return f"{told}, contradicted by {', '.join(sorted(against, key=natural))}" if against else told


def _decide(case: Graph, numbers: Numbers) -> Output:
    return conclude(check(case), numbers)


TABLE = Table("thesis-1", __doc__, Graph, Output, _decide, section="thesis", aliases=("thesis",))
