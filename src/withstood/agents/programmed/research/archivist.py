"""SAVE: the graph on the disk as it is after each iteration, one state and then the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeVar, cast

from withstood import form
from withstood.agents.port import Keeping, Line
from withstood.agents.programmed.program import Program
from withstood.claims.graph import Graph
from withstood.claims.research import Saved
from withstood.protocols.asks import Ask, Silent
from withstood.protocols.research_briefs import SaveBrief
from withstood.report import cognigraph
from withstood.sources.session_folder import SessionFolder

Answer = TypeVar("Answer")
Told: TypeAlias = Callable[[Graph], None]


class Archivist(Program):
    """Writes the graph first, because it is the truth; then the pages of what has changed. The answers that it grew
    from are durable by then. `told` hears of each graph that stands."""

    name = "programmed:archivist@1"

    def __init__(self, folder: SessionFolder | None, told: Told | None = None) -> None:
        self._folder, self._told = folder, told
        self._written: dict[str, object] = {}
        self._lines = cognigraph.Lines()

    async def answer(self, ask: Ask[Answer], line: Line) -> Answer | Silent:
        if not isinstance(ask.brief, SaveBrief):
            return Silent(f"wanted a SaveBrief for {self.name}, found a {type(ask.brief).__name__}")
        if isinstance(line, Keeping):
            await line.kept()
        text = self.save(ask.brief.graph)
        if self._told:
            self._told(ask.brief.graph)
        return cast("Answer", Saved(form.digest(text)))

    def save(self, graph: Graph) -> str:
        """The text of the graph as it stands in the folder now."""
        self._lines.forget(graph)
        text = cognigraph.text(graph, self._lines)
        if self._folder is not None:
            self._folder.write(cognigraph.FILE, text)
            self._write_pages(self._folder, graph)
        return text

    def _write_pages(self, folder: SessionFolder, graph: Graph) -> None:
        for name, thing in cognigraph.things(graph):
            known = self._written.get(name)
            if known is not thing and known != thing:
                folder.write_page(name, cognigraph.page(name, thing))
                self._written[name] = thing
