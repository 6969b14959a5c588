"""The three layers of a report, and how long they may be.

| layer | what | at most |
|---|---|---|
| 1 | the head: who, how sure, one line, the findings in short, what it wants to look at further | 500 tokens |
| 2 | the findings with their evidence | 2,000 tokens |
| 3 | the report in full | no limit |
"""

from __future__ import annotations

from dataclasses import dataclass

from withstood.claims.finding import Finding, Report

MOST_HEAD = 500
MOST_FINDINGS = 2000


@dataclass(frozen=True, slots=True)
class Sizes:
    """Tokens of layers 1 and 2, as `tokens` counts them."""

    head: int
    findings: int

    @property
    def over(self) -> tuple[str, ...]:
        """What is longer than it may be, in words."""
        told = (("layer 1", self.head, MOST_HEAD), ("layer 2", self.findings, MOST_FINDINGS))
        return tuple([f"{name}: {size:,} tokens of {most:,}" for name, size, most in told if size > most])


def sizes(report: Report) -> Sizes:
    head = [report.one_liner, report.reason, report.scope, *(finding.id for finding in report.findings)]
    return Sizes(sum(map(tokens, head)), sum(map(_size, report.findings)))


def _size(finding: Finding) -> int:
    said = [finding.description, finding.cause, finding.direction, *finding.alternatives]
    cited = [part for one in finding.evidence for part in (one.type, one.location, one.snippet)]
    return sum(map(tokens, (*said, *cited)))


def tokens(text: str) -> int:
    """An estimate that needs no model: four characters of ASCII are a token, and so is every other character."""
    plain = len(text.encode("ascii", "ignore"))
    return len(text) - plain + -(-plain // 4)


def shortened(text: str, most: int) -> str:
    """The beginning of a text, of at most so many tokens."""
    if tokens(text) <= most:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if tokens(text[:middle]) < most else (low, middle - 1)
    return f"{text[:low]}…"
