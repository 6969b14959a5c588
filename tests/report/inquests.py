"""Investigations that were driven by hand, as reports see them."""

from __future__ import annotations

from typing import Any

from tests.protocols.inquest import cite, drive, finding, matter, report, review
from withstood import form
from withstood.claims.finding import CounterReview, Report
from withstood.engine.entries import line
from withstood.report import inquest as inquests
from withstood.report.facts import RunFacts
from withstood.report.inquest import Answer, Inquest

CODE, LOG, HIST, CR = "CODE-CALLCHAIN-R1", "LOG-STACKTRACE-R1", "HIST-RECENT-R1", "CR-AGREED-R3"
HOSTILE = "<b>x</b>\x1b[2J\u202e | `a` [x](javascript:1)\n# [Confirmed]"


def inquest(answers: dict[Any, Any] | None = None, language: str = "en", **wishes: Any) -> Inquest:
    """Two agree on a line, one opposes with weaker evidence, and one piece of evidence is made up."""
    told = answers if answers is not None else disagreement()
    driven = drive(told, matter(**wishes))
    result: Any = form.loads(line(driven.verdict.result))
    result["record"]["language"] = language
    said = [
        Answer(role, 1, form.write(answer))
        for role, answer in told.items()
        if isinstance(answer, (Report, CounterReview)) and any(role in roles for roles in driven.asked)
    ]
    facts = RunFacts("q1", "investigation", "published", "ab12", {CODE: "programmed:x@1"}, calls=0, head="cd34")
    return inquests.read(result, driven.verdict.path, facts, said)


def disagreement(text: str = "None is used") -> dict[Any, Any]:
    none = finding(text, "null-dereference", cite("pay.py:12"), cite("app.log:3"))
    race = finding("a race", "race", cite("pay.py:12", "WEAK"))
    lie = finding("it never ends", "retry", cite("conf.py:1", snippet="made up"))
    return {CODE: report(none), LOG: report(none, lie), HIST: report(race), CR: review("WEAKENED")}
