"""Tracebacks in the lines of an event: what was raised, where, and what caused it.

| language | a frame looks like | frames stand |
|---|---|---|
| Python | File "app/pay.py", line 12, in charge | outermost first |
| Java, Kotlin, Scala | at shop.Pay.charge(Pay.java:12) | innermost first |
| JavaScript | at charge (src/pay.js:12:7) | innermost first |
| Go | main.charge(...) and below it a tab, pay.go:12 +0x1d | innermost first |
| C# | at Shop.Pay.Charge() in Pay.cs:line 12 | innermost first |
| Ruby | pay.rb:12:in 'charge' | innermost first |
| PHP | #0 pay.php(12): charge() | innermost first |
| Rust | at src/pay.rs:12:5 | innermost first |
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

_PYTHON = re.compile(r"\s*File \"(?P<path>[^\"]+)\", line (?P<line>\d+)(?:, in (?P<name>.+))?")
_GO_NAME = re.compile(r"(?P<name>[\w./*()-]+)\((?:\.\.\.|0x[0-9a-f]|\{|\))")
_FRAMES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("python", _PYTHON),
    ("csharp", re.compile(r"\s*at (?P<name>[\w.<>`\[\]]+)\(.*\) in (?P<path>.+):line (?P<line>\d+)")),
    ("java", re.compile(r"\s*at (?P<name>[\w.$<>/]+)\((?P<path>[\w$]+\.(?:java|kt|scala|groovy)):(?P<line>\d+)\)")),
    ("javascript", re.compile(r"\s*at (?:async )?(?:(?P<name>[^\s()]+(?: \[as [^\]]+\])?) )?\(?(?:file://)?(?P<path>[^\s()]+?):(?P<line>\d+):\d+\)?$")),
    ("go", re.compile(r"\t(?P<path>\S+\.go):(?P<line>\d+)(?: \+0x[0-9a-f]+)?$")),
    ("ruby", re.compile(r"\s*(?:from )?(?P<path>[^\s:]+\.rb):(?P<line>\d+):in [`'](?P<name>[^']+)'")),
    ("php", re.compile(r"\s*#\d+ (?P<path>[^\s(]+\.php)\((?P<line>\d+)\): (?P<name>[^(]+)")),
)  # fmt: skip
_RAISED = re.compile(
    r"(?:Exception in thread \"[^\"]*\" |Caused by: |Uncaught |panic: |PHP Fatal error:\s+Uncaught |\[?)"
    r"(?P<kind>(?:[A-Za-z_][\w.$]*)?(?:Error|Exception|Interrupt|Exit|Failure|Fault|Throwable)[\w$]*)"
    r"(?:: ?(?P<said>.*))?$"
)
_NAMED = re.compile(r"(?P<kind>[A-Za-z_][\w.]*)(?:: ?(?P<said>.*))?$")
_PANIC = re.compile(r"(?:panic|fatal error): (?P<said>.+)$")
_NEXT = re.compile(r"Caused by: |During handling of the above exception|The above exception was the direct cause")


@dataclass(frozen=True, slots=True)
class Frame:
    """One place on the way. The path is as the trace says it, of whatever machine."""

    path: str
    line: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class Trace:
    """What was raised and where: `frames` innermost first. `cause` is what it came from."""

    language: str
    kind: str
    said: str
    frames: tuple[Frame, ...]
    cause: Trace | None = None

    @property
    def root(self) -> Trace:
        return self.cause.root if self.cause else self


@dataclass(slots=True)
class _Part:
    """One exception of a chain while its lines are read."""

    language: str = ""
    kind: str = ""
    said: str = ""
    frames: list[Frame] = field(default_factory=list[Frame])


def trace(lines: Sequence[str]) -> Trace | None:
    """The traceback that these lines hold; None where there is none with a frame in it."""
    parts = [part for part in _parts(lines) if part.frames]
    if not parts:
        return None
    # Python tells the cause first, the others last.
    inner_first = parts if parts[0].language == "python" else parts[::-1]
    found: Trace | None = None
    for part in inner_first:
        frames = part.frames[::-1] if part.language == "python" else part.frames
        found = Trace(part.language, part.kind, part.said, tuple(frames), found)
    return found


def _parts(lines: Sequence[str]) -> Iterator[_Part]:
    part, name = _Part(), ""
    for line in lines:
        if _NEXT.match(line.strip()) and (part.frames or part.kind):
            yield part
            part = _Part()
        if frame := _frame(line, name):
            part.language, found = frame
            part.frames.append(found)
        elif raised := _RAISED.search(line.strip()) or _PANIC.search(line) or _ended(part, line):
            if not part.kind or part.language == "python":
                part.kind = raised.groupdict().get("kind") or "panic"
                part.said = (raised["said"] or "").strip()
        elif called := _GO_NAME.match(line):
            name = called["name"]
            continue
        name = ""
    yield part


def _ended(part: _Part, line: str) -> re.Match[str] | None:
    """The last line of a Python traceback, whatever the exception is called: it stands at the margin, after frames."""
    return _NAMED.match(line) if part.language == "python" and part.frames and not part.kind else None


def _frame(line: str, name: str) -> tuple[str, Frame] | None:
    for language, pattern in _FRAMES:
        if found := pattern.match(line):
            parts = found.groupdict()
            return language, Frame(parts["path"], int(parts["line"]), (parts.get("name") or name).strip())
    return None
