"""What went wrong as far as logs say: which events belong to the question, where they come from in the code.

| worth | what |
|---|---|
| 3 a point | of the question's words, in the message, its logger and the names of its frames |
| 60 | the exception that the question names |
| 25 | a traceback with a frame in the repository |
| 20, 20, 8 | fatal, error, warning |
| 10 | it was first seen after the first tenth of the logs' time |
| -15 | it is seen through all the logs' time, evenly, and has no word of the question |
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from withstood.agents.programmed.investigation.atlas import Atlas, Spot, kind
from withstood.agents.programmed.investigation.wording import Wording, addressed, stems
from withstood.sources.digest import Crash, Digest, Pattern, Place, Seen
from withstood.sources.traces import Frame, Trace

MOST = 8
_LEVELS = {"fatal": 20, "error": 20, "warning": 8}
_LOGGER = re.compile(r"^\[?(?:[\w-]+\] )?\[?([A-Za-z_][\w]*(?:[./][A-Za-z_]\w*)*)\]?\s*[:\-|]")
_WORD = re.compile(r"[A-Za-z_]{3,}|[가-힣]{2,}")
_LITERAL = re.compile(r"\"((?:[^\"\\\n]|\\.){4,300})\"|'((?:[^'\\\n]|\\.){4,300})'|`((?:[^`\\\n]|\\.){4,300})`")
_IMPORTS = re.compile(
    r"\s*(?:import\b|from\s+\S+\s+import\b|[\"'][\w./@-]+[\"'];?\s*$|(?:const|var|let)\b.*\brequire\()"
)
_BLANK = re.compile(r"%[-+#0 ]*\d*(?:\.\d+)?[sdrfxivqT%]|\$?\{[^{}\n]*\}|\\[nt]")
LEAST_LITERAL = 6
MOST_NEAR = 12


@dataclass(frozen=True, slots=True)
class Symptom:
    """`frames` are lines of the repository, innermost first; `said_at` those whose text the message is."""

    said: str
    level: str
    place: Place
    count: int
    first: int | None
    last: int | None
    worth: int
    met: int
    trace: Trace | None = None
    frames: tuple[Spot, ...] = ()
    said_at: tuple[Spot, ...] = ()
    logger: str = ""

    @property
    def spots(self) -> tuple[Spot, ...]:
        return self.frames or self.said_at

    @property
    def kind(self) -> str:
        """What was raised at the root, without its package."""
        return self.trace.root.kind.rpartition(".")[2] if self.trace else ""

    @property
    def message(self) -> str:
        return self.trace.root.said if self.trace else self.said


def symptoms(wanted: Wording, digest: Digest, atlas: Atlas) -> list[Symptom]:
    """The events that belong to the question most, at most `MOST`. None has less than a third of the first's worth."""
    ranked = sorted(
        _candidates(wanted, digest), key=lambda one: (-one[0], one[3].places[0].path, one[3].places[0].line)
    )
    found = [_symptom(*one, atlas) for one in ranked[: MOST * 2] if one[3].places]
    crashed = {(one.place.path, one.place.line) for one in found if one.trace}
    found = [one for one in found if one.trace or (one.place.path, one.place.line) not in crashed]
    kept = [one for one in found if one.worth >= 18 and (one.met or one.trace or one.level in ("fatal", "error"))]
    best = max((one.worth for one in kept), default=0)
    return [one for one in sorted(kept, key=lambda one: -one.worth) if one.worth * 3 >= best][:MOST]


def _candidates(wanted: Wording, digest: Digest) -> Iterator[tuple[int, int, Trace | None, Seen, str, str]]:
    """Worth, words met, traceback, when seen, message and level."""
    for crash in digest.crashes.values():
        met = wanted.met(_told_by(crash))
        named = 60 if any(crash.trace.root.kind.endswith(one) for one in wanted.exact) else 0
        yield (
            met * 3 + named + 45 + _late(crash.seen, digest),
            met,
            crash.trace,
            crash.seen,
            crash.trace.root.said,
            "error",
        )
    for pattern in digest.patterns.values():
        if pattern.seen.places and not addressed(pattern.seen.places[0].raw):
            met = wanted.met_by(pattern.template)
            worth = met * 3 + _LEVELS.get(pattern.level or "", 0) + _late(pattern.seen, digest)
            if worth >= 18:
                yield (
                    worth - _steady(pattern, digest, met),
                    met,
                    None,
                    pattern.seen,
                    _said(pattern),
                    pattern.level or "",
                )


def _told_by(crash: Crash) -> set[str]:
    trace, told = crash.trace, f"{crash.seen.places[0].raw if crash.seen.places else ''}"
    parts = [told if not addressed(told) else ""]
    while trace is not None:
        parts += [trace.kind, trace.said, *(f"{frame.path} {frame.name}" for frame in trace.frames)]
        trace = trace.cause
    return stems(" ".join(parts))


def _said(pattern: Pattern) -> str:
    place = pattern.seen.places[0]
    return place.said or place.raw


def _late(seen: Seen, digest: Digest) -> int:
    whole = digest.seen
    if None in (seen.first, whole.first, whole.last):
        return 0
    assert seen.first is not None and whole.first is not None and whole.last is not None
    return 10 if (seen.first - whole.first) * 10 > whole.last - whole.first > 0 else 0


def _steady(pattern: Pattern, digest: Digest, met: int) -> int:
    return 15 if not met and pattern.seen.count >= 4 and not _late(pattern.seen, digest) else 0


def _symptom(worth: int, met: int, trace: Trace | None, seen: Seen, said: str, level: str, atlas: Atlas) -> Symptom:
    frames = own_frames(trace, atlas) if trace else ()
    bare = template_words(said)
    at = () if trace else tuple(said_at(bare, atlas))
    worth -= 25 if trace and not frames else 0
    return Symptom(
        said, level, seen.places[0], seen.count, seen.first, seen.last, worth, met, trace, frames, at, logger(bare)
    )


def own_frames(trace: Trace, atlas: Atlas) -> tuple[Spot, ...]:
    """The frames of the repository, from the root cause outwards, each once."""
    chain = [trace]
    while chain[-1].cause is not None:
        chain.append(chain[-1].cause)
    found = [_spot(frame, atlas) for one in reversed(chain) for frame in one.frames]
    return tuple(dict.fromkeys(spot for spot in found if spot is not None))


def _spot(frame: Frame, atlas: Atlas) -> Spot | None:
    if re.search(r"(?:^|/)(?:site-packages|dist-packages|node_modules|node:internal|vendor)/|^<|^node:", frame.path):
        return None
    path = atlas.resolve(frame.path, frame.name)
    page = atlas.page(path) if path else None
    return Spot(page.path, frame.line) if page and 1 <= frame.line <= len(page.lines) else None


# --- which line says it ------------------------------------------------------------------------


def template_words(raw: str) -> str:
    """A raw line from its logger on: without the time and the level before it."""
    bare = re.sub(r"^\S*\d{2}:\d{2}:\d{2}\S*\s+", "", raw)
    return re.sub(r"^\s*\[?(?:FATAL|CRITICAL|ERROR|WARN(?:ING)?|INFO|DEBUG)\]?:?\s+", "", bare)


def logger(said: str) -> str:
    found = _LOGGER.match(said)
    return found[1] if found else ""


def said_at(said: str, atlas: Atlas, most: int = 3) -> list[Spot]:
    """The lines whose literals make up a message, the fullest first."""
    words = list(dict.fromkeys(_WORD.findall(said)))[:14]
    held: dict[str, int] = {}
    for word in words:
        for path in atlas.files_with(word):
            held[path] = held.get(path, 0) + 1
    told = heapq.nsmallest(MOST_NEAR * 4, held, key=lambda path: (-held[path], path))
    near = [path for path in told if kind(path) != "test"][:MOST_NEAR]
    found = [one for path in near for one in _literals_in(path, said, atlas)]
    found.sort(key=lambda one: (-one[0], one[1].path, one[1].line))
    return [spot for size, spot in found if size * 2 >= found[0][0]][:most]


def _literals_in(path: str, said: str, atlas: Atlas) -> Iterator[tuple[int, Spot]]:
    page = atlas.page(path)
    for no, line in enumerate(page.lines if page else (), start=1):
        if _IMPORTS.match(line):
            continue
        literals = [next(filter(None, one), "") for one in _LITERAL.findall(line[:1000])]
        size = max((matched(literal, said) for literal in literals), default=0)
        if size:
            yield size, Spot(path, no)


def matched(literal: str, said: str) -> int:
    """How many signs of a message a literal accounts for; 0 where a part of it is not there, or not in its order."""
    place, size = 0, 0
    for piece in _pieces(literal):
        place = said.find(piece, place)
        if place < 0:
            return 0
        place += len(piece)
        size += len(piece)
    return size if size >= LEAST_LITERAL and _WORD.search(literal) else 0


def _pieces(literal: str) -> Iterable[str]:
    return [piece for piece in _BLANK.split(literal) if piece.strip()]


def related(found: Sequence[Symptom]) -> list[Symptom]:
    """Those that have words of the question; all where none has any."""
    return [one for one in found if one.met] or list(found)
