"""The tables of a debated text, row by row: what a polarity means, stage 1 anchored, turns mapped, reviews applied, the
guard, the gates, what the moderator is fed."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withstood import form
from withstood.claims.staged import Extraction
from withstood.lexicons.forum import forum
from withstood.rules import (
    adoption,
    aggregation,
    amendment,
    anchoring,
    floor,
    guarding,
    override_gates,
    passes,
    polarity_names,
    turn_mapping,
)
from withstood.rules.rulebook import PRESETS, Rulebook
from withstood.rules.table import NoNumbers, Table

KO = form.write(forum().patterns["ko"])
EN = form.write(forum().patterns["en"])


def decided(table: Table, case: dict[str, Any], numbers: Any = None) -> Any:
    return form.write(table.decide(form.read(table.takes, case), numbers or NoNumbers()))


# --- polarity names ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stated", "polarity", "row"),
    [
        (None, None, "1"),
        ("  ", None, "1"),
        ("POS", "positive", "2"),
        (" Negative ", "negative", "2"),
        ("neu", "neutral", "2"),
        ("postive", "positive", "3"),
        ("negitave", "negative", "3"),
        ("neutrall", "neutral", "3"),
        ("mixed", None, "4"),
        ("good", None, "4"),
        ("nexative", "negative", "3"),
        ("positivexxx", None, "4"),
    ],
)
def test_polarity_names(stated: str | None, polarity: str | None, row: str) -> None:
    assert decided(polarity_names.TABLE, {"polarity": stated}) == {"polarity": polarity, "row": row}


@given(st.text(max_size=12))
def test_a_polarity_is_one_of_three_or_none(stated: str) -> None:
    found = polarity_names.polarity(stated)
    assert found in (None, *polarity_names.NAMES)
    if found is not None:
        assert polarity_names.polarity(found) == found


# --- anchoring ---------------------------------------------------------------------------------


def anchored(text: str, patterns: Any = KO, **more: Any) -> Any:
    """Without sentiments, nobody has judged any: nothing is filled in."""
    return decided(anchoring.TABLE, {"text": text, "patterns": patterns, "sentiments": None} | more)


def terms(found: Any) -> list[str]:
    return [one["term"] for one in found["aspects"]]


def rows(found: Any) -> list[str]:
    return [one["ruling"]["row"] for one in found["log"]]


@pytest.mark.parametrize(
    ("term", "bare"),
    [("화면이", "화면"), ("가격은", "가격"), ("색을", "색"), ("이", "이"), ("은는", "은"), ("맛", "맛")],
)
def test_particles_come_off_and_never_all_of_a_term(term: str, bare: str) -> None:
    found = anchored(f"{term} 좋아요", aspects=[{"term": term, "span": {"start": 0, "end": len(term)}}])
    (aspect,) = found["aspects"]
    assert (aspect["term"], aspect["begin"], aspect["end"]) == (bare, 0, len(bare))


def test_a_contrast_with_one_side_is_guessed_after_the_first_marker_of_the_list_that_occurs() -> None:
    """그러나 stands first in the text, 지만 first in the list."""
    found = anchored("색이 별로다 그러나 화면은 밝지만 배터리는 닳아요", aspects=[{"term": "색"}])
    assert terms(found) == ["색", "배터리"]
    (guess,) = [one for one in found["aspects"] if one["guessed"]]
    assert guess["confidence"] == "0.5"
    assert rows(found) == ["2"]


@pytest.mark.parametrize(
    ("text", "aspects", "kept", "fired"),
    [
        ("화면은 밝아요", ["화면"], ["화면"], []),
        ("화면은 밝지만 화면은 커요", ["화면"], ["화면"], ["6"]),
        ("밝지만 가격은 커요", [], ["가격"], ["2", "6"]),
        ("화면은 밝지만 가격은 커요", ["화면", "가격"], ["화면", "가격"], []),
        ("화면은 밝지만 가격은 커요", ["화면", "없는말"], ["화면"], ["3a", "6"]),
        ("밝지만", [], [], ["6"]),
    ],
)
def test_contrast_asks_for_two_aspects(text: str, aspects: list[str], kept: list[str], fired: list[str]) -> None:
    found = anchored(text, aspects=[{"term": term} for term in aspects])
    assert (terms(found), rows(found)) == (kept, fired)
    missing = [one for one in found["risks"] if one["type"] == "MISSING_SECOND_ASPECT"]
    assert bool(missing) == ("6" in fired)
    if missing:
        assert (missing[0]["severity"], missing[0]["scope"]) == ("high", {"start": 0, "end": len(text)})


def test_english_is_looked_at_with_its_own_patterns() -> None:
    found = anchored("The screen is fine but the battery died", EN, aspects=[{"term": "screen"}])
    assert terms(found) == ["screen", "battery"]
    assert terms(anchored("The screen is fine but the battery died", KO, aspects=[{"term": "screen"}])) == ["screen"]


def test_what_stands_nowhere_goes_and_what_is_missing_is_filled_in() -> None:
    found = anchored(
        "화면이 좋아요",
        aspects=[{"term": "화면"}, {"term": "가격"}],
        sentiments=[
            {"term": "가격", "polarity": "negative", "confidence": "0.9"},
            {"term": "", "polarity": "positive"},
        ],
    )
    assert terms(found) == ["화면"]
    assert [(one["term"], one["polarity"], one["confidence"]) for one in found["sentiments"]] == [
        ("", "positive", "0"),
        ("화면", "neutral", "0.5"),
    ]
    assert rows(found) == ["3a", "3b", "4"]


def test_where_nobody_answered_nothing_is_filled_in() -> None:
    assert anchored("화면이 좋아요", aspects=[{"term": "화면"}], sentiments=None)["sentiments"] == []
    found = anchored("화면이 좋아요", aspects=None, sentiments=[{"term": "화면", "polarity": "positive"}])
    assert (terms(found), rows(found)) == (["화면"], ["7"])


NEGATION = {"type": "NEGATION", "severity": "high"}
FLIP = {"target_aspect": "화면", "proposal_type": "flip_polarity"}


@pytest.mark.parametrize(("text", "kept"), [("화면이 좋아요", 0), ("화면이 좋지 않아요", 1), ("화면이 별로", 1)])
def test_the_negation_gate(text: str, kept: int) -> None:
    more = {"type": "IRONY", "severity": "low"}
    drop = {"target_aspect": "화면", "proposal_type": "DROP_ASPECT"}
    found = anchored(text, aspects=[{"term": "화면"}], risks=[NEGATION, more], proposals=[FLIP, drop])
    assert [one["type"] for one in found["risks"]] == ["NEGATION"] * kept + ["IRONY"]
    assert len(found["proposals"]) == 1 + kept


def test_astray_terms_are_counted_for_the_memory_gate() -> None:
    text = "화면이 좋아요"
    told = [{"term": "화면", "span": {"start": 3, "end": 5}}, {"term": "가격", "span": {"start": 0, "end": 2}}]
    stated = form.read(Extraction, {"aspects": told}).aspects
    found = anchoring.aspects(text, stated, forum().patterns["ko"])
    assert (found.astray, found.dropped, found.dropped_astray) == (1, 1, 1)


@given(st.text(max_size=30), st.lists(st.text(max_size=6), max_size=4))
def test_every_kept_aspect_stands_in_the_text(text: str, stated: list[str]) -> None:
    for patterns in (KO, EN):
        for one in anchored(text, patterns, aspects=[{"term": term} for term in stated])["aspects"]:
            assert one["term"]
            assert text[one["begin"] : one["end"]] == one["term"]


# --- turns -------------------------------------------------------------------------------------

SAID = [
    {"term": "화면", "polarity": "negative", "confidence": "0.6"},
    {"term": "가격", "polarity": "positive", "confidence": "0.7"},
    {"term": "배송", "polarity": "positive", "confidence": "0.9"},
]


def mapped(stance: str, message: str = "", points: tuple[str, ...] = (), **more: Any) -> Any:
    case = {
        "turns": [{"stance": stance, "message": message, "key_points": list(points)}],
        "aspect_terms": ["화면", "가격", "배송"],
        "sentiments": SAID,
        "patterns": KO,
    } | more
    return decided(turn_mapping.TABLE, case)


@pytest.mark.parametrize(
    ("stance", "message", "more", "outcome", "on", "reason", "row"),
    [
        ("pro", "화 면이 좋다", {}, "direct", ["화면"], "", "1"),
        ("pro", "금액이 착하다", {}, "direct", ["가격"], "", "1"),
        ("con", "디스플레이, 그리고 출고!", {}, "direct", ["화면", "배송"], "", "1"),
        ("neutral", "모르겠다", {}, "none", [], "neutral_stance", "6"),
        ("neutral", "모르겠다", {"sentiments": SAID[:1]}, "fallback", ["화면"], "fallback_used", "2"),
        ("pro", "좋다", {}, "fallback", ["배송"], "fallback_used", "3"),
        ("con", "나쁘다", {}, "fallback", ["화면"], "fallback_used", "3"),
        ("con", "나쁘다", {"sentiments": SAID[1:]}, "fallback", ["배송"], "fallback_used", "4"),
        ("con", "나쁘다", {"sentiments": []}, "none", [], "no_match", "7"),
        ("con", "나쁘다", {"sentiments": [], "aspect_terms": []}, "none", [], "no_aspects", "5"),
        ("neutral", "", {"sentiments": [], "aspect_terms": []}, "none", [], "no_aspects", "5"),
    ],
)
def test_a_turn_is_mapped(
    stance: str, message: str, more: dict[str, Any], outcome: str, on: list[str], reason: str, row: str
) -> None:
    found = mapped(stance, message, **more)
    (turn,) = found["turns"]
    assert (turn["outcome"], turn["terms"], turn["fail_reason"], turn["row"]) == (outcome, on, reason, row)
    assert found["mapping_stats"][outcome] == 1
    assert sum(found["mapping_stats"].values()) == 1
    assert sum(found["mapping_fail_reasons"].values()) == bool(reason)


def test_key_points_count_too() -> None:
    assert mapped("pro", "…", ("가격!",))["turns"][0]["terms"] == ["가격"]


@pytest.mark.parametrize(
    ("stance", "weight", "hint"),
    [
        ("pro", "1.0", "positive"),
        ("con", "1.0", "negative"),
        ("neutral", "0.6", "neutral"),
        ("sceptic", "0.8", "neutral"),
    ],
)
def test_stances_weigh(stance: str, weight: str, hint: str) -> None:
    (turn,) = mapped(stance, "화면")["turns"]
    assert (turn["weight"], turn["polarity_hint"]) == (weight, hint)


def test_synonyms_come_from_lists_by_containment_and_from_groups_by_trigger() -> None:
    ko = forum().patterns["ko"]
    assert turn_mapping.synonyms("배송비용", ko) == ("가격", "비용", "가성비", "금액", "배송", "배달", "출고")
    assert turn_mapping.synonyms("화면 밝기", ko) == ("디스플레이", "액정")
    assert turn_mapping.synonyms("LOOK", ko) == ("디자인", "외관", "look", "스타일")


def test_the_first_aspect_that_has_a_key_keeps_it() -> None:
    ko = forum().patterns["ko"]
    hints = {"가격": turn_mapping.synonyms("가격", ko), "금액": turn_mapping.synonyms("금액", ko)}
    known = turn_mapping.keys(("가격", "금액"), hints, ko.particles)
    assert known["금액"] == "가격"


# --- amendments --------------------------------------------------------------------------------

TEXT = "화면이 좋지 않지만 가격은 좋아요"
ASPECTS = [
    {"term": "화면", "begin": 0, "end": 2, "confidence": "0.8"},
    {"term": "가격", "begin": 11, "end": 13, "confidence": "0.8"},
]


def sentiment(no: int, term: str, polarity: str | None, sure: str = "0.6", **more: Any) -> dict[str, Any]:
    told = {"tuple_id": f"t{no}", "term": term, "begin": 0, "end": 0, "polarity": polarity, "confidence": sure}
    return told | more


HELD = [sentiment(0, "화면", "positive"), sentiment(1, "가격", "positive", "0.95"), sentiment(2, "화면", None)]


def amended(**more: Any) -> Any:
    return decided(amendment.TABLE, {"text": TEXT, "aspects": ASPECTS, "sentiments": HELD} | more)


def held(found: Any) -> list[tuple[str, str, str | None, str]]:
    return [(one["tuple_id"], one["term"], one["polarity"], one["confidence"]) for one in found["sentiments"]]


BEFORE = [("t0", "화면", "positive", "0.6"), ("t1", "가격", "positive", "0.95"), ("t2", "화면", None, "0.6")]


def proposal(kind: str, term: str = "화면", span: tuple[int, int] | None = None) -> dict[str, Any]:
    told = {"start": span[0], "end": span[1]} if span else None
    return {"target_aspect": term, "proposal_type": kind, "revised_span": told}


def test_a_proposed_flip_turns_the_first_sentiment_of_the_term() -> None:
    found = amended(
        proposals=[proposal("FLIP_POLARITY"), proposal("flip_polarity", "가격"), proposal("FLIP_POLARITY", "색")]
    )
    assert held(found) == [("t0", "화면", "negative", "0.9"), ("t1", "가격", "negative", "0.95"), BEFORE[2]]
    assert found["sentiments"][0]["distribution"] == {"negative": "0.9", "positive": "0.1"}
    assert rows(found) == ["V1", "V1", "V2"]


@pytest.mark.parametrize(("before", "after"), [("neutral", "neutral"), (None, "neutral"), ("negative", "positive")])
def test_what_is_neither_for_nor_against_is_flipped_to_neutral(before: str | None, after: str) -> None:
    found = amended(sentiments=[sentiment(0, "화면", before)], proposals=[proposal("FLIP_POLARITY")])
    assert held(found) == [("t0", "화면", after, "0.9")]


@pytest.mark.parametrize(
    ("told", "row", "terms_after", "ids"),
    [
        (proposal("DROP_ASPECT"), "V3", ["가격"], ["t1"]),
        (proposal("DROP_ASPECT", "색"), "V3", ["화면", "가격"], ["t0", "t1", "t2"]),
        (proposal("REVISE_SPAN", span=(0, 3)), "V4", ["화면이", "가격"], ["t0", "t1", "t2"]),
        (proposal("REVISE_SPAN"), "V5", ["화면", "가격"], ["t0", "t1", "t2"]),
        (proposal("REVISE_SPAN", span=(5, 900)), "V5", ["화면", "가격"], ["t0", "t1", "t2"]),
        (proposal("CHECK_SPAN"), "V5", ["화면", "가격"], ["t0", "t1", "t2"]),
        (proposal("BURN"), "V6", ["화면", "가격"], ["t0", "t1", "t2"]),
    ],
)
def test_other_proposals(told: dict[str, Any], row: str, terms_after: list[str], ids: list[str]) -> None:
    found = amended(proposals=[told])
    assert (terms(found), [one["tuple_id"] for one in found["sentiments"]], rows(found)) == (terms_after, ids, [row])


@pytest.mark.parametrize(
    ("action", "term", "span", "row", "terms_after"),
    [
        ("keep", "화면", None, "E1", ["화면", "가격"]),
        ("MAINTAIN", "화면", None, "E1", ["화면", "가격"]),
        ("revise_span", "화면", {"start": 0, "end": 3}, "E2", ["화면이", "가격"]),
        ("revise", "화면", None, "E3", ["화면", "가격"]),
        ("remove", "화면", None, "E4", ["가격"]),
        ("drop", "가격", None, "E4", ["화면"]),
        ("add", "좋지", {"start": 4, "end": 6}, "E5", ["화면", "가격", "좋지"]),
        ("add", "좋지", None, "E6", ["화면", "가격"]),
        ("add", "배송", {"start": 4, "end": 6}, "E6", ["화면", "가격"]),
        ("eat", "화면", None, "E7", ["화면", "가격"]),
    ],
)
def test_the_aspect_review(action: str, term: str, span: Any, row: str, terms_after: list[str]) -> None:
    found = amended(aspect_review=[{"term": term, "action": action, "revised_span": span}])
    assert (terms(found), rows(found)) == (terms_after, [row])
    if row == "E5":
        assert found["aspects"][-1]["confidence"] == "0.8"


@pytest.mark.parametrize(
    ("action", "term", "polarity", "row", "after"),
    [
        ("maintain", "화면", None, "S1", BEFORE),
        ("reduce_confidence", "화면", None, "S1", BEFORE),
        ("drop", "화면", None, "S2", [BEFORE[1]]),
        ("remove", "가격", None, "S2", [BEFORE[0], BEFORE[2]]),
        ("add", "좋지", "negative", "S3", [*BEFORE, ("t3", "좋지", "negative", "0.9")]),
        ("add", "좋지", None, "S4", BEFORE),
        ("add", "화면", "negative", "S4", BEFORE),
        (
            "flip_polarity",
            "화면",
            None,
            "S5",
            [("t0", "화면", "negative", "0.6"), BEFORE[1], ("t2", "화면", "negative", "0.6")],
        ),
        ("FLIP_POLARITY", "가격", "neutral", "S5", [BEFORE[0], ("t1", "가격", "neutral", "0.95"), BEFORE[2]]),
        ("flip_polarity", "색", None, "S6", BEFORE),
        ("burn", "화면", None, "S7", BEFORE),
    ],
)
def test_the_sentiment_review(action: str, term: str, polarity: str | None, row: str, after: Any) -> None:
    found = amended(sentiment_review=[{"aspect_term": term, "action": action, "revised_polarity": polarity}])
    assert (held(found), rows(found)) == (after, [row])


def test_the_published_order_is_kept() -> None:
    """The aspect that a proposal has dropped is not there any more when its sentiment is flipped."""
    found = amended(
        proposals=[proposal("DROP_ASPECT")],
        aspect_review=[{"term": "화면", "action": "revise_span", "revised_span": {"start": 0, "end": 3}}],
        sentiment_review=[{"aspect_term": "화면", "action": "flip_polarity"}],
    )
    assert rows(found) == ["V3", "E3", "S6"]


# --- guard -------------------------------------------------------------------------------------


def guarded(sentiments: list[dict[str, Any]], aspects: list[dict[str, Any]] = ASPECTS, reviewed: bool = True) -> Any:
    return decided(guarding.TABLE, {"aspects": aspects, "sentiments": sentiments, "reviewed": reviewed})


def test_a_sentiment_stands_on_an_aspect_or_falls() -> None:
    wide = [{"term": "화면 밝기", "begin": 0, "end": 5, "confidence": "0.8"}, *ASPECTS[1:]]
    found = guarded(
        [
            sentiment(0, "화면", "positive"),
            sentiment(1, "가격", "positive"),
            sentiment(2, "배송", "negative"),
            sentiment(3, "", "positive", implicit=True),
        ],
        wide,
    )
    assert [(one["tuple_id"], one["term"]) for one in found["sentiments"]] == [
        ("t0", "화면 밝기"),
        ("t1", "가격"),
        ("t3", ""),
    ]
    assert rows(found) == ["3", "4"]


def test_a_placeholder_only_where_reviews_left_nothing() -> None:
    assert [(one["polarity"], one["term"]) for one in guarded([])["sentiments"]] == [("neutral", "화면")]
    assert guarded([], reviewed=False)["sentiments"] == []
    assert guarded([], aspects=[])["sentiments"] == []
    assert guarded([sentiment(0, "배송", "negative")])["sentiments"] == []


# --- the gates of the override, and adoption ---------------------------------------------------

ON = override_gates.Numbers("on", "on", "on", "on", "on", "on")


@pytest.mark.parametrize(
    ("case", "before", "after"),
    [
        ({"applied_before": 1}, "1", "7"),
        ({"hints": ["neutral"]}, "2", "7"),
        ({"hints": ["positive"]}, "3a", "7"),
        ({"hints": ["positive"], "evidence": "없는 말", "evidence_found": False}, "3b", "7"),
        ({"hints": ["positive"], "evidence": "못", "evidence_found": True}, "3c", "7"),
        ({"hints": ["positive"], "evidence": "좋지", "evidence_found": True, "risks": ["CONTRAST"]}, "4", "5"),
        ({"hints": ["positive"], "evidence": "좋지", "evidence_found": True, "implicit": True}, "4", "6"),
        (
            {"hints": ["negative"], "evidence": "좋지", "evidence_found": True, "risks": ["MISSING_SECOND_ASPECT"]},
            "4",
            "7",
        ),
    ],
)
def test_the_gates_in_their_order(case: dict[str, Any], before: str, after: str) -> None:
    found = decided(override_gates.TABLE, case, ON)
    assert (found["before_row"], found["after_row"]) == (before, after)
    off = decided(override_gates.TABLE, case, override_gates.Numbers())
    assert (off["before"], off["after"]) == ("passed", "passed")


@pytest.mark.parametrize(
    ("case", "ev", "outcome"),
    [
        ({}, "0", "kept_stage1"),
        ({"debate_edit": True}, "0.4", "kept_stage1"),
        ({"debate_edit": True, "mean_before": "0.5", "mean_after": "0.7"}, "0.5", "adopted"),
        ({"debate_edit": True, "mean_before": "0.7", "mean_after": "0.5"}, "0.4", "kept_stage1"),
        ({"validator_fix": True, "explicit_gained": True}, "0.5", "adopted"),
        ({"debate_edit": True, "validator_fix": True, "explicit_gained": True, "mean_after": "1"}, "1.0", "adopted"),
    ],
)
def test_adoption(case: dict[str, Any], ev: str, outcome: str) -> None:
    found = decided(adoption.TABLE, case, override_gates.Numbers())
    assert (Decimal(found["ev"]), found["outcome"]) == (Decimal(ev), outcome)


@pytest.mark.parametrize(
    ("profile", "numbers"), [("t0", "1.6 0.8 0.7 on"), ("t1", "1.0 0.5 0.6 on"), ("t2", "0.6 0.3 0.55 off")]
)
def test_profiles(profile: str, numbers: str) -> None:
    book = Rulebook().adjusted({"override.profile": profile})
    found = (
        book.override.min_total,
        book.override.min_margin,
        book.override.min_target_conf,
        book.gates.l3_conservative,
    )
    wanted = numbers.split()
    assert (*map(Decimal, wanted[:3]), wanted[3]) == found
    assert Rulebook().gates == override_gates.Numbers()


def test_an_unknown_profile_is_named() -> None:
    with pytest.raises(form.Misfit, match="t0, t1, t2"):
        Rulebook().adjusted({"override.profile": "t9"})


# --- the feeder --------------------------------------------------------------------------------


def fed(
    feeder: str, said: list[tuple[str, str | None, str]], aspects: Sequence[str] = (), flipped: Sequence[str] = ()
) -> Any:
    sentiments = [{"term": t, "polarity": p, "confidence": c, "span": [0, 2]} for t, p, c in said]
    case = {"sentiments": sentiments, "aspects": list(aspects), "flipped": list(flipped), "feeder": feeder}
    return decided(aggregation.TABLE, case, aggregation.Numbers())


def test_the_aggregate_is_the_surest_sentiment_twice_without_a_span() -> None:
    found = fed(
        "aggregate", [("가", "negative", "0.7"), ("나", "positive", "0.7"), ("다", None, "0.9")], ["0.1"], ["가"]
    )
    part = {"label": "negative", "confidence": "0.7", "span": None}
    assert (found["ate"], found["atsa"], found["suggested_label"], found["row"]) == (part, part, None, "1")
    assert fed("aggregate", [])["ate"] == {"label": "neutral", "confidence": "0", "span": None}


def test_distinct_parts() -> None:
    found = fed("distinct", [("가", "negative", "0.7"), ("나", "positive", "0.6")], ["0.5", "0.6", "0.6"], ["가"])
    assert found["ate"] == {"label": "mixed", "confidence": "0.566667", "span": None}
    assert found["atsa"] == {"label": "negative", "confidence": "0.7", "span": [0, 2]}
    assert (found["suggested_label"], found["row"]) == ("positive", "3")
    assert fed("distinct", [("가", "negative", "0.7")], [], ["나"])["suggested_label"] is None


# --- who speaks, and passes that vote ----------------------------------------------------------


def test_speakers_are_those_of_the_order_that_have_a_persona() -> None:
    known = {"personas": ["critic", "empath", "auditor"]}
    assert decided(floor.TABLE, known, floor.Numbers()) == {"speakers": ["critic", "empath"], "turns": 4}
    order = floor.Numbers(order="auditor critic auditor nobody", rounds=3)
    assert decided(floor.TABLE, known, order) == {"speakers": ["auditor", "critic"], "turns": 6}
    assert decided(floor.TABLE, known, floor.Numbers(held="off"))["speakers"] == []


def test_strict_weighs_a_turn_by_its_persona() -> None:
    assert (PRESETS["published"].debate.stance, PRESETS["strict"].debate.stance) == ("stated", "persona")


def test_passes_vote() -> None:
    good, bad = (passes.Opinion("a#b", "x", polarity) for polarity in ("positive", "negative"))
    ruled = passes.vote([[good, good], [bad, good], [bad]], 3)
    assert [[one.outcome for one in each] for each in ruled] == [["kept", "counted"], ["kept", "counted"], ["counted"]]
    ruled = passes.vote([[good], [bad]], 2)
    assert [[one.outcome for one in each] for each in ruled] == [["outvoted"], ["outvoted"]]
    assert passes.vote([[good, good]], 1)[0][1].outcome == "kept"
