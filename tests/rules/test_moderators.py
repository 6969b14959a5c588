"""The moderator's chain, rule by rule, and both editions against each other."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withstood import form
from withstood.errors import Misfit
from withstood.rules import moderator_1, moderator_2
from withstood.rules.moderation import Input, Output
from withstood.rules.table import NoNumbers

LABELS = ("positive", "negative", "neutral", "mixed")


def case(**parts: Any) -> dict[str, Any]:
    quiet = {"ate": {"label": "positive", "confidence": "0.8"}, "atsa": {"label": "positive", "confidence": "0.8"}}
    return {"stage1": quiet} | parts


def part(label: str, confidence: str, **more: Any) -> dict[str, Any]:
    return {"label": label, "confidence": confidence} | more


def judged(table: Any, given_case: dict[str, Any]) -> Output:
    return table.TABLE.decide(form.read(Input, given_case), NoNumbers())


def fired(given_case: dict[str, Any], table: Any = moderator_1) -> tuple[str, str, tuple[str, ...]]:
    out = judged(table, given_case)
    return out.final_label, str(out.confidence), out.applied_rules


def stages(first: dict[str, Any], second: dict[str, Any] | None, atsa: dict[str, Any] | None = None) -> dict[str, Any]:
    told = atsa or first
    return case(
        stage1={"ate": first, "atsa": told}, stage2=None if second is None else {"ate": second, "atsa": atsa or second}
    )


def test_z_ends_the_chain() -> None:
    silent = part("positive", "0")
    assert fired(stages(silent, None)) == ("neutral", "0", ("RuleZ",))
    assert fired(stages(silent, part("negative", "0.0"))) == ("neutral", "0", ("RuleZ",))
    assert fired(stages(silent, part("positive", "0.01")))[2] == ("RuleB",)
    assert judged(moderator_1, stages(silent, None)).rationale == "RuleZ: insufficient signal (both confidences 0)."


@pytest.mark.parametrize(("before", "after"), [("0.9", "0.7"), ("0.7", "0.5"), ("0.2", "0")])
def test_a_drop_of_two_tenths_fires_the_guard_exactly(before: str, after: str) -> None:
    out = judged(moderator_1, stages(part("positive", before), part("positive", after)))
    assert out.arbiter_flags.stage2_rejected_due_to_confidence
    assert out.arbiter_flags.confidence_margin_used == Decimal("0.2")
    assert (out.selected_stage, out.confidence) == ("stage1", Decimal(before))
    under = judged(moderator_1, stages(part("positive", before), part("positive", f"{after}{'.0' * (after == '0')}01")))
    assert (under.selected_stage, under.arbiter_flags.confidence_margin_used) == ("stage2", 0)


def test_m_fires_under_the_guard_in_edition_1_alone() -> None:
    given_case = stages(part("positive", "0.9"), part("negative", "0.5"), atsa=part("positive", "0.9"))
    first, second = judged(moderator_1, given_case), judged(moderator_2, given_case)
    assert (first.final_label, first.selected_stage) == ("mixed", "stage1")
    assert first.applied_rules == ("RuleB", "RuleM", "RuleD")
    assert (second.final_label, second.applied_rules) == ("positive", ("RuleB",))
    assert first.rationale == (
        "RuleB: Stage2 drop>=0.2; keep Stage1. RuleM: conflicting stage1/stage2 labels -> mixed. "
        "RuleD: diff<0.1 conflict -> sentence ATE."
    )


@pytest.mark.parametrize(
    ("confidence", "issues", "fires"),
    [
        ("0.8", (), True),
        ("0.79", (), False),
        ("0.1", ("Negation missed",), True),
        ("0.1", ("IRONY",), True),
        ("0.1", ("contrast: but",), True),
        ("0.1", ("span; Severity:HIGH",), True),
        ("0.1", ("a negation",), False),
    ],
)
def test_c_wants_a_critical_issue_or_as_much_confidence(confidence: str, issues: tuple[str, ...], fires: bool) -> None:
    validator = {"suggested_label": "positive", "confidence": confidence, "issues": issues}
    out = judged(moderator_1, case(validator=validator))
    assert ("RuleC" in out.applied_rules) == fires == out.arbiter_flags.validator_override_applied
    assert out.confidence == Decimal("0.8")
    unsuggested = judged(moderator_1, case(validator=validator | {"suggested_label": None}))
    assert "RuleC" not in unsuggested.applied_rules


@pytest.mark.parametrize(
    ("span", "fires"), [([0, 10], True), ([0, 8], True), ([0, 7], False), ([2, 10], True), ([20, 30], False)]
)
def test_a_measures_overlap_over_hull(span: list[int], fires: bool) -> None:
    first = {"ate": part("positive", "0.8"), "atsa": part("positive", "0.8", span=[0, 10])}
    second = {"ate": part("positive", "0.8"), "atsa": part("positive", "0.5", span=span)}
    out = judged(moderator_1, case(stage1=first, stage2=second))
    assert ("RuleA" in out.applied_rules) == fires
    assert out.confidence == (Decimal("0.65") if fires else Decimal("0.8"))


@pytest.mark.parametrize(
    ("aspect", "wanted"),
    [
        ("0.71", ("positive", "0.8", "RuleD: diff<0.1 conflict -> sentence ATE.")),
        ("0.7", ("positive", "0.8", "RuleD: diff>=0.1 ATE wins.")),
        ("0.89", ("positive", "0.8", "RuleD: diff<0.1 conflict -> sentence ATE.")),
        ("0.9", ("negative", "0.9", "RuleD: diff>=0.1 ATSA wins.")),
    ],
)
def test_d_breaks_ties_at_a_tenth(aspect: str, wanted: tuple[str, str, str]) -> None:
    first = {"ate": part("positive", "0.8"), "atsa": part("negative", aspect)}
    out = judged(moderator_1, case(stage1=first))
    assert (out.final_label, str(out.confidence), out.rationale.partition(". ")[2]) == wanted


@pytest.mark.parametrize(
    ("prose", "label"),
    [
        ("대체로 긍정적", "positive"),
        ("긍정과 부정이 엇갈림", "mixed"),
        ("부정 우세, 긍정도", "positive"),
        ("모호함", "neutral"),
    ],
)
def test_e_reads_prose_in_edition_1_and_the_label_in_edition_2(prose: str, label: str) -> None:
    unsure = {"ate": part("unsure", "0.5"), "atsa": part("unsure", "0.5")}
    debate = {"consensus": prose, "rationale": "", "label": None}
    assert fired(case(stage1=unsure, debate=debate)) == (label, "0.5", ("RuleB", "RuleE"))
    assert fired(case(stage1=unsure, debate=debate), moderator_2) == ("unsure", "0.5", ("RuleB",))
    stated = debate | {"label": "Negative"}
    assert fired(case(stage1=unsure, debate=stated), moderator_2) == ("negative", "0.5", ("RuleB", "RuleE"))


def test_e_wants_doubt_under_055_or_mixed() -> None:
    debate = {"consensus": "negative"}
    for confidence, fires in (("0.54", True), ("0.55", False)):
        told = {"ate": part("positive", confidence), "atsa": part("positive", confidence)}
        assert ("RuleE" in fired(case(stage1=told, debate=debate))[2]) == fires
    mixed = stages(part("positive", "0.9"), part("negative", "0.9"), atsa=part("mixed", "0.9"))
    assert fired(mixed | {"debate": debate}) == ("negative", "0.9", ("RuleB", "RuleM", "RuleE"))


@pytest.mark.parametrize("span", [[3, 1], [2, 2], None])
def test_a_span_that_spans_nothing_is_never_aligned(span: list[int] | None) -> None:
    told = {"ate": part("a", "0.5"), "atsa": part("a", "0.5", span=span)}
    assert fired(case(stage1=told))[2] == ("RuleB",)


@pytest.mark.parametrize("span", [[1], [1, 2, 3], [-1, 2], "1-2"])
def test_a_span_of_another_form_is_refused_with_its_place(span: object) -> None:
    with pytest.raises(Misfit, match=r"stage1\.atsa\.span"):
        judged(moderator_1, case(stage1={"ate": part("a", "0"), "atsa": part("a", "0", span=span)}))


tenths = st.integers(0, 10).map(lambda tenth: f"0.{tenth}" if tenth < 10 else "1")
parts = st.builds(part, st.sampled_from(LABELS), tenths)


@given(parts, st.none() | parts, parts, st.sampled_from(["", "긍정", "mixed"]), st.sampled_from([None, *LABELS]))
def test_rules_fire_in_the_published_order_and_prose_moves_edition_1_alone(
    first: dict[str, Any], second: dict[str, Any] | None, atsa: dict[str, Any], prose: str, label: str | None
) -> None:
    given_case = stages(first, second, atsa) | {"debate": {"rationale": prose, "label": label}}
    for table in (moderator_1, moderator_2):
        rules = [rule[-1] for rule in judged(table, given_case).applied_rules]
        assert rules == sorted(rules, key="ZBMCADE".index)
        assert rules[0] in "ZB" and len(set(rules)) == len(rules)
    silent = given_case | {"debate": {"rationale": "", "label": label}}
    assert judged(moderator_2, given_case) == judged(moderator_2, silent)
