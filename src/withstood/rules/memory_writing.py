"""Writing: whether an episode is worth keeping. First match decides.

| row | when | then |
|---|---|---|
| 0 | the gate is off | stored |
| 1 | failure_asset: the risk type is L3 or conflict, or the severity before is 3 or more | stored |
| 2 | utility: an override was applied, and it is known whether it succeeded, did harm or settled the conflict | stored |
| 3 | novelty: none of the last 200 episodes is like it | stored |
| 4 | else | skipped (not_new) |

Alike are episodes of one language with the same structures, the same risk tags and the same symptom. The tags are all
of failure_asset, utility and novelty that hold.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, Protocol, TypeAlias

from withstood.claims.episode import Lesson, RiskType, Severity
from withstood.rules.table import Table

RECENT = 200
SEVERE = Decimal(3)

Tag: TypeAlias = Literal["failure_asset", "utility", "novelty"]
ROWS: dict[Tag, str] = {"failure_asset": "1", "utility": "2", "novelty": "3"}


class Numbers(Protocol):
    @property
    def gate(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Input:
    """`fingerprint` of the episode, and those of the last 200 that were kept."""

    fingerprint: str
    recent: tuple[str, ...] = ()
    risk_type: RiskType | None = None
    severity_before: Severity = Decimal(0)
    override_applied: bool = False
    override_success: bool = False
    override_harm: bool = False
    conflict_resolved: bool | None = None


@dataclass(frozen=True, slots=True)
class Output:
    decision: Literal["stored", "skipped"]
    skip_reason: Literal["not_new"] | None
    tags: tuple[Tag, ...]
    row: str


def fingerprint(lesson: Lesson) -> str:
    """What makes an episode like another one."""
    signature = lesson.input_signature
    told = (
        signature.language if signature else "",
        *sorted(signature.detected_structure if signature else ()),
        "/",
        *sorted(lesson.evaluation.risk_before.tags),
        "/",
        lesson.case_summary.symptom,
    )
    return " ".join(told)


def admit(lesson: Lesson, recent: Collection[str], gate: str) -> Output:
    seen, delta = lesson.evaluation, lesson.outcome_delta
    case = Input(
        fingerprint(lesson),
        (),
        lesson.risk_type,
        seen.risk_before.severity_sum,
        seen.override_applied,
        seen.override_success,
        seen.override_harm,
        delta.conflict_resolved if delta else None,
    )
    return _admit(case, recent, gate)


def _admit(case: Input, recent: Collection[str], gate: str) -> Output:
    tags: tuple[Tag, ...] = tuple(_tags(case, recent))
    if gate == "off":
        return Output("stored", None, tags, "0")
    if not tags:
        return Output("skipped", "not_new", tags, "4")
    return Output("stored", None, tags, ROWS[tags[0]])


def _tags(case: Input, recent: Collection[str]) -> Iterator[Tag]:
    if case.risk_type in ("L3", "conflict") or case.severity_before >= SEVERE:
        yield "failure_asset"
    known = case.override_success or case.override_harm or case.conflict_resolved is not None
    if case.override_applied and known:
        yield "utility"
    if case.fingerprint not in recent:
        yield "novelty"


def _decide(case: Input, numbers: Numbers) -> Output:
    return _admit(case, case.recent[-RECENT:], numbers.gate)


TABLE = Table("memory-writing-1", __doc__, Input, Output, _decide, section="memory", aliases=("memory-writing",))
