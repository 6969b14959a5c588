"""Memory in the flow of a conflict review: what is asked, what reaches the prompt, what is learned."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.protocols.answers import TEXTS, Cast, casts, dressed
from tests.protocols.drive import AGREED, Driven, book, drive, reading
from tests.rules.episodes import episode
from withstood import form
from withstood.claims.ballot import REASON_CODES, Action, Review, ReviewAction
from withstood.claims.episode import Lesson, Recalled
from withstood.claims.principles import PRINCIPLES, sentence
from withstood.protocols.asks import Silent
from withstood.protocols.briefs import MEMORY, RecallBrief
from withstood.rules import memory_forbidden

TEXT = "화면이 좋지 않지만 가격은 좋아요"
READ = {
    "P-NEG": reading(("본품#품질", "화면", "negative"), ("본품#가격", "가격", "positive")),
    "P-IMP": reading(("본품#품질", "화면", "positive")),
    "P-LIT": reading(),
}
ON = ("M1", "M2", "C2")
SILENT = ("C3", "C2_silent", "C2_eval_only")
OFF = ("M0", "C1", "S0")
HEADING = "Memory advisory (from similar past cases):"


def acts(kind: Action, *ids: str, code: str = "", polarity: str | None = None) -> Review:
    return Review((ReviewAction(kind, ids, {"polarity": polarity} if polarity else None, code),))


def recalled(*episodes: Any) -> Recalled:
    return Recalled("memory.jsonl", "f" * 64, 7, episodes)


def driven(condition: str, answers: dict[str, Any] | None = None, **changes: str) -> Driven:
    told = {**READ, MEMORY: recalled(episode(1, "negation", risk_type="L3")), **(answers or {})}
    return drive("cr-v2", TEXT, told, book("cr-v2", memory__condition=condition, **changes))


def learned(found: Driven) -> Lesson:
    return form.read(Lesson, found.verdict.lesson)


# --- asked, told, masked -----------------------------------------------------------------------


@pytest.mark.parametrize("condition", ON)
def test_what_is_recalled_stands_in_every_prompt_of_the_review(condition: str) -> None:
    found = driven(condition)
    assert found.asked == [["P-NEG", "P-IMP", "P-LIT"], [MEMORY], ["A", "B", "C"]]
    wanted = f"{HEADING}\n- {sentence('LEFT_OPEN', 'ko')} [Risk type: L3.]"
    assert [found.brief(role).memory for role in "ABC"] == [wanted] * 3
    assert found.result["memory"] == {
        "mode": "on",
        "retrieved_k": 1,
        "write_enabled": condition != "M1",
        "store_id": "memory.jsonl",
        "retrieval_stage": "review_only",
    }


@pytest.mark.parametrize("condition", SILENT)
def test_what_is_masked_is_recalled_and_not_told(condition: str) -> None:
    found = driven(condition)
    assert [MEMORY] in found.asked
    assert found.brief("A").memory == ""
    told = found.result["memory"]
    assert (told["mode"], told["retrieved_k"]) == ("silent", 1)
    assert told["write_enabled"] == (condition != "C2_eval_only")


@pytest.mark.parametrize("condition", OFF)
def test_without_memory_nobody_is_asked(condition: str) -> None:
    found = driven(condition)
    assert [MEMORY] not in found.asked
    assert (found.brief("A").memory, found.result["memory"]["mode"]) == ("", "off")
    assert found.verdict.lesson is None
    assert not [step for step in found.verdict.path if step.table.startswith("memory")]


def test_a_masked_run_reviews_as_one_without_memory() -> None:
    silent, off = driven("C3"), driven("M0")
    assert silent.brief("A") == off.brief("A")
    assert silent.result | {"memory": None} == off.result | {"memory": None}


def test_where_nothing_is_flagged_nothing_is_recalled_or_learned() -> None:
    found = driven("M2", {"P-IMP": reading()})
    assert found.asked == [["P-NEG", "P-IMP", "P-LIT"]]
    assert (found.result["memory"]["mode"], found.result["memory"]["store_id"]) == ("on", None)
    assert found.verdict.lesson is None


def test_the_single_reader_has_no_memory() -> None:
    found = drive("single", TEXT, {"S0": READ["P-NEG"]}, book("single", memory__condition="M2"))
    assert found.asked == [["S0"]]
    assert found.result["memory"]["mode"] == "off"


def test_the_query_says_what_the_text_is_like_and_not_what_it_says() -> None:
    brief = driven("M2", memory__topk="2").brief(MEMORY)
    assert isinstance(brief, RecallBrief)
    assert (brief.language, brief.topk) == ("ko", 2)
    assert (brief.query.detected_structure, brief.query.num_aspects) == (("negation",), 3)
    assert "화면" not in form.dumps(brief)


def test_a_memory_that_gives_no_answer_is_absent() -> None:
    found = driven("M2", {MEMORY: Silent("gone")})
    assert found.brief("A").memory == ""
    assert {"role": MEMORY, "why": "gone"} in found.result["skipped"]
    assert found.result["memory"]["retrieved_k"] == 0


def test_a_blocked_episode_is_named_and_not_told() -> None:
    bad = episode(4, final={"본품#품질": "negative"}, episode_type="harm")
    found = driven("M2", {MEMORY: recalled(bad, episode(9, final={"본품#가격": "positive"}))})
    assert found.rulings("memory-advisory-1") == [
        ("epi_000004", "blocked", "1", "opposite_polarity_failed"),
        ("epi_000009", "advised", "2", ""),
    ]
    assert [item for item, *_ in found.rulings("memory-recall-1")] == ["epi_000004", "epi_000009"]
    assert found.result["memory"]["retrieved_k"] == 1
    assert found.brief("A").memory.count("\n- ") == 1


def test_equal_advice_is_told_once() -> None:
    found = driven("M2", {MEMORY: recalled(episode(1), episode(2), episode(3))})
    assert found.result["memory"]["retrieved_k"] == 3
    assert found.brief("B").memory == f"{HEADING}\n- {sentence('LEFT_OPEN', 'ko')}"


# --- what is learned ---------------------------------------------------------------------------


def test_a_conflict_that_a_flip_settled() -> None:
    flip = acts(Action.FLIP, "t2", code="NEGATION_SCOPE", polarity="negative")
    found = driven("M2", {"A": flip, "B": flip, "C": acts(Action.FLAG, "t2", code="my own words")})
    told = learned(found)
    assert (told.episode_type, told.risk_type, told.action_taken) == ("success", "L3", "polarity_flip")
    assert told.error_category == ("negation", "aspect_conflict")
    assert (told.correction.principle_id, told.correction.corrective_principle) == (
        "NEGATION_REACH",
        sentence("NEGATION_REACH", "ko"),
    )
    assert told.correction.applicable_conditions == ("structure:negation", "flag:ref_polarity_mismatch")
    seen = told.evaluation
    assert (seen.risk_before.severity_sum, seen.risk_after.severity_sum) == (3, 0)
    assert (seen.override_applied, seen.override_success, seen.override_harm) == (True, True, False)
    assert [(one.actor, one.action_type, one.reason_code) for one in seen.facet_dissent] == [("C", "FLAG", "")]
    assert told.outcome_delta
    assert told.outcome_delta.conflict_resolved is True
    assert told.stage_snapshot.stage1.polarities == {"본품#품질": "positive", "본품#가격": "positive"}
    assert told.stage_snapshot.final.polarities == {"본품#품질": "negative", "본품#가격": "positive"}
    assert told.case_summary.rationale_summary == "Tuples: 3, flagged: 2. Actions: KEEP 2, FLIP 1."
    assert found.rulings("memory-principle-1") == [("", "NEGATION_REACH", "1", "")]
    assert ("", "L3", "R1", "") in found.rulings("memory-lesson-1")


def test_a_conflict_that_was_left_open() -> None:
    told = learned(driven("M2", {"A": acts(Action.FLAG, "t0"), "B": acts(Action.DROP, "t0"), "C": Review()}))
    assert (told.action_taken, told.correction.principle_id) == ("defer", "LEFT_OPEN")
    assert told.evaluation.arbiter_reason_code == "POLARITY_UNCERTAIN"
    assert told.outcome_delta
    assert told.outcome_delta.conflict_resolved is False
    assert not told.evaluation.override_applied


def test_a_change_that_made_it_worse_is_a_warning_to_come() -> None:
    """Two tuples of one polarity on an overlap; the flip makes two polarities of one ref."""
    read = {
        "P-NEG": reading(("본품#품질", "화면", "positive"), ("제품 전체#품질", "", "positive")),
        "P-IMP": reading(("본품#품질", "화면", "positive")),
    }
    flip = acts(Action.FLIP, "t0", polarity="negative")
    told = learned(driven("M2", {**read, "A": flip, "B": flip}))
    seen = told.evaluation
    assert (seen.risk_before.severity_sum, seen.risk_after.severity_sum) == (1, 4)
    assert (seen.override_applied, seen.override_success, seen.override_harm) == (True, False, True)
    assert told.correction.anti_pattern == "The change left more at risk than there was."
    assert "implicit_opinion" in told.error_category


def test_a_review_of_nothing_in_conflict_is_neutral() -> None:
    told = learned(driven("M2", {"P-IMP": reading()}, review__when="always"))
    assert (told.episode_type, told.case_summary.symptom) == ("neutral", "none")
    assert told.correction.principle_id == "NOTHING_AT_RISK"
    assert told.outcome_delta
    assert told.outcome_delta.conflict_resolved is None


def test_with_too_few_reviewers_the_lesson_says_so() -> None:
    told = learned(driven("M2", {"A": Review()}))
    assert told.correction.principle_id == "REVIEW_INCOMPLETE"


CLOSED = re.compile(
    r"|".join(
        [
            *map(
                re.escape, ("1.1", "none", "implicit", "not ", "but ", "The change left more at risk than there was.")
            ),
            *("ko|en|other|negation|contrast|irony|short|medium|long|success|harm|neutral|positive|negative|mixed",),
            *("aspect_conflict|implicit_opinion|format_error|L3|conflict|polarity_flip|abstain|defer|A|B|C",),
            *(
                "ref_polarity_mismatch|term_polarity_mismatch|semantic_conflict_candidate|granularity_overlap_candidate",
            ),
            r"term:[0-9a-f]{16}",
            r"(structure|flag):\w+",
            r"Tuples: \d+, flagged: \d+\. Actions: (none|[A-Z]+ \d+(, [A-Z]+ \d+)*)\.",
            *map(re.escape, (said for both in PRINCIPLES.values() for said in both.values())),
            *PRINCIPLES,
            *REASON_CODES,
            *(action.value for action in Action),
            *map(re.escape, (ref for refs in AGREED.refs.values() for ref in refs)),
            r"하지만|그런데|반면|however|although",
        ]
    )
)


def words(value: Any) -> list[str]:
    """Every text in a lesson, keys of polarities included."""
    if isinstance(value, dict):
        keys = [name for name in value if name not in form.schema(Lesson)["properties"]]
        inner = [word for part in value.values() for word in words(part)]
        return [name for name in keys if ":" in name or "#" in name] + inner
    if isinstance(value, (list, tuple)):
        return [word for part in value for word in words(part)]
    return [value] if isinstance(value, str) and value and not re.fullmatch(r"\d+(\.\d+)?", value) else []


@given(cast=casts, text=st.sampled_from(TEXTS), data=st.data())
def test_answers_that_differ_in_prose_alone_teach_the_same(cast: Cast, text: str, data: st.DataObject) -> None:
    """That an action was refused is no prose: it is a mistake of form, and the lesson says so."""
    rules = book("cr-v2", memory__condition="C3", review__when="always")
    told = [_with_nothing_refused(data.draw(dressed(cast, text))) for _ in range(2)]
    one, other = (drive("cr-v2", text, answers, rules).verdict.lesson for answers in told)
    assert one == other


def _with_nothing_refused(answers: dict[str, Any]) -> dict[str, Any]:
    return {role: replace(one, refused=()) if isinstance(one, Review) else one for role, one in answers.items()}


@given(cast=casts, text=st.sampled_from(TEXTS), preset=st.sampled_from(["published", "strict"]), data=st.data())
def test_a_lesson_holds_nothing_that_anybody_wrote(cast: Cast, text: str, preset: str, data: st.DataObject) -> None:
    answers = data.draw(dressed(cast, text)) | {MEMORY: recalled()}
    rules = book("cr-v2", preset, memory__condition="C3", review__when="always", review__scope="any")
    found = drive("cr-v2", text, answers, rules).verdict.lesson
    assert not list(memory_forbidden.places(found))
    for word in words(found):
        assert CLOSED.fullmatch(word), word
    if found is not None:
        assert form.write(form.read(Lesson, found)) == found
