"""Release documents, migrations, deployment and infrastructure: what is missing, unfinished, or cannot be taken back.

| perspective | what is looked for |
|---|---|
| ARTCOMP | the notes of the release: open lines, missing sections, changes of which they do not speak (`documents`) |
| DEPLOY | migrations without a way back, scripts that go on after an error, settings that nobody gives |
| RISK | stored data that is dropped or renamed, new major versions, changes of many files |
| INFRA | images without a version, services without limits |
| OPS | health checks, monitoring, a runbook |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from withstood.agents.programmed.investigation import bringing, documents, signs
from withstood.agents.programmed.investigation.atlas import kind
from withstood.agents.programmed.investigation.documents import Flaw
from withstood.agents.programmed.investigation.phrases import phrase
from withstood.agents.programmed.investigation.scene import Scene
from withstood.agents.programmed.investigation.settings import unset
from withstood.agents.programmed.investigation.units import Page
from withstood.claims.finding import Finding, Report
from withstood.protocols.investigation_briefs import SurveyBrief

MOST_FINDINGS = 5
_RUNBOOK = re.compile(r"(?i)runbook|operations|playbook|on-?call|운영|장애 ?대응")
_NO_WAY_BACK = re.compile(
    r"(?i)\bdrop\s+(?:table|column|index|constraint|database)|\brename\s+(?:column|table|to)|\balter\s+column\b.*\btype\b|\bdelete\s+from\b|\btruncate\b|\bdrop_(?:table|column)\b|\bRemoveField\b|\bRunPython\(\s*\w+\s*\)"
)
_BACK = re.compile(
    r"(?i)--\s*(?:\+?migrate\s+)?down\b|def downgrade\(|def down\(|reverse_code|@rollback|--rollback|def reverse|exports\.down|async down\("
)


def examine(scene: Scene, brief: SurveyBrief) -> Report:
    """The report of one release perspective, whatever the task is."""
    look = _LOOKS.get(brief.perspective)
    flaws = list(look(scene, brief.language))[: MOST_FINDINGS * 4] if look else []
    ranked = sorted(
        flaws,
        key=lambda one: (one.strength != "STRONG", -scene.wanted.met_by(f"{one.path} {one.says}"), one.path, one.first),
    )
    chosen = _apart(ranked)[:MOST_FINDINGS]
    findings = [_finding(scene, one, no, brief.language) for no, one in enumerate(chosen, start=1)]
    head = phrase("nothing", brief.language) if not findings else findings[0].description
    full = "\n".join(f"- {one.path}:{one.first}: {one.says}" for one in flaws)
    left_out = tuple(phrase(name, brief.language) for name in ("not running",))
    return Report(head, "HIGH" if findings else "LOW", tuple(findings), not_looked_at=left_out, full=full)


def _apart(flaws: Sequence[Flaw]) -> list[Flaw]:
    kept: list[Flaw] = []
    for one in flaws:
        if not any(one.path == other.path and abs(one.first - other.first) <= 3 for other in kept):
            kept.append(one)
    return kept


def _finding(scene: Scene, flaw: Flaw, no: int, language: str) -> Finding:
    pieces = [bringing.at_lines(scene, flaw.path, flaw.first, flaw.last, flaw.strength)]
    pieces += [bringing.at_lines(scene, path, line, line, flaw.strength) for path, line in flaw.beside]
    return Finding(
        f"F{no}", flaw.says, flaw.cause, signs.direction(flaw.cause), tuple(pieces), "HIGH" if flaw.strength == "STRONG" else "MEDIUM",
        (phrase("no other", language),),
    )  # fmt: skip


# --- deployment and risk -----------------------------------------------------------------------


def _deployment(scene: Scene, language: str) -> Iterator[Flaw]:
    for page, no in _one_way(scene):
        yield Flaw("migration", phrase("no rollback", language, path=page.path), page.path, no, no, "STRONG")
    for path in scene.atlas.paths():
        page = scene.atlas.page(path) if path.endswith((".sh", ".bash")) else None
        if page and page.lines and not any(re.search(r"set -\w*e|pipefail|\|\| exit", line) for line in page.lines):
            yield Flaw("deployment", phrase("no check", language, path=path, what="set -e"), path, 1, 1)
    pages = [page for path in scene.atlas.paths()[:4000] if kind(path) == "code" and (page := scene.atlas.page(path))]
    for path, fault in unset(scene.atlas, pages):
        yield Flaw(fault.cause, f"{path}:{fault.first}: {fault.says}", path, fault.first, fault.last, "STRONG")


def _one_way(scene: Scene) -> Iterator[tuple[Page, int]]:
    """Migrations that cannot be taken back, and the line that says so."""
    paths = [path for path in scene.atlas.paths() if kind(path) == "migration"]
    for path in paths:
        page = scene.atlas.page(path)
        text = "\n".join(page.lines) if page else ""
        beside = re.sub(r"(?:\.up)?\.(\w+)$", r".down.\1", path)
        empty = re.search(r"def downgrade\([^)]*\)[^:]*:\s*(?:\"\"\".*?\"\"\"\s*)?pass\b", text, re.DOTALL)
        if page is None or path.endswith(".down.sql") or beside in paths or (_BACK.search(text) and not empty):
            continue
        no = next((no for no, line in enumerate(page.lines, start=1) if _NO_WAY_BACK.search(line[:400])), 0)
        if no:
            yield page, no


def _risk(scene: Scene, language: str) -> Iterator[Flaw]:
    for page, no in _one_way(scene):
        yield Flaw("migration", phrase("no rollback", language, path=page.path), page.path, no, no, "STRONG")
    for one in scene.board.ranked("HIST"):
        if one.proven("HIST") and one.cause() in (
            "dependency-changed",
            "config-value",
            "interface-changed",
            "permission",
        ):
            yield Flaw(one.cause(), bringing.described(one, "HIST", language), one.path, one.first, one.last)


# --- infrastructure and operation --------------------------------------------------------------


def _infrastructure(scene: Scene, language: str) -> Iterator[Flaw]:
    for path in scene.atlas.paths():
        page = scene.atlas.page(path) if kind(path) in ("infra", "config") else None
        for no, line in enumerate(page.lines[:2000] if page else (), start=1):
            if re.search(
                r"(?:^\s*FROM\s+\S+|\bimage:\s*\S+):latest\b|^\s*FROM\s+[^:@\s]+\s*(?:$| as )",
                line[:300],
                re.IGNORECASE,
            ):
                yield Flaw(
                    "deployment", phrase("no check", language, path=path, what="version"), path, no, no, "STRONG"
                )
        text = "\n".join(page.lines) if page else ""
        if re.search(r"(?m)^kind:\s*(?:Deployment|StatefulSet)", text) and "limits:" not in text:
            yield Flaw("deployment", phrase("no check", language, path=path, what="limits"), path, 1, 1)


def _operation(scene: Scene, language: str) -> Iterator[Flaw]:
    told = documents.documents(scene)
    if told and not any(
        _RUNBOOK.search(page.path) or any(_RUNBOOK.search(line) for line in page.lines[:400]) for page in told
    ):
        yield Flaw("document-incomplete", phrase("no document", language, section="runbook"), told[0].path, 1, 1)
    for path in scene.atlas.paths():
        page = scene.atlas.page(path) if kind(path) == "infra" else None
        text = "\n".join(page.lines) if page else ""
        serves = re.search(r"(?m)^\s*(?:EXPOSE\b|ports:|kind:\s*Deployment)", text)
        if page and serves and not re.search(r"(?i)healthcheck|livenessProbe|readinessProbe", text):
            yield Flaw("deployment", phrase("no check", language, path=path, what="health check"), path, 1, 1)


_LOOKS: Mapping[str, Callable[[Scene, str], Iterator[Flaw]]] = {
    "ARTCOMP": documents.completeness,
    "DEPLOY": _deployment,
    "RISK": _risk,
    "INFRA": _infrastructure,
    "OPS": _operation,
}
