"""Resolution: whether an agent's word ends a conflict. First match decides.

| row | when | then |
|---|---|---|
| 1 | there is no open conflict between the two hypotheses | refused (NO_SUCH_CONFLICT) |
| 2 | it is not the conflict that was looked at | refused (NOT_THE_TARGET) |
| 3 | one of the two has no observation that supports it or, for one_rejected, none that contradicts it | refused (ONE_SIDED) |
| 4 | otherwise | resolved, with its type and its description |

A word alone ends nothing: there must be evidence from two sides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from withstood.rules.table import NoNumbers, Table


@dataclass(frozen=True, slots=True)
class Input:
    """`open`: the conflict stands and is not resolved. `sides`: how many of the two have evidence."""

    open: bool
    is_target: bool
    sides: int


@dataclass(frozen=True, slots=True)
class Output:
    outcome: Literal["resolved", "refused"]
    reason: str
    row: str


def resolve(case: Input) -> Output:
    if not case.open:
        return Output("refused", "NO_SUCH_CONFLICT", "1")
    if not case.is_target:
        return Output("refused", "NOT_THE_TARGET", "2")
    if case.sides < 2:
        return Output("refused", "ONE_SIDED", "3")
    return Output("resolved", "", "4")


def _decide(case: Input, numbers: NoNumbers) -> Output:
    return resolve(case)


TABLE = Table("resolution-1", __doc__, Input, Output, _decide, section="none", aliases=("resolution",))
