"""Where an investigator's requests are answered: one desk for each sitting, over the workspace of the run.

The same requests in the same order get the same answers, so a sitting that was cut off can be gone through again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from withstood.agents.tools import files, history, logs
from withstood.agents.tools.answering import Answered, Refused
from withstood.agents.tools.requests import Again, Request, allowed, read_request
from withstood.agents.tools.results import Result, page
from withstood.claims import location
from withstood.claims.cast import Source
from withstood.errors import InputError, WorldError
from withstood.form import Json, Misfit, shown
from withstood.sources.workspace import Workspace

Tool: TypeAlias = Callable[[Workspace, Any], Answered]
Dated: TypeAlias = Callable[[Workspace, Any, Callable[[str], str]], Answered]

_PLAIN: Mapping[str, Tool] = {
    "list": files.list_files,
    "search": files.search,
    "symbols": files.symbols_of,
    "callers": files.callers,
    "commits": history.commits,
    "blame": history.blame,
    "pickaxe": history.pickaxe,
    "logs": logs.logs,
    "log_read": logs.log_read,
    "log_search": logs.log_search,
    "log_templates": logs.log_templates,
    "log_timeline": logs.log_timeline,
    "log_crashes": logs.log_crashes,
}
_OF_COMMITS: Mapping[str, Dated] = {"read": history.read_then, "show": history.show}
LEAST_NAME = 7


class Desk:
    """Answers the requests of one role. `cited` are places that the role was told of before it asked anything: commits
    among them may be asked for."""

    def __init__(self, space: Workspace, sources: Sequence[Source], cited: Sequence[str] = ()) -> None:
        self.tools = allowed(sources)
        self._space, self._known = space, dict.fromkeys(_commits(space, cited))
        self._results: dict[str, Result] = {}

    def perform(self, value: Json) -> Result:
        """The answer to one request; a request that cannot be read, is not allowed or leads nowhere is refused."""
        name = f"r{len(self._results) + 1}"
        try:
            request = read_request(value, self.tools)
            found = self._answer(request)
            result = Result(name, request.tool, found.told, found.page)
            self._known |= dict.fromkeys(found.commits)
        except (Refused, Misfit, InputError, WorldError) as fault:
            tool = value.get("tool") if isinstance(value, Mapping) else None
            result = Result(
                name, tool if isinstance(tool, str) and tool in self.tools else "?", str(fault), refused=True
            )
        self._results[name] = result
        return result

    def _answer(self, request: Request) -> Answered:
        if isinstance(request, Again):
            return self._again(request)
        if request.tool in _OF_COMMITS:
            return _OF_COMMITS[request.tool](self._space, request, self._commit)
        return _PLAIN[request.tool](self._space, request)

    def _again(self, request: Again) -> Answered:
        found = self._results.get(request.result.strip())
        if found is None:
            raise Refused(f"there is no result {shown(request.result)}; there are r1 to r{len(self._results)}")
        return Answered(f"{found.id} again: {found.told}", page(found.page.lines, request.skip))

    def _commit(self, said: str) -> str:
        """The full name of a commit that a result has shown."""
        wanted = said.strip().lower()
        found = [name for name in self._known if len(wanted) >= LEAST_NAME and name.startswith(wanted)]
        if len(found) != 1:
            raise Refused(f"no commit {shown(said)} has been shown to you; `commits`, `blame` and `pickaxe` show some")
        return found[0]


def _commits(space: Workspace, cited: Sequence[str]) -> list[str]:
    names = [place.name for place in map(location.parse, cited) if isinstance(place, location.CommitName)]
    found = [history.full_name(space, name) for name in dict.fromkeys(names)]
    return [name for name in found if name]
