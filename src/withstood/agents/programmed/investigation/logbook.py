"""What logs tell by themselves, where no line of a repository is on the way to what was seen.

Messages that go along with each other are one episode, headed by the one that was seen first. An episode is told of by
those investigators that have a reason of their own.

| reason | points | who tells | when |
|---|---|---|---|
| error | 20, 8 | PATTERN | an error or worse, a warning |
| trace | 25 | STACKTRACE | it holds a traceback |
| burst | 20 | PATTERN, METRICS | half of it or more falls into a twentieth of the logs' time |
| onset | 15 | TIMELINE, PATTERN | it was first seen after the first tenth of the logs' time |
| before | 20, 10 | TIMELINE, CORRELATION | a change was told of, something never seen was told of, within a quarter of an hour before |
| along | 15 | CORRELATION, TIMELINE | another message goes along with it, and comes after it |
| question | 3 a point | – | words of the question, in any of its messages |

What is there all the time and shares no word with the question is left out. Nothing is STRONG: what comes before need
not be the cause.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from withstood.agents.programmed.investigation import bringing, signs
from withstood.agents.programmed.investigation.phrases import phrase
from withstood.agents.programmed.investigation.scene import Scene
from withstood.agents.programmed.investigation.wording import addressed
from withstood.claims import location
from withstood.claims.finding import Evidence, Finding, Grade, Report
from withstood.protocols.investigation_briefs import SurveyBrief
from withstood.sources.digest import MINUTE, Digest, Pattern, Place

MOST_FINDINGS = 3
MOST_LOOKED_AT = 60
MOST_TOLD = 2
LEAST_WORTH = 40
LEAST_SHARE = 45
BEFORE = 15 * MINUTE
ALONG, RARE = 0.6, 3.0
"""So much of one message's minutes has the other; and so many times as much as chance would have it."""
HALF, TWENTIETH = 0.5, 20
LEAST_BURST = 4

TOLD_BY: Mapping[str, frozenset[str]] = {
    name: frozenset(sorts.split())
    for name, sorts in {
        "STACKTRACE": "trace",
        "PATTERN": "error burst onset",
        "TIMELINE": "onset before along",
        "METRICS": "burst",
        "CORRELATION": "along before",
    }.items()
}
_CHANGE = re.compile(
    r"(?i)\b(?:re)?deploy|\brolled? ?(?:out|back)|\brollout|\brelease\b|\bversion\b|\bupgrad|\bmigrat|\bfail(?:ed)? ?over\b|"
    r"\b(?:config\w*|settings?|feature flag|flag)\b.*\b(?:load|chang|set|switch|enabl|disabl|appl|updat)|"
    r"\bre(?:start|load)|\bmaintenance\b|\brotat|\bexpir|배포|재시작|설정.{0,8}(?:변경|적용)|전환|점검|마이그레이션|만료"
)
_FAILS = re.compile(r"(?i)\berror\b|\bfail|\bexception\b|\bfatal\b|\bpanic\b|실패|오류|예외")
_CAUSES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (cause, re.compile(f"(?i){pattern}"))
    for cause, pattern in (
        ("deadlock", r"deadlock|lock wait|교착"),
        ("resource-exhausted", r"pool.{0,40}(?:exhaust|empty|full|limit)|exhaust|too many (?:open|connections|clients)|EMFILE|no free|remaining connection slots|고갈|no space|ENOSPC|disk.{0,20}full|out of memory|\bOOM|heap space|MemoryError|exit (?:code|status):? 137|용량 부족|메모리 부족"),
        ("permission", r"permission|denied|forbidden|unauthori|invalid credentials|authentication fail|certificate|\b40[13]\b|권한|인증서"),
        ("migration", r"no such (?:column|table)|(?:column|relation|table).{0,80}does not exist|unknown column|schema"),
        ("data-corrupt", r"duplicate key|constraint|checksum|corrupt"),
        ("encoding", r"unicode|codec|charset|invalid byte sequence|인코딩"),
        ("null-dereference", r"NoneType|NullPointer|of (?:undefined|null)\b|nil pointer"),
        ("missing-import", r"No module named|cannot import|cannot find module|ClassNotFound|NoClassDef"),
        ("parsing", r"JSONDecode|unexpected token|could not parse|parse error|malformed|invalid literal"),
        ("renamed-key", r"KeyError|has no attribute|unrecognized field|missing (?:key|field)"),
        ("wrong-path", r"no such file|FileNotFound|ENOENT"),
        ("config-missing", r"(?:environment|variable|setting|config\w*).{0,40}(?:not set|missing|unset|undefined)|설정.{0,10}없"),
        ("retry", r"\b429\b|too many requests|rate limit|retr(?:y|ies|ying).{0,30}(?:exceed|exhaust|again)"),
        ("timeout", r"time-?d? ?out|deadline|\b504\b|시간 초과|타임아웃"),
        ("external-failure", r"refused|reset by|unreachable|unavailable|\b50[23]\b|name or service|ENOTFOUND|no route|disconnected|연결 (?:실패|거부)|응답 없음"),
    )
)  # fmt: skip


@dataclass(slots=True)
class Episode:
    """Messages that go along with each other, the one that was seen first at their head."""

    head: Pattern
    along: list[Pattern] = field(default_factory=list[Pattern])
    before: Place | None = None
    points: dict[str, int] = field(default_factory=dict[str, int])

    @property
    def worth(self) -> int:
        return sum(self.points.values())

    @property
    def place(self) -> Place:
        return self.head.seen.places[0]

    @property
    def members(self) -> list[Pattern]:
        return [self.head, *self.along]

    def cause(self) -> str:
        """By the words of the head, then of what goes along with it; where they name none, by what came before."""
        for one in self.members:
            for cause, words in _CAUSES:
                if words.search(one.seen.places[0].raw):
                    return cause
        return "deployment" if self.before and _CHANGE.search(self.before.raw) else "unhandled-exception"


# --- which episodes there are ------------------------------------------------------------------


def episodes(scene: Scene) -> list[Episode]:
    """The most telling first; none where all that went wrong is there all the time and was not asked about."""
    digest = scene.space.digest()
    found = [_weighed(one, scene, digest) for one in _gathered(_wrong(scene, digest), digest)]
    told = [one for one in found if one.worth >= LEAST_WORTH and (one.points["question"] or not _usual(one))]
    told.sort(key=lambda one: (-one.worth, one.place.path, one.place.line))
    return [one for one in told if one.worth * 100 >= told[0].worth * LEAST_SHARE]


def _usual(one: Episode) -> bool:
    return not one.points["onset"] and not one.points["burst"]


def _wrong(scene: Scene, digest: Digest) -> list[Pattern]:
    """Messages that tell of something wrong, by the words of the question and then by how grave they are."""
    found = [one for one in digest.patterns.values() if one.seen.places and _gravity(one)]
    found = [one for one in found if not addressed(one.seen.places[0].raw)]
    found.sort(key=lambda one: (-scene.asked.met_by(one.template), -_gravity(one), -one.seen.count, one.template))
    return found[:MOST_LOOKED_AT]


def _gravity(one: Pattern) -> int:
    if one.level is None:
        return 20 if _FAILS.search(one.template) else 0
    return {"fatal": 20, "error": 20, "warning": 8}.get(one.level, 0)


def _gathered(wrong: Sequence[Pattern], digest: Digest) -> list[Episode]:
    """What was seen first takes those along that come with it; each message is in one episode."""
    ordered = sorted(wrong, key=lambda one: (one.seen.first or 0, one.seen.places[0].path, one.seen.places[0].line))
    found: list[Episode] = []
    for one in ordered:
        head = next((other for other in found if _goes_along(one, other.head, digest)), None)
        if head is None:
            found.append(Episode(one))
        else:
            head.along.append(one)
    return found


def _goes_along(one: Pattern, head: Pattern, digest: Digest) -> bool:
    """Whether most minutes of one have the head, in the same minute or the one before, more than by chance.

    What was seen long before does not head what begins now, unless neither is seen without the other.
    """
    if one.seen.first is None or head.seen.first is None or _minutes(digest) < 2:
        return False
    near = {minute + step for minute in head.minutes for step in (0, 1)}
    share = len(near & one.minutes.keys()) / max(1, len(one.minutes))
    together = one.seen.first - head.seen.first <= BEFORE or _share(head, one) >= ALONG
    return together and share >= ALONG and share >= RARE * len(near) / _minutes(digest)


def _share(one: Pattern, other: Pattern) -> float:
    near = {minute + step for minute in other.minutes for step in (-1, 0)}
    return len(near & one.minutes.keys()) / max(1, len(one.minutes))


def _minutes(digest: Digest) -> int:
    first, last = digest.seen.first, digest.seen.last
    return 0 if first is None or last is None else (last - first) // MINUTE + 1


def _weighed(one: Episode, scene: Scene, digest: Digest) -> Episode:
    one.before = _came_before(one.head, digest)
    words = " ".join(pattern.seen.places[0].raw for pattern in one.members)
    one.points = {
        "error": max(map(_gravity, one.members)),
        "trace": 25 if any(_has_trace(pattern, digest) for pattern in one.members) else 0,
        "burst": 20 if any(_bursts(pattern, digest) for pattern in one.members) else 0,
        "onset": 15 if _begins_late(one.head, digest) else 0,
        "before": 0 if one.before is None else 20 if _CHANGE.search(one.before.raw) else 10,
        "along": 15 if one.along else 0,
        "question": 3 * scene.asked.met_by(words),
    }
    return one


def _has_trace(one: Pattern, digest: Digest) -> bool:
    return any(
        (crash.seen.places[0].path, crash.seen.places[0].line) == (place.path, place.line)
        for crash in digest.crashes.values()
        for place in one.seen.places
        if crash.seen.places
    )


def _bursts(one: Pattern, digest: Digest) -> bool:
    """Half of it or more within a twentieth of the logs' time, and that more than a few times."""
    width = max(1, _minutes(digest) // TWENTIETH)
    minutes, inside, most, start = sorted(one.minutes), 0, 0, 0
    for minute in minutes:
        inside += one.minutes[minute]
        while minutes[start] <= minute - width:
            inside -= one.minutes[minutes[start]]
            start += 1
        most = max(most, inside)
    return _minutes(digest) > TWENTIETH and most >= LEAST_BURST and most >= HALF * one.seen.count


def _begins_late(one: Pattern, digest: Digest) -> bool:
    first, begun, ended = one.seen.first, digest.seen.first, digest.seen.last
    if first is None or begun is None or ended is None:
        return False
    return (first - begun) * 10 > ended - begun > 0


def _came_before(head: Pattern, digest: Digest) -> Place | None:
    """The last change that was told of within a quarter of an hour before; else the last that was never told of before."""
    onset = head.seen.first
    if onset is None or not _begins_late(head, digest):
        return None
    near = [
        (place.when or 0, pattern, place)
        for pattern in digest.patterns.values()
        for place in pattern.seen.places
        if pattern is not head and place.when is not None and onset - BEFORE <= place.when <= onset
    ]
    near = [one for one in near if _stands_before(one[2], head.seen.places[0]) and not addressed(one[2].raw)]
    changes = [one for one in near if _CHANGE.search(one[2].raw) and one[1].seen.count <= len(one[1].seen.places)]
    new = [one for one in near if (one[1].seen.first or 0) >= onset - BEFORE and one[1].seen.count == 1]
    found = changes or (new if _minutes(digest) * MINUTE > 4 * BEFORE else [])
    return max(found, key=lambda one: (one[0], one[2].path, one[2].line))[2] if found else None


def _stands_before(one: Place, head: Place) -> bool:
    """At the same moment the order of the lines decides."""
    return one.when != head.when or (one.path == head.path and one.line < head.line)


# --- what an investigator says of them ---------------------------------------------------------


def report(scene: Scene, brief: SurveyBrief) -> Report:
    """The report of one log perspective, whatever the task is."""
    own = TOLD_BY.get(brief.perspective, frozenset())
    found = [one for one in episodes(scene) if any(one.points[sort] for sort in own)]
    if any(task.kind in ("cross_check", "deep_dive") for task in brief.tasks):
        found = [one for one in found if _is_meant(one, brief)]
    chosen = found[:MOST_FINDINGS]
    findings = [_finding(one, no, chosen, brief.language) for no, one in enumerate(chosen, start=1)]
    head = findings[0].description if findings else phrase("nothing", brief.language)
    names = [
        "not running",
        *([] if scene.space.folder else ["not files"]),
        *([] if scene.space.git else ["not history"]),
    ]
    left_out = tuple(phrase(name, brief.language) for name in names)
    full = "\n".join(f"- {one.place.path}:{one.place.line} ({one.worth}): {one.points}" for one in found)
    return Report(head, "MEDIUM" if findings else "LOW", tuple(findings), not_looked_at=left_out, full=full)


def _is_meant(one: Episode, brief: SurveyBrief) -> bool:
    """Whether the evidence of a side that a task shows stands at this episode."""
    sides = [side for task in brief.tasks for side in (task.yours, *task.others) if side]
    cited = [location.parse(piece.location) for side in sides for piece in side.evidence if piece.type == "log"]
    places = {(place.path, place.line) for pattern in one.members for place in pattern.seen.places}
    return any(isinstance(where, location.Lines) and (where.path, where.first) in places for where in cited)


def _finding(one: Episode, no: int, chosen: Sequence[Episode], language: str) -> Finding:
    cause = one.cause()
    others = [other for other in chosen if other is not one]
    alternatives = [
        phrase("alternative", language, place=_at(other.place), cause=bringing.named(other.cause(), language))
        for other in others
    ]
    return Finding(
        f"F{no}",
        "; ".join(_said(one, cause, language)),
        cause,
        signs.direction(cause),
        tuple(_evidence(one)),
        "MEDIUM",
        tuple(alternatives[:2]) or (phrase("no other", language),),
    )


def _said(one: Episode, cause: str, language: str) -> Iterator[str]:
    seen = one.head.seen
    named = bringing.named(cause, language)
    yield phrase(
        "episode", language, place=_at(one.place), cause=named, said=_short(one.head.template), count=seen.count
    )
    if one.points["onset"]:
        yield phrase("episode onset", language)
    if one.points["burst"]:
        yield phrase("episode burst", language)
    if one.before:
        yield phrase("episode before", language, said=_short(one.before.said or one.before.raw), place=_at(one.before))
    for other in one.along[:MOST_TOLD]:
        yield phrase("episode along", language, said=_short(other.template), count=other.seen.count)


def _evidence(one: Episode) -> Iterator[Evidence]:
    """The first line of each message that is told of, and of what came before."""
    grade: Grade = "MODERATE" if one.points["onset"] or one.points["burst"] or one.points["trace"] else "WEAK"
    yield _of_line(one.place, grade)
    yield from (_of_line(other.seen.places[0], grade) for other in one.along[:MOST_TOLD])
    if one.before:
        yield _of_line(one.before, "MODERATE" if _CHANGE.search(one.before.raw) else "WEAK")


def _of_line(place: Place, grade: Grade) -> Evidence:
    return Evidence("log", _at(place), bringing.shortened(place.raw.strip()), grade)


def _at(place: Place) -> str:
    return f"{place.path}:{place.line}"


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:79]}…"
