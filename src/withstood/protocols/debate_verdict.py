"""The end of a debated text: what the moderator is fed, what it says, and the line of the results."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from withstood import form
from withstood.claims.case import Case
from withstood.claims.debate import Summary
from withstood.claims.episode import Lesson
from withstood.claims.sentiment import KeptAspect, Sentiment
from withstood.claims.staged import Validation
from withstood.form import Json
from withstood.protocols.asks import Silent
from withstood.protocols.debate_briefs import ATE1, ATE2, ATSA1, ATSA2, VALIDATOR1, VALIDATOR2, ReviewContext
from withstood.protocols.debate_floor import Debated
from withstood.protocols.debate_opening import Opening
from withstood.protocols.debate_patching import Patched
from withstood.protocols.outcome import NOBODY, RATIONALE
from withstood.rules import aggregation, moderation, sentence_label
from withstood.rules.rulebook import MODERATORS, Rulebook
from withstood.verdict import Ruling, Step, Verdict


@dataclass(frozen=True, slots=True)
class Ended:
    """All that a debated text came to. `memory` is its part of the result."""

    opening: Opening
    debated: Debated
    context: ReviewContext | None
    patched: Patched
    memory: Mapping[str, Json]
    skipped: tuple[tuple[str, str], ...] = ()
    lesson: Lesson | None = None


@dataclass(frozen=True, slots=True)
class Labelled:
    """The label of the text, and who gave it."""

    label: str | None
    confidence: Decimal | None
    rationale: str
    output: moderation.Output | None = None
    steps: tuple[Step, ...] = ()


def conclude(case: Case, book: Rulebook, ended: Ended, path: Sequence[Step]) -> Verdict:
    labelled = _labelled(book, ended)
    lesson = form.write(ended.lesson) if labelled.label else None
    return Verdict(_result(case, ended, labelled), (*path, *labelled.steps), lesson)


def _labelled(book: Rulebook, ended: Ended) -> Labelled:
    if not ended.opening.answered:
        return Labelled(None, None, NOBODY)
    if book.debate.moderator == "off":
        ruling = sentence_label.label([one.polarity for one in ended.patched.sentiments])
        step = Step(sentence_label.TABLE.edition, "", ruling)
        return Labelled(ruling.outcome, sentence_label.CONFIDENCE, RATIONALE, steps=(step,))
    fed, feeding = _fed(book, ended)
    edition = f"moderator-{book.moderator.edition}"
    found = MODERATORS[book.moderator.edition](fed, book.without(edition))
    said = [
        Step(edition, "", Ruling(found.final_label, rule.removeprefix("Rule")), (sentence,))
        for rule, sentence in zip(found.applied_rules, _sentences(found), strict=True)
    ]
    return Labelled(found.final_label, found.confidence, found.rationale, found, (*feeding, *said))


def _sentences(found: moderation.Output) -> Iterator[str]:
    """The rationale, rule by rule."""
    rest = found.rationale
    rules = found.applied_rules
    for rule, after in itertools.zip_longest(rules, rules[1:]):
        end = rest.find(f" {after}:") if after else len(rest)
        sentence, rest = rest[:end], rest[end + 1 :]
        yield sentence or rule


# --- the feeder --------------------------------------------------------------------------------


def _fed(book: Rulebook, ended: Ended) -> tuple[moderation.Input, list[Step]]:
    opening, patched, feeder = ended.opening, ended.patched, book.moderator.feeder
    first = _stage(opening.sentiments, opening.aspects, feeder)
    second = _stage(patched.sentiments, patched.aspects, feeder) if patched.executed else None
    fed = moderation.Input(
        stage1=moderation.FirstStage(_ate(first), _atsa(first)),
        stage2=moderation.SecondStage(_ate(second), _atsa(second)) if second else None,
        validator=_validator(ended, feeder),
        debate=_debate(ended.debated.summary),
    )
    told = [_feeding("stage 1", first), *([_feeding("stage 2", second)] if second else [])]
    return fed, told


def _stage(sentiments: Sequence[Sentiment], aspects: Sequence[KeptAspect], feeder: str) -> aggregation.Stage:
    return aggregation.stage(_said(sentiments), [one.confidence for one in aspects], feeder)


def _said(sentiments: Sequence[Sentiment]) -> list[aggregation.Said]:
    return [
        aggregation.Said(one.term, one.polarity, one.confidence, None if one.implicit else (one.begin, one.end))
        for one in sentiments
    ]


def _ate(found: aggregation.Stage) -> moderation.Ate:
    return moderation.Ate(found.ate.label, found.ate.confidence)


def _atsa(found: aggregation.Stage) -> moderation.Atsa:
    return moderation.Atsa(found.atsa.label, found.atsa.confidence, found.atsa.span)


def _feeding(name: str, found: aggregation.Stage) -> Step:
    told = (
        f"{name}: sentence {found.ate.label} {found.ate.confidence}, aspect {found.atsa.label} {found.atsa.confidence}"
    )
    return Step(aggregation.TABLE.edition, "", Ruling("fed", found.row), (told,))


def _validator(ended: Ended, feeder: str) -> moderation.Validator | None:
    """The validator as it stands after stage 2, else after stage 1; None where it gave no answer."""
    first, again = ended.opening.answers[2], ended.patched.reviews.validation
    if not isinstance(first, Validation):
        return None
    sure = first.consistency_score
    if again is not None and not isinstance(again, Silent):
        sure = again.final_validation.final_consistency_score
    flipped = [
        one.target_aspect for one in ended.opening.proposals if one.proposal_type.strip().upper() == "FLIP_POLARITY"
    ]
    label = aggregation.suggested(_said(ended.opening.sentiments), flipped, feeder)
    return moderation.Validator(sure, label, issues(ended.opening, ended.patched))


def issues(opening: Opening, patched: Patched) -> tuple[str, ...]:
    """The risks that remain, as the moderator reads them."""
    remaining = patched.reviews.remaining
    return tuple(
        [
            f"{risk.type} severity:{risk.severity}"
            for risk in opening.risks
            if remaining is None or risk.type in remaining
        ]
    )


def _debate(summary: Summary | Silent | None) -> moderation.Debate | None:
    if not isinstance(summary, Summary):
        return None
    return moderation.Debate(
        summary.consensus, summary.rationale, summary.key_agreements, summary.key_disagreements, summary.label
    )


# --- the line of the results -------------------------------------------------------------------


def _result(case: Case, ended: Ended, labelled: Labelled) -> dict[str, Json]:
    opening, patched, found = ended.opening, ended.patched, labelled.output
    return {
        "id": case.id,
        "text_hash": form.digest(case.text),
        "stage1": [_tuple(one) for one in opening.sentiments],
        "flags": [],
        "actions": [*_actions(opening, patched)] if patched.executed else [],
        "final": [_tuple(one) for one in patched.sentiments],
        "label": labelled.label,
        "confidence": labelled.confidence,
        "rationale": labelled.rationale,
        "applied_rules": list(found.applied_rules) if found else [],
        "memory": ended.memory,
        "asks": _asks(ended),
        "skipped": [{"role": role, "why": why} for role, why in (*_silent(ended), *ended.skipped)],
        "selected_stage": found.selected_stage if found else None,
        "arbiter_flags": form.write(found.arbiter_flags) if found else None,
        "validator": _validation(ended),
        "debate": _told(ended),
    }


def _tuple(one: Sentiment) -> dict[str, Json]:
    return {
        "tuple_id": one.tuple_id,
        "aspect_term": "" if one.implicit else one.term,
        "aspect_ref": one.ref,
        "polarity": one.polarity or "neutral",
        "begin": 0 if one.implicit else one.begin,
        "end": 0 if one.implicit else one.end,
        "opinion_term": one.opinion_term,
        "confidence": one.confidence,
        "origin": one.origin,
        "flag": None,
    }


def _actions(opening: Opening, patched: Patched) -> Iterator[dict[str, Json]]:
    """One for each sentiment of stage 1, then one for each that was added."""
    known = [one.tuple_id for one in opening.sentiments]
    added = [one.tuple_id for one in patched.sentiments if one.tuple_id not in known]
    for tuple_id in (*known, *added):
        change = patched.change(tuple_id)
        yield {
            "tuple_id": tuple_id,
            "action": change.action if change else "KEEP",
            "reason_code": change.reason if change else "",
            "row": change.row if change else "",
        }


def _asks(ended: Ended) -> int:
    stage1 = sum(answer is not None for answer in ended.opening.answers)
    return stage1 + ended.debated.asks + ended.patched.reviews.asks


def _silent(ended: Ended) -> Iterator[tuple[str, str]]:
    for role, answer in zip((ATE1, ATSA1, VALIDATOR1), ended.opening.answers, strict=True):
        if isinstance(answer, Silent):
            yield role, answer.why
    yield from ended.debated.absent
    reviews = ended.patched.reviews
    for role, answer in ((ATE2, reviews.aspects), (ATSA2, reviews.sentiments), (VALIDATOR2, reviews.validation)):
        if isinstance(answer, Silent):
            yield role, answer.why


def _validation(ended: Ended) -> dict[str, Json]:
    opening, remaining = ended.opening, ended.patched.reviews.remaining
    return {
        "risks": [{"type": one.type, "severity": one.severity} for one in opening.risks],
        "remaining": None if remaining is None else list(remaining),
        "proposals": len(opening.proposals),
    }


def _told(ended: Ended) -> dict[str, Json] | None:
    """The figures of the debate, and what was summed up; None where none was held."""
    if ended.context is None:
        return None
    debated, summary = ended.debated, ended.debated.summary
    return {
        "rounds": len(debated.rounds),
        "turns": len(debated.turns),
        "mapping": dict(ended.context.mapping_stats),
        "fail_reasons": dict(ended.context.mapping_fail_reasons),
        "override": dict(ended.patched.override or {}),
        "summary": form.write(summary) if isinstance(summary, Summary) else None,
    }
