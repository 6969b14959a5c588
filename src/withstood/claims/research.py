"""What the agents of a research bring: queries, pages, observations, claims, edges, ideas. Nothing of it is checked
here, and ids are only names within one answer: the graph gives its own.

The names are those of the published answers; what an agent says of authority, source type and target is read and has no
effect.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

from withstood import form
from withstood.claims.graph import Edge, EdgeType, Graph

ResolutionType: TypeAlias = Literal[
    "condition_difference", "definition_mismatch", "scope_mismatch", "one_rejected", "merged"
]
Reached: TypeAlias = Literal["success", "partial", "failure"]

TOOLS = ("pattern", "analogy", "first_principles", "causal_chain", "scamper", "inversion")
"""The six thinking tools."""


@dataclass(frozen=True, slots=True)
class Session:
    """A research as far as it goes in one run: where it begins, and how many iterations it may take."""

    no: int
    id: str
    question: str
    language: str
    start: Graph
    iterations: int


@dataclass(frozen=True, slots=True)
class Phrasing:
    """The answer of SELECT: a search query for the target that the table chose."""

    search_query: str
    target_type: str = ""
    target_id: str | None = None
    conflict_with: str | None = None
    search_mode: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """A source as it was read: its address after all redirects, and the hash of the text that is kept of it. `copy_of`
    is the address where the same text was read first, `file` the path of a document whose address somebody has
    given."""

    id: str
    url: str
    title: str
    sha256: str
    retrieved: str = ""
    copy_of: str = ""
    file: str = ""


@dataclass(frozen=True, slots=True)
class Skipped:
    url: str
    why: str


@dataclass(frozen=True, slots=True)
class Pages:
    """The answer of SEARCH."""

    pages: tuple[Page, ...] = ()
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True)
class Observed:
    """A fact, with the words of the source that say so. Without a `quote` the summary itself must stand there."""

    id: str
    summary: str
    source_url: str | None = None
    source_type: str = ""
    authority: Decimal | None = None
    quote: str = ""
    page: str = ""

    @property
    def words(self) -> str:
        return self.quote or self.summary


@dataclass(frozen=True, slots=True)
class Claimed:
    """Somebody's claim: a hypothesis of type A."""

    id: str
    summary: str
    verify_keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Drawn:
    """An edge as an agent draws it."""

    type: EdgeType
    start: str = form.named("from")
    end: str = form.named("to")
    weight: Decimal = Decimal("0.3")


@dataclass(frozen=True, slots=True)
class Between:
    start: str = form.named("from")
    end: str = form.named("to")


@dataclass(frozen=True, slots=True)
class Resolution:
    """How a conflict would end, in an agent's view."""

    conflict_edge: Between
    resolution_type: ResolutionType
    description: str = ""


@dataclass(frozen=True, slots=True)
class Exploration:
    """The answer of EXPLORE."""

    status: Reached
    observations: tuple[Observed, ...] = ()
    type_a_hypotheses: tuple[Claimed, ...] = ()
    edges: tuple[Drawn, ...] = ()
    retry_keywords: tuple[str, ...] = ()
    conflict_resolution: Resolution | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """What code found of one observation's words. `found` None: there is nothing to look in. `url`, `sha256`,
    `retrieved`, `copy_of`, `file` and `title` are those of the page where they stand."""

    id: str
    found: bool | None
    why: str = ""
    url: str | None = None
    sha256: str | None = None
    retrieved: str = ""
    copy_of: str = ""
    file: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Inspected:
    """The answer of CHECK, which is always a program."""

    seen: tuple[Seen, ...] = ()


@dataclass(frozen=True, slots=True)
class Idea:
    """A generated hypothesis, and the thinking tool that it came from."""

    summary: str
    id: str = ""
    reasoning_tool: str = ""
    derived_from: tuple[str, ...] = ()
    verify_keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ideas:
    """The answer of IDEATE: the one that was chosen, and all that were proposed."""

    hypothesis: Idea | None = None
    proposals: tuple[Idea, ...] = ()


@dataclass(frozen=True, slots=True)
class Saved:
    """The answer of SAVE, which is always a program: the hash of what stands on the disk now."""

    sha256: str = ""


def conflict_between(graph: Graph, one: str, other: str) -> Edge | None:
    """The conflict of a pair, in either direction."""
    ends = frozenset((one, other))
    return next((edge for edge in graph.edges if edge.type == "CONFLICTS" and edge.ends == ends), None)
