"""Logs as events: streamed, whatever mixture of formats they are in.

A line that begins with a time, or that is a JSON object, begins an event. A line that is indented, or that reads like
the inside of a traceback, belongs to the event before it; so does one that a syslog daemon or a runner of containers
has given a head of its own. Secrets are covered line by line, so every line keeps its number. Nothing is thrown away: a
line without a time is an event without one.
"""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Literal, TypeAlias, cast

from withstood import form
from withstood.sources import stamps
from withstood.sources.redaction import redact
from withstood.sources.stamps import Clock, Stamp

Level: TypeAlias = Literal["fatal", "error", "warning", "info", "debug"]

MOST_LINE = 16_384
MOST_TAIL = 400
MOST_BYTES = 8 << 30
MOST_TIMES, LEAST_BOMB = 250, 64 << 20
"""How many times its packed size a log may have, where it is as large as that at least."""
EVERY = 8 << 20

_NAMES: dict[Level, str] = {
    "fatal": "FATAL CRITICAL CRIT EMERG EMERGENCY ALERT PANIC",
    "error": "ERROR ERR SEVERE EXCEPTION FAILURE 오류 에러 심각",
    "warning": "WARN WARNING 경고",
    "info": "INFO NOTICE INFORMATION 정보",
    "debug": "DEBUG TRACE FINE FINER FINEST VERBOSE",
}
_LEVELS: dict[str, Level] = {name: level for level, names in _NAMES.items() for name in names.split()}
_ANY_LEVEL = "|".join(sorted(_LEVELS, key=len, reverse=True))
_LEVEL = re.compile(rf"(?<![\w.])({_ANY_LEVEL})(?![\w.])")
_NO_LEVEL = rf"(?!(?i:{_ANY_LEVEL})(?![\w.-]))"
_LOWER = re.compile(r"\blevel=\"?([a-z]+)|\[(fatal|crit|alert|emerg|error|warn|notice|info|debug)\]")
_GLOG = re.compile(r"[IWEF]\d{4} \d")
_TAIL = re.compile(
    r"[ \t]+\S|Traceback \(most recent call last\)|Caused by: |Suppressed: |goroutine \d+ \[|\t?at \S+|"
    r"[A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Exit|Warning)(?::|$)|"
    r"(?:During handling of the above|The above exception was the direct cause)|[\w./*()-]+\(.*\)$|created by \S+|"
    r"exit status \d+|$"
)
_HEAD = re.compile(
    r"(?P<container>[\w.@/-]{1,60} {0,30}\|) |"
    r"(?:<\d{1,3}>)?(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT[\d:.,]{8,20}(?:Z|[+-]\d\d:?\d\d)) "
    rf"(?P<daemon>{_NO_LEVEL}[\w.-]{{1,80}} {_NO_LEVEL}[\w./-]{{1,60}})(?:\[\d+\])?: |"
    r"\d{4}-\d\d-\d\dT[\d:.]{8,20}Z (?P<cri>stdout|stderr) [FP] "
)
_RAISED = re.compile(r"[A-Za-z_][\w.]*(?:: |$)")
_IN_PYTHON = re.compile(r"\s+File \"[^\"]+\", line \d+")
_INITIALS: dict[str, Level] = {"I": "info", "W": "warning", "E": "error", "F": "fatal"}
_NUMBERS: dict[int, Level] = {10: "debug", 20: "info", 30: "info", 40: "warning", 50: "error", 60: "fatal"}
_TIMES = ("timestamp", "@timestamp", "time", "ts", "datetime", "date", "asctime", "eventTime", "t")
_SAYS = ("message", "msg", "event", "error", "log", "text", "short_message")
_LEVELED = ("level", "severity", "levelname", "lvl", "log.level", "loglevel")
_LOGGERS = ("logger", "logger_name", "name", "component")
_TRACED = ("stack", "stack_trace", "stacktrace", "exc_info", "exception", "traceback", "full_message")


@dataclass(slots=True)
class Event:
    """One thing that a log says: where, when, how serious, what, and the lines that belong to it.

    `raw` is the first line as it stands (secrets covered), `said` its message without time and level, `tail` what
    belongs to it, `more` how many lines of the file follow the first one."""

    path: str
    line: int
    raw: str
    said: str
    when: int | None = None
    zoned: bool = False
    level: Level | None = None
    tail: list[str] = field(default_factory=list[str])
    more: int = 0

    @property
    def end_line(self) -> int:
        return self.line + self.more

    @property
    def lines(self) -> list[str]:
        return [self.said, *self.tail]


class Unreadable(Exception):
    """This is no log that can be read, and why. What was read until then stands."""


def events(stream: BinaryIO, path: str, clock: Clock) -> Iterator[Event]:
    """The events of one log, gz or not, in order. `Unreadable` where it is binary or its packing is broken."""
    current: Event | None = None
    under = ""
    for no, line in enumerate(lines(stream, path), start=1):
        head, bare = _apart(line)
        within = _belongs(bare, current) and head in ("", under)
        begun = _begun(line, bare, path, no, clock) if not within else None
        if begun is None and current is not None:
            _add(current, bare, no)
            continue
        under = head
        if current is not None:
            yield current
        current = begun or Event(path, no, line, line.strip(), level=_level(line))
    if current is not None:
        yield current


def _apart(line: str) -> tuple[str, str]:
    """Who gave a line its head, "" where it has none; and the line without it."""
    found = _HEAD.match(line)
    return (next(filter(None, found.groups())), line[found.end() :]) if found else ("", line)


def _belongs(line: str, current: Event | None) -> bool:
    """Indented lines and the insides of tracebacks, which may hold a time by chance."""
    return current is not None and (bool(_TAIL.match(line)) or _says_what_was_raised(line, current.tail))


def _says_what_was_raised(line: str, tail: list[str]) -> bool:
    """The last line of a Python traceback, whatever the exception is called."""
    if not tail or tail[-1][:1] not in (" ", "\t") or _RAISED.match(line) is None:
        return False
    return any(map(_IN_PYTHON.match, tail[-4:]))


def _add(current: Event, line: str, no: int) -> None:
    if len(current.tail) < MOST_TAIL:
        current.tail.append(line)
    current.more = no - current.line


def _begun(line: str, bare: str, path: str, no: int, clock: Clock) -> Event | None:
    """The event that a line begins; None where it may belong to the one before it."""
    if bare.startswith("{") and (found := _object(line, bare, path, no, clock)):
        return found
    stamp = stamps.find(line, clock)
    level = _level(bare)
    if stamp is None and level is None:
        return Event(path, no, line, bare.strip()) if bare and not bare[0].isspace() else None
    whole = bare is line or (stamp and level is None)
    said = _without(line, stamp) if whole else _without(bare, stamps.find(bare, clock))
    return Event(path, no, line, said, stamp and stamp.when, bool(stamp and stamp.zoned), level)


def _without(line: str, stamp: Stamp | None) -> str:
    """The message: what is left without the time and the level."""
    rest = line if stamp is None else f"{line[: stamp.begin]} {line[stamp.end :]}"
    return _LEVEL.sub(" ", rest, count=1).strip(" \t[](){}:|-,")


def _level(line: str) -> Level | None:
    head = line[:160]
    if found := _LEVEL.search(head):
        return _LEVELS[found[1]]
    if found := _LOWER.search(head):
        return _LEVELS.get((found[1] or found[2]).upper())
    if _GLOG.match(head):
        return _INITIALS[head[0]]
    if head.startswith(("panic: ", "fatal error: ")):
        return "fatal"
    return None


# --- JSON lines --------------------------------------------------------------------------------


def _object(line: str, bare: str, path: str, no: int, clock: Clock) -> Event | None:
    try:
        value: Any = form.loads(bare)
    except form.Misfit:
        return None
    stamp = next(filter(None, [_time(value.get(name), clock) for name in _TIMES]), None)
    logger = next(filter(None, map(_text, map(value.get, _LOGGERS))), "")
    said, *rest = (next(filter(None, map(_text, map(value.get, _SAYS))), bare)).splitlines() or [bare]
    levels: list[Level | None] = [_named_level(value.get(name)) for name in _LEVELED]
    tail = [*rest, *_traced(value)][:MOST_TAIL]
    said = f"{logger}: {said}" if logger else said
    level = next(filter(None, levels), None)
    return Event(path, no, line, said, stamp and stamp.when, bool(stamp and stamp.zoned), level, tail)


def _traced(value: Any) -> list[str]:
    """A traceback in a field, or in a field of the object that tells of the error."""
    nested = [one for name in ("err", "error", "exception", "exc") if isinstance(one := value.get(name), dict)]
    found = [_text(cast("dict[str, Any]", one).get(name)) for one in (value, *nested) for name in _TRACED]
    return next(filter(None, found), "").splitlines()


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _time(value: Any, clock: Clock) -> Stamp | None:
    return stamps.of_value(str(value), clock) if value is not None and not isinstance(value, (dict, list)) else None


def _named_level(value: Any) -> Level | None:
    if isinstance(value, str):
        return _LEVELS.get(value.upper())
    return _NUMBERS.get(int(value)) if isinstance(value, int) and not isinstance(value, bool) else None


# --- bytes to lines ----------------------------------------------------------------------------


def lines(stream: BinaryIO, path: str) -> Iterator[str]:
    """Lines of at most `MOST_LINE` characters, without their ends, secrets covered."""
    try:
        for raw in _cut(*_unpacked(stream)):
            yield redact(raw.decode("utf-8", "replace").rstrip("\r\n")[:MOST_LINE])[0]
    except (EOFError, zlib.error, gzip.BadGzipFile) as fault:
        raise Unreadable(f"{path} is gzip that cannot be unpacked to its end: {fault}") from None
    except OSError as fault:
        raise Unreadable(f"{path} cannot be read: {fault.strerror or fault}") from None


def _unpacked(stream: BinaryIO) -> tuple[BinaryIO, BinaryIO | None]:
    """The bytes of a log; and where it is packed, the packed ones."""
    buffered = io.BufferedReader(stream, 1 << 18) if not isinstance(stream, io.BufferedReader) else stream  # pyright: ignore[reportArgumentType]
    head = buffered.peek(8192)
    if head[:2] == b"\x1f\x8b":
        unpacked = io.BufferedReader(gzip.GzipFile(fileobj=buffered), 1 << 18)  # pyright: ignore[reportArgumentType]
        return unpacked, buffered  # pyright: ignore[reportReturnType]
    if b"\0" in head[:8192]:
        raise Unreadable("it is binary: there is a NUL byte near its beginning")
    return buffered, None  # pyright: ignore[reportReturnType]


def _cut(stream: BinaryIO, packed: BinaryIO | None) -> Iterator[bytes]:
    """A line that goes on for ever is given in its first part; the rest of it is read past."""
    read, looked = 0, 0
    while raw := stream.readline(MOST_LINE * 4):
        read += len(raw)
        yield raw
        while not raw.endswith(b"\n") and (raw := stream.readline(MOST_LINE * 4)):
            read += len(raw)
            if read - looked > EVERY:
                looked = _within_limits(read, packed)
        if read - looked > EVERY:
            looked = _within_limits(read, packed)


def _within_limits(read: int, packed: BinaryIO | None) -> int:
    """How much was read; `Unreadable` where that is too much of it, or too much for the size of what is packed."""
    if read > MOST_BYTES:
        raise Unreadable(f"it holds more than {MOST_BYTES >> 30} GiB; what stands before was read")
    if packed is not None and read > LEAST_BOMB and read > packed.tell() * MOST_TIMES:
        raise Unreadable(f"it unpacks to more than {MOST_TIMES} times its size; what stands before was read")
    return read
