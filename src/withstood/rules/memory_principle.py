"""Principles: which of our sentences an episode teaches. First match decides, over all tuples that were in conflict.

| row | when | then |
|---|---|---|
| 1 | a FLIP carried, and who named it said NEGATION_SCOPE | NEGATION_REACH |
| 2 | a FLIP carried, and who named it said CONTRAST_CLAUSE | CONTRAST_SIDES |
| 3 | a FLIP carried | POLARITY_CHECKED |
| 4 | a DROP carried on an overlap of refs | UPPER_REF |
| 5 | a DROP carried | EVIDENCE_NEEDED |
| 6 | a FLAG carried for FACET_MINORITY_SIGNAL | FACET_HEARD |
| 7 | a FLAG carried for REVIEW_INCOMPLETE | REVIEW_INCOMPLETE |
| 8 | a FLAG carried | LEFT_OPEN |
| 9 | there was a conflict | BOTH_KEPT |
| 10 | the validator states a structural risk | STRUCTURE_AT_RISK |
| 11 | else | NOTHING_AT_RISK |
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from withstood.claims.ballot import Action
from withstood.claims.episode import Count
from withstood.claims.principles import PrincipleId, sentence
from withstood.rules.table import NoNumbers, Table


@dataclass(frozen=True, slots=True)
class Carried:
    """An action that carried: why the arbiter made it, and what those said who named it."""

    action: Action
    reason_code: str = ""
    named_for: tuple[str, ...] = ()
    conflict_type: str | None = None


@dataclass(frozen=True, slots=True)
class Input:
    carried: tuple[Carried, ...] = ()
    structural_risks: Count = 0
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Output:
    principle_id: PrincipleId
    sentence: str
    row: str


def principle(case: Input) -> Output:
    rung = next(rung for rung in _LADDER if rung.holds(case))
    return Output(rung.principle, sentence(rung.principle, case.language), rung.row)


Holds: TypeAlias = Callable[[Input], bool]


class _Rung(NamedTuple):
    row: str
    principle: PrincipleId
    holds: Holds


def _any(fits: Callable[[Carried], bool]) -> Holds:
    return lambda case: any(fits(one) for one in case.carried)


def _carried(action: Action, *, named: str = "", code: str = "", kind: str = "") -> Holds:
    """An action carried, and what is told of it holds."""
    return _any(
        lambda one: (
            one.action is action
            and (not named or named in one.named_for)
            and (not code or code == one.reason_code)
            and (not kind or kind == one.conflict_type)
        )
    )


def _at_risk(case: Input) -> bool:
    return case.structural_risks > 0


def _always(case: Input) -> bool:
    return True


_LADDER: tuple[_Rung, ...] = (
    _Rung("1", "NEGATION_REACH", _carried(Action.FLIP, named="NEGATION_SCOPE")),
    _Rung("2", "CONTRAST_SIDES", _carried(Action.FLIP, named="CONTRAST_CLAUSE")),
    _Rung("3", "POLARITY_CHECKED", _carried(Action.FLIP)),
    _Rung("4", "UPPER_REF", _carried(Action.DROP, kind="granularity_overlap_candidate")),
    _Rung("5", "EVIDENCE_NEEDED", _carried(Action.DROP)),
    _Rung("6", "FACET_HEARD", _carried(Action.FLAG, code="FACET_MINORITY_SIGNAL")),
    _Rung("7", "REVIEW_INCOMPLETE", _carried(Action.FLAG, code="REVIEW_INCOMPLETE")),
    _Rung("8", "LEFT_OPEN", _carried(Action.FLAG)),
    _Rung("9", "BOTH_KEPT", _any(lambda one: one.conflict_type is not None)),
    _Rung("10", "STRUCTURE_AT_RISK", _at_risk),
    _Rung("11", "NOTHING_AT_RISK", _always),
)


def _decide(case: Input, numbers: NoNumbers) -> Output:
    return principle(case)


TABLE = Table("memory-principle-1", __doc__, Input, Output, _decide, section="none", aliases=("memory-principle",))
