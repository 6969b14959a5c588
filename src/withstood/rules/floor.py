"""The floor: how a debated text is gone about. Each setting of the section `debate` turns one part off or on.

| row | setting | off |
|---|---|---|
| 1 | held | nobody speaks; no review is told of a debate, and no hint overrides |
| 2 | override | hints change no polarity |
| 3 | stage2 | nobody reviews, nothing is applied: the sentiments of stage 1 are final |
| 4 | validator | VALIDATOR1 and VALIDATOR2 are not asked: no risk, no proposal |
| 5 | moderator | the label is that of the final sentiments |
| 6 | blind_first_round | speakers of the first round hear those before them; on: they open at the same time |

`rounds` and `order` say how often and in which order the personas speak; a name without a persona is skipped. `stance`:
a turn weighs by the stance that it states, or always by that of its persona.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from withstood.form import Within
from withstood.rules.table import Table

Switch: TypeAlias = Literal["off", "on"]
ORDER = "analyst critic empath"


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a rulebook may set of a debate."""

    held: Switch = "on"
    rounds: Annotated[int, Within(1, 20)] = 2
    order: str = ORDER
    blind_first_round: Switch = "off"
    stance: Literal["stated", "persona"] = "stated"
    override: Switch = "on"
    stage2: Switch = "on"
    validator: Switch = "on"
    moderator: Switch = "on"


def speakers(numbers: Numbers, personas: Collection[str]) -> tuple[str, ...]:
    """The keys of the personas that speak, in order, each once; nobody where no debate is held."""
    if numbers.held == "off":
        return ()
    return tuple(dict.fromkeys(key for key in numbers.order.split() if key in personas))


@dataclass(frozen=True, slots=True)
class Input:
    personas: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Output:
    speakers: tuple[str, ...]
    turns: int


def _decide(case: Input, numbers: Numbers) -> Output:
    found = speakers(numbers, case.personas)
    return Output(found, len(found) * numbers.rounds)


TABLE = Table("floor-1", __doc__, Input, Output, _decide, section="debate", aliases=("floor",))
