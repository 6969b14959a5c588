"""Explaining a recorded run of any job: its rulings with the sentences of their rows, the numbers of their tables, and
what would have changed them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from withstood import form
from withstood.jobs import calibration, kinds, recorded, what_if
from withstood.jobs.calibration import Calibration
from withstood.jobs.header import Header
from withstood.jobs.kinds import Kind
from withstood.jobs.published import row_texts, tables
from withstood.jobs.recorded import Recorded
from withstood.jobs.what_if import Question
from withstood.journal.port import RunEntry, Shelf
from withstood.report.dossier import Case, Dossier, Fired
from withstood.report.what_if import WhatIf
from withstood.verdict import Step

MOST_TRIES = 300
"""Of each search within an explanation; `withstood what-if` goes on to the end."""


@dataclass(frozen=True, slots=True)
class Explainer:
    """Makes dossiers of the cases of one run."""

    entry: RunEntry
    known: Header
    calibration: Calibration | None = None
    _rows: Mapping[tuple[str, str], str] = field(default_factory=row_texts)
    _sections: Mapping[str, str] = field(
        default_factory=lambda: {table.edition: table.section for table in tables().values()}
    )

    @property
    def kind(self) -> Kind:
        return kinds.of(self.known)

    @property
    def case(self) -> Case:
        known = self.known
        return Case(self.entry.name, known.protocol, known.rulebook.preset, known.rulebook_hash, self.entry.head)

    async def of_run(self, store: Shelf) -> AsyncIterator[Dossier]:
        """Every case that was ruled, in input order; what would have changed each is left to `what-if`."""
        async for found in recorded.in_order(recorded.cases(store, self.entry.name, self.kind.matter)):
            yield self.of_case(found)

    async def of_item(self, store: Shelf, item: str, supposing: bool = True) -> Dossier:
        """An item of the run, or a finding of its only case."""
        found, on = await recorded.located(store, self.entry.name, self.kind.matter, item, self.kind.case_of(item))
        ruled = found.case is not None and found.kept is not None
        return self.of_case(found, self.supposed(found, on) if supposing and ruled else None, on)

    def supposed(self, found: Recorded, on: str | None) -> WhatIf:
        return what_if.of_case(self.kind, self.known, found, Question(on=on, most=MOST_TRIES))

    def of_case(self, found: Recorded, supposed: WhatIf | None = None, on: str | None = None) -> Dossier:
        result: Any = form.loads(found.line)
        headline = self.kind.headline(result)
        told = headline if isinstance(headline, str) else "no verdict" if headline is None else form.dumps(headline)
        path = found.ruling.path if found.ruling else ()
        about = calibration.ruling_on(path, on) if on is not None else None
        silent = [
            (f"{role} {no}" if no > 1 else role, answer.silent)
            for (role, no), answer in found.answers.items()
            if answer.silent is not None
        ]
        return Dossier(
            item=found.id if on is None else f"{found.id} {on}",
            headline=about or told,
            text=_words(found.case),
            fired=tuple([self._fired(step) for step in path]),
            silent=tuple(silent),
            supposed=supposed,
            measured=self.calibration.of(told, path) if self.calibration else "",
        )

    def _fired(self, step: Step) -> Fired:
        section = self._sections.get(step.table, "none")
        book = self.known.rulebook.settings()
        numbers = [(name, value) for name, value in book.items() if name.startswith(f"{section}.")]
        return Fired(step, self._rows.get((step.table, step.ruling.row), ""), tuple(numbers))


def _words(matter: Any) -> str | None:
    """What the case was about, in its own words: a text, or a question."""
    found = getattr(matter, "text", None) or getattr(matter, "question", None)
    return found if isinstance(found, str) else None
