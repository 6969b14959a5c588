"""The debate, driven by hand: who is asked what and when, what each answer does, what is written down."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.protocols import drive as driving
from tests.protocols.debating import (
    AGREED,
    ANSWERS,
    SPEAKERS,
    TEXT,
    amended,
    aspects,
    debated,
    final,
    revalidated,
    reviewed,
    sentiments,
    turn,
    validation,
)
from tests.protocols.drive import Driven, book, case
from tests.protocols.test_sentiment import RESULT, TUPLE
from withstood import form
from withstood.claims.debate import Forum, Persona, Summary
from withstood.claims.staged import Aspect, Extraction, Risk, Validation
from withstood.jobs.published import row_texts
from withstood.protocols import debate, sentiment
from withstood.protocols.asks import Silent
from withstood.protocols.debate_briefs import AmendmentBrief, TurnBrief

WHOLE = [
    ["ATE1"],
    ["ATSA1"],
    ["VALIDATOR1"],
    *([[key] for key in SPEAKERS] * 2),
    ["rapporteur"],
    ["ATE2", "ATSA2", "VALIDATOR2"],
]


def brief(found: Driven, role: str, no: int = 1) -> Any:
    return next(ask.brief for batch in found.batches for ask in batch if (ask.role, ask.round) == (role, no))


# --- who is asked, and when --------------------------------------------------------------------


def test_thirteen_asks_in_the_published_order() -> None:
    found = debated()
    assert found.asked == WHOLE
    assert found.result["asks"] == 13
    assert list(found.result) == [*RESULT, "selected_stage", "arbiter_flags", "validator", "debate"]
    assert {tuple(one) for one in found.result["stage1"] + found.result["final"]} == {tuple(TUPLE)}
    assert tuple(dict.fromkeys(role for batch in found.asked for role in batch)) == debate.seats(book("debate"), AGREED)


@pytest.mark.parametrize(
    ("settings", "asked"),
    [
        ({"debate__blind_first_round": "on"}, [*WHOLE[:3], list(SPEAKERS), *WHOLE[6:]]),
        ({"debate__held": "off"}, [*WHOLE[:3], WHOLE[-1]]),
        ({"debate__stage2": "off"}, WHOLE[:-1]),
        ({"debate__validator": "off"}, [*WHOLE[:2], *WHOLE[3:-1], ["ATE2", "ATSA2"]]),
        ({"debate__rounds": "1"}, [*WHOLE[:6], *WHOLE[-2:]]),
        ({"debate__order": "empath critic nobody"}, [*WHOLE[:3], *([["empath"], ["critic"]] * 2), *WHOLE[-2:]]),
        ({"debate__order": ""}, [*WHOLE[:3], WHOLE[-1]]),
        ({"debate__override": "off"}, WHOLE),
        ({"debate__moderator": "off"}, WHOLE),
    ],
)
def test_what_is_turned_off_is_not_asked(settings: dict[str, Any], asked: list[list[str]]) -> None:
    found = debated(**settings)
    assert found.asked == asked
    assert found.result["asks"] == sum(map(len, asked))
    wanted = debate.seats(book("debate", **settings), AGREED)
    assert tuple(dict.fromkeys(role for batch in asked for role in batch)) == wanted


def test_turns_hear_what_was_said_before_them() -> None:
    found = debated()
    assert brief(found, "analyst").history == "없음"
    assert brief(found, "critic").history == "- 분석가 패널(neutral): 근거를 본다"
    lines = brief(found, "analyst", 2).history.splitlines()
    assert lines == [
        "- 분석가 패널(neutral): 근거를 본다",
        "- 비평가 패널(con): 화면이 나쁘다",
        "- 공감가 패널(pro): 가격이 좋다",
    ]
    assert len(brief(found, "empath", 2).history.splitlines()) == 5
    assert len(brief(found, "rapporteur").turns) == 6


def test_a_blind_first_round_hears_nothing_and_the_second_hears_all_of_it() -> None:
    found = debated(debate__blind_first_round="on")
    assert [brief(found, key).history for key in SPEAKERS] == ["없음"] * 3
    assert len(brief(found, "analyst", 2).history.splitlines()) == 3


def test_everybody_after_stage_1_sees_what_it_came_to() -> None:
    found = debated(answers={"VALIDATOR1": validation(["CONTRAST:low"])})
    shown = brief(found, "critic").stage1
    assert [one.term for one in shown.aspects] == ["화면", "가격"]
    assert [(one.aspect_term, one.polarity) for one in shown.aspect_sentiments] == [
        ("화면", "negative"),
        ("가격", "positive"),
    ]
    assert [one.type for one in shown.structural_risks] == ["CONTRAST"]
    review = brief(found, "ATE2")
    assert isinstance(review, AmendmentBrief)
    assert review.stage1 == shown
    assert review.debate is not None
    assert review.debate.mapping_stats == {"direct": 4, "fallback": 0, "none": 2}
    assert list(review.debate.aspect_hints) == ["화면", "가격"]
    assert review.debate.rebuttal_points[1].provenance_hint == "source:비평가 패널/con"
    assert review.debate.rebuttal_points[1].aspect_refs == ("화면",)
    assert brief(debated(debate__held="off"), "ATE2").debate is None


def test_personas_of_ones_own_have_seats_of_their_own() -> None:
    auditor = Persona("감사", "장부를 본다", "빠짐없이", "sceptic", "느긋하게")
    forum = AGREED.forum or Forum()
    own = replace(AGREED, forum=Forum(forum.patterns, {"ko": {**forum.personas["ko"], "auditor": auditor}}))
    rules = book("debate", debate__order="auditor critic", debate__rounds="1")
    assert "auditor" in sentiment.seats("debate", rules, own)
    answers = {**ANSWERS, "auditor": turn("화면을 본다")}
    found = driving.drive("debate", case(TEXT), answers, rules, own)
    spoken = next(ask.brief for batch in found.batches for ask in batch if ask.role == "auditor")
    assert isinstance(spoken, TurnBrief)
    assert spoken.persona == auditor
    assert brief(found, "critic").history == "- 감사(sceptic): 화면을 본다"
    reviewed: Any = next(ask.brief for batch in found.batches for ask in batch if ask.role == "ATE2")
    (hint, _) = reviewed.debate.aspect_hints["화면"]
    assert (hint.weight, hint.polarity_hint) == (Decimal("0.8"), "neutral")


def test_a_stance_that_a_turn_states_weighs_unless_only_the_persona_counts() -> None:
    """Under the published rules a critic may speak for; under strict it is a critic whatever it says."""
    answers = {"critic": turn("화면이 좋다", "pro"), "empath": turn("화면이 좋다")}
    stated = debated(answers=answers)
    assert final(stated)[0] == ("t0", "화면", "positive", "0.8")
    persona = debated(answers=answers, debate__stance="persona")
    assert final(persona)[0] == ("t0", "화면", "negative", "0.8")
    assert persona.result["debate"]["override"]["skipped_conflict"] == 1


# --- stage 1 -----------------------------------------------------------------------------------


def test_stage_1_is_anchored_step_by_step() -> None:
    found = debated(
        answers={
            "ATE1": aspects("화면이", "없는것"),
            "ATSA1": sentiments(("화면", "negatve", "0.8"), ("화면이", "positive", "0.9"), ("", "pos", "0.4")),
            "VALIDATOR1": validation(["NEGATION:high", "SARCASM:high"], ["화면"]),
        }
    )
    rows = [(outcome, row) for _, outcome, row, _ in found.rulings("anchoring-1")]
    assert rows == [("stripped", "1"), ("dropped", "3a"), ("dropped", "3b"), ("added", "6")]
    assert [(one["aspect_term"], one["polarity"]) for one in found.result["stage1"]] == [
        ("화면", "negative"),
        ("", "positive"),
    ]
    assert found.rulings("polarity-names-1")[0] == ("t0", "negative", "3", "")
    assert found.rulings("validation") == [("", "refused", "unknown", "UNKNOWN_RISK")]
    assert found.result["validator"]["risks"] == [
        {"type": "NEGATION", "severity": "high"},
        {"type": "MISSING_SECOND_ASPECT", "severity": "high"},
    ]


def test_evidence_is_looked_for_and_everybody_is_shown_what_was_found() -> None:
    said = sentiments(("화면", "negative", "0.8"), evidence="화면이 좋지 않")
    lost = sentiments(("가격", "positive", "0.6"), evidence="값이 싸다")
    found = debated(answers={"ATSA1": replace(said, aspect_sentiments=said.aspect_sentiments + lost.aspect_sentiments)})
    assert [(item, outcome) for item, outcome, _, _ in found.rulings("evidence-1")] == [
        ("t0", "found"),
        ("t1", "struck"),
    ]
    assert [one.evidence_found for one in brief(found, "critic").stage1.aspect_sentiments] == [True, False]
    assert [one.evidence_found for one in brief(debated(), "ATE2").stage1.aspect_sentiments] == [None, None]


def test_who_judges_is_given_the_aspects_that_stand_in_the_text() -> None:
    found = debated(answers={"ATE1": aspects("화면이", "없는것")})
    assert [one.term for one in brief(found, "ATSA1").aspects] == ["화면"]


def test_a_missing_sentiment_is_filled_in_as_neutral() -> None:
    found = debated(answers={"ATSA1": sentiments(("화면", "negative", "0.8"))})
    added = found.result["stage1"][1]
    assert (added["tuple_id"], added["aspect_term"], added["polarity"], added["origin"]) == (
        "t1",
        "가격",
        "neutral",
        "backfill",
    )


# --- stage 2 and the override ------------------------------------------------------------------

FOR_BOTH = {"critic": turn("화면이 좋다", "pro"), "empath": turn("화면이 좋다")}


def test_reviews_are_applied_in_the_published_order_and_then_the_override() -> None:
    """The proposal turns it to positive, ATSA2 back to negative, the debate to positive again."""
    found = debated(
        answers={
            **FOR_BOTH,
            "VALIDATOR1": validation(["NEGATION:high"], ["화면"]),
            "ATE2": reviewed(("화면", "keep"), ("가격", "remove")),
            "ATSA2": amended(("화면", "flip_polarity", None)),
        }
    )
    assert [row for _, _, row, _ in found.rulings("amendment-1")] == ["V1", "E1", "E4", "S5"]
    assert found.rulings("override-1") == [("t0", "applied", "5", "debate_override_flip negative->positive")]
    assert final(found) == [("t0", "화면", "positive", "0.9")]
    assert found.result["actions"] == [
        {"tuple_id": "t0", "action": "FLIP", "reason_code": "DEBATE_OVERRIDE", "row": "5"},
        {"tuple_id": "t1", "action": "DROP", "reason_code": "remove", "row": "E4"},
    ]


def test_what_is_only_made_surer_or_turned_back_was_kept() -> None:
    found = debated(
        answers={
            "VALIDATOR1": validation(["NEGATION:high"], ["화면"]),
            "ATSA2": amended(("화면", "flip_polarity", None)),
        }
    )
    assert [(one["action"], one["reason_code"]) for one in found.result["actions"]] == [
        ("KEEP", "flip_polarity"),
        ("KEEP", "DEBATE_OVERRIDE"),
    ]
    assert [one[3] for one in final(found)] == ["0.9", "0.7"]


def test_an_override_adds_what_nobody_judged_and_the_guard_may_take_it_away() -> None:
    answers = {**FOR_BOTH, "ATSA1": Silent("no")}
    found = debated(answers=answers)
    assert final(found) == [("t0", "화면", "positive", "0.7")]
    assert found.rulings("override-1")[0] == ("t0", "applied", "3", "debate_override_add")
    gone = debated(answers={**answers, "ATE2": reviewed(("화면", "remove"), ("가격", "remove"))})
    assert final(gone) == []
    assert ("t0", "dropped", "4", "UNANCHORED") in gone.rulings("guarding-1")


def test_statistics_of_the_override_are_those_of_the_text() -> None:
    found = debated(answers={"critic": turn("화면이 나쁘다. 가격이 나쁘다"), "empath": turn("가격이 좋다")})
    assert found.result["debate"]["override"] == {
        "applied": 0,
        "skipped_low_signal": 0,
        "skipped_conflict": 1,
        "skipped_already_confident": 1,
    }
    one = debated(debate__rounds="1")
    assert one.result["debate"]["override"]["skipped_low_signal"] == 2


@pytest.mark.parametrize(
    ("settings", "outcome"),
    [
        ({}, "applied"),
        ({"debate__override": "off"}, None),
        ({"override__profile": "t0"}, "skipped_l3_conservative"),
        ({"override__profile": "t2"}, "applied"),
        ({"gates__l3_conservative": "on"}, "skipped_l3_conservative"),
        ({"gates__evidence": "on"}, "skipped_no_evidence_span"),
    ],
)
def test_gates_and_profiles(settings: dict[str, str], outcome: str | None) -> None:
    found = debated(answers={**FOR_BOTH, "VALIDATOR1": validation(["CONTRAST:low"])}, **settings)
    stats = found.result["debate"]["override"]
    assert {name for name, count in stats.items() if count} == ({outcome} if outcome else set())
    assert final(found)[0][2] == ("positive" if outcome == "applied" else "negative")


def test_max_one_override_for_a_text() -> None:
    both = {"critic": turn("화면과 가격이 나쁘다"), "empath": turn("화면과 가격이 나쁘다", "con")}
    said = {"ATSA1": sentiments(("화면", "positive", "0.5"), ("가격", "positive", "0.5"))}
    assert debated(answers={**both, **said}).result["debate"]["override"]["applied"] == 2
    one = debated(answers={**both, **said}, gates__max_one="on").result["debate"]["override"]
    assert (one["applied"], one["skipped_max_one_override"]) == (1, 1)


def test_adoption_keeps_stage_1_where_too_little_speaks_for_a_change() -> None:
    found = debated(answers=FOR_BOTH, gates__adoption="on")
    assert final(found)[0] == ("t0", "화면", "negative", "0.8")
    assert found.rulings("adoption-1") == [("", "kept_stage1", "1", "ev_below_threshold")]
    assert final(debated(answers=FOR_BOTH, gates__adoption="on", gates__ev_threshold="0.4"))[0][2] == "positive"


def test_without_stage_2_the_sentiments_of_stage_1_are_final() -> None:
    found = debated(answers={**FOR_BOTH, "VALIDATOR1": validation(["NEGATION:high"], ["화면"])}, debate__stage2="off")
    assert found.result["final"] == found.result["stage1"]
    assert found.result["actions"] == []
    assert found.result["rationale"] == "RuleB: Stage2 missing; keep Stage1."
    assert found.result["selected_stage"] == "stage1"


# --- the moderator -----------------------------------------------------------------------------


def rules(found: Driven) -> list[str]:
    return found.result["applied_rules"]


def test_all_rules_of_the_aggregate_feeder() -> None:
    """Stage 2 loses 0.2 and another label: guard, mixed, the aspect wins; then the debate's prose."""
    answers = {
        "ATSA1": sentiments(("화면", "negative", "0.9"), ("가격", "positive", "0.7")),
        "ATSA2": amended(("화면", "drop", None)),
        "rapporteur": Summary(consensus="긍정도 부정도 있다"),
    }
    found = debated(answers=answers, debate__override="off")
    assert rules(found) == ["RuleB", "RuleM", "RuleD", "RuleE"]
    assert found.result["label"] == "positive"
    assert found.result["arbiter_flags"] == {
        "stage2_rejected_due_to_confidence": True,
        "validator_override_applied": False,
        "confidence_margin_used": "0.2",
    }
    assert found.result["rationale"] == (
        "RuleB: Stage2 drop>=0.2; keep Stage1. RuleM: conflicting stage1/stage2 labels -> mixed. "
        "RuleD: diff>=0.1 ATE wins. RuleE: debate consensus -> positive."
    )
    said = [step.on for step in found.verdict.path if step.table == "moderator-1"]
    assert " ".join(sentence for (sentence,) in said) == found.result["rationale"]
    second = debated(answers=answers, debate__override="off", moderator__edition="2")
    assert (rules(second), second.result["label"]) == (["RuleB", "RuleD"], "negative")


def test_moderator_2_reads_the_label_and_not_the_prose() -> None:
    answers = {
        "ATSA1": sentiments(("화면", "negative", "0.5")),
        "rapporteur": Summary(consensus="긍정", label="neutral"),
    }
    assert debated(answers=answers, debate__override="off").result["label"] == "positive"
    assert debated(answers=answers, debate__override="off", moderator__edition="2").result["label"] == "neutral"


def test_distinct_parts_let_the_veto_and_the_alignment_fire() -> None:
    answers = {
        "ATE1": aspects("화면"),
        "ATSA1": sentiments(("화면", "negative", "0.8")),
        "VALIDATOR1": validation(["NEGATION:high"], ["화면"], "0.9"),
        "VALIDATOR2": revalidated("NEGATION", sure="0.95"),
    }
    found = debated("화면이 좋지 않아요", answers, debate__override="off", moderator__feeder="distinct")
    assert "RuleC" in rules(found)
    assert found.result["label"] == "positive"
    same = {**answers, "VALIDATOR1": validation()}
    assert rules(debated("화면이 좋지 않아요", same, debate__override="off", moderator__feeder="distinct")) == [
        "RuleB",
        "RuleA",
    ]
    assert rules(debated("화면이 좋지 않아요", same, debate__override="off")) == ["RuleB"]


def test_nothing_said_is_a_signal_of_nothing() -> None:
    found = debated("아무 말", {"ATE1": Extraction(), "ATSA1": sentiments()})
    assert (rules(found), found.result["label"], found.result["confidence"]) == (["RuleZ"], "neutral", Decimal(0))


def test_without_a_moderator_the_final_sentiments_label_the_text() -> None:
    found = debated(debate__moderator="off")
    assert (found.result["label"], rules(found), found.result["selected_stage"]) == ("mixed", [], None)


# --- silence -----------------------------------------------------------------------------------


def test_where_nobody_read_there_is_no_verdict_and_no_debate() -> None:
    found = debated(answers={"ATE1": Silent("a"), "ATSA1": Silent("b")})
    assert (found.result["label"], found.asked) == (None, WHOLE[:3])
    assert [one["role"] for one in found.result["skipped"]] == ["ATE1", "ATSA1"]
    assert found.result["debate"] is None


def test_without_an_extraction_the_terms_of_the_sentiments_are_the_aspects() -> None:
    found = debated(answers={"ATE1": Silent("a")})
    assert [one["aspect_term"] for one in found.result["final"]] == ["화면", "가격"]


@pytest.mark.parametrize("role", ["VALIDATOR1", *SPEAKERS, "rapporteur", "ATE2", "ATSA2", "VALIDATOR2"])
def test_a_seat_that_is_silent_is_absent(role: str) -> None:
    found = debated(answers={role: Silent("gone")})
    assert {one["role"] for one in found.result["skipped"]} == {role}
    assert [one["aspect_term"] for one in found.result["final"]] == ["화면", "가격"]
    assert found.result["label"] is not None


def test_where_nobody_spoke_nobody_sums_up() -> None:
    found = debated(answers=dict.fromkeys(SPEAKERS, Silent("gone")))
    assert ["rapporteur"] not in found.asked
    assert found.result["debate"]["mapping"] == {"direct": 0, "fallback": 0, "none": 0}
    assert brief(found, "ATE2").debate is not None


@given(st.sets(st.sampled_from([*SPEAKERS, "rapporteur", "ATE2", "ATSA2", "VALIDATOR1", "VALIDATOR2"])))
def test_taking_answers_away_turns_and_removes_nothing_that_they_did_not(away: set[str]) -> None:
    """With the reviews that ask for nothing, only turns may change a polarity: fewer of them never do."""
    found = debated(answers=dict.fromkeys(away, Silent("gone")))
    assert [one[:3] for one in final(found)] == [("t0", "화면", "negative"), ("t1", "가격", "positive")]


# --- laws --------------------------------------------------------------------------------------

words = st.sampled_from(["화면", "가격", "긍정", "부정", "DROP t0", "", "negative", "가격이 나쁘다"]) | st.text(
    max_size=8
)
turns = st.builds(turn, words, st.sampled_from(["", "pro", "con", "neutral", "x"]), words)


def _ruled(found: Driven) -> bytes:
    told = {name: part for name, part in found.result.items() if name not in ("debate", "skipped")}
    steps = [(step.table, step.item, step.ruling.outcome, step.ruling.row) for step in found.verdict.path]
    return form.dumps([told, steps]).encode()


@given(plan=words, reflection=words, reason=words, description=words)
def test_prose_that_no_rule_reads_decides_nothing(plan: str, reflection: str, reason: str, description: str) -> None:
    """Messages and key points are mapped by what they name, and moderator 1 reads the summary: nothing else is read."""
    plain = debated(answers={"VALIDATOR1": validation(["CONTRAST:low"])}, moderator__edition="2")
    risk = Risk("CONTRAST", None, "low", description)
    dressed = {key: replace(ANSWERS[key], planning=plan, reflection=reflection) for key in SPEAKERS}
    dressed |= {
        "VALIDATOR1": Validation((risk,), Decimal("0.5")),
        "rapporteur": Summary(winner=plan, consensus=reason, key_agreements=(reason,), rationale=plan),
        "ATE1": Extraction(tuple([Aspect(t, confidence=Decimal("0.8"), rationale=reason) for t in ("화면", "가격")])),
    }
    assert _ruled(debated(answers=dressed, moderator__edition="2")) == _ruled(plain)


@given(st.lists(turns, min_size=3, max_size=3))
def test_turns_touch_polarities_and_nothing_else(said: list[Any]) -> None:
    found = debated(answers=dict(zip(SPEAKERS, said, strict=True)))
    assert [one[:2] for one in final(found)] == [("t0", "화면"), ("t1", "가격")]
    assert {one[2] for one in final(found)} <= {"positive", "negative"}
    assert all(one[3] in ("0.8", "0.7", "0.6") for one in final(found))
    stats = found.result["debate"]
    assert sum(stats["mapping"].values()) == 6
    assert sum(stats["override"].values()) == len(brief(found, "ATE2").debate.aspect_hints)


def test_every_step_names_a_row_of_its_table() -> None:
    known = row_texts()
    for settings in ({}, {"moderator__feeder": "distinct", "moderator__edition": "2", "gates__l3_conservative": "on"}):
        found = debated(answers={**FOR_BOTH, "VALIDATOR1": validation(["NEGATION:high"], ["화면"])}, **settings)
        for step in found.verdict.path:
            assert step.table in ("rapporteur", "validation") or (step.table, step.ruling.row) in known, step


def test_a_debate_is_driven_the_same_again() -> None:
    assert debated() == debated()
    assert form.dumps(debated().verdict) == form.dumps(debated().verdict)
