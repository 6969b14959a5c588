"""Selection: what an iteration looks at. Classes from top to bottom; the first that has anything decides.

| row | class | of those, first |
|---|---|---|
| 1 | conflicts that are due | the oldest |
| 2 | unvisited hypotheses of type B | the oldest |
| 3 | unvisited hypotheses of type A | the oldest |
| 4 | tested hypotheses with a strength from 0.35 to 0.65 that still move | fewest visits, then longest unvisited, then nearest to 0.5 |
| 5 | keywords that nobody has followed | first in, first out |
| 6 | the six lenses | in turn |

Ties go by id, in natural order. A conflict is set aside while it was tried conflict_tries (3) times or more in a row and
the last try is at most conflict_pause (5) iterations ago; after that it gets one try at a time. Where such late tries
have taken every iteration of a whole pause, they let one pass. A hypothesis moves no more where its last two visits
each changed its strength by less than min_move (0.01). Under ALL_WEAK rows 2 to 4 are passed over. The search is broad
while fewer than broad_under (5) hypotheses are active, else deep. The target of a conflict is the edge's `from`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Literal

from withstood.claims.graph import LENSES, Edge, Graph, Hypothesis, Share, check, natural
from withstood.form import EXACT, Within
from withstood.rules.table import Table

LOW, MIDDLE, HIGH = Decimal("0.35"), Decimal("0.5"), Decimal("0.65")


@dataclass(frozen=True, slots=True)
class Numbers:
    conflict_tries: Annotated[int, Within(1)] = 3
    conflict_pause: Annotated[int, Within(0)] = 5
    min_move: Share = Decimal("0.01")
    broad_under: Annotated[int, Within(0)] = 5


@dataclass(frozen=True, slots=True)
class Output:
    target_type: Literal["hypothesis", "unexplored", "6lens"]
    target_id: str | None
    conflict_with: str | None
    search_mode: Literal["broad", "deep"]
    lens: str | None
    row: str


@dataclass(frozen=True, slots=True)
class _Target:
    row: str
    id: str | None = None
    against: str | None = None


def select(graph: Graph, numbers: Numbers) -> Output:
    active = graph.active()
    target = next(_targets(graph, active, numbers))
    mode = "broad" if len(active) < numbers.broad_under else "deep"
    if target.row == "6":
        return Output("6lens", None, None, mode, LENSES[graph.lens_index % len(LENSES)], "6")
    kind = "unexplored" if target.row == "5" else "hypothesis"
    return Output(kind, target.id, target.against, mode, None, target.row)


def _targets(graph: Graph, active: Mapping[str, Hypothesis], numbers: Numbers) -> Iterator[_Target]:
    """The first of each class that has any, class by class."""
    for edge in sorted(_due(graph, numbers), key=lambda one: (one.created_at, natural(one.start), natural(one.end)))[
        :1
    ]:
        yield _Target("1", edge.start, edge.end)
    if "ALL_WEAK" not in graph.health.issues:
        yield from _hypotheses(active, numbers)
    for lead in graph.unexplored:
        if not lead.used:
            yield _Target("5", lead.keyword)
    yield _Target("6")


def _hypotheses(active: Mapping[str, Hypothesis], numbers: Numbers) -> Iterator[_Target]:
    for kind, row in (("B", "2"), ("A", "3")):
        unvisited = [name for name, one in active.items() if one.status == "unvisited" and one.type == kind]
        for name in sorted(unvisited, key=lambda name: (active[name].created_at, natural(name)))[:1]:
            yield _Target(row, name)
    open_ones = [name for name, one in active.items() if _open(one, numbers)]
    for name in sorted(open_ones, key=lambda name: (*_urgency(active[name]), natural(name)))[:1]:
        yield _Target("4", name)


def _open(one: Hypothesis, numbers: Numbers) -> bool:
    stuck = len(one.moves) >= 2 and all(EXACT.abs(move) < numbers.min_move for move in one.moves[-2:])
    return one.status == "tested" and LOW <= one.strength <= HIGH and not stuck


def _urgency(one: Hypothesis) -> tuple[int, int, Decimal]:
    last = -1 if one.last_visited is None else one.last_visited
    return one.visit_count, last, EXACT.abs(EXACT.subtract(one.strength, MIDDLE))


# --- conflicts ---------------------------------------------------------------------------------


def _due(graph: Graph, numbers: Numbers) -> list[Edge]:
    due = [edge for edge in graph.conflicts() if not set_aside(edge, graph.iteration, numbers)]
    fresh = [edge for edge in due if edge.tries < numbers.conflict_tries]
    return fresh if _late_tries_had_their_turn(graph, numbers) else due


def set_aside(edge: Edge, iteration: int, numbers: Numbers) -> bool:
    """Whether a conflict rests, after so many tries without a resolution."""
    tried = edge.tries >= numbers.conflict_tries and edge.last_tried is not None
    return tried and iteration - (edge.last_tried or 0) <= numbers.conflict_pause


def _late_tries_had_their_turn(graph: Graph, numbers: Numbers) -> bool:
    """Whether each of the last iterations, as many as a pause has and one, went to a conflict that had rested."""
    late = frozenset(edge.last_tried for edge in graph.conflicts() if edge.tries > numbers.conflict_tries)
    last = range(graph.iteration - numbers.conflict_pause - 1, graph.iteration)
    return all(iteration in late for iteration in last)


def _decide(case: Graph, numbers: Numbers) -> Output:
    return select(check(case), numbers)


TABLE = Table("selection-1", __doc__, Graph, Output, _decide, section="selection", aliases=("selection",))
