"""What a case came to, written out as its line of the results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from withstood import form
from withstood.claims.ballot import Decision, Review
from withstood.claims.case import Case, Task
from withstood.claims.episode import Lesson
from withstood.claims.flag import Flag
from withstood.claims.opinion import Candidate, Reading
from withstood.form import Json
from withstood.protocols.asks import Silent
from withstood.protocols.remembering import OFF, Remembered
from withstood.rules import sentence_label
from withstood.verdict import Step, Verdict

RATIONALE = "The label follows from the final tuples."
TARGETS = "Targets alone were asked for, so there is no label."
NOBODY = "No reader gave an answer, so there is no verdict."


@dataclass(frozen=True, slots=True)
class Outcome:
    """All that a case came to. `skipped` are the seats that gave no answer, and why; `lesson` what is learned."""

    stage1: tuple[Candidate, ...]
    flags: tuple[Flag, ...]
    actions: tuple[Decision, ...]
    final: tuple[Candidate, ...]
    readings: tuple[Reading | Silent, ...]
    reviews: tuple[Review | Silent, ...]
    skipped: tuple[tuple[str, str], ...]
    memory: Remembered = OFF
    lesson: Lesson | None = None
    task: Task = "all"


def silences(roles: Sequence[str], answers: Sequence[object]) -> tuple[tuple[str, str], ...]:
    pairs = zip(roles, answers, strict=False)
    return tuple([(role, answer.why) for role, answer in pairs if isinstance(answer, Silent)])


def conclude(case: Case, outcome: Outcome, path: Sequence[Step]) -> Verdict:
    """The label of the final tuples; none where no reader gave an answer."""
    if all(isinstance(answer, Silent) for answer in outcome.readings):
        return Verdict(_result(case, outcome, None, NOBODY), tuple(path))
    if outcome.task == "targets":
        return Verdict(_result(case, outcome, None, TARGETS), tuple(path))
    ruling = sentence_label.label([candidate.polarity for candidate in outcome.final])
    end = Step(sentence_label.TABLE.edition, "", ruling)
    lesson = form.write(outcome.lesson)
    return Verdict(_result(case, outcome, ruling.outcome, RATIONALE), (*path, end), lesson)


def _result(case: Case, outcome: Outcome, label: str | None, rationale: str) -> dict[str, Json]:
    return {
        "id": case.id,
        "text_hash": form.digest(case.text),
        "stage1": [_tuple(candidate, outcome.task) for candidate in outcome.stage1],
        "flags": [form.write(flag) for flag in outcome.flags],
        "actions": [_action(*pair) for pair in zip(outcome.stage1, outcome.actions, strict=False)],
        "final": [_tuple(candidate, outcome.task) for candidate in outcome.final],
        "label": label,
        "confidence": sentence_label.CONFIDENCE if label else None,
        "rationale": rationale,
        "applied_rules": [],
        "memory": outcome.memory.result(),
        "asks": len(outcome.readings) + len(outcome.reviews),
        "skipped": [{"role": role, "why": why} for role, why in outcome.skipped],
    }


def _tuple(candidate: Candidate, task: Task = "all") -> dict[str, Json]:
    unsaid = "" if task == "targets" else "neutral"
    return {
        "tuple_id": candidate.tuple_id,
        "aspect_term": candidate.aspect_term,
        "aspect_ref": candidate.aspect_ref,
        "polarity": candidate.polarity or unsaid,
        "begin": candidate.begin,
        "end": candidate.end,
        "opinion_term": candidate.opinion_term,
        "confidence": candidate.confidence,
        "origin": candidate.origin,
        "flag": candidate.flag,
    }


def _action(candidate: Candidate, decision: Decision) -> dict[str, Json]:
    return {
        "tuple_id": candidate.tuple_id,
        "action": decision.action.value,
        "reason_code": decision.reason_code,
        "row": decision.row,
    }
