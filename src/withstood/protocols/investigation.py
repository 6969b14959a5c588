"""An investigation: several look, each alone; code checks what they cite, groups it and judges it by its weight.

question ── plan ── round 1: investigators, blind, one batch ── evidence check
                                                                    │
                   grouping ── classification ──────────────────────┘
                       │
         all agreed on good evidence ──────────────────────────────┐
                       │                                           │
round 3, at most twice: challengers and deep dives, one batch      │
                       │                                           │
              evidence check ── revision ── (again where DISAGREED)│
                       │                                           │
                       └───────── judgement ── ranking ── report ──┘
"""

from __future__ import annotations

from collections.abc import Generator

from withstood.claims.finding import Report
from withstood.claims.inquiry import Agreed, Inquiry
from withstood.protocols import conclusion, evidence_check, summoning, third_round
from withstood.protocols import docket as dockets
from withstood.protocols.asks import Answers, Batch, Flow
from withstood.protocols.conclusion import Course
from withstood.protocols.docket import Docket
from withstood.protocols.judging import judge
from withstood.protocols.minutes import Heard, Minutes
from withstood.protocols.third_round import Bench, cited
from withstood.rules.rulebook import Rulebook
from withstood.verdict import Verdict

QUICK = "quick mode: one investigator, no cross-verification and no challenge"
ALONE = "only one investigator gave a result, so nothing could be cross-verified"
LEAST = 2
"""So many results are needed for round 2."""


def investigate(matter: Inquiry, book: Rulebook, agreed: Agreed) -> Flow[Verdict]:
    minutes = Minutes()
    planned = yield from summoning.plan(matter, agreed, minutes)
    asks = [summoning.survey(matter, agreed, planned, minutes, voice) for voice in planned.cast]
    heard = yield from minutes.hear(asks)
    heard = [one for one in heard if isinstance(one.answer, Report)]
    pieces = yield from evidence_check.check(minutes, book, matter.language, cited(heard, []))
    bench = Bench(matter, book, agreed, planned, minutes, Docket(), heard, [], dict(pieces))
    course = yield from _rounds(bench, heard)
    judged = judge(bench.docket, book, minutes, matter.question)
    written = conclusion.result(
        matter,
        agreed,
        course,
        minutes,
        bench.docket,
        judged,
        bench.heard,
        tuple(bench.pieces.values()),
        book.evidence.struck_percent,
    )
    return Verdict(written, tuple(minutes.path))


def _rounds(bench: Bench, heard: list[Heard]) -> Generator[Batch, Answers, Course]:
    """Rounds 2 and 3. With one result there is nothing to compare it with."""
    held = dockets.hold(heard, bench.pieces, bench.agreed)
    bench.docket, again = dockets.first(held, heard, bench.book, bench.minutes)
    if len(heard) < LEAST:
        return Course(bench.planned, 1, 0, QUICK if bench.planned.quick else ALONE if heard else "")
    if not again:
        bench.minutes.note("round 3 was not run: all items are AGREED on good evidence, or there are none")
        return Course(bench.planned, 2, 0)
    passes = yield from third_round.passes(bench)
    return Course(bench.planned, 3, passes)
