"""What a million lines of log come to, read once and kept small: templates, tracebacks, times, places."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from withstood.sources.logs import Event, Level
from withstood.sources.templates import template
from withstood.sources.traces import Trace, trace

MOST_TEMPLATES = 20_000
MOST_TRACES = 2_000
MOST_SAMPLES = 5
MOST_MINUTES = 20_000
MINUTE = 60_000


@dataclass(frozen=True, slots=True)
class Place:
    """One line of a log, as it stands there with secrets covered; `said` is its message alone."""

    path: str
    line: int
    raw: str
    when: int | None
    said: str = ""


@dataclass(slots=True)
class Seen:
    """How often, from when to when, and the first places of it."""

    count: int = 0
    first: int | None = None
    last: int | None = None
    places: list[Place] = field(default_factory=list[Place])

    def add(self, event: Event) -> None:
        self.count += 1
        if len(self.places) < MOST_SAMPLES:
            self.places.append(Place(event.path, event.line, event.raw, event.when, event.said))
        if event.when is not None:
            self.first = event.when if self.first is None else min(self.first, event.when)
            self.last = event.when if self.last is None else max(self.last, event.when)


@dataclass(slots=True)
class Pattern:
    """All events of one template; `minutes` counts them by the minute since 1970."""

    template: str
    level: Level | None
    seen: Seen = field(default_factory=Seen)
    minutes: dict[int, int] = field(default_factory=dict[int, int])

    def add(self, event: Event) -> None:
        self.seen.add(event)
        minute = None if event.when is None else event.when // MINUTE
        if minute is not None and (minute in self.minutes or len(self.minutes) < MOST_MINUTES):
            self.minutes[minute] = self.minutes.get(minute, 0) + 1


@dataclass(slots=True)
class Crash:
    """All tracebacks with one root: what was raised, and the innermost frame."""

    trace: Trace
    seen: Seen = field(default_factory=Seen)


@dataclass(slots=True)
class Digest:
    """Fed every event once. What there was no room for is counted in `left_out`."""

    lines: int = 0
    without_time: int = 0
    without_zone: int = 0
    seen: Seen = field(default_factory=Seen)
    patterns: dict[str, Pattern] = field(default_factory=dict[str, Pattern])
    crashes: dict[tuple[str, str, int], Crash] = field(default_factory=dict[tuple[str, str, int], Crash])
    left_out: int = 0

    def take(self, events: Iterable[Event]) -> None:
        for event in events:
            self._count(event)
            self._sort(event)
            if event.tail and (found := trace(event.lines)):
                self._crashed(event, found)

    def _count(self, event: Event) -> None:
        self.seen.add(event)
        self.lines += event.end_line - event.line + 1
        self.without_time += event.when is None
        self.without_zone += event.when is not None and not event.zoned

    def _sort(self, event: Event) -> None:
        name = template(event.said)
        pattern = self.patterns.get(name)
        if pattern is None:
            if len(self.patterns) >= MOST_TEMPLATES:
                self.left_out += 1
                return
            pattern = self.patterns[name] = Pattern(name, event.level)
        pattern.add(event)

    def _crashed(self, event: Event, found: Trace) -> None:
        root = found.root
        signature = (root.kind, root.frames[0].path, root.frames[0].line)
        crash = self.crashes.get(signature)
        if crash is None:
            if len(self.crashes) >= MOST_TRACES:
                self.left_out += 1
                return
            crash = self.crashes[signature] = Crash(found)
        crash.seen.add(event)
