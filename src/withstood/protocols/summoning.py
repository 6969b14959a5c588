"""Who is called, and with which brief."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from withstood.claims import iid, tiers
from withstood.claims.cast import CastTable, Profile
from withstood.claims.iid import Iid
from withstood.claims.inquiry import Agreed, Inquiry
from withstood.claims.vocabulary import normal
from withstood.protocols.asks import Answers, Ask, Batch, Silent, put
from withstood.protocols.docket import Entry
from withstood.protocols.investigation_briefs import (
    PLAN,
    ChallengeBrief,
    Headline,
    Item,
    KeyQuestions,
    PlanBrief,
    Shown,
    Side,
    SurveyBrief,
    Task,
)
from withstood.protocols.minutes import Heard, Minutes
from withstood.rules import casting
from withstood.verdict import Ruling

MOST_SAID = 120
MOST_SHOWN = 12
MOST_QUESTION = 200


@dataclass(frozen=True, slots=True)
class Plan:
    """What is settled before anybody looks. Voices are `CODE-CALLCHAIN`; `ready` are those whose sources are there."""

    kind: str
    profile: Profile
    quick: bool
    cast: tuple[str, ...]
    challengers: tuple[str, ...]
    without_source: tuple[str, ...]
    ready: tuple[str, ...]
    key_questions: tuple[str, ...]


def plan(matter: Inquiry, agreed: Agreed, minutes: Minutes) -> Generator[Batch, Answers, Plan]:
    """The cast by rule, and the key questions: the planner's where there is one and it answers, else the question."""
    profile = agreed.cast.profile(matter.profile) or agreed.cast.profiles[0]
    ready = voices_ready(matter, agreed.cast)
    quick = matter.quick and profile.quick
    chosen = casting.cast(
        casting.Input(
            kinds=_kinds(matter, agreed.cast),
            ready=ready,
            fill=agreed.cast.fill,
            named=tuple([name for name in matter.cast if not iid.is_challenger(name)]),
            wanted=profile.investigators,
            quick=quick,
        )
    )
    minutes.rule(casting.TABLE.edition, "", Ruling(chosen.kind, chosen.row), chosen.cast)
    challengers = tuple([name for name in matter.cast if iid.is_challenger(name)]) or profile.challengers
    questions = yield from _key_questions(matter, minutes)
    return Plan(chosen.kind, profile, quick, chosen.cast, challengers, chosen.without_source, ready, questions)


def voices_ready(matter: Inquiry, table: CastTable) -> tuple[str, ...]:
    """Every voice whose type has one of the sources that it needs."""
    return tuple(
        [
            f"{type.prefix}-{one.id}"
            for type in table.types
            if type.prefix != iid.CHALLENGER and any(map(matter.has, type.needs))
            for one in type.perspectives
        ]
    )


def _kinds(matter: Inquiry, table: CastTable) -> tuple[casting.Kind, ...]:
    """All kinds with their cues; the one that the user names, alone."""
    plain = f" {normal(matter.question)} "
    kinds = [kind for kind in table.kinds if matter.kind in ("", kind.name)]
    return tuple([casting.Kind(kind.name, _cues(plain, kind.cues), kind.cast) for kind in kinds])


def _cues(plain: str, cues: Sequence[str]) -> int:
    """Latin cues stand in whole words; Korean ones at the beginning of a word."""
    told = [normal(cue) for cue in cues]
    return sum(f" {cue} " in plain if cue.isascii() else f" {cue}" in plain for cue in told if cue)


def _key_questions(matter: Inquiry, minutes: Minutes) -> Generator[Batch, Answers, tuple[str, ...]]:
    if not matter.planner:
        return (matter.question,)
    brief = PlanBrief(matter.question, matter.language, matter.sources)
    (answer,) = yield from put([minutes.ask(PLAN, brief, KeyQuestions)])
    if isinstance(answer, Silent):
        minutes.note(f"{PLAN} proposed no key questions: {answer.why}")
        return (matter.question,)
    proposed = [tiers.shortened(one, MOST_QUESTION) for one in answer.questions if one.strip()]
    return tuple(proposed[: brief.most]) or (matter.question,)


# --- briefs ------------------------------------------------------------------------------------


def survey(matter: Inquiry, agreed: Agreed, planned: Plan, minutes: Minutes, voice: str) -> Ask[object]:
    return _asked(matter, agreed, planned, minutes, _iid(voice, 1, deep=False), (Task("survey"),), ())


def deep(
    matter: Inquiry,
    agreed: Agreed,
    planned: Plan,
    minutes: Minutes,
    voice: str,
    tasks: Sequence[Task],
    known: Sequence[Heard],
) -> Ask[object]:
    return _asked(matter, agreed, planned, minutes, _iid(voice, 3, deep=True), tuple(tasks), headlines(known))


def _iid(voice: str, round: int, *, deep: bool) -> Iid:
    prefix, _, perspective = voice.partition("-")
    return Iid(prefix, perspective, round, deep)


def _asked(
    matter: Inquiry,
    agreed: Agreed,
    planned: Plan,
    minutes: Minutes,
    who: Iid,
    tasks: tuple[Task, ...],
    known: tuple[Headline, ...],
) -> Ask[object]:
    from withstood.claims.finding import Report

    brief = SurveyBrief(
        question=matter.question,
        language=matter.language,
        iid=str(who),
        prefix=who.prefix,
        perspective=who.perspective,
        key_questions=planned.key_questions,
        tasks=tasks,
        sources=matter.sources,
        causes=agreed.causes.ids,
        directions=agreed.directions.ids,
        known=known,
    )
    return minutes.ask(str(who), brief, Report)


def headlines(heard: Sequence[Heard]) -> tuple[Headline, ...]:
    """Layer 1 of what has been reported, shortened to what it may be."""
    return tuple([Headline(one.iid, tiers.shortened(one.answer.one_liner, MOST_SAID)) for one in heard])


def challenge(matter: Inquiry, minutes: Minutes, voice: str, entries: Sequence[Entry]) -> Ask[object]:
    from withstood.claims.finding import CounterReview

    who = _iid(voice, 3, deep=False)
    items = tuple([Item(entry.id, side(entry)) for entry in entries])
    brief = ChallengeBrief(matter.question, matter.language, str(who), who.perspective, items, matter.sources)
    return minutes.ask(str(who), brief, CounterReview)


def side(entry: Entry) -> Side:
    """An item as others are shown it: one line, and its checked evidence, the strongest first."""
    pieces = sorted(entry.checked, key=lambda one: (("STRONG", "MODERATE", "WEAK").index(one.grade), one.cited.id))
    shown = {(one.cited.type, one.cited.location): one for one in reversed(pieces)}
    evidence = [
        Shown(one.cited.type, one.cited.location, one.cited.snippet, one.grade)
        for one in pieces
        if one in shown.values()
    ]
    spoken = entry.speaker
    return Side(
        cause=spoken.cause,
        direction=spoken.direction,
        says=tiers.shortened(spoken.finding.description, MOST_SAID),
        investigators=entry.iids,
        evidence=tuple(evidence[:MOST_SHOWN]),
    )
