"""The programmed investigators: one for each perspective, all with the same answer type as a model.

| type | sees | has something to say of a line where |
|---|---|---|
| CODE | the code, and which of its lines failed | what was raised comes from it, or a fault stands in it |
| LOG | what was seen, and the lines that say it or lead to it | a message or a traceback leads to it |
| HIST | changes, and which lines failed | a change was made there that may have broken it |

Where there is no repository, LOG says what logs tell by themselves (`logbook`).

Within a type, perspectives differ in which causes they look for first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from withstood.agents.programmed.investigation import bringing, grammars, logbook, release
from withstood.agents.programmed.investigation.phrases import phrase
from withstood.agents.programmed.investigation.scene import Scene
from withstood.agents.programmed.investigation.suspects import GENERAL, Suspect
from withstood.claims import location
from withstood.claims.finding import Finding, Level, Report
from withstood.protocols.asks import Silent
from withstood.protocols.investigation_briefs import Side, SurveyBrief, Task

MOST_FINDINGS = 3
LEAST_PULL = 30
LEAST_LEAD = 18
"""Where nothing has more against it, so much is worth a look."""
LEAST_SHARE = 45
"""A finding has at least so many hundredths of the first one's pull."""
LEAST_ASKED = 20
TELLING_CHANGE = 18
BESIDE = 2
BONUS = 14
MOST_TOLD = 20

FIRST: Mapping[str, frozenset[str]] = {
    name: frozenset(causes.split())
    for name, causes in {
        "CODE-ERRORHANDLING": "swallowed-exception lost-cause unhandled-exception retry",
        "CODE-CONCURRENCY": "race deadlock",
        "CODE-CONFIG": "config-value config-missing timeout wrong-path",
        "CODE-DEPENDENCY": "dependency-changed missing-import interface-changed",
        "CODE-RESOURCE": "resource-leak resource-exhausted",
        "CODE-TYPECONTRACT": "null-dereference wrong-type interface-changed renamed-key parsing encoding injection",
        "CODE-DATAFLOW": "renamed-key null-dereference rounding wrong-unit wrong-timezone stale-cache slow-query",
        "HIST-REFACTORHIST": "renamed-key interface-changed missing-import regression",
        "HIST-PRCONTEXT": "regression dependency-changed config-value",
        "LOG-METRICS": "slow-query timeout resource-leak resource-exhausted",
        "LOG-CORRELATION": "external-failure deployment config-value",
    }.items()
}  # fmt: skip


def investigate(scene: Scene, brief: SurveyBrief) -> Report | Silent:
    """The answer to all tasks of a brief together."""
    if brief.prefix == "REL":
        return release.examine(scene, brief)
    if brief.prefix not in ("CODE", "LOG", "HIST"):
        return Silent(f"no programmed investigator of the type {brief.prefix}")
    if brief.prefix == "LOG" and not scene.atlas.paths():
        return logbook.report(scene, brief)
    chosen: list[Suspect] = []
    notes: list[str] = []
    for task in brief.tasks:
        found, said = _look(scene, brief, task)
        chosen += [one for one in found if one not in chosen]
        notes += said
    return _report(scene, brief, chosen[: MOST_FINDINGS + len(brief.tasks)], notes)


def _look(scene: Scene, brief: SurveyBrief, task: Task) -> tuple[list[Suspect], list[str]]:
    if task.kind == "cross_check":
        return _cross_check(scene, brief, task)
    if task.kind == "deep_dive":
        return _deep_dive(scene, brief, task)
    return leading(scene, brief.prefix, brief.perspective), []


def leading(scene: Scene, prefix: str, perspective: str) -> list[Suspect]:
    """The suspects that speak loudest to one perspective, each near the first."""
    first = FIRST.get(f"{prefix}-{perspective}", frozenset())
    told = [
        (one.pull(prefix) + BONUS * (one.cause() in first), one)
        for one in scene.board.all()
        if one.proven(prefix) and _concerns(scene, one, prefix, perspective) and not _only_suffers(scene, one)
    ]
    told.sort(key=lambda one: (-one[0], -one[1].pull(), one[1].path, one[1].first))
    best = told[0][0] if told else 0
    least = LEAST_PULL if best >= LEAST_PULL else LEAST_LEAD
    found = [one for pull, one in told if pull >= least and pull * 100 >= best * LEAST_SHARE]
    return _apart(found, prefix)[:MOST_FINDINGS]


def _concerns(scene: Scene, one: Suspect, prefix: str, perspective: str) -> bool:
    """Readers of code look at what is on the way to what was seen or asked about, or a fault of the sort that is theirs.

    Otherwise any two of them would agree on whatever fault stands anywhere.
    """
    on_the_way = one.has("fed") or one.has("origin") or one.has("unit")
    if prefix == "HIST":
        return _concerns_history(one, perspective, on_the_way)
    if prefix != "CODE" or on_the_way:
        return True
    if one.cause() in FIRST.get(f"CODE-{perspective}", frozenset()):
        return True
    asked = max((reason.points for reason in one.reasons if reason.sort == "question"), default=0)
    return perspective == "CALLCHAIN" and asked >= (LEAST_ASKED if scene.symptoms else LEAST_ASKED // 2)


def _concerns_history(one: Suspect, perspective: str, on_the_way: bool) -> bool:
    """What changed of late, or where a line comes from: one change is not found twice for looking twice at the same."""
    if perspective == "BLAME":
        return on_the_way or one.has("blame") or one.has("fault")
    told = one.has("change")
    if perspective == "REGRESSION":
        return told and (one.has("fits") or one.has("named") or one.has("timing"))
    if perspective == "REFACTORHIST":
        return told and one.cause() in FIRST["HIST-REFACTORHIST"]
    return told


def _only_suffers(scene: Scene, one: Suspect) -> bool:
    """What was there before, where a change elsewhere brought the failure: the change is the finding.

    That is so of the line where it fails, and of any line where logs show that all was well until the change was made.
    """
    failing = [spot for symptom in scene.symptoms for spot in symptom.frames[:1]]
    if one.has("change") or not scene.symptoms:
        return False
    fails = any(spot.path == one.path and abs(spot.line - one.first) <= BESIDE for spot in failing)
    return any(
        other is not one
        and (fails or other.has("timing"))
        and one.cause() in (other.cause(), GENERAL)
        and set(other.symptoms) & set(one.symptoms)
        and other.pull() > one.pull()
        and any(reason.sort == "change" and reason.points >= TELLING_CHANGE for reason in other.reasons)
        for other in scene.board.all()
    )


def _apart(found: Sequence[Suspect], prefix: str) -> list[Suspect]:
    """Of those that would rest on one log line or one commit only the first: they would speak against each other."""
    kept: list[Suspect] = []
    for one in found:
        if prefix == "LOG" and any(min(one.symptoms, default=-1) == min(other.symptoms, default=-1) for other in kept):
            continue
        if prefix == "HIST" and any(one.commits.keys() & other.commits.keys() for other in kept):
            continue
        kept.append(one)
    return kept


# --- the third round ---------------------------------------------------------------------------


def _cross_check(scene: Scene, brief: SurveyBrief, task: Task) -> tuple[list[Suspect], list[str]]:
    """Whether anything that this type sees speaks for what another holds."""
    held = [one for side in task.others for one in _meant(scene, side)]
    found = [one for one in held if _speaks_for(one, brief.prefix)]
    return found, [phrase("crossed" if found else "not crossed", brief.language)]


def _speaks_for(one: Suspect, prefix: str) -> bool:
    """It has something of its own against it, or sees that what was changed is on the way to the failure."""
    on_the_way = prefix != "HIST" and one.has("change") and (one.has("fed") or one.has("unit"))
    return (one.proven(prefix) or on_the_way) and one.pull(prefix) >= LEAST_PULL


def _deep_dive(scene: Scene, brief: SurveyBrief, task: Task) -> tuple[list[Suspect], list[str]]:
    """One's own side against the others': whichever more is held against, all sorts of reasons together."""
    own = _meant(scene, task.yours) if task.yours else []
    held = [*own, *(one for side in task.others for one in _meant(scene, side))]
    ranked = sorted(held, key=lambda one: (-one.pull(), one.path, one.first))
    if not ranked:
        return [], []
    name = "stays" if ranked[0] in own else "yields"
    return ranked[:1], [phrase(name, brief.language, place=bringing.place(ranked[0]))]


def _meant(scene: Scene, side: Side) -> list[Suspect]:
    """The suspects that a side's evidence points at, those of its cause first."""
    found: list[Suspect] = []
    for piece in side.evidence:
        where = location.parse(piece.location)
        for one in scene.board.all():
            if isinstance(where, location.Lines):
                hit = one.path == where.path and one.first <= where.last + 1 and where.first <= one.last + 1
            else:
                hit = where is not None and any(name.startswith(where.name) for name in one.commits)
            if hit and one not in found:
                found.append(one)
    return sorted(found, key=lambda one: (one.cause() != side.cause, -one.pull()))[:1]


# --- the report --------------------------------------------------------------------------------


def _report(scene: Scene, brief: SurveyBrief, chosen: Sequence[Suspect], notes: Sequence[str]) -> Report:
    language, prefix = brief.language, brief.prefix
    findings = [
        bringing.finding(scene, one, no, prefix, language, [other for other in chosen if other is not one])
        for no, one in enumerate(chosen, start=1)
    ]
    head = phrase("nothing", language)
    if chosen:
        cause = bringing.named(chosen[0].cause(), language)
        head = phrase("found", language, count=len(chosen), place=bringing.place(chosen[0]), cause=cause)
    return Report(
        "; ".join([*notes, head]),
        _confidence(findings),
        tuple(findings),
        not_looked_at=tuple(_left_out(scene, language)),
        full=_full(scene, prefix, language),
    )


def _confidence(findings: Sequence[Finding]) -> Level:
    return findings[0].confidence if findings else "LOW"


def _left_out(scene: Scene, language: str) -> list[str]:
    missing = [
        name
        for name, there in (
            ("not logs", scene.space.logs),
            ("not history", scene.space.git),
            ("not files", scene.space.folder),
        )
        if not there
    ]
    spoken = {page.language for path in scene.hot if (page := scene.atlas.page(path))}
    without = [phrase("no grammar", language, spoken=one) for one in sorted(spoken) if not grammars.installed(one)]
    return [*(phrase(name, language) for name in [*missing, "not running", "not tests", "not cold"]), *without]


def _full(scene: Scene, prefix: str, language: str) -> str:
    """Everything that was considered, with its points, and what the logs showed."""
    lines = [f"## {phrase('considered', language)}"]
    for one in scene.board.ranked(prefix)[:MOST_TOLD]:
        reasons = ", ".join(f"{reason.sort} {reason.points}" for reason in one.reasons)
        lines.append(
            f"- {bringing.place(one)} ({one.pull(prefix)}): {bringing.named(one.cause(), language)} [{reasons}]"
        )
    lines.append(f"## {phrase('seen', language)}")
    for symptom in scene.symptoms:
        times = phrase("times", language, count=symptom.count)
        lines.append(f"- {symptom.place.path}:{symptom.place.line} {times}: {symptom.kind or symptom.level}")
    return "\n".join(lines)
