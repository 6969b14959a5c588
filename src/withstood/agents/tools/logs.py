"""Requests to logs. Templates go by the number that their order in the digest gives them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from withstood.agents.tools.answering import Answered, Refused
from withstood.agents.tools.files import numbered
from withstood.agents.tools.requests import LogCrashes, LogRead, Logs, LogSearch, LogTemplates, LogTimeline
from withstood.agents.tools.results import page
from withstood.agents.tools.times import moment, stamp
from withstood.form import shown
from withstood.sources.digest import MINUTE, Crash, Pattern
from withstood.sources.logs import Event, Unreadable
from withstood.sources.patterns import Pattern as Expression
from withstood.sources.workspace import LogFile, Workspace

MOST_READ = 200
MOST_FRAMES = 12
MOST_BARS = 120
_STEPS = (1, 5, 15, 60, 360, 1440, 10080)


def logs(space: Workspace, asked: Logs) -> Answered:
    digest = space.digest()
    when = f"{stamp(digest.seen.first)} to {stamp(digest.seen.last)} UTC"
    told = (
        f"{len(space.logs)} logs, {digest.lines} lines, {when}; {len(digest.patterns)} templates, "
        f"{len(digest.crashes)} kinds of traceback; {digest.without_zone} events without a zone"
    )
    return Answered(told, page([_named(space, log) for log in space.logs]))


def _named(space: Workspace, log: LogFile) -> str:
    return f"{log.name} (left out: {space.missing[log.name]})" if log.name in space.missing else log.name


def log_read(space: Workspace, asked: LogRead) -> Answered:
    log = log_of(space, asked.log)
    last = min(asked.last, asked.first + MOST_READ - 1)
    lines = space.log_lines(log.name, asked.first, last)
    if lines is None:
        raise Refused(f"{log.name} cannot be read")
    return numbered(log.name, lines, asked.first)


def log_search(space: Workspace, asked: LogSearch) -> Answered:
    among = [log_of(space, asked.log)] if asked.log else space.logs
    found = page(_matching(space, among, asked), asked.skip)
    return Answered(f"{len(found.lines)} lines shown, in the order of the logs", found)


def _matching(space: Workspace, among: Sequence[LogFile], asked: LogSearch) -> Iterator[str]:
    pattern = Expression(asked.pattern, ignore_case=asked.ignore_case)
    since, until = moment(asked.since, "since"), moment(asked.until, "until")
    for log in among:
        try:
            for event in space.log_events(log):
                if _within(event, asked.level, since, until):
                    yield from _lines(event, pattern)
        except Unreadable as fault:
            space.missing[log.name] = str(fault)


def _within(event: Event, level: str, since: int | None, until: int | None) -> bool:
    if level not in ("any", event.level):
        return False
    if since is None and until is None:
        return True
    return event.when is not None and (since or 0) <= event.when <= (event.when if until is None else until)


def _lines(event: Event, pattern: Expression) -> Iterator[str]:
    if pattern.found(event.raw):
        yield f"{event.path}:{event.line}: {event.raw}"
    if event.more:
        for no, line in enumerate(event.tail, start=event.line + 1):
            if pattern.found(line):
                yield f"{event.path}:{no}: {line}"


# --- templates ---------------------------------------------------------------------------------

_ORDERS: dict[str, Callable[[Pattern], Any]] = {
    "often": lambda one: -one.seen.count,
    "rare": lambda one: one.seen.count,
    "first": lambda one: (one.seen.first is None, one.seen.first or 0),
}


def log_templates(space: Workspace, asked: LogTemplates) -> Answered:
    said = Expression(asked.said, ignore_case=True) if asked.said else None
    known = [
        (name, one)
        for name, one in _numbered(space).items()
        if asked.level in ("any", one.level) and (said is None or said.found(one.template))
    ]
    order = _ORDERS[asked.order]
    known.sort(key=lambda pair: order(pair[1]))
    told = f"{len(known)} templates, each with how often, first, last, and one place"
    return Answered(told, page((_template(name, one) for name, one in known), asked.skip))


def _numbered(space: Workspace) -> dict[str, Pattern]:
    return {f"t{no}": one for no, one in enumerate(space.digest().patterns.values(), start=1)}


def _template(name: str, one: Pattern) -> str:
    place = one.seen.places[0]
    times = f"{stamp(one.seen.first)} to {stamp(one.seen.last)}"
    return f"{name} {one.seen.count}x {one.level or 'no level'} {times} {place.path}:{place.line} {one.template}"


def log_timeline(space: Workspace, asked: LogTimeline) -> Answered:
    known = _numbered(space)
    if asked.template and asked.template.strip() not in known:
        raise Refused(f"there is no template {shown(asked.template)}; `log_templates` shows t1 to t{len(known)}")
    chosen = [known[asked.template.strip()]] if asked.template else list(known.values())
    minutes = _minutes([one for one in chosen if asked.level in ("any", one.level)])
    if not minutes:
        return Answered("no events with a time")
    step = next((step for step in _STEPS if (max(minutes) - min(minutes)) / step < MOST_BARS), _STEPS[-1])
    found = [f"{stamp(start * MINUTE)} {count}" for start, count in _bars(minutes, step)]
    return Answered(f"events in every {step} minutes (UTC); times without events are left out", page(found, asked.skip))


def _minutes(chosen: Sequence[Pattern]) -> dict[int, int]:
    found = dict[int, int]()
    for one in chosen:
        for minute, count in one.minutes.items():
            found[minute] = found.get(minute, 0) + count
    return found


def _bars(minutes: dict[int, int], step: int) -> list[tuple[int, int]]:
    found = dict[int, int]()
    for minute, count in minutes.items():
        found[minute - minute % step] = found.get(minute - minute % step, 0) + count
    return sorted(found.items())


def log_crashes(space: Workspace, asked: LogCrashes) -> Answered:
    crashes = sorted(space.digest().crashes.values(), key=lambda one: -one.seen.count)
    lines = [line for one in crashes for line in _crash(one)]
    return Answered(f"{len(crashes)} kinds of traceback, by what was raised first and where", page(lines, asked.skip))


def _crash(one: Crash) -> Iterator[str]:
    place, root = one.seen.places[0], one.trace.root
    times = f"{stamp(one.seen.first)} to {stamp(one.seen.last)}"
    yield f"{one.seen.count}x {times} first at {place.path}:{place.line}: {root.kind}: {root.said}"
    for frame in root.frames[:MOST_FRAMES]:
        yield f"  {frame.path}:{frame.line} in {frame.name or '?'}"


def log_of(space: Workspace, name: str) -> LogFile:
    found = next((log for log in space.logs if log.name == name.strip()), None)
    if found is None:
        names = ", ".join([shown(log.name) for log in space.logs[:5]]) or "none"
        raise Refused(f"there is no log {shown(name, 200)}; there are {names}")
    return found
