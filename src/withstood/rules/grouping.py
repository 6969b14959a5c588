"""Grouping: which findings say the same, which contradict each other. What is said first decides nothing.

Two findings are compared by location, cause and direction. They have the same location where both name the same or
nearly the same lines of one file, the same commit, or the same template of log lines. Their locations differ only where
both name places of a kind that they share. First match decides.

| row | when | then |
|---|---|---|
| 1 | same location and same cause | similar |
| 2 | same location, and causes that differ | opposed |
| 3 | same location and same direction, and one names no cause | similar |
| 4 | same cause and same direction, and locations that do not differ: they share no kind of place | similar |
| 5 | same cause | linked |
| 6 | otherwise | apart |

A group is what similar findings hold together. Two groups oppose each other where a finding of one is opposed to a
finding of the other, and each has an investigator that the other has not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, Literal, TypeAlias

from withstood.claims import iid
from withstood.errors import Misfit
from withstood.form import Within
from withstood.rules.table import Table

Relation: TypeAlias = Literal["similar", "opposed", "linked", "apart"]


@dataclass(frozen=True, slots=True)
class Numbers:
    """How many lines apart two places may be and still be one: for findings, and for the origin of evidence."""

    near: Annotated[int, Within(0, 1000)] = 3
    touching: Annotated[int, Within(0, 1000)] = 2


@dataclass(frozen=True, slots=True)
class Place:
    """Lines of a file or a log, or a commit (then there is no path). `kind` is the type of the evidence."""

    kind: str
    path: str = ""
    line: int = 0
    end_line: int = 0
    commit: str = ""
    template: str = ""


@dataclass(frozen=True, slots=True)
class Stated:
    """One finding as it is compared. Cause and direction are keys: equal ones are the same."""

    id: str
    investigator: str
    cause: str = ""
    direction: str = ""
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """Ids of findings in order; the groups that it opposes and those that it is linked with, by their first finding."""

    findings: tuple[str, ...]
    opposes: tuple[str, ...] = ()
    linked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Related:
    relation: Relation
    row: str


def relate(one: Stated, other: Stated, numbers: Numbers) -> Related:
    same_cause = one.cause == other.cause != ""
    same_direction = one.direction == other.direction != ""
    if any(meets(a, b, numbers.near) for a in one.places for b in other.places):
        if same_cause:
            return Related("similar", "1")
        if one.cause and other.cause:
            return Related("opposed", "2")
        return Related("similar", "3") if same_direction else Related("apart", "6")
    if same_cause and same_direction and not _share_a_kind(one, other):
        return Related("similar", "4")
    return Related("linked", "5") if same_cause else Related("apart", "6")


def meets(one: Place, other: Place, near: int) -> bool:
    """Whether two places are one: the same commit, the same template, or lines at most so far apart."""
    if one.commit or other.commit:
        return one.commit == other.commit and one.path == other.path
    if one.template and one.template == other.template:
        return True
    return one.path == other.path != "" and one.line <= other.end_line + near and other.line <= one.end_line + near


def _share_a_kind(one: Stated, other: Stated) -> bool:
    return bool({place.kind for place in one.places} & {place.kind for place in other.places})


def group(findings: Sequence[Stated], numbers: Numbers) -> tuple[Group, ...]:
    """All groups, in the order of their first finding; the order in which findings are given changes nothing."""
    ordered = sorted(findings, key=lambda one: one.id)
    relations: dict[tuple[str, str], Relation] = {
        (a.id, b.id): relate(a, b, numbers).relation for a, b in combinations(ordered, 2)
    }
    heads = _heads(ordered, relations)
    groups = {head: [one for one in ordered if heads[one.id] == head] for head in dict.fromkeys(heads.values())}
    return tuple(
        [
            Group(
                tuple([one.id for one in members]),
                tuple([name for name, others in groups.items() if _oppose(members, others, relations)]),
                tuple([name for name, others in groups.items() if _are(members, others, relations, "linked")]),
            )
            for members in groups.values()
        ]
    )


def _heads(ordered: Sequence[Stated], relations: Mapping[tuple[str, str], Relation]) -> dict[str, str]:
    """Each finding to the first finding of its group."""
    heads = {one.id: one.id for one in ordered}
    for (a, b), relation in relations.items():
        if relation == "similar" and heads[a] != heads[b]:
            kept, lost = sorted((heads[a], heads[b]))
            heads = {name: kept if head == lost else head for name, head in heads.items()}
    return heads


def _oppose(some: Sequence[Stated], others: Sequence[Stated], relations: Mapping[tuple[str, str], Relation]) -> bool:
    ours, theirs = ({iid.voice(one.investigator) for one in side} for side in (some, others))
    return bool(ours - theirs and theirs - ours) and _are(some, others, relations, "opposed")


def _are(
    some: Sequence[Stated],
    others: Sequence[Stated],
    relations: Mapping[tuple[str, str], Relation],
    wanted: Relation,
) -> bool:
    return any(relations.get((a.id, b.id), relations.get((b.id, a.id))) == wanted for a in some for b in others)


@dataclass(frozen=True, slots=True)
class Input:
    findings: tuple[Stated, ...]


@dataclass(frozen=True, slots=True)
class Output:
    groups: tuple[Group, ...]


def _decide(case: Input, numbers: Numbers) -> Output:
    seen: set[str] = set()
    for place, one in enumerate(case.findings):
        if one.id in seen:
            raise Misfit(f"findings[{place}].id", "an id that no earlier finding has", f'"{one.id}" again')
        seen.add(one.id)
    return Output(group(case.findings, numbers))


TABLE = Table("grouping-1", __doc__, Input, Output, _decide, section="grouping", aliases=("grouping",))
