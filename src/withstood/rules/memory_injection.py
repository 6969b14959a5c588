"""Injection into a debate: whether what is recalled may stand in the debate's context. First match decides.

| row | when | then |
|---|---|---|
| 1 | one term of stage 1 has two or more polarities | injected (conflict) |
| 2 | the validator states a structural risk | injected (validator) |
| 3 | the term of two or more aspects is not what stands at its place in the text | injected (alignment) |
| 4 | aspects were dropped, and each of them for such a mismatch | injected (explicit_grounding_failure) |
| 5 | else | kept out |

The gate of stage 2 is laxer, and asks in this order:

| row | when | then |
|---|---|---|
| L1 | the validator states a structural risk | injected (validator) |
| L2 | one term of stage 1 has two or more polarities | injected (conflict) |
| L3 | the term of an aspect is not what stands at its place in the text | injected (alignment) |
| L4 | at most one sentiment is not neutral | injected (neutral_only) |
| L5 | aspects were dropped, and each of them for such a mismatch | injected (explicit_grounding_failure) |
| L6 | else | kept out |

A review of conflicts has no such gate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from withstood.claims.episode import Count
from withstood.rules.table import NoNumbers, Table

Because: TypeAlias = Literal["conflict", "validator", "alignment", "explicit_grounding_failure", "neutral_only", ""]
Gate: TypeAlias = Literal["debate", "stage2"]


@dataclass(frozen=True, slots=True)
class Said:
    """One sentiment of stage 1."""

    term: str
    polarity: str


@dataclass(frozen=True, slots=True)
class Input:
    """`mismatches`: aspects whose term is not what stands at its place. `dropped` aspects, `dropped_mismatches` of
    them for that reason."""

    sentiments: tuple[Said, ...]
    structural_risks: Count = 0
    mismatches: Count = 0
    dropped: Count = 0
    dropped_mismatches: Count = 0
    gate: Gate = "debate"


@dataclass(frozen=True, slots=True)
class Output:
    injected: bool
    because: Because
    row: str


class Sign(NamedTuple):
    row: str
    because: Because
    holds: Callable[[Input], bool]


def _conflict(case: Input) -> bool:
    polarities: dict[str, str] = {}
    return any(polarities.setdefault(said.term, said.polarity) != said.polarity for said in case.sentiments)


def _validator(case: Input) -> bool:
    return case.structural_risks > 0


def _astray(case: Input) -> bool:
    return case.mismatches >= 1


def _twice_astray(case: Input) -> bool:
    return case.mismatches >= 2


def _grounding(case: Input) -> bool:
    return case.dropped > 0 and case.dropped_mismatches == case.dropped


def _neutral_only(case: Input) -> bool:
    return sum(said.polarity != "neutral" for said in case.sentiments) <= 1


def _always(case: Input) -> bool:
    return True


GATES: Mapping[str, tuple[Sign, ...]] = {
    "debate": (
        Sign("1", "conflict", _conflict),
        Sign("2", "validator", _validator),
        Sign("3", "alignment", _twice_astray),
        Sign("4", "explicit_grounding_failure", _grounding),
        Sign("5", "", _always),
    ),
    "stage2": (
        Sign("L1", "validator", _validator),
        Sign("L2", "conflict", _conflict),
        Sign("L3", "alignment", _astray),
        Sign("L4", "neutral_only", _neutral_only),
        Sign("L5", "explicit_grounding_failure", _grounding),
        Sign("L6", "", _always),
    ),
}


def inject(case: Input) -> Output:
    sign = next(sign for sign in GATES[case.gate] if sign.holds(case))
    return Output(bool(sign.because), sign.because, sign.row)


def capped(text: str, cap: int) -> str:
    """At most so many characters; 0 is no limit."""
    return text[:cap] if cap else text


def _decide(case: Input, numbers: NoNumbers) -> Output:
    return inject(case)


TABLE = Table("memory-injection-1", __doc__, Input, Output, _decide, section="none", aliases=("memory-injection",))
