"""An investigation, driven by hand: every way that the spec names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.protocols.inquest import cite, drive, finding, matter, report, review
from withstood.claims.finding import CounterReview, Report
from withstood.protocols.asks import Silent
from withstood.protocols.investigation_briefs import KeyQuestions

CODE, LOG, HIST = "CODE-CALLCHAIN-R1", "LOG-STACKTRACE-R1", "HIST-RECENT-R1"
DEEP = {one: one.replace("R1", "R3-DEEP") for one in (CODE, LOG, HIST)}
CR = "CR-AGREED-R3"

NONE_AT_12 = finding("None is used", "null-dereference", cite("pay.py:12"))
NONE_IN_LOG = finding("None is logged", "null-dereference", cite("pay.py:12"), cite("app.log:3"))
RACE_AT_12 = finding("a race", "race", cite("pay.py:12", "WEAK"))


def agreed(**more: Any) -> dict[Any, Any]:
    return {CODE: report(NONE_AT_12), LOG: report(NONE_IN_LOG), HIST: report(), **more}


# --- agreement ---------------------------------------------------------------------------------


def test_two_who_agree_on_good_evidence_need_no_round_3() -> None:
    driven = drive(agreed())
    assert driven.asked == [[CODE, LOG, HIST]]
    assert driven.tags() == [("None is used", "Confirmed")]
    (found,) = driven.report["findings"]
    assert found["investigators"] == [CODE, LOG]
    assert found["cause"] == "null-dereference"
    assert [(one["path"], one["line"]) for one in found["evidence"]] == [("pay.py", 12), ("app.log", 3)]
    assert (driven.report["rounds"], driven.report["certainty"]) == (2, "Confirmed")


def test_one_origin_is_not_enough() -> None:
    driven = drive(agreed(**{LOG: report(NONE_AT_12)}))
    assert driven.tags() == [("None is used", "Likely")]
    assert driven.report["findings"][0]["caveats"] == ["ONE_ORIGIN"]


def test_struck_evidence_is_shown_and_weighs_nothing() -> None:
    lie = finding("None is logged", "null-dereference", cite("app.log:3", snippet="made up"))
    driven = drive(agreed(**{LOG: report(lie)}))
    (found,) = driven.report["findings"]
    assert (found["tag"], found["caveats"]) == ("Likely", ["ONE_INVESTIGATOR", "SOME_EVIDENCE_STRUCK"])
    assert [one["checked"] for one in found["evidence"]] == [True, False]
    assert [one["iid"] for one in driven.report["struck"]] == [LOG]
    assert [one["unreliable"] for one in driven.record["heard"]] == [False, True, False]


@pytest.mark.parametrize(
    ("verdict", "evidence", "tag", "caveats"),
    [
        ("UPHELD", (), "Confirmed", []),
        ("WEAKENED", (), "Likely", ["WEAKENED", "CR-AGREED-R3: is there no guard?"]),
        ("REFUTED", (), "Likely", ["WEAKENED", "CR-AGREED-R3: is there no guard?"]),
        (
            "REFUTED",
            (cite("pay.py:40", snippet="made up"),),
            "Likely",
            ["WEAKENED", "CR-AGREED-R3: is there no guard?"],
        ),
        ("REFUTED", (cite("pay.py:40"), cite("pay.py:90")), "Uncertain", ["CR-AGREED-R3: is there no guard?"]),
    ],
)
def test_a_challenger_weakens_or_refutes(verdict: Any, evidence: Any, tag: str, caveats: list[str]) -> None:
    """Something else is open, so round 3 is run."""
    driven = drive(
        agreed(**{HIST: report(finding("weak", "timeout", cite("conf.py:1", "WEAK"))), CR: review(verdict, *evidence)})
    )
    found = next(one for one in driven.report["findings"] if one["id"] == "I1")
    assert (found["tag"], found["caveats"]) == (tag, caveats)
    assert driven.report["rounds"] == 3


def test_a_refutation_that_weighs_much_more_is_adopted_and_the_item_is_the_minority() -> None:
    weak = finding("None is used", "null-dereference", cite("pay.py:12", "WEAK"))
    against = [cite(f"other.py:{no}") for no in (1, 50)]
    driven = drive({CODE: report(weak), LOG: report(weak), HIST: report(), CR: review("REFUTED", *against)})
    (found,) = driven.report["findings"]
    assert (found["tag"], found["text"], found["investigators"]) == ("Likely", "is there no guard?", [CR])
    assert [one["text"] for one in found["minority"]] == ["None is used"]


def test_a_review_without_a_challenge_is_asked_for_again() -> None:
    weak = finding("weak", "timeout", cite("conf.py:1", "WEAK"))
    empty = CounterReview((replace(review("UPHELD").challenges[0], challenge="  "),))
    driven = drive(agreed() | {HIST: report(weak), (CR, 1): empty, (CR, 2): review("WEAKENED")})
    assert next(one for one in driven.report["findings"] if one["id"] == "I1")["tag"] == "Likely"
    assert sum(roles.count(CR) for roles in driven.asked) == 2


# --- disagreement ------------------------------------------------------------------------------


def test_both_sides_are_sent_back_and_shown_each_other() -> None:
    driven = drive({CODE: report(NONE_AT_12), LOG: report(RACE_AT_12), HIST: report()})
    assert driven.asked[0] == [CODE, LOG, HIST]
    assert driven.asked[1] == [DEEP[CODE], DEEP[LOG]]
    task = driven.brief(DEEP[CODE]).tasks[0]
    assert (task.kind, task.yours.cause) == ("deep_dive", "null-dereference")
    assert [(one.cause, one.evidence[0].location) for one in task.others] == [("race", "pay.py:12")]


def test_much_heavier_evidence_is_adopted_with_the_other_as_minority() -> None:
    heavy = finding("None is used", "null-dereference", cite("pay.py:12"), cite("app.log:3"))
    driven = drive({CODE: report(heavy), LOG: report(RACE_AT_12), HIST: report()})
    (found,) = driven.report["findings"]
    assert (found["text"], found["tag"]) == ("None is used", "Likely")
    assert [(one["text"], one["investigators"]) for one in found["minority"]] == [("a race", [LOG])]


def test_even_sides_stay_uncertain_with_both_opinions() -> None:
    race = finding("a race", "race", cite("pay.py:12"))
    driven = drive({CODE: report(NONE_AT_12), LOG: report(race), HIST: report()})
    (found,) = driven.report["findings"]
    assert found["tag"] == "Uncertain"
    assert [one["text"] for one in found["minority"]] == ["a race"]
    assert driven.record["passes"] == 2


def test_who_finds_the_other_side_right_resolves_it_and_a_challenger_looks_before_it_is_judged() -> None:
    driven = drive(
        {
            CODE: report(NONE_AT_12),
            LOG: report(RACE_AT_12),
            HIST: report(),
            DEEP[CODE]: report(NONE_AT_12),
            DEEP[LOG]: report(NONE_IN_LOG),
            CR: review("UPHELD"),
        }
    )
    assert driven.asked == [[CODE, LOG, HIST], [DEEP[CODE], DEEP[LOG]], [CR]]
    assert driven.tags() == [("None is used", "Confirmed")]
    assert ("I1", "DISAGREED → AGREED", "6") in driven.rulings("revision-1")
    assert driven.record["given_up"] == ["I2"]


def test_nobody_is_talked_out_of_it_without_evidence() -> None:
    bare = finding("None after all", "null-dereference", cite("pay.py:12", snippet="made up"))
    driven = drive({CODE: report(NONE_AT_12), LOG: report(RACE_AT_12), HIST: report(), DEEP[LOG]: report(bare)})
    assert ("I1", "DISAGREED → AGREED", "6") not in driven.rulings("revision-1")


# --- alone -------------------------------------------------------------------------------------


def test_another_type_cross_checks_what_one_alone_holds() -> None:
    driven = drive(
        {
            CODE: report(NONE_AT_12),
            LOG: report(),
            HIST: report(),
            DEEP[LOG]: report(NONE_IN_LOG),
            CR: review("UPHELD"),
        }
    )
    assert driven.asked[1] == [DEEP[CODE], DEEP[LOG]]
    assert driven.brief(DEEP[LOG]).tasks[0].kind == "cross_check"
    assert ("I1", "UNCERTAIN → AGREED", "8") in driven.rulings("revision-1")
    assert driven.tags() == [("None is used", "Confirmed")]
    assert driven.asked[-1] == [CR]


def test_one_alone_stays_uncertain() -> None:
    driven = drive({CODE: report(NONE_AT_12), LOG: report(), HIST: report()})
    assert driven.tags() == [("None is used", "Uncertain")]
    assert driven.record["passes"] == 1


def test_weak_evidence_is_looked_at_again_by_who_brought_it() -> None:
    weak = finding("weak", "timeout", cite("conf.py:1", "WEAK"))
    better = finding("weak", "timeout", cite("conf.py:1", "STRONG"))
    driven = drive({CODE: report(weak), LOG: report(), HIST: report(), DEEP[CODE]: report(better)})
    assert driven.asked[1] == [DEEP[CODE]]
    assert ("I1", "NEEDS_MORE → UNCERTAIN", "10") in driven.rulings("revision-1")


def test_what_cannot_be_looked_into_is_uncertain() -> None:
    weak = finding("weak", "timeout", cite("conf.py:1", "WEAK"))
    driven = drive({CODE: report(weak), LOG: report(), HIST: report()})
    assert ("I1", "NEEDS_MORE → UNCERTAIN", "11") in driven.rulings("revision-1")


def test_who_wants_to_look_further_is_sent_there() -> None:
    wants = report(needs_further=True, scope="the queue")
    found = finding("in the queue", "race", cite("queue.py:7"))
    driven = drive(agreed(**{HIST: wants, DEEP[HIST]: report(found), CR: review("UPHELD")}))
    task = driven.brief(DEEP[HIST]).tasks[0]
    assert (task.kind, task.item, task.scope) == ("wider_scope", f"more:{HIST}", "the queue")
    assert driven.tags() == [("None is used", "Confirmed"), ("in the queue", "Uncertain")]


# --- failures ----------------------------------------------------------------------------------


def test_who_fails_is_asked_once_more() -> None:
    driven = drive(agreed() | {(CODE, 1): Silent("cut off"), (CODE, 2): report(NONE_AT_12)})
    assert driven.asked == [[CODE, LOG, HIST], [CODE]]
    assert driven.tags() == [("None is used", "Confirmed")]
    assert driven.report["excluded"] == []


def test_who_fails_twice_is_left_out_with_the_reason() -> None:
    driven = drive(agreed(**{HIST: Silent("no key")}))
    assert driven.report["excluded"] == [{"iid": HIST, "why": "no key"}]
    assert driven.tags() == [("None is used", "Confirmed")]


def test_with_one_result_there_is_a_short_report_of_one_source() -> None:
    driven = drive({CODE: report(NONE_AT_12)})
    assert driven.asked == [[CODE, LOG, HIST], [LOG, HIST]]
    assert driven.tags() == [("None is used", "Uncertain")]
    assert driven.record["single"].startswith("only one investigator")
    assert driven.report["rounds"] == 1


def test_with_no_result_nothing_is_found_and_it_is_said() -> None:
    driven = drive({})
    assert driven.report["findings"] == []
    assert "No investigator" in driven.report["conclusion"]
    assert len(driven.report["excluded"]) == 3


def test_a_check_that_fails_strikes_everything() -> None:
    driven = drive(agreed(CHECK=Silent("disk gone")))
    assert {one["why"] for one in driven.report["struck"]} == {"no-place: disk gone"}
    assert not any(tag == "Confirmed" for _, tag in driven.tags())


# --- modes -------------------------------------------------------------------------------------


def test_quick_mode_is_one_investigator_and_says_so() -> None:
    driven = drive(agreed(), matter("", quick=True))
    assert driven.asked == [[CODE]]
    assert driven.record["single"].startswith("quick mode")
    assert driven.record["plan"]["quick"] is True


def test_thorough_is_never_quick_and_calls_five() -> None:
    driven = drive(agreed(), matter("", quick=True, profile="thorough"))
    assert len(driven.asked[0]) == 5
    assert driven.record["plan"]["challengers"] == ["CR-AGREED", "CR-ALTHYPO", "CR-EVQUALITY"]


def test_fast_has_one_pass() -> None:
    race = finding("a race", "race", cite("pay.py:12"))
    answers: dict[Any, Any] = {CODE: report(NONE_AT_12), LOG: report(race), HIST: report()}
    assert drive(answers, matter(profile="fast")).record["passes"] == 1
    assert drive(answers).record["passes"] == 2


def test_without_logs_others_are_called() -> None:
    few = tuple([one for one in matter().sources if one.kind != "logs"])
    driven = drive(agreed(), matter("", sources=few))
    assert not any(role.startswith("LOG-") for role in driven.asked[0])
    assert driven.record["plan"]["without_source"] == ["LOG-STACKTRACE"]


def test_a_planner_may_propose_key_questions() -> None:
    driven = drive(agreed(PLAN=KeyQuestions(("Who calls refund?", " ", "When?"))), matter(planner=True))
    assert driven.asked[0] == ["PLAN"]
    assert driven.brief(CODE).key_questions == ("Who calls refund?", "When?")
    assert drive(agreed(), matter(planner=True)).brief(CODE).key_questions == ("why do refunds fail?",)


def test_round_1_is_blind_and_later_rounds_see_only_layer_1() -> None:
    long = Report("x" * 9000, findings=(NONE_AT_12,), full="secret of layer three")
    driven = drive({CODE: long, LOG: report(RACE_AT_12), HIST: report()})
    assert driven.brief(CODE).known == ()
    known = driven.brief(DEEP[LOG]).known
    assert [one.iid for one in known] == [CODE, LOG, HIST]
    assert len(known[0].one_liner) < 500
    assert all("layer three" not in str(ask.brief) for batch in driven.batches for ask in batch)
    assert driven.record["peak_prompt_tokens"] > 0
