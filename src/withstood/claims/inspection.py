"""Inspections: what code found where evidence was cited. Only this counts; nobody's word changes it."""

from __future__ import annotations

from dataclasses import dataclass

from withstood.claims.finding import Grade, Kind


@dataclass(frozen=True, slots=True)
class Citation:
    """One piece of evidence as it is handed to the check. `id` is `IID/F1/1`: investigator, finding, place."""

    id: str
    type: Kind
    location: str
    snippet: str
    strength: Grade


@dataclass(frozen=True, slots=True)
class Checked:
    """The same piece after the check. Where `checked` is False it is struck, and `why` says so.

    `line` and `end_line` are where the words really stand, `drift` how far from the cited line; `commit` is a full
    name.
    `template` is that of a log line. `sha256` names the kept snapshot, `excerpt` shows it from `excerpt_line` on.
    """

    id: str
    type: Kind
    location: str
    snippet: str
    grade: Grade
    checked: bool
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
