"""Classification: how a group of like findings stands after the investigators have been heard. First match decides.

Supporters are counted by investigator, that is by type and perspective, whatever the round; two findings of one are one
supporter with the stronger grade. Challengers count as opponents, never as supporters.

| row | when | then |
|---|---|---|
| 1 | two supporters or more, and no opponent | AGREED |
| 2 | one opponent or more | DISAGREED |
| 3 | one supporter, of grade MODERATE or STRONG | UNCERTAIN |
| 4 | one supporter, of grade WEAK | NEEDS_MORE |
| 5 | an investigator set needs_further and stands in no group that is NEEDS_MORE | NEEDS_MORE, an item of its own |
| r0 | round 3: there is no group | not run |
| r1 | round 3: an item is DISAGREED | run |
| r2 | round 3: an item is UNCERTAIN with HIGH confidence | run |
| r3 | round 3: an item is NEEDS_MORE | run |
| r4 | round 3: all are AGREED, and the strongest grade of each is MODERATE or STRONG | not run |
| r5 | round 3: otherwise | run |
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from withstood.claims import iid
from withstood.claims.finding import Grade, Level, strongest
from withstood.errors import Misfit
from withstood.rules.table import WHOLE, NoNumbers, Table, Without, first

Standing: TypeAlias = Literal["AGREED", "DISAGREED", "UNCERTAIN", "NEEDS_MORE"]


@dataclass(frozen=True, slots=True)
class Member:
    """One finding's investigator, and the grade of its strongest checked evidence."""

    iid: str
    grade: Grade = "WEAK"
    needs_further: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    id: str
    supporters: tuple[Member, ...] = ()
    opponents: tuple[Member, ...] = ()
    confidence: Level = "MEDIUM"


@dataclass(frozen=True, slots=True)
class Classified:
    id: str
    standing: Standing
    row: str


@dataclass(frozen=True, slots=True)
class Round:
    """Whether round 3 is run."""

    run: bool
    row: str


@dataclass(frozen=True, slots=True)
class Output:
    groups: tuple[Classified, ...]
    round3: Round


def classify(groups: Sequence[Group], without: Without = WHOLE) -> Output:
    """Every group in order, then what investigators want looked at further."""
    found = [_classified(group, without) for group in groups]
    if "5" not in without:
        found += [Classified(f"more:{name}", "NEEDS_MORE", "5") for name in _more(groups, found)]
    return Output(tuple(found), round3(groups, found, without))


def round3(groups: Sequence[Group], found: Sequence[Classified], without: Without = WHOLE) -> Round:
    """`found` begins with the groups, in order."""
    return first(_rounds(groups, found), without)


def _rounds(groups: Sequence[Group], found: Sequence[Classified]) -> Iterator[Round]:
    pairs = list(zip(groups, found, strict=False))
    standings = {one.standing for one in found}
    if not found:
        yield Round(False, "r0")
    if "DISAGREED" in standings:
        yield Round(True, "r1")
    if any(one.standing == "UNCERTAIN" and group.confidence == "HIGH" for group, one in pairs):
        yield Round(True, "r2")
    if "NEEDS_MORE" in standings:
        yield Round(True, "r3")
    if standings == {"AGREED"} and all(_strength(group) != "WEAK" for group in groups):
        yield Round(False, "r4")
    yield Round(True, "r5")


def _classified(group: Group, without: Without) -> Classified:
    if not supporting(group) and not group.opponents:
        raise Misfit(f"group {group.id}", "an investigator that supports or opposes it", "nobody")
    return first(_rows(group), without)


def _rows(group: Group) -> Iterator[Classified]:
    if len(supporting(group)) >= 2 and not group.opponents:
        yield Classified(group.id, "AGREED", "1")
    if group.opponents:
        yield Classified(group.id, "DISAGREED", "2")
    if _strength(group) != "WEAK":
        yield Classified(group.id, "UNCERTAIN", "3")
    yield Classified(group.id, "NEEDS_MORE", "4")


def supporting(group: Group) -> tuple[str, ...]:
    """The investigators behind a group, each once, in order of appearance."""
    voices = [iid.voice(one.iid) for one in group.supporters if not iid.is_challenger(one.iid)]
    return tuple(dict.fromkeys(voices))


def _strength(group: Group) -> Grade:
    return strongest(tuple([one.grade for one in group.supporters if not iid.is_challenger(one.iid)]))


def _more(groups: Sequence[Group], found: Sequence[Classified]) -> Iterator[str]:
    """Who asked for more and has no group that will get it: by the id under which each first appears."""
    first: dict[str, str] = {}
    asking: set[str] = set()
    served: set[str] = set()
    for group, one in zip(groups, found, strict=True):
        for member in _investigators(group):
            voice = iid.voice(member.iid)
            first.setdefault(voice, member.iid)
            asking |= {voice} if member.needs_further else set()
            served |= {voice} if one.standing == "NEEDS_MORE" else set()
    yield from (name for voice, name in first.items() if voice in asking and voice not in served)


def _investigators(group: Group) -> list[Member]:
    return [one for one in (*group.supporters, *group.opponents) if not iid.is_challenger(one.iid)]


@dataclass(frozen=True, slots=True)
class Input:
    groups: tuple[Group, ...]


def _decide(case: Input, numbers: NoNumbers, without: Without = WHOLE) -> Output:
    _check_ids(case.groups)
    return classify(case.groups, without)


def _check_ids(groups: Sequence[Group]) -> None:
    seen: set[str] = set()
    for place, group in enumerate(groups):
        if group.id in seen:
            raise Misfit(f"groups[{place}].id", "an id that no earlier group has", f'"{group.id}" again')
        seen.add(group.id)


TABLE = Table(
    "classification-1",
    __doc__,
    Input,
    Output,
    _decide,
    section="none",
    aliases=("classification",),
    droppable=("1", "2", "3", "5", "r1", "r2", "r3", "r4"),
)
