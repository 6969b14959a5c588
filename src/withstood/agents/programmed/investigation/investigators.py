"""The programmed investigators: one for each perspective, all with the same answer type as a model.

| type | sees | has something to say of a line where |
|---|---|---|
| CODE | the code, and which of its lines failed | what was raised comes from it, or a fault stands in it |
| LOG | what was seen, and the lines that say it or lead to it | a message or a traceback leads to it |
| HIST | changes, and which lines failed | a change was made there that may have broken it |

Within a type, perspectives differ in which causes they look for first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from withstood.agents.programmed.investigation import bringing, grammars, release
from withstood.agents.programmed.investigation.phrases import phrase
from withstood.agents.programmed.investigation.scene import Scene
from withstood.agents.programmed.investigation.suspects import Suspect
from withstood.claims import location
from withstood.claims.finding import Finding, Level, Report
from withstood.protocols.asks import Silent
from withstood.protocols.investigation_briefs import Side, SurveyBrief, Task

MOST_FINDINGS = 3
LEAST_PULL = 30
LEAST_SHARE = 45
"""A finding has at least so many hundredths of the first one's pull."""
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
    told = [(one.pull(prefix) + BONUS * (one.cause() in first), one) for one in scene.board.all() if one.proven(prefix)]
    told.sort(key=lambda one: (-one[0], -one[1].pull(), one[1].path, one[1].first))
    best = told[0][0] if told else 0
    found = [one for pull, one in told if pull >= LEAST_PULL and pull * 100 >= best * LEAST_SHARE]
    return _apart(found, prefix)[:MOST_FINDINGS]


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
    found = [one for one in held if one.proven(brief.prefix) and one.pull(brief.prefix) >= LEAST_PULL]
    return found, [phrase("crossed" if found else "not crossed", brief.language)]


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
