"""Driving an investigation by hand: answers by investigator id, and an evidence check that knows what stands where."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from withstood.claims.finding import Challenge, CounterReview, Evidence, Finding, Report
from withstood.claims.inquiry import Inquiry, SourceNote
from withstood.claims.inspection import Checked, Inspection
from withstood.claims.location import CommitName, parse
from withstood.lexicons import inquiry
from withstood.protocols.asks import Ask, Batch, Silent
from withstood.protocols.investigation import investigate
from withstood.protocols.investigation_briefs import CHECK, CheckBrief
from withstood.rules.rulebook import PRESETS, Rulebook
from withstood.verdict import Verdict

AGREED = inquiry.agreed()
BOOK = PRESETS["published"]
SOURCES = tuple([SourceNote(kind, kind) for kind in ("files", "logs", "history", "documents")])
NOT_TOLD = Silent("not told")


class Driven(NamedTuple):
    verdict: Verdict
    batches: list[Batch]

    @property
    def report(self) -> dict[str, Any]:
        report: Any = self.verdict.result["report"]
        return report

    @property
    def record(self) -> dict[str, Any]:
        record: Any = self.verdict.result["record"]
        return record

    @property
    def asked(self) -> list[list[str]]:
        """The roles of each batch, the evidence check left out."""
        found = [[ask.role for ask in batch if ask.role != CHECK] for batch in self.batches]
        return [roles for roles in found if roles]

    def tags(self) -> list[tuple[str, str]]:
        return [(one["text"], one["tag"]) for one in self.report["findings"]]

    def rulings(self, table: str) -> list[tuple[str, str, str]]:
        return [(one.item, one.ruling.outcome, one.ruling.row) for one in self.verdict.path if one.table == table]

    def brief(self, role: str, no: int = 1) -> Any:
        return next(ask.brief for batch in self.batches for ask in batch if ask.seat == (role, no))


def matter(cast: str = "CODE-CALLCHAIN LOG-STACKTRACE HIST-RECENT", **changes: Any) -> Inquiry:
    told: dict[str, Any] = {"sources": SOURCES, "cast": tuple(cast.split()), **changes}
    return Inquiry(1, "q1", told.pop("question", "why do refunds fail?"), "en", **told)


def drive(answers: Mapping[Any, Any], asked: Inquiry | None = None, book: Rulebook = BOOK) -> Driven:
    """`answers`: by role, or by (role, number of asking); a function is given the brief."""
    flow = investigate(asked or matter(), book, AGREED)
    batches = [next(flow)]
    try:
        while True:
            batches.append(flow.send(tuple([answer(ask, answers) for ask in batches[-1]])))
    except StopIteration as end:
        return Driven(end.value, batches)


def answer(ask: Ask[Any], answers: Mapping[Any, Any]) -> Any:
    told: Any = answers.get(ask.seat, answers.get(ask.role, NOT_TOLD))
    if ask.role == CHECK and told is NOT_TOLD:
        return inspect(ask.brief)
    return told(ask.brief) if isinstance(told, Callable) else told


def inspect(brief: Any) -> Inspection:
    """A world in which every snippet stands where it is said to, but for those that say `made up`."""
    assert isinstance(brief, CheckBrief)
    found: list[Checked] = []
    for one in brief.citations:
        place = parse(one.location)
        if place is None or "made up" in one.snippet:
            found.append(Checked(one.id, "not-there"))
        elif isinstance(place, CommitName):
            found.append(Checked(one.id, "there", commit=place.name.ljust(40, "0")))
        else:
            template = f"t {place.first}" if one.type == "log" else ""
            found.append(
                Checked(one.id, "there", path=place.path, line=place.first, end_line=place.last, template=template)
            )
    return Inspection(tuple(found))


def cite(location: str, strength: Any = "STRONG", snippet: str = "x = refund(order)") -> Evidence:
    kind: Any = "log" if ".log" in location else "code" if ":" in location else "commit"
    return Evidence(kind, location, snippet, strength)


def report(*findings: Finding, **more: Any) -> Report:
    return Report("in short", findings=findings, **more)


def finding(
    text: str, cause: str, *evidence: Evidence, id: str = "F1", direction: str = "add-guard", **more: Any
) -> Finding:
    return Finding(id, text, cause, direction, evidence, **more)


def review(verdict: Any, *evidence: Evidence, item: str = "*") -> CounterReview:
    return CounterReview((Challenge(item, verdict, "is there no guard?", evidence),))
