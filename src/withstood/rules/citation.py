"""Citations: whether a piece of evidence counts, by what code saw where it is said to stand. First match decides.

| row | code saw | then |
|---|---|---|
| 1 | no-place: the location names neither lines nor a commit, or there is no such file, log or commit | struck |
| 2 | commit-alone: the commit is there, and no words of it are cited | checked, at most WEAK |
| 3 | no-words: no words are cited, or too few to mean anything | struck |
| 4 | too-long: more than five lines are cited | struck |
| 5 | not-there: the words do not stand there, nor within a few lines | struck |
| 6 | comment: they stand there, in nothing but comments of code | checked, at most WEAK |
| 7 | there: they stand there | checked, as claimed |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from withstood.claims.finding import Grade
from withstood.claims.inspection import Seen
from withstood.form import Within
from withstood.rules.table import Table


@dataclass(frozen=True, slots=True)
class Numbers:
    """How many lines a citation may have drifted, and from which share of struck pieces an investigator is reported."""

    drift: Annotated[int, Within(0, 1000)] = 8
    struck_percent: Annotated[int, Within(0, 100)] = 50


@dataclass(frozen=True, slots=True)
class Input:
    seen: Seen
    grade: Grade


@dataclass(frozen=True, slots=True)
class Output:
    outcome: Literal["checked", "struck"]
    grade: Grade
    row: str


ROWS: dict[Seen, str] = {
    "no-place": "1",
    "commit-alone": "2",
    "no-words": "3",
    "too-long": "4",
    "not-there": "5",
    "comment": "6",
    "there": "7",
}
STRUCK: frozenset[Seen] = frozenset({"no-place", "no-words", "too-long", "not-there"})


def grade(seen: Seen, claimed: Grade) -> Output:
    if seen in STRUCK:
        return Output("struck", "WEAK", ROWS[seen])
    return Output("checked", claimed if seen == "there" else "WEAK", ROWS[seen])


def _decide(case: Input, numbers: Numbers) -> Output:
    return grade(case.seen, case.grade)


TABLE = Table("citation-1", __doc__, Input, Output, _decide, section="evidence", aliases=("citation",))
