"""A folder of a research looked at, tidied, taken in and given out. Only the graph in it is the truth."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from withstood.claims.graph import Graph
from withstood.errors import InputError, UsageError
from withstood.jobs import books, sessions
from withstood.jobs.sessions import Note
from withstood.report import cognigraph
from withstood.rules.rulebook import Rulebook
from withstood.sources import session_folder, session_v1
from withstood.sources.session_folder import SessionFolder

ROOMS = ("observations", "hypotheses")
_OURS = re.compile(r"(?:obs|hyp)_\w+\.md|\.(?:obs|hyp)_\w+\.md\.part")
_PARTS = re.compile(r"\.(?:cognigraph\.json|session\.json|thesis\.(?:md|html|json))\.part")


def of(folder: Path) -> tuple[Graph, Note, Rulebook]:
    """The graph as it stands, what was ordered, and under which rules."""
    graph = sessions.graph(folder)
    note = sessions.note(folder, graph)
    return graph, note, books.book(note.rules or "published", {}, note.set)


# --- cleanup -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Chore:
    """One thing to be done about a file: remove what the graph does not know, write what it does."""

    doing: str
    name: str
    text: str | None = None


def chores(folder: Path) -> list[Chore]:
    """What is not as the graph says: parts that a kill has left, pages of nothing, pages that are missing or old."""
    graph = sessions.graph(folder)
    wanted = {path: cognigraph.page(path, thing) for path, thing in cognigraph.things(graph)}
    found = [*_left_over(folder, wanted)]
    for path, text in wanted.items():
        page = folder / path
        if not page.is_file():
            found.append(Chore("write the missing", path, text))
        elif page.read_text("utf-8", errors="surrogatepass") != text:
            found.append(Chore("write again the outdated", path, text))
    return found


def _left_over(folder: Path, wanted: Mapping[str, str]) -> Iterator[Chore]:
    for path in sorted(folder.iterdir()):
        if _PARTS.fullmatch(path.name):
            yield Chore("remove the unfinished", path.name)
    for room in ROOMS:
        for path in sorted((folder / room).glob("*")):
            name = f"{room}/{path.name}"
            if _OURS.fullmatch(path.name) and name not in wanted:
                yield Chore("remove the unfinished" if path.suffix == ".part" else "remove the unknown", name)


def tidy(folder: Path, found: list[Chore]) -> None:
    """Under the lock of the session. Files of other names are nobody's business here."""
    held = SessionFolder(folder)
    try:
        for chore in found:
            if chore.text is None:
                held.remove(chore.name)
            else:
                held.write_page(chore.name, chore.text)
    finally:
        held.close()


# --- import ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Imported:
    graph: Graph
    told: tuple[str, ...]


def taken_in(source: Path, out: Path) -> Imported:
    """A folder of another tool, or a session of the first form, as a research that can be gone on with."""
    if sessions.is_session(out):
        raise UsageError(f"{out} holds a research already. Name another folder with -o.")
    if sessions.is_session(source):
        found = Imported(sessions.graph(source), ())
    elif session_v1.is_session(source):
        found = Imported(*session_v1.read(source))
    else:
        raise InputError(
            f"There is no research in {source}: wanted {cognigraph.FILE}, or the folders evidence and claims of a "
            "session of the first form."
        )
    _write(out, found.graph, sessions.note(source, found.graph))
    return found


def _write(out: Path, graph: Graph, note: Note) -> None:
    held = SessionFolder(out)
    try:
        for path, thing in cognigraph.things(graph):
            held.write_page(path, cognigraph.page(path, thing))
        held.write(cognigraph.FILE, cognigraph.text(graph))
        held.write(sessions.FILE, sessions.text(replace(note, run="", runs=())))
    finally:
        held.close()


# --- export ------------------------------------------------------------------------------------


def given_out(source: Path, out: Path, *, plain: bool) -> Graph:
    """A copy in the published form: with `plain` nothing else than its fields, and what another tool had put there."""
    graph = sessions.graph(source)
    if sessions.is_session(out):
        raise UsageError(f"{out} holds a research already. Name another folder with -o.")
    held = SessionFolder(out)
    try:
        for path, thing in cognigraph.things(graph):
            held.write_page(path, cognigraph.page(path, thing))
        thesis = source / "thesis.md"
        if thesis.is_file():
            held.write_page("thesis.md", session_folder.read(thesis))
        held.write(cognigraph.FILE, cognigraph.plain(graph) if plain else cognigraph.text(graph))
    finally:
        held.close()
    return graph
