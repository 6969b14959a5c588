"""Sentiment by conflict review: three readers, each alone; flags; three reviewers; the arbiter decides.

    text ── P-NEG, P-IMP, P-LIT ── candidates ── flags ──┬── A, B, C ── scope ── gate ── arbiter ──┬── final, label
                                                         └── no flag: nothing to review ───────────┘

Where the rulebook has memory recalled, MEMORY is asked once before A, B and C.

`single` is the baseline: one reader that considers all three lenses, and no review. `debate` is in `debate`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from withstood.claims.ballot import Review
from withstood.claims.case import Case, Conventions
from withstood.claims.flag import Flag
from withstood.claims.opinion import Candidate, Reading
from withstood.protocols import balloting, debate, lessons, polling, remembering, tasks
from withstood.protocols.asks import Answers, Ask, Batch, Flow, Silent, put
from withstood.protocols.briefs import READERS, REVIEWERS, SINGLE, ReadingBrief, ReviewBrief, TableTuple
from withstood.protocols.laying_out import flag_step, lay_out
from withstood.protocols.lessons import Reviewed
from withstood.protocols.outcome import Outcome, conclude, silences
from withstood.rules import application, conflicts
from withstood.rules.rulebook import Rulebook
from withstood.verdict import NOTHING_TO_ASK, Verdict

PROTOCOLS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "cr-v1": {"arbiter.edition": "v1", "conflicts.granularity": "off"},
        "cr-v2": {"arbiter.edition": "v2", "conflicts.granularity": "on"},
        "single": {},
        "debate": {},
    }
)
"""What each protocol presets in the rulebook. What the user sets comes after it."""


def seats(protocol: str, book: Rulebook, agreed: Conventions) -> tuple[str, ...]:
    """Who is asked, besides MEMORY. Of a debate it depends on its rulebook and its personas."""
    if protocol == "debate":
        return debate.seats(book, agreed)
    return (SINGLE,) if protocol == "single" else READERS + REVIEWERS


def flow(protocol: str, case: Case, book: Rulebook, agreed: Conventions) -> Flow[Verdict]:
    """The flow of one of `PROTOCOLS`."""
    return _FLOWS[protocol](case, book, agreed)


def single(case: Case, book: Rulebook, agreed: Conventions) -> Flow[Verdict]:
    """One reader, once, or as often as the rulebook says: then what more than half of its passes share is final."""
    roles = (SINGLE,) * book.single.passes
    readings = yield from _read(case, agreed, roles)
    stage1, path = lay_out(case, agreed, roles, readings)
    flags = conflicts.flags(stage1, book.conflicts)
    final, voted = polling.poll(stage1, readings, book.single.passes)
    outcome = Outcome(stage1, flags, (), final, readings, (), silences(roles, readings), task=agreed.task)
    return conclude(case, outcome, [*path, *map(flag_step, flags), *voted])


def conflict_review(case: Case, book: Rulebook, agreed: Conventions) -> Flow[Verdict]:
    readings = yield from _read(case, agreed, READERS)
    stage1, path = lay_out(case, agreed, READERS, readings)
    flags = conflicts.flags(stage1, book.conflicts)
    held = agreed.task != "targets" and (bool(flags) or book.review.when == "always")
    query = remembering.signature(case, agreed, len(stage1))
    memory = (yield from remembering.recall(case, book, query)) if held else remembering.unasked(book)
    shown = flags if book.review.flags == "shown" else ()
    reviews = (yield from _review(case, stage1, shown, memory.text)) if held else ()
    count = balloting.decide(case, book, agreed, stage1, flags, reviews)
    applied = [application.apply(*pair) for pair in zip(stage1, count.actions, strict=True)]
    final = tuple([candidate for candidate in applied if candidate is not None])
    unheard = silences(REVIEWERS, reviews) if held else tuple([(role, NOTHING_TO_ASK) for role in REVIEWERS])
    skipped = silences(READERS, readings) + memory.skipped + unheard
    outcome = Outcome(stage1, flags, count.actions, final, readings, reviews, skipped, memory, task=agreed.task)
    steps = (*path, *map(flag_step, flags), *memory.steps, *count.steps)
    if not (held and stage1 and memory.under.write):
        return conclude(case, outcome, steps)
    refs, after = agreed.refs.get(case.language, ()), conflicts.flags(final, book.conflicts)
    lesson, learned = lessons.learn(
        Reviewed(query, refs, stage1, flags, reviews, count.ballots, count.actions, final, after)
    )
    return conclude(case, replace(outcome, lesson=lesson), (*steps, *learned))


def _read(
    case: Case, agreed: Conventions, roles: Sequence[str]
) -> Generator[Batch, Answers, tuple[Reading | Silent, ...]]:
    brief = ReadingBrief(case.text, case.language, agreed.refs.get(case.language, ()), case.given)
    rounds = [roles[: no + 1].count(role) for no, role in enumerate(roles)]
    answers = yield from put([Ask(role, brief, Reading, no) for role, no in zip(roles, rounds, strict=True)])
    return tuple([one if isinstance(one, Silent) else tasks.held(one, agreed.task, case.given) for one in answers])


def _review(
    case: Case, stage1: Sequence[Candidate], flags: tuple[Flag, ...], memory: str
) -> Generator[Batch, Answers, tuple[Review | Silent, ...]]:
    shown = tuple([_as_shown(candidate) for candidate in stage1])
    brief = ReviewBrief(case.text, case.language, shown, flags, memory=memory)
    return (yield from put([Ask(role, brief, Review) for role in REVIEWERS]))


def _as_shown(candidate: Candidate) -> TableTuple:
    return TableTuple(
        candidate.tuple_id,
        candidate.aspect_term,
        candidate.aspect_ref,
        candidate.polarity,
        candidate.opinion_term,
        candidate.evidence,
        candidate.evidence_found,
        candidate.begin,
        candidate.end,
        str(candidate.confidence),
        candidate.origin,
    )


_FLOWS: Mapping[str, Callable[[Case, Rulebook, Conventions], Flow[Verdict]]] = MappingProxyType(
    {"cr-v1": conflict_review, "cr-v2": conflict_review, "single": single, "debate": debate.flow}
)
