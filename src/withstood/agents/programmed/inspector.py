"""The evidence check: a program opens every place that is cited and looks for the words. No model can fill this seat.

What it sees goes into the journal, with an excerpt; whoever judges again needs neither the files nor the history.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

from withstood.agents.port import Line
from withstood.claims import citing, location
from withstood.claims.citing import Stands
from withstood.claims.inspection import Checked, Citation, Inspection
from withstood.claims.location import CommitName, Lines, Location
from withstood.errors import WorldError
from withstood.models.port import Model
from withstood.protocols.asks import Ask, Silent
from withstood.protocols.investigation_briefs import CheckBrief
from withstood.sources import history
from withstood.sources.redaction import redact
from withstood.sources.templates import template
from withstood.sources.workspace import LogFile, Workspace

Answer = TypeVar("Answer")
Keep = Callable[[str], Awaitable[str]]

NAME = "programmed:inspector@1"
AROUND = 3
LEAST_NAME = 7
MOST_WIDE = 400
MOST_CITED = 100
_HASHED = tuple(".py .rb .sh .bash .yml .yaml .toml .ini .cfg .conf .env .pl .r .tf .mk".split())
_COMMENTS = {"#": _HASHED, "//": None, "/*": None, "--": (".sql", ".lua", ".hs"), ";": (".ini", ".cfg"), "<!--": None}


@dataclass(frozen=True, slots=True)
class _Seen:
    """What was seen, and the text that it was seen in."""

    checked: Checked
    text: str = ""


class Inspector:
    """`keep` keeps a text under its hash, for whoever wants to look again."""

    name = NAME

    def __init__(self, space: Workspace, keep: Keep | None = None) -> None:
        self._space, self._keep = space, keep

    async def answer(self, ask: Ask[Answer], line: Line) -> Answer | Silent:
        if not isinstance(ask.brief, CheckBrief):
            return Silent(f"wanted a CheckBrief for {NAME}, found a {type(ask.brief).__name__}")
        seen = _Look(self._space, ask.brief).all()
        return cast("Answer", Inspection(tuple([await self._kept(one) for one in seen])))

    async def _kept(self, seen: _Seen) -> Checked:
        if not seen.text:
            return seen.checked
        sha256 = await self._keep(seen.text) if self._keep else hashlib.sha256(_bytes(seen.text)).hexdigest()
        return replace(seen.checked, sha256=sha256)

    def prompts(self) -> Mapping[str, str]:
        return {}

    def most_tokens(self, ask: Ask[Any]) -> tuple[int, int]:
        return (0, 0)

    def models(self) -> tuple[Model, ...]:
        return ()


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


class _Look:
    """One look at everything that a brief cites: each log is read once, whatever is cited of it."""

    def __init__(self, space: Workspace, brief: CheckBrief) -> None:
        self._space, self._brief = space, brief
        self._places = {one.id: _clipped(location.parse(one.location)) for one in brief.citations}
        self._logs = {
            one.id: log
            for one in brief.citations
            if isinstance(place := self._places[one.id], Lines) and (log := _log(space, one, place))
        }
        self._log_lines = self._read_logs()

    def all(self) -> list[_Seen]:
        return [self._look(one) for one in self._brief.citations]

    def _look(self, one: Citation) -> _Seen:
        place = self._places[one.id]
        if place is None:
            return _lost(one, "no-place", "it names neither lines of a file nor a commit")
        cited = replace(one, snippet=redact(one.snippet)[0])
        try:
            return self._commit(cited, place) if isinstance(place, CommitName) else self._lines(cited, place)
        except WorldError as fault:
            return _lost(one, "no-place", str(fault))

    # --- lines of files and logs ---

    def _lines(self, one: Citation, place: Lines) -> _Seen:
        log = self._logs.get(one.id)
        if log is not None:
            return self._log_line(one, place, log)
        text = self._space.text(place.path)
        if text is None:
            return _lost(one, "no-place", f"there is no file {place.path} that may be read")
        if fault := _unfit(one):
            return fault
        begin, end = self._window(place, len(text.lines))
        stands = citing.find(one.snippet, text.lines[begin - 1 : end], begin, (place.first, place.last))
        if stands is None:
            return _lost(one, "not-there", f"the words are not at {place.path}:{place.first}", place.path)
        shown = dict(enumerate(text.lines, start=1))
        seen = "comment" if one.type in ("code", "config") and _is_comment(place.path, shown, stands) else "there"
        return _Seen(_found(one, seen, place, stands, place.path, shown), "\n".join(text.lines))

    def _log_line(self, one: Citation, place: Lines, log: LogFile) -> _Seen:
        shown = self._log_lines.get(log.name)
        if shown is None:
            return _lost(one, "no-place", f"the log {log.name} cannot be read")
        if fault := _unfit(one):
            return fault
        begin, end = place.first - self._brief.most_drift, place.last + self._brief.most_drift
        numbers = [number for number in range(max(1, begin), end + 1) if number in shown]
        if not numbers:
            return _lost(one, "no-place", f"{log.name} has no line {place.first}")
        lines = [shown[number] for number in numbers]
        stands = citing.find(one.snippet, lines, numbers[0], (place.first, place.last))
        if stands is None:
            return _lost(one, "not-there", f"the words are not at {log.name}:{place.first}", log.name)
        found = _found(one, "there", place, stands, log.name, shown)
        said = self._space.said_at(log, shown[stands.first])
        return _Seen(replace(found, template=template(said)), "\n".join(found.excerpt))

    def _window(self, place: Lines, last: int) -> tuple[int, int]:
        drift = self._brief.most_drift
        return max(1, place.first - drift), min(last, place.last + drift)

    def _read_logs(self) -> dict[str, dict[int, str] | None]:
        """The lines around everything that is cited, each log read once."""
        wanted: dict[str, list[tuple[int, int]]] = {}
        more = self._brief.most_drift + AROUND
        for name, log in self._logs.items():
            place = cast("Lines", self._places[name])
            wanted.setdefault(log.name, []).append((place.first - more, place.last + more))
        return {name: self._space.log_parts(name, ranges) for name, ranges in wanted.items()}

    # --- commits ---

    def _commit(self, one: Citation, place: CommitName) -> _Seen:
        git = self._space.git
        if git is None or len(place.name) < LEAST_NAME:
            why = "there is no history to look in" if git is None else f"{place.name} is too short for a commit"
            return _lost(one, "no-place", why)
        name = history.named(git, place.name)
        commit = history.commit(git, name) if name else None
        if name is None or commit is None:
            return _lost(one, "no-place", f"there is no one commit {place.name}")
        alone = Checked(one.id, "commit-alone", commit=name, excerpt=(commit.subject,), excerpt_line=1)
        if not one.snippet.strip():
            return _Seen(alone, commit.message)
        if fault := _unfit(one):
            return fault
        for part in (commit.message.splitlines(), *_sides(history.patch(git, name))):
            if stands := citing.find(one.snippet, part, 1, (1, len(part))):
                excerpt = tuple([line[:MOST_WIDE] for line in part[stands.first - 1 : stands.last]])
                told = Checked(one.id, "there", commit=name, excerpt=(commit.subject, *excerpt), excerpt_line=1)
                return _Seen(told, "\n".join([commit.message, *part]))
        return _lost(one, "not-there", f"the words are neither in the message nor in the patch of {name[:12]}")


def _clipped(place: Location | None) -> Location | None:
    """Nobody reads a million lines because somebody cites them."""
    return replace(place, last=min(place.last, place.first + MOST_CITED)) if isinstance(place, Lines) else place


def _log(space: Workspace, one: Citation, place: Lines) -> LogFile | None:
    """The log that a citation means: by its name, or by the one that a longer or shorter path can only mean."""
    if one.type != "log":
        return None
    exact = [log for log in space.logs if log.name == place.path]
    alike = [log for log in space.logs if _ends(log.name, place.path) or _ends(place.path, log.name)]
    return exact[0] if exact else alike[0] if len(alike) == 1 else None


def _ends(path: str, end: str) -> bool:
    return f"/{path.lstrip('/')}".endswith(f"/{end.lstrip('/')}")


def _unfit(one: Citation) -> _Seen | None:
    if sum(map(str.isalnum, one.snippet)) < 2:
        return _lost(one, "no-words", "no words are cited, or too few to mean anything")
    if citing.lines_of(one.snippet) > citing.MOST_LINES:
        return _lost(one, "too-long", f"more than {citing.MOST_LINES} lines are cited")
    return None


def _lost(one: Citation, seen: Any, why: str, path: str = "") -> _Seen:
    return _Seen(Checked(one.id, seen, why, path))


def _found(one: Citation, seen: Any, place: Lines, stands: Stands, path: str, shown: Mapping[int, str]) -> Checked:
    begin = next(n for n in range(max(1, stands.first - AROUND), stands.first + 1) if n in shown)
    excerpt = [shown[n][:MOST_WIDE] for n in range(begin, stands.last + AROUND + 1) if n in shown]
    drift = 0 if stands.first <= place.last and place.first <= stands.last else stands.first - place.first
    return Checked(
        one.id,
        seen,
        path=path,
        line=stands.first,
        end_line=stands.last,
        drift=drift,
        excerpt=tuple(excerpt),
        excerpt_line=begin,
    )


def _is_comment(path: str, shown: Mapping[int, str], stands: Stands) -> bool:
    """Whether every line is nothing but a comment."""
    lines = [shown[number].strip() for number in range(stands.first, stands.last + 1)]
    return all(
        any(line.startswith(sign) and _knows(path, ends) for sign, ends in _COMMENTS.items()) for line in lines if line
    )


def _knows(path: str, ends: Sequence[str] | None) -> bool:
    return ends is None or path.lower().endswith(tuple(ends)) or "." not in path.rpartition("/")[2]


def _sides(patch: str) -> list[list[str]]:
    """The hunks of a patch, each as it was, as it became, and as it is printed."""
    found: list[list[str]] = []
    hunk: list[str] = []
    for line in [*patch.splitlines(), "@@"]:
        if line.startswith(("@@", "diff --git ", "--- ", "+++ ")):
            if hunk:
                found += [
                    [row[1:] for row in hunk if row[:1] != "+"],
                    [row[1:] for row in hunk if row[:1] != "-"],
                    hunk,
                ]
            hunk = []
        else:
            hunk.append(line)
    return found
