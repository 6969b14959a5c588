"""Inspections: what code saw where evidence was cited. Only this counts; nobody's word changes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from withstood.claims.finding import Grade, Kind

Seen: TypeAlias = Literal["no-place", "commit-alone", "no-words", "too-long", "not-there", "comment", "there"]


@dataclass(frozen=True, slots=True)
class Citation:
    """One piece of evidence as it is handed to the check. `id` is `IID/F1/1`: investigator, finding, place."""

    id: str
    type: Kind
    location: str
    snippet: str


@dataclass(frozen=True, slots=True)
class Checked:
    """What was seen of one citation. `why` says more where it is not there.

    `line` and `end_line` are where the words really stand, `drift` how far from the cited line; `commit` is a full
    name; `template` that of a log line. `sha256` names the kept snapshot, `excerpt` shows it from `excerpt_line` on.
    """

    id: str
    seen: Seen
    why: str = ""
    path: str = ""
    line: int = 0
    end_line: int = 0
    commit: str = ""
    template: str = ""
    drift: int = 0
    sha256: str = ""
    excerpt: tuple[str, ...] = ()
    excerpt_line: int = 0


@dataclass(frozen=True, slots=True)
class Inspection:
    """The answer of the evidence check: every citation, in the order given."""

    pieces: tuple[Checked, ...] = ()


@dataclass(frozen=True, slots=True)
class Piece:
    """A citation with what was seen of it, and the grade that it is left with. Struck where not `checked`."""

    cited: Citation
    seen: Checked
    grade: Grade
    checked: bool
    row: str
