"""An inquiry: one question about a code base, what there is to look at, and how the user wants it looked at."""

from __future__ import annotations

from dataclasses import dataclass

from withstood.claims.cast import CastTable, Source
from withstood.claims.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class SourceNote:
    """One source as it stands when the run begins; `missing` says why it is not there."""

    kind: Source
    name: str
    note: str = ""
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Inquiry:
    """`cast` are the voices that the user names; empty: by the kind of the question, which is `kind` where the user
    names that. `planner`: a seat may propose key questions."""

    no: int
    id: str
    question: str
    language: str
    sources: tuple[SourceNote, ...] = ()
    profile: str = "default"
    cast: tuple[str, ...] = ()
    quick: bool = False
    planner: bool = False
    kind: str = ""

    def has(self, kind: Source) -> bool:
        return any(source.kind == kind and not source.missing for source in self.sources)


@dataclass(frozen=True, slots=True)
class Agreed:
    """What a run agrees on beforehand: the cast table and the vocabularies."""

    cast: CastTable
    causes: Vocabulary
    directions: Vocabulary
