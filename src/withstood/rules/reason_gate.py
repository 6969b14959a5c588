"""The reason-code gate: a code that carries power passes only if code finds its cue.

Where it does not pass, the action stays and the code is struck.

| row | action and code | passes if |
|---|---|---|
| 1 | FLIP, NEGATION_SCOPE | a negation marker stands in the text |
| 2 | FLIP, CONTRAST_CLAUSE | a contrast marker stands in the text |
| 3 | FLIP, STRUCTURAL_INCONSISTENT | a negation or a contrast marker stands in the text |
| 4 | DROP, WEAK_EVIDENCE | the tuple has no evidence, or its evidence does not stand in the text |
| 5 | DROP, REDUNDANT_UPPER_REF | the tuple has an upper ref, and its granularity overlap is flagged |
| 6 | anything else | always: it carries no power |
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import Literal, TypeAlias

from withstood.claims.ballot import Action
from withstood.rules.table import NoNumbers, Table
from withstood.verdict import Ruling

Cue: TypeAlias = Literal["negation", "contrast", "weak_evidence", "upper_ref"]

NEEDS: dict[tuple[Action, str], tuple[str, frozenset[Cue]]] = {
    (Action.FLIP, "NEGATION_SCOPE"): ("1", frozenset({"negation"})),
    (Action.FLIP, "CONTRAST_CLAUSE"): ("2", frozenset({"contrast"})),
    (Action.FLIP, "STRUCTURAL_INCONSISTENT"): ("3", frozenset({"negation", "contrast"})),
    (Action.DROP, "WEAK_EVIDENCE"): ("4", frozenset({"weak_evidence"})),
    (Action.DROP, "REDUNDANT_UPPER_REF"): ("5", frozenset({"upper_ref"})),
}


def admit(action: Action, reason_code: str, cues: Set[Cue]) -> Ruling:
    """`passed` or `struck`; `because` is the code that was looked at."""
    code = reason_code.strip().upper()
    row, any_of = NEEDS.get((action, code), ("6", frozenset[Cue]()))
    passed = not any_of or bool(any_of & cues)
    return Ruling("passed" if passed else "struck", row, code)


@dataclass(frozen=True, slots=True)
class Input:
    action_type: Action
    reason_code: str = ""
    cues: tuple[Cue, ...] = ()


@dataclass(frozen=True, slots=True)
class Output:
    reason_code: str
    outcome: str
    row: str


def _decide(case: Input, numbers: NoNumbers) -> Output:
    ruling = admit(case.action_type, case.reason_code, frozenset(case.cues))
    return Output(case.reason_code if ruling.outcome == "passed" else "", ruling.outcome, ruling.row)


TABLE = Table("reason-gate-1", __doc__, Input, Output, _decide, section="none", aliases=("reason-gate",))
