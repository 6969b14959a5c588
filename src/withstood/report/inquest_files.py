"""The files of an investigation by name, as they are laid into its folder.

| file | what |
|---|---|
| `report.json` | the published report |
| `report.sarif` | findings at lines of code |
| `ID/investigation-plan.md` | cast, key questions, sources |
| `ID/artifacts/IID-report.md` | what one investigator answered, in full |
| `ID/cross-verification-r2.md`, `ID/counter-review-r3.md` | how items stood, and what round 3 changed |
| `ID/final-report.md`, `.json`, `.html` | the report; the JSON has the record beside it |
| `ID/execution-log.yaml` | what was done, what failed, and the log's check of itself |
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from withstood import form
from withstood.form import Json
from withstood.report import inquest_artifacts, inquest_log, inquest_markdown, inquest_page, sarif
from withstood.report.inquest import Inquest


def published(found: Inquest) -> dict[str, Json]:
    """The report as published, with what the run spent."""
    written: dict[str, Any] = form.write(found.report)
    excluded = written.pop("excluded")
    spent = {"calls": found.facts.calls, "tokens": found.facts.tokens_in + found.facts.tokens_out}
    return {**written, **spent, "excluded": excluded}


def files(found: Inquest) -> Mapping[str, str]:
    own = _own(found)
    own["execution-log.yaml"] = inquest_log.log(found, own)
    within = {f"{found.report.id}/{name}": text for name, text in own.items()}
    return {"report.json": form.line(published(found)) + "\n", "report.sarif": sarif.sarif(found), **within}


def _own(found: Inquest) -> dict[str, str]:
    artifacts = inquest_artifacts.reports(found)
    record = {"report": published(found), "record": form.write(found.record), "path": form.write(found.path)}
    return {
        "investigation-plan.md": inquest_artifacts.plan(found),
        **{f"artifacts/{iid}-report.md": text for iid, text in artifacts.items()},
        "cross-verification-r2.md": inquest_artifacts.cross_verification(found),
        "counter-review-r3.md": inquest_artifacts.counter_review(found),
        "final-report.md": inquest_markdown.render(found),
        "final-report.json": form.line(record) + "\n",
        "final-report.html": inquest_page.render(found),
    }
