"""Suspects: lines that may be at fault, with every reason to think so. What an investigator brings is taken from here.

A reason is of a sort, and an investigator counts the sorts that it may see: code what stands in the code, history what
was changed, logs what was seen to happen.

| sort | points |
|---|---|
| origin | how sure it is that what was raised comes from there (`origins`) |
| fault | how telling the fault is that stands there (`faults`) |
| change | how telling the change is that was made there (`turns`), less for a change of many files, or one too late or long ago |
| fed | 30, less 7 a step: the line feeds one where it failed, or says what was seen |
| unit | 14: in the same function as such a line |
| file | 8: in the same file |
| question | words of the question in the path, the function and the line, at most 30 |
| message | words of what was seen that stand in the line, at most 16 |
| named | 22: the change took away or brought in a name that a message or the question gives |
| blame | 2: the line comes from a commit, and is on the way to the failure |
| timing | 12, 8 or 4: the failure was first seen within 12 hours, 2 days or 5 days of the change, in logs that begin before |
| fits | 16: what was asked or seen makes one think of this cause |
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from withstood.agents.programmed.investigation.atlas import Spot

Sort: TypeAlias = Literal[
    "origin", "fault", "change", "fed", "unit", "file", "question", "message", "fits", "named", "timing", "blame"
]

SEEN_BY: Mapping[str, frozenset[Sort]] = {
    "CODE": frozenset(("origin", "fault", "fed", "unit", "file", "question", "message", "fits")),
    "LOG": frozenset(("origin", "fed", "unit", "file", "question", "message", "fits")),
    "HIST": frozenset(("change", "blame", "named", "timing", "fed", "unit", "file", "question", "message", "fits")),
}
PROOF: Mapping[str, frozenset[Sort]] = {
    "CODE": frozenset(("origin", "fault")),
    "LOG": frozenset(("origin", "fed")),
    "HIST": frozenset(("change", "blame")),
}
"""Without one of these an investigator has nothing to say of a suspect."""

GENERAL = "regression"
"""The cause of a change of which no more can be said: it speaks for any."""
FAMILIES = tuple(
    frozenset(one.split())
    for one in (
        "config-value config-missing deployment wrong-path timeout",
        "null-dereference missing-validation missing-import",
        "renamed-key interface-changed migration wrong-query dependency-changed",
        "race deadlock state-machine stale-cache",
        "resource-leak resource-exhausted",
        "rounding wrong-unit wrong-type wrong-calculation",
        "wrong-condition off-by-one wrong-calculation permission",
        "swallowed-exception lost-cause unhandled-exception dead-code",
    )
)
"""Causes of which one may show itself as another."""
NEAR = 3


@dataclass(frozen=True, slots=True)
class Reason:
    sort: Sort
    points: int
    says: str
    cause: str = ""


@dataclass(slots=True)
class Suspect:
    """Some lines of one file, and why. `commits` brought them, by name with what they did there."""

    path: str
    first: int
    last: int
    reasons: list[Reason] = field(default_factory=list[Reason])
    commits: dict[str, str] = field(default_factory=dict[str, str])
    symptoms: list[int] = field(default_factory=list[int])

    def add(self, reason: Reason) -> None:
        """Of one sort and cause only the strongest counts."""
        same = next((one for one in self.reasons if (one.sort, one.cause) == (reason.sort, reason.cause)), None)
        if same is None:
            self.reasons.append(reason)
        elif same.points < reason.points:
            self.reasons[self.reasons.index(same)] = reason

    def pull(self, prefix: str = "") -> int:
        """How much there is against it, of what a type of investigator sees; of everything where none is named."""
        return self._weight(self.cause(), prefix)

    def _weight(self, cause: str, prefix: str) -> int:
        """The strongest reason of each sort, but for those that speak for another cause."""
        best: dict[str, int] = {}
        for one in self.reasons:
            if (not prefix or one.sort in SEEN_BY[prefix]) and _speaks_for(one.cause, cause):
                best[one.sort] = max(best.get(one.sort, 0), one.points)
        place = max(best.pop("fed", 0), best.pop("unit", 0), best.pop("file", 0))
        return place + sum(best.values())

    def proven(self, prefix: str) -> bool:
        return any(one.sort in PROOF[prefix] for one in self.reasons)

    def cause(self) -> str:
        """The cause that most speaks for; an origin speaks twice."""
        told = dict.fromkeys(sorted({one.cause for one in self.reasons if one.cause} - {GENERAL}), 0)
        for cause in told:
            origins = [one.points for one in self.reasons if one.sort == "origin" and one.cause == cause]
            told[cause] = self._weight(cause, "") * 4 + max(origins, default=0) * 4 + self._of_itself(cause)
        return max(told, key=lambda cause: told[cause], default=GENERAL)

    def _of_itself(self, cause: str) -> int:
        return sum(one.points for one in self.reasons if one.cause == cause)

    def says(self, sort: Sort) -> str:
        found = [one for one in self.reasons if one.sort == sort]
        return max(found, key=lambda one: one.points).says if found else ""

    def has(self, sort: Sort) -> bool:
        return any(one.sort == sort for one in self.reasons)


def _speaks_for(said: str, cause: str) -> bool:
    return said in ("", cause, GENERAL) or any(said in family and cause in family for family in FAMILIES)


class Board:
    """All suspects of an investigation. Lines that are nearly one place are one suspect, where it was first seen."""

    def __init__(self) -> None:
        self._of: dict[str, list[Suspect]] = {}

    def at(self, path: str, first: int, last: int) -> Suspect:
        for one in self._of.setdefault(path, []):
            if first <= one.last + NEAR and one.first <= last + NEAR:
                return one
        found = Suspect(path, first, last)
        self._of[path].append(found)
        return found

    def spot(self, spot: Spot) -> Suspect:
        return self.at(spot.path, spot.line, spot.line)

    def all(self) -> list[Suspect]:
        return [one for path in sorted(self._of) for one in sorted(self._of[path], key=lambda one: one.first)]

    def ranked(self, prefix: str = "") -> list[Suspect]:
        return ranked(self.all(), prefix)


def ranked(found: Iterable[Suspect], prefix: str = "") -> list[Suspect]:
    return sorted(found, key=lambda one: (-one.pull(prefix), -one.pull(), one.path, one.first))
