"""Memory in a debate: which gate lets it in, whose prompt it reaches, and what is learned from the text."""

from __future__ import annotations

from typing import Any

import pytest

from tests.protocols.debating import TEXT, aspects, debated, revalidated, sentiments, turn, validation
from tests.protocols.drive import Driven
from tests.rules.episodes import episode
from withstood import form
from withstood.claims.episode import Lesson, Recalled
from withstood.claims.principles import PRINCIPLES, sentence
from withstood.claims.staged import Extraction
from withstood.protocols.asks import Silent
from withstood.protocols.briefs import MEMORY
from withstood.rules import memory_forbidden

AT_RISK = {"VALIDATOR1": validation(["CONTRAST:medium"])}
HEADING = "Memory advisory (from similar past cases):"
SAID = f"{HEADING}\n- {sentence('LEFT_OPEN', 'ko')} [Risk type: L3.]"
SPEAKING, REVIEWING = ("analyst", "critic", "empath"), ("ATE2", "ATSA2", "VALIDATOR2")


def remembering(condition: str, answers: dict[Any, Any] | None = None, **settings: str) -> Driven:
    recalled = Recalled("memory.jsonl", "f" * 64, 7, (episode(1, "negation", risk_type="L3"),))
    return debated(TEXT, {MEMORY: recalled, **(answers or {})}, memory__condition=condition, **settings)


def prompts(found: Driven, roles: tuple[str, ...]) -> set[str]:
    briefs: list[Any] = [ask.brief for batch in found.batches for ask in batch if ask.role in roles]
    return {brief.memory for brief in briefs}


@pytest.mark.parametrize("condition", ["M1", "M2", "C2"])
def test_what_is_recalled_reaches_every_prompt_behind_its_gate(condition: str) -> None:
    found = remembering(condition, AT_RISK)
    assert found.asked[3] == [MEMORY]
    assert prompts(found, SPEAKING) == prompts(found, REVIEWING) == {SAID}
    assert found.result["memory"] == {
        "mode": "on",
        "retrieved_k": 1,
        "write_enabled": condition != "M1",
        "store_id": "memory.jsonl",
        "retrieval_stage": "debate_and_review",
        "injected": {"debate": "validator", "stage2": "validator"},
    }
    assert [(outcome, row) for _, outcome, row, _ in found.rulings("memory-injection-1")] == [
        ("injected", "2"),
        ("injected", "L1"),
    ]


@pytest.mark.parametrize("condition", ["C3", "C2_silent", "C2_eval_only"])
def test_what_is_masked_reaches_nobody(condition: str) -> None:
    found = remembering(condition, AT_RISK)
    assert [MEMORY] in found.asked
    assert prompts(found, SPEAKING + REVIEWING) == {""}
    assert not found.rulings("memory-injection-1")
    plain = debated(answers=AT_RISK)
    assert found.result | {"memory": None} == plain.result | {"memory": None}


@pytest.mark.parametrize("condition", ["M0", "C1", "S0"])
def test_without_memory_nobody_is_asked(condition: str) -> None:
    found = remembering(condition, AT_RISK)
    assert [MEMORY] not in found.asked
    assert found.verdict.lesson is None


@pytest.mark.parametrize(
    ("answers", "debate", "stage2"),
    [
        ({}, None, None),
        ({"ATSA1": sentiments(("화면", "negative", "0.8"), ("가격", "neutral", "0.6"))}, None, "neutral_only"),
        (
            {
                "ATSA1": sentiments(
                    ("화면", "negative", "0.8"), ("화면", "positive", "0.6"), ("가격", "positive", "0.6")
                )
            },
            "conflict",
            "conflict",
        ),
        ({"ATE1": aspects("화면", "가격", span={"start": 3, "end": 5})}, "alignment", "alignment"),
        (
            {"ATE1": Extraction((*aspects("화면").aspects, *aspects("가격", span={"start": 3, "end": 5}).aspects))},
            None,
            "alignment",
        ),
        (
            {"ATE1": Extraction((*aspects("화면", "가격").aspects, *aspects("배송").aspects))},
            "explicit_grounding_failure",
            "explicit_grounding_failure",
        ),
    ],
)
def test_the_gates(answers: dict[Any, Any], debate: str | None, stage2: str | None) -> None:
    found = remembering("M1", answers)
    assert found.result["memory"]["injected"] == {"debate": debate, "stage2": stage2}
    assert prompts(found, SPEAKING) == {SAID if debate else ""}
    assert prompts(found, REVIEWING) == {SAID if stage2 else ""}


@pytest.mark.parametrize(("cap", "length"), [("0", len(SAID)), ("30", 30), ("1000", len(SAID))])
def test_advice_is_cut(cap: str, length: int) -> None:
    assert prompts(remembering("M1", AT_RISK, memory__cap=cap), SPEAKING) == {SAID[:length]}


def test_a_memory_that_gives_no_answer_is_absent() -> None:
    found = remembering("M2", {**AT_RISK, MEMORY: Silent("gone")})
    assert prompts(found, SPEAKING + REVIEWING) == {""}
    assert {"role": MEMORY, "why": "gone"} in found.result["skipped"]


# --- what is learned ---------------------------------------------------------------------------


def learned(found: Driven) -> Lesson:
    return form.read(Lesson, found.verdict.lesson)


OVERRIDDEN = {"critic": turn("화면이 좋다", "pro"), "empath": turn("화면이 좋다")}


def test_an_episode_says_what_was_at_risk_and_what_the_override_did() -> None:
    found = remembering("M2", {**AT_RISK, **OVERRIDDEN, "VALIDATOR2": revalidated()})
    lesson = learned(found)
    assert (lesson.episode_type, lesson.risk_type, lesson.action_taken) == ("harm", "L3", "polarity_flip")
    assert lesson.evaluation.risk_before.tags == ("CONTRAST",)
    assert (lesson.evaluation.override_applied, lesson.evaluation.override_success) == (True, True)
    assert (lesson.evaluation.risk_before.severity_sum, lesson.evaluation.risk_after.severity_sum) == (2, 0)
    assert lesson.outcome_delta is not None
    assert lesson.outcome_delta.conflict_resolved is True
    assert lesson.correction.principle_id == "POLARITY_CHECKED"
    worse = learned(remembering("M2", {**AT_RISK, **OVERRIDDEN, "VALIDATOR2": revalidated("CONTRAST", "IRONY")}))
    assert (worse.evaluation.override_harm, worse.evaluation.override_success) == (True, False)


def test_a_quiet_text_teaches_a_neutral_episode() -> None:
    lesson = learned(remembering("M2", debate__override="off"))
    assert (lesson.episode_type, lesson.action_taken, lesson.case_summary.symptom) == ("neutral", None, "none")
    assert not lesson.evaluation.override_applied


def test_an_episode_holds_no_words_of_text_or_debate() -> None:
    told = {**AT_RISK, "critic": turn("비밀번호가 1234다", "con", "비밀번호"), "VALIDATOR2": revalidated("그냥 말")}
    lesson = learned(remembering("M2", told))
    written = form.dumps(lesson)
    for words in ("화면", "가격", "비밀번호", "그냥", "비평가"):
        assert words not in written.replace(lesson.correction.corrective_principle, "")
    assert lesson.correction.corrective_principle in [one["ko"] for one in PRINCIPLES.values()]
    assert not list(memory_forbidden.places(form.write(lesson)))
