"""Sentiment by debate: stage 1, a debate of personas about it, stage 2, and a moderator that labels the text.

    text ── ATE1 ── ATSA1 ── VALIDATOR1 ── anchoring ── personas, round by round ── rapporteur ── review context
                                                                                                       │
    label ── moderator ── guard ── override ── ATSA2 ── ATE2 ── proposals ── ATE2, ATSA2, VALIDATOR2 ──┘

What is turned off in the section `debate` of the rulebook is not asked. Where the rulebook has memory recalled, MEMORY
is asked once before anybody speaks.
"""

from __future__ import annotations

from collections.abc import Generator

from withstood.claims.case import Case, Conventions
from withstood.protocols import remembering
from withstood.protocols.asks import Answers, Batch, Flow
from withstood.protocols.debate_briefs import RAPPORTEUR, STAGE1, STAGE2, ReviewContext
from withstood.protocols.debate_context import review_context
from withstood.protocols.debate_floor import Debated, debate
from withstood.protocols.debate_lessons import Told, learn
from withstood.protocols.debate_memory import Injected, injected
from withstood.protocols.debate_opening import Opening, opening, patterns
from withstood.protocols.debate_patching import Patched, patch, stage2, unpatched
from withstood.protocols.debate_verdict import Ended, conclude
from withstood.rules import floor
from withstood.rules.rulebook import Rulebook
from withstood.verdict import Step, Verdict


def seats(book: Rulebook, agreed: Conventions) -> tuple[str, ...]:
    """Who sits there, in order: a persona that speaks in any language has a seat."""
    known = [key for personas in agreed.forum.personas.values() for key in personas] if agreed.forum else []
    speakers = floor.speakers(book.debate, known)
    summing = (RAPPORTEUR,) if speakers else ()
    reviewers = STAGE2 if book.debate.stage2 == "on" else ()
    seated = (*STAGE1, *speakers, *summing, *reviewers)
    return tuple([role for role in seated if book.debate.validator == "on" or not role.startswith("VALIDATOR")])


def flow(case: Case, book: Rulebook, agreed: Conventions) -> Flow[Verdict]:
    opened = yield from opening(case, book, agreed)
    if not opened.answered:
        return conclude(case, book, _unread(book, opened), opened.steps)
    query = remembering.signature(case, agreed, len(opened.aspects))
    memory = injected(book, opened, (yield from remembering.recall(case, book, query)))
    debated, context, told = yield from _debated(case, book, agreed, opened, memory)
    patched = yield from _reviewed(case, book, opened, context, memory)
    steps = (*opened.steps, *memory.steps, *told, *patched.steps)
    ended = Ended(opened, debated, context, patched, memory.result(), memory.remembered.skipped)
    if not memory.remembered.under.write:
        return conclude(case, book, ended, steps)
    lesson, learned = learn(Told(query, agreed.refs.get(case.language, ()), opened, patched))
    taught = Ended(opened, debated, context, patched, ended.memory, ended.skipped, lesson)
    return conclude(case, book, taught, (*steps, *learned))


def _unread(book: Rulebook, opened: Opening) -> Ended:
    """Where nobody has read the text there is nothing to debate or to review."""
    memory = injected(book, opened, remembering.unasked(book))
    return Ended(opened, Debated(), None, unpatched(opened), memory.result())


def _debated(
    case: Case, book: Rulebook, agreed: Conventions, opened: Opening, memory: Injected
) -> Generator[Batch, Answers, tuple[Debated, ReviewContext | None, tuple[Step, ...]]]:
    """No context where no debate is held: it is not the same as a debate in which nobody spoke."""
    if book.debate.held == "off":
        return Debated(), None, ()
    debated = yield from debate(case, book, agreed, opened.table, memory.debate)
    told = review_context(opened, debated, patterns(case, agreed), case.language)
    return debated, told.context, told.steps


def _reviewed(
    case: Case, book: Rulebook, opened: Opening, context: ReviewContext | None, memory: Injected
) -> Generator[Batch, Answers, Patched]:
    if book.debate.stage2 == "off":
        return unpatched(opened)
    reviews = yield from stage2(case, book, opened, context, memory.stage2)
    return patch(case, book, opened, context, reviews)
