"""The folder of a research as a session: what was ordered, which run works on it, and the graph as it stands.

`cognigraph.json`, `observations/`, `hypotheses/` and `thesis.md` are as published; `session.json` is ours. It holds
what a research is gone on with, and may be missing: then the folder was made by another tool.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, TypeAlias

from withstood import form, lexicons
from withstood.claims import address
from withstood.claims.graph import Graph
from withstood.errors import InputError, Misfit, UsageError
from withstood.report import cognigraph
from withstood.sources import session_folder
from withstood.sources.origins import Origin

FILE = "session.json"
Reach: TypeAlias = Literal["none", "web", "private"]


@dataclass(frozen=True, slots=True)
class Note:
    """`origins` say where its documents came from. `reach` says where the research has been: once it has read private
    files it never goes to the web again."""

    question: str
    language: str
    sources: str = ""
    reach: Reach = "none"
    rules: str | None = None
    set: Mapping[str, str] = field(default_factory=dict[str, str])
    models: Mapping[str, str] = field(default_factory=dict[str, str])
    origins: tuple[Origin, ...] = ()
    iterations: int = 15
    run: str = ""
    runs: tuple[str, ...] = ()
    version: Literal[1] = 1


def is_session(folder: Path) -> bool:
    return (folder / cognigraph.FILE).is_file()


def graph(folder: Path) -> Graph:
    """The graph of a folder; an `InputError` names the place where it is none."""
    path = folder / cognigraph.FILE
    if not path.is_file():
        raise InputError(
            f"There is no research in {folder}: wanted {cognigraph.FILE} there. "
            'Begin one with `withstood research "QUESTION" -o FOLDER`, or name another folder.'
        )
    try:
        return cognigraph.read(session_folder.read(path))
    except Misfit as fault:
        raise InputError(
            f"{path} does not hold together: {fault}. Mend that place, or take a copy of it; nothing was changed."
        ) from None


def note(folder: Path, known: Graph) -> Note:
    """What was ordered; of a folder of another tool, what its graph tells."""
    path = folder / FILE
    if not path.is_file():
        return Note(known.question, lexicons.detect(known.question), reach=_reach(known))
    try:
        return form.read(Note, form.loads(session_folder.read(path)))
    except Misfit as fault:
        raise InputError(f"{path}, {fault}. Mend that place, or remove the file and give --sources anew.") from None


def of_run(one: Note, run: str) -> Note:
    """The note once a run works on it."""
    before = (*one.runs, *([one.run] if one.run and one.run != run else []))
    return replace(one, run=run, runs=before)


def text(one: Note) -> str:
    return form.dumps(one) + "\n"


def _reach(known: Graph) -> Reach:
    """A source that is no address of the web was somebody's file, and so was what has a file."""
    if any(one.file for one in known.observations.values()):
        return "private"
    urls = [one.source_url for one in known.observations.values() if one.source_url]
    if not urls:
        return "none"
    return "web" if all(address.read(url) for url in urls) else "private"


def gone_to(before: Reach, sources: str, *, elsewhere: bool = False) -> Reach:
    """Where a research has been once it goes to these sources; a `UsageError` where it may not. `elsewhere`: to a
    source that a package brings and that it has not been to; nobody here knows where that sends a query."""
    if sources != "web" and not (elsewhere and before == "private"):
        return "private" if sources else before
    if before == "private":
        raise UsageError(
            "This research has read private files, and a query elsewhere would tell of them. "
            "Go on with the sources that it has, or begin a research of its own."
        )
    return "web"
