"""SAVE: the graph on the disk as it is after each iteration, one state and then the next."""

from __future__ import annotations

from typing import TypeVar, cast

from withstood import form
from withstood.agents.port import Line
from withstood.agents.programmed.program import Program
from withstood.claims.graph import Graph
from withstood.claims.research import Saved
from withstood.protocols.asks import Ask, Silent
from withstood.protocols.research_briefs import SaveBrief
from withstood.report import cognigraph
from withstood.sources.session_folder import SessionFolder

Answer = TypeVar("Answer")


class Archivist(Program):
    """Writes the graph first, because it is the truth; then the pages of what has changed."""

    name = "programmed:archivist@1"

    def __init__(self, folder: SessionFolder | None) -> None:
        self._folder = folder
        self._written: dict[str, object] = {}

    async def answer(self, ask: Ask[Answer], line: Line) -> Answer | Silent:
        if not isinstance(ask.brief, SaveBrief):
            return Silent(f"wanted a SaveBrief for {self.name}, found a {type(ask.brief).__name__}")
        text = cognigraph.text(ask.brief.graph)
        self.save(ask.brief.graph, text)
        return cast("Answer", Saved(form.digest(text)))

    def save(self, graph: Graph, text: str | None = None) -> None:
        if self._folder is None:
            return
        self._folder.write(cognigraph.FILE, cognigraph.text(graph) if text is None else text)
        for name, thing, page in cognigraph.pages(graph):
            if self._written.get(name) is not thing:
                self._folder.write_page(name, page)
                self._written[name] = thing
