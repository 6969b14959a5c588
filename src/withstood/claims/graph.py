"""The cognitive graph: observations, hypotheses, the edges between them, and what is left to explore.

The names are those of `cognigraph.json`. Fields that are not known here are kept, and written back as they were.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Any, Literal, TypeAlias

from withstood import form
from withstood.form import Json, Misfit, Within

Share: TypeAlias = Annotated[Decimal, Within(0, 1)]
Count: TypeAlias = Annotated[int, Within(0)]
Status: TypeAlias = Literal["unvisited", "tested", "verified", "rejected"]
EdgeType: TypeAlias = Literal["SUPPORTS", "CONTRADICTS", "CONFLICTS"]
Kind: TypeAlias = Literal["A", "B"]

LENSES = ("definition", "scope", "comparison", "cases", "limitations", "application")


@dataclass(frozen=True, slots=True)
class Happened:
    """A line of a history: what was done, what came of it, and by how much a strength changed."""

    iteration: Count
    action: str
    result: str
    change: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Observation:
    """A fact with a source. It never changes once it stands in the graph. `quote` are the words of the source, which
    stand in the text that is kept as `sha256`; `checked` False: there was no text to look in. `copy_of` names the
    observation that said it first, `first_url` the page that its own page is a copy of. `file` is the
    path of a document whose address, `source_url`, somebody has given."""

    summary: str = ""
    authority: Share = Decimal("0.2")
    source_url: str | None = None
    source_type: str = "unknown"
    created_at: Count = 0
    quote: str = ""
    sha256: str | None = None
    checked: bool | None = None
    copy_of: str | None = None
    retrieved: str = ""
    first_url: str | None = None
    file: str | None = None
    title: str = ""
    others: Mapping[str, Json] = form.rest()

    @property
    def words(self) -> str:
        return self.quote or self.summary


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A: somebody's claim; B: an insight of the agent's own. `moves` are the changes of strength at its visits, the
    oldest first, as far as nothing new has touched it since."""

    type: Kind
    summary: str = ""
    strength: Share = Decimal("0.5")
    status: Status = "unvisited"
    visit_count: Count = 0
    last_visited: Count | None = None
    created_at: Count = 0
    reasoning_tool: str | None = None
    verify_keywords: tuple[str, ...] = ()
    moves: tuple[Decimal, ...] = ()
    history: tuple[Happened, ...] = ()
    others: Mapping[str, Json] = form.rest()

    @property
    def active(self) -> bool:
        return self.status != "rejected"


@dataclass(frozen=True, slots=True)
class Edge:
    """From an observation to a hypothesis, or (CONFLICTS, stored once) between two hypotheses. `tries` counts how
    often in a row a conflict was looked at without being resolved."""

    type: EdgeType
    start: str = form.named("from")
    end: str = form.named("to")
    weight: Share = Decimal(1)
    created_at: Count = 0
    resolved: bool = False
    resolution: str | None = None
    tries: Count = 0
    last_tried: Count | None = None
    others: Mapping[str, Json] = form.rest()

    @property
    def ends(self) -> frozenset[str]:
        return frozenset((self.start, self.end))


@dataclass(frozen=True, slots=True)
class Lead:
    """A keyword that nobody has followed yet, or that somebody has."""

    keyword: str
    source: str | None = form.named("from", default=None)
    used: bool = False
    others: Mapping[str, Json] = form.rest()


@dataclass(frozen=True, slots=True)
class Health:
    last_check: Count = 0
    issues: tuple[str, ...] = ()
    others: Mapping[str, Json] = form.rest()


@dataclass(frozen=True, slots=True)
class Graph:
    question: str = ""
    iteration: Count = 0
    observations: Mapping[str, Observation] = field(default_factory=dict[str, Observation])
    hypotheses: Mapping[str, Hypothesis] = field(default_factory=dict[str, Hypothesis])
    edges: tuple[Edge, ...] = ()
    lens_index: Count = 0
    unexplored: tuple[Lead, ...] = ()
    health: Health = Health()
    history: tuple[Happened, ...] = ()
    others: Mapping[str, Json] = form.rest()

    def root(self, name: str) -> str:
        """The observation that one is a copy of, or itself."""
        first = self.observations[name].copy_of
        return first if first is not None and first in self.observations else name

    def active(self) -> Mapping[str, Hypothesis]:
        return {name: one for name, one in self.hypotheses.items() if one.active}

    def conflicts(self) -> Iterator[Edge]:
        """The conflicts that are not resolved, between hypotheses that both stand."""
        for edge in self.edges:
            if edge.type == "CONFLICTS" and not edge.resolved and self._stand(edge):
                yield edge

    def _stand(self, edge: Edge) -> bool:
        return self.hypotheses[edge.start].active and self.hypotheses[edge.end].active


def check(graph: Graph) -> Graph:
    """The same graph, or a `Misfit` that names the edge that does not hold together."""
    for place, edge in enumerate(graph.edges):
        starts: Mapping[str, Any] = graph.hypotheses if edge.type == "CONFLICTS" else graph.observations
        kind = "hypothesis" if edge.type == "CONFLICTS" else "observation"
        if edge.start not in starts:
            raise Misfit(f"edges[{place}].from", f"the id of a {kind} of this graph", form.shown(edge.start))
        if edge.end not in graph.hypotheses or edge.start == edge.end:
            raise Misfit(f"edges[{place}].to", "the id of another hypothesis of this graph", form.shown(edge.end))
    return graph


_DIGITS = re.compile(r"(\d+)")


def natural(name: str) -> tuple[tuple[str, int], ...]:
    """Sorts hyp_A2 before hyp_A10."""
    parts = _DIGITS.split(name)
    return tuple([(text, int(number)) for text, number in zip(parts[::2], [*parts[1::2], "-1"], strict=True)])
