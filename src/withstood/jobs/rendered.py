"""The reports of a run as text, by file name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from withstood import form
from withstood.claims.case import Case
from withstood.form import Json
from withstood.jobs.published import row_texts
from withstood.report import markdown, page
from withstood.report.facts import RunFacts
from withstood.report.tally import Tally
from withstood.verdict import Step


def add(tally: Tally, result: Mapping[str, Json], path: Sequence[Step], case: Case | None) -> None:
    """A line of the results with what is known of its text; a row that was refused has no case."""
    if case is None:
        tally.add(result, path)
    else:
        tally.add(result, path, case.text, case.language, case.group, case.time)


def rendered(tally: Tally, facts: RunFacts) -> Mapping[str, str]:
    """Reports are in the language that most of the texts are in."""
    language = "ko" if dict(tally.languages.items()).get("ko", 0) * 2 > tally.texts else "en"
    return {
        "report.md": markdown.render(tally, facts, language),
        "report.html": page.render(tally, facts, row_texts(), language),
        "run.json": form.dumps(facts) + "\n",
    }
