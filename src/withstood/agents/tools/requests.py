"""The requests that there are, which source each looks at, and how one is read at the door.

| source | tools |
|---|---|
| files | list, read, search, symbols, callers |
| history | commits, show, blame, pickaxe, read (a file as it was) |
| documents | list, read, search |
| logs | logs, log_read, log_search, log_templates, log_timeline, log_crashes |
| any | again |

Which sources a role may look at is fixed before it reads anything; a request for another one is refused. What is not
wanted is "" or 0 rather than null: some providers take only a few fields of two types in one schema.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

from withstood import form
from withstood.claims.cast import Source
from withstood.errors import Misfit
from withstood.form import Json, Within

Count: TypeAlias = Annotated[int, Within(0, 1_000_000)]
Line: TypeAlias = Annotated[int, Within(1, 1_000_000_000)]
LevelName: TypeAlias = Literal["any", "fatal", "error", "warning", "info", "debug"]

MOST_SIGNS = 1_000


@dataclass(frozen=True, slots=True)
class List:
    tool: Literal["list"]
    under: str = ""
    named: str = ""
    skip: Count = 0


@dataclass(frozen=True, slots=True)
class Read:
    tool: Literal["read"]
    path: str
    first: Count = 0
    last: Count = 0
    commit: str = ""


@dataclass(frozen=True, slots=True)
class Search:
    tool: Literal["search"]
    pattern: str
    under: str = ""
    ignore_case: bool = False
    skip: Count = 0


@dataclass(frozen=True, slots=True)
class Symbols:
    tool: Literal["symbols"]
    path: str
    skip: Count = 0


@dataclass(frozen=True, slots=True)
class Callers:
    tool: Literal["callers"]
    name: str
    under: str = ""
    skip: Count = 0


@dataclass(frozen=True, slots=True)
class Commits:
    tool: Literal["commits"]
    path: str = ""
    said: str = ""
    since: str = ""
    until: str = ""
    skip: Count = 0


@dataclass(frozen=True, slots=True)
class Show:
    tool: Literal["show"]
    commit: str
    path: str = ""
    skip: Count = 0


@dataclass(frozen=True, slots=True)
class Blame:
    tool: Literal["blame"]
    path: str
    first: Line
    last: Line


@dataclass(frozen=True, slots=True)
class Pickaxe:
    tool: Literal["pickaxe"]
    text: str
    path: str = ""


@dataclass(frozen=True, slots=True)
class Logs:
    tool: Literal["logs"]


@dataclass(frozen=True, slots=True)
class LogRead:
    tool: Literal["log_read"]
    log: str
    first: Line
    last: Line


@dataclass(frozen=True, slots=True)
class LogSearch:
    tool: Literal["log_search"]
    pattern: str
    log: str = ""
    level: LevelName = "any"
    since: str = ""
    until: str = ""
    ignore_case: bool = False
    skip: Count = 0


@dataclass(frozen=True, slots=True)
class LogTemplates:
    tool: Literal["log_templates"]
    level: LevelName = "any"
    said: str = ""
    order: Literal["often", "first", "rare"] = "often"
    skip: Count = 0


@dataclass(frozen=True, slots=True)
class LogTimeline:
    tool: Literal["log_timeline"]
    template: str = ""
    level: LevelName = "any"
    skip: Count = 0


@dataclass(frozen=True, slots=True)
class LogCrashes:
    tool: Literal["log_crashes"]
    skip: Count = 0


@dataclass(frozen=True, slots=True)
class Again:
    tool: Literal["again"]
    result: str
    skip: Count = 0


Request: TypeAlias = (
    List | Read | Search | Symbols | Callers | Commits | Show | Blame | Pickaxe
    | Logs | LogRead | LogSearch | LogTemplates | LogTimeline | LogCrashes | Again
)  # fmt: skip

TOOLS: Mapping[str, type[Request]] = {
    "list": List,
    "read": Read,
    "search": Search,
    "symbols": Symbols,
    "callers": Callers,
    "commits": Commits,
    "show": Show,
    "blame": Blame,
    "pickaxe": Pickaxe,
    "logs": Logs,
    "log_read": LogRead,
    "log_search": LogSearch,
    "log_templates": LogTemplates,
    "log_timeline": LogTimeline,
    "log_crashes": LogCrashes,
    "again": Again,
}
OF_SOURCE: Mapping[Source, tuple[str, ...]] = {
    "files": ("list", "read", "search", "symbols", "callers"),
    "history": ("list", "read", "commits", "show", "blame", "pickaxe"),
    "documents": ("list", "read", "search"),
    "logs": ("logs", "log_read", "log_search", "log_templates", "log_timeline", "log_crashes"),
}


def allowed(sources: Sequence[Source]) -> tuple[str, ...]:
    """The tools of these sources, in the order of the table; none where there is no source."""
    known = {tool for source in sources for tool in OF_SOURCE[source]}
    return tuple([tool for tool in TOOLS if tool in known or (tool == "again" and known)])


def read_request(value: Json, tools: Sequence[str]) -> Request:
    """One request for one of these tools; anything else is a `Misfit`."""
    if not isinstance(value, Mapping):
        raise Misfit("", "an object with a tool", form.shown(value))
    tool = value.get("tool")
    if not isinstance(tool, str) or tool not in tools:
        raise Misfit("tool", f"one of {', '.join(tools)}", form.shown(tool))
    for name, part in value.items():
        if isinstance(part, str) and (len(part) > MOST_SIGNS or "\0" in part):
            raise Misfit(form.shown(name), f"text of at most {MOST_SIGNS} signs, none of them NUL", form.shown(part))
    return form.read(TOOLS[tool], {name: part for name, part in value.items() if part is not None})


@functools.cache
def schema(tools: tuple[str, ...]) -> Mapping[str, Any]:
    """What one request may look like; the same object for the same tools."""
    return {"anyOf": [form.schema(TOOLS[tool]) for tool in tools]}
