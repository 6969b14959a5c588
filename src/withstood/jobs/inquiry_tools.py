"""The investigation as tools for an assistant: investigate, explain, and the read-only tools of investigators.

What may be looked at is set when the tools are opened; whoever calls them names no path outside of it. Nothing here
knows how calls come in.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal

from withstood import form
from withstood.agents.prompted import frames
from withstood.agents.tools.desk import Desk
from withstood.agents.tools.requests import TOOLS
from withstood.claims.cast import Source
from withstood.errors import Misfit, UsageError, WithstoodError
from withstood.jobs import header as headers
from withstood.jobs import investigation, kinds, recorded, settings
from withstood.jobs.investigation import Order
from withstood.report import inquest_text
from withstood.sources import workspace

SOURCES: tuple[Source, ...] = ("files", "history", "documents", "logs")


@dataclass(frozen=True, slots=True)
class Investigate:
    """`cast` names who looks (CODE-CALLCHAIN, ...); without it the kind of the question calls them."""

    question: str
    cast: tuple[str, ...] = ()
    profile: str = "default"
    quick: bool = False
    language: Literal["", "en", "ko"] = ""


@dataclass(frozen=True, slots=True)
class Explain:
    """`run` is the name of an investigation, or `last`; `item` the id of a finding."""

    run: str
    item: str


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    says: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call came to: text for whoever asked, and data where there are any."""

    text: str
    data: Mapping[str, Any] | None = None
    failed: bool = False


OWN: Mapping[str, tuple[type[Any], str]] = {
    "investigate": (
        Investigate,
        "Several investigators look at one question about the code base, each alone; code checks what they cite, "
        "published tables judge. Gives findings with their tag (Confirmed, Likely, Uncertain) and their evidence.",
    ),
    "explain": (Explain, "Why a finding of an investigation has its tag: who holds it, on what, by which rows."),
}


class Toolbox:
    """`order` says what may be looked at, and with which models; its question is that of each call."""

    def __init__(self, order: Order, config: settings.Config, desk: Desk) -> None:
        self._order, self._config, self._desk = order, config, desk

    def tools(self) -> tuple[Tool, ...]:
        told = frames.table("tools", "en")
        own = [Tool(name, says, form.schema(kind)) for name, (kind, says) in OWN.items()]
        return (*own, *[Tool(name, told[name], _schema(name)) for name in self._desk.tools])

    def call(self, name: str, arguments: Mapping[str, Any]) -> Answer:
        """The answer to one call. What the caller can mend comes back as a failed answer, not as an error."""
        try:
            if name in OWN:
                return _OWN[name](self, form.read(OWN[name][0], dict(arguments), name))
            if name not in self._desk.tools:
                raise UsageError(
                    f"There is no tool {name!r}. There are: {', '.join(one.name for one in self.tools())}."
                )
            found = self._desk.perform({**arguments, "tool": name})
            return Answer(found.text(), failed=found.refused)
        except WithstoodError as fault:
            return Answer(str(fault), failed=True)

    def investigate(self, wanted: Investigate) -> Answer:
        order = replace(
            self._order,
            question=wanted.question,
            cast=tuple([one.upper() for one in wanted.cast]),
            profile=wanted.profile,
            quick=wanted.quick,
            language=wanted.language or None,
        )
        ending = asyncio.run(investigation.look(order, self._config))
        if ending.inquest is None or ending.report is None:
            return Answer(f"{ending.status}: {ending.error}", failed=True)
        return Answer(inquest_text.render(ending.inquest), ending.report, failed=ending.nobody)

    def explain(self, wanted: Explain) -> Answer:
        told = asyncio.run(_explained(wanted, self._config))
        return Answer(told.text, failed=bool(told.code))


_OWN: Mapping[str, Any] = {"investigate": Toolbox.investigate, "explain": Toolbox.explain}


def _schema(name: str) -> dict[str, Any]:
    """The schema of a request without the name of its tool, which stands elsewhere in a call."""
    drawn = form.schema(TOOLS[name])
    drawn["properties"] = {field: part for field, part in drawn["properties"].items() if field != "tool"}
    if needed := [field for field in drawn.get("required", ()) if field != "tool"]:
        return {**drawn, "required": needed}
    return {field: part for field, part in drawn.items() if field != "required"}


async def _explained(wanted: Explain, config: settings.Config) -> kinds.Told:
    from withstood.journal import opening

    store = opening.store(config.store)
    try:
        entry = await recorded.find(store, wanted.run)
        known = headers.read(entry.name, entry.first)
        if known.job != investigation.JOB:
            raise Misfit("run", "a run of investigate", f"{entry.name}, which is of {known.job}")
        return await kinds.of(known).explain(store, entry, known, wanted.item)
    finally:
        await store.close()


@contextmanager
def opened(order: Order, config: settings.Config) -> Iterator[Toolbox]:
    """Tools over what there is now; each investigation looks anew."""
    with workspace.opened(order.repo, order.logs, documents=order.documents, zone=order.zone) as space:
        there = {
            "files": bool(space.folder or space.shelf),
            "history": space.git is not None,
            "documents": bool(space.documents),
            "logs": bool(space.logs),
        }
        yield Toolbox(order, config, Desk(space, [one for one in SOURCES if there[one]]))
