"""Health of a research: what is wrong with it as a whole. Every row that applies is an issue, in this order.

| row | when | issue |
|---|---|---|
| 1 | the mean authority of the observations is under 0.5, or there are none | LOW_QUALITY |
| 2 | 3 or more active hypotheses, and all have a strength under 0.35 | ALL_WEAK |
| 3 | a conflict between active hypotheses is unresolved for more than 3 iterations | STALEMATE |
| 4 | more than 50 observations, or more than 25 active hypotheses | DATA_EXPLOSION |
| 5 | 15 iterations or more, 3 or more verified, none unvisited | SATURATED |

Under DATA_EXPLOSION every hypothesis with a strength under 0.3 is rejected.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from withstood.claims.graph import Graph, check
from withstood.form import EXACT
from withstood.rules.table import NoNumbers, Table

LEAST_AUTHORITY, WEAK, SPARED = Decimal("0.5"), Decimal("0.35"), Decimal("0.3")


@dataclass(frozen=True, slots=True)
class Output:
    issues: tuple[str, ...]


def issues(graph: Graph) -> tuple[str, ...]:
    active = list(graph.active().values())
    statuses = [one.status for one in active]
    rows = (
        ("LOW_QUALITY", _poor([one.authority for one in graph.observations.values()])),
        ("ALL_WEAK", len(active) >= 3 and all(one.strength < WEAK for one in active)),
        ("STALEMATE", any(graph.iteration - edge.created_at > 3 for edge in graph.conflicts())),
        ("DATA_EXPLOSION", len(graph.observations) > 50 or len(active) > 25),
        ("SATURATED", graph.iteration >= 15 and statuses.count("verified") >= 3 and "unvisited" not in statuses),
    )
    return tuple([issue for issue, applies in rows if applies])


def _poor(authorities: Sequence[Decimal]) -> bool:
    """Whether the mean is under the least: compared as a sum, so that nothing is rounded."""
    total = Decimal(0)
    for authority in authorities:
        total = EXACT.add(total, authority)
    return not authorities or total < EXACT.multiply(LEAST_AUTHORITY, Decimal(len(authorities)))


def _decide(case: Graph, numbers: NoNumbers) -> Output:
    return Output(issues(check(case)))


TABLE = Table("health-1", __doc__, Graph, Output, _decide, section="none", aliases=("health",))
