"""Memory conditions: whether a run recalls episodes, whether what it recalls is kept from the prompts, whether it writes.

| row | mode | retrieve | mask | write |
|---|---|---|---|---|
| M0 | off | no | yes | no |
| M1 | on | yes | no | no |
| M2 | on | yes | no | yes |
| C1 | off | no | yes | no |
| C2 | on | yes | no | yes |
| C3 | silent | yes | yes | yes |
| C2_silent | silent | yes | yes | yes |
| C2_eval_only | silent | yes | yes | no |
| S0 | off | no | yes | no |

M1 reads a store that nothing is added to, M2 adds to it. C3 and C2_silent are two names of one condition.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Literal, TypeAlias

from withstood.claims.advisory import MemoryMode
from withstood.form import Within
from withstood.rules.table import Table

Condition: TypeAlias = Literal["M0", "M1", "M2", "C1", "C2", "C3", "C2_silent", "C2_eval_only", "S0"]
Switch: TypeAlias = Literal["off", "on"]


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a rulebook may set of memory. `view`: whether each text is advised by the store as it was when the run
    began, or also by the texts before it. `cap`: so many characters of advice at most in a debate, 0 for no limit."""

    condition: Condition = "M0"
    view: Literal["start", "running"] = "start"
    topk: Annotated[int, Within(1, 3)] = 3
    gate: Switch = "on"
    cap: Annotated[int, Within(0)] = 0


@dataclass(frozen=True, slots=True)
class Output:
    mode: MemoryMode
    retrieve: bool
    mask: bool
    write: bool
    row: str

    @property
    def speaks(self) -> bool:
        """Whether what is recalled reaches a prompt."""
        return self.retrieve and not self.mask


_WHAT: Mapping[str, tuple[MemoryMode, bool, bool, bool]] = MappingProxyType(
    {
        "M0": ("off", False, True, False),
        "M1": ("on", True, False, False),
        "M2": ("on", True, False, True),
        "C1": ("off", False, True, False),
        "C2": ("on", True, False, True),
        "C3": ("silent", True, True, True),
        "C2_silent": ("silent", True, True, True),
        "C2_eval_only": ("silent", True, True, False),
        "S0": ("off", False, True, False),
    }
)


def under(condition: Condition) -> Output:
    return Output(*_WHAT[condition], row=condition)


@dataclass(frozen=True, slots=True)
class Input:
    condition: Condition | None = None


def _decide(case: Input, numbers: Numbers) -> Output:
    return under(case.condition or numbers.condition)


TABLE = Table("memory-condition-1", __doc__, Input, Output, _decide, section="memory", aliases=("memory-condition",))
