"""Drawing: which edges come into the graph, and with which weight. First match decides.

| row | when | then |
|---|---|---|
| 1 | one of its ends does not exist, or both are the same | refused (NO_SUCH_END) |
| 2 | SUPPORTS or CONTRADICTS, and it does not lead from an observation to a hypothesis | refused (WRONG_ENDS) |
| 3 | CONFLICTS, and it is not between two hypotheses | refused (WRONG_ENDS) |
| 4 | the same edge stands already; for CONFLICTS in either direction | refused (DUPLICATE) |
| 5 | CONFLICTS | drawn, with weight 1 |
| 6 | otherwise | drawn, with the weight 0.8, 0.5 or 0.3: the largest that is not above what was said, at least 0.3 |
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

from withstood.claims.graph import EdgeType
from withstood.rules.table import NoNumbers, Table

End: TypeAlias = Literal["observation", "hypothesis", "none"]
WEIGHTS = (Decimal("0.8"), Decimal("0.5"), Decimal("0.3"))


@dataclass(frozen=True, slots=True)
class Input:
    """What the ends are, whether they are one and the same, whether such an edge stands already."""

    type: EdgeType
    start: End
    end: End
    weight: Decimal = WEIGHTS[-1]
    same: bool = False
    known: bool = False


@dataclass(frozen=True, slots=True)
class Output:
    outcome: Literal["drawn", "refused"]
    weight: Decimal | None
    reason: str
    row: str


def draw(case: Input) -> Output:
    if case.same or "none" in (case.start, case.end):
        return _refused("NO_SUCH_END", "1")
    if case.type != "CONFLICTS" and (case.start, case.end) != ("observation", "hypothesis"):
        return _refused("WRONG_ENDS", "2")
    if case.type == "CONFLICTS" and (case.start, case.end) != ("hypothesis", "hypothesis"):
        return _refused("WRONG_ENDS", "3")
    if case.known:
        return _refused("DUPLICATE", "4")
    if case.type == "CONFLICTS":
        return Output("drawn", Decimal(1), "", "5")
    weight = next((weight for weight in WEIGHTS if case.weight >= weight), WEIGHTS[-1])
    return Output("drawn", weight, "", "6")


def _refused(reason: str, row: str) -> Output:
    return Output("refused", None, reason, row)


def _decide(case: Input, numbers: NoNumbers) -> Output:
    return draw(case)


TABLE = Table("drawing-1", __doc__, Input, Output, _decide, section="none", aliases=("drawing",))
