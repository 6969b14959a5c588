"""The reports of a run as text, by file name."""

from __future__ import annotations

from collections.abc import Mapping

from withstood import form
from withstood.jobs.published import row_texts
from withstood.report import markdown, page
from withstood.report.facts import RunFacts
from withstood.report.tally import Tally


def rendered(tally: Tally, facts: RunFacts) -> Mapping[str, str]:
    """Reports are in the language that most of the texts are in."""
    language = "ko" if dict(tally.languages.items()).get("ko", 0) * 2 > tally.texts else "en"
    return {
        "report.md": markdown.render(tally, facts, language),
        "report.html": page.render(tally, facts, row_texts(), language),
        "run.json": form.dumps(facts) + "\n",
    }
