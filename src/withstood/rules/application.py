"""Application: what a decided action does to its tuple. Order is kept.

| row | action | then |
|---|---|---|
| 1 | DROP | the tuple is removed |
| 2 | FLIP with a polarity in its new value | the polarity is set, as it stands |
| 3 | FLIP without one | no change |
| 4 | FLAG | no change, and the tuple is marked with the reason code (FLAG where there is none) |
| 5 | KEEP, and anything else | no change |
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal

from withstood.claims.ballot import Action, Decision
from withstood.claims.opinion import Candidate
from withstood.rules.table import NoNumbers, Table


def apply(candidate: Candidate, decision: Decision) -> Candidate | None:
    """The tuple afterwards, or None where it was removed."""
    match decision.action:
        case Action.DROP:
            return None
        case Action.FLIP:
            polarity = (decision.new_value or {}).get("polarity")
            return replace(candidate, polarity=polarity) if isinstance(polarity, str) and polarity else candidate
        case Action.FLAG:
            return replace(candidate, flag=decision.reason_code or "FLAG")
        case _:
            return candidate


@dataclass(frozen=True, slots=True)
class Input:
    polarity: str
    decision: Decision


@dataclass(frozen=True, slots=True)
class Output:
    kept: bool
    polarity: str | None
    flag: str | None


def _decide(case: Input, numbers: NoNumbers) -> Output:
    before = Candidate("t0", "", "", case.polarity, 0, 0, None, None, None, Decimal(1), "")
    after = apply(before, case.decision)
    return Output(after is not None, after and after.polarity, after and after.flag)


TABLE = Table("application-1", __doc__, Input, Output, _decide, section="none", aliases=("application",))
