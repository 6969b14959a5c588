"""Evidence: whether the words that a reader cites stand in the text. First match decides.

| row | when | then |
|---|---|---|
| 1 | no evidence was given | none |
| 2 | it stands in the text in whole words, up to white space, NFC, typographic quotes and ligatures | found |
| 3 | otherwise | struck |
"""

from __future__ import annotations

from dataclasses import dataclass

from withstood.claims import quote
from withstood.rules.table import NoNumbers, Table
from withstood.verdict import Ruling


def check(evidence: str | None, text: str) -> Ruling:
    return ruling(evidence, quote.stands(evidence, text) if evidence else None)


def ruling(evidence: str | None, found: bool | None) -> Ruling:
    """The row for evidence that has been looked for."""
    if not evidence:
        return Ruling("none", "1")
    return Ruling("found", "2") if found else Ruling("struck", "3")


@dataclass(frozen=True, slots=True)
class Input:
    text: str
    evidence: str | None = None


@dataclass(frozen=True, slots=True)
class Output:
    outcome: str
    row: str


def _decide(case: Input, numbers: NoNumbers) -> Output:
    checked = check(case.evidence, case.text)
    return Output(checked.outcome, checked.row)


TABLE = Table("evidence-1", __doc__, Input, Output, _decide, section="none", aliases=("evidence",))
