"""The sentiment protocols, driven by hand: what is asked, what an answer does, what is written down."""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Generator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.protocols.drive import AGREED, NOT_TOLD, PROTOCOLS, book, case, drive, reading
from withstood import form
from withstood.claims.ballot import Action, Refusal, Review, ReviewAction
from withstood.claims.case import Case
from withstood.claims.opinion import Reading, Span, Triplet
from withstood.jobs.published import row_texts
from withstood.protocols import sentiment
from withstood.protocols.asks import Answers, Ask, Batch, Silent, digests, put
from withstood.protocols.briefs import READERS, REVIEWERS, ReadingBrief, ReviewBrief
from withstood.verdict import MinorityOpinion, Verdict

CASES = tomllib.loads((Path(__file__).with_name("cases") / "sentiment.toml").read_text("utf-8"))["case"]
WHOLE = [pytest.param(case, name, id=f"{name}: {case['name']}") for case in CASES for name in PROTOCOLS if name in case]

TEXT = "화면이 좋지 않지만 가격은 좋아요"
SPLIT_READERS = {
    "P-NEG": reading(("본품#품질", "화면", "negative")),
    "P-IMP": reading(("본품#품질", "화면", "positive")),
    "P-LIT": reading(("본품#가격", "가격", "positive")),
}
RESULT = "id text_hash stage1 flags actions final label confidence rationale applied_rules memory asks skipped".split()
TUPLE = "tuple_id aspect_term aspect_ref polarity begin end opinion_term confidence origin flag".split()


def action(kind: str, ids: str, reason: str = "", polarity: str | None = None) -> ReviewAction:
    return ReviewAction(Action(kind), tuple(ids.split()), {"polarity": polarity} if polarity else None, reason)


def review(*actions: Any) -> Review:
    return Review(tuple(action(*one) for one in actions))


# --- whole cases -------------------------------------------------------------------------------


@pytest.mark.parametrize(("told", "protocol"), WHOLE)
def test_cases(told: dict[str, Any], protocol: str) -> None:
    answers: dict[str, Any] = {role: reading(*triplets) for role, triplets in told.get("readers", {}).items()}
    answers |= {role: review(*actions) for role, actions in told.get("reviewers", {}).items()}
    rules = book(protocol, told.get("preset", "published")).adjusted(told.get("settings", {}))
    result = drive(protocol, told["text"], answers, rules).result
    assert [
        _line(one["tuple_id"], one["action"], one["reason_code"], f"({one['row']})") for one in result["actions"]
    ] == told[protocol]["actions"]
    assert [_line(one["tuple_id"], one["polarity"], one["flag"]) for one in result["final"]] == told[protocol]["final"]
    assert (result["label"], result["asks"]) == (told[protocol]["label"], told[protocol]["asks"])
    assert [seat["role"] for seat in result["skipped"]] == told[protocol]["skipped"]


def _line(*parts: str | None) -> str:
    return " ".join(part for part in parts if part)


# --- what is asked -----------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", ["cr-v1", "cr-v2"])
def test_readers_first_then_reviewers_each_in_its_order(protocol: str) -> None:
    driven = drive(protocol, TEXT, SPLIT_READERS)
    assert driven.asked == [["P-NEG", "P-IMP", "P-LIT"], ["A", "B", "C"]]
    assert [ask.wants for batch in driven.batches for ask in batch] == [Reading] * 3 + [Review] * 3
    assert {ask.round for batch in driven.batches for ask in batch} == {1}


def test_single_asks_once() -> None:
    driven = drive("single", TEXT, {})
    assert driven.asked == [["S0"]]
    assert driven.brief("S0") == drive("cr-v2", TEXT, {}).brief("P-NEG")


def test_seats_are_those_that_are_asked() -> None:
    for protocol in PROTOCOLS:
        driven = drive(protocol, TEXT, SPLIT_READERS | {"S0": SPLIT_READERS["P-NEG"]})
        assert tuple(itertools.chain(*driven.asked)) == sentiment.seats(protocol, book(protocol), AGREED)


@pytest.mark.parametrize(("language", "refs"), [("ko", AGREED.refs["ko"]), ("en", AGREED.refs["en"]), ("fr", ())])
def test_a_reader_is_given_the_text_and_nothing_else(language: str, refs: tuple[str, ...]) -> None:
    driven = drive("cr-v2", case(TEXT, language), {})
    for role in READERS:
        assert driven.brief(role) == ReadingBrief(TEXT, language, refs)


def test_reviewers_are_given_the_same_table_without_rationales() -> None:
    told = Triplet(
        aspect_ref="본품#품질",
        aspect_term="화면",
        polarity="negative",
        opinion_term="좋지",
        evidence="화면이 좋지 않지만",
        confidence=Decimal("0.80"),
        rationale="a secret of the reader",
    )
    driven = drive("cr-v2", TEXT, SPLIT_READERS | {"P-NEG": Reading((told,))})
    brief: ReviewBrief = driven.brief("A")
    assert [driven.brief(role) for role in REVIEWERS] == [brief] * 3
    assert (brief.text, brief.language, brief.risks, brief.memory) == (TEXT, "ko", (), "")
    assert [(one.tuple_id, one.origin) for one in brief.candidates] == [
        ("t0", "P-NEG"),
        ("t1", "P-IMP"),
        ("t2", "P-LIT"),
    ]
    first = brief.candidates[0]
    assert (first.opinion_term, first.evidence, first.evidence_found, first.confidence) == (
        "좋지", "화면이 좋지 않지만", True, "0.80",
    )  # fmt: skip
    assert [(flag.conflict_type, flag.tuple_ids) for flag in brief.flags] == [("ref_polarity_mismatch", ("t0", "t1"))]
    assert "secret" not in form.dumps(brief)


def test_with_nothing_on_the_table_a_review_is_held_only_if_it_always_is() -> None:
    assert drive("cr-v2", TEXT, {}).asked == [list(READERS)]
    driven = drive("cr-v2", TEXT, {}, book("cr-v2", review__when="always"))
    assert driven.asked == [list(READERS), list(REVIEWERS)]
    assert (driven.brief("C").candidates, driven.brief("C").flags) == ((), ())


def test_every_seat_is_given_the_text_to_the_letter() -> None:
    text = "  화면이\t좋지 않아요 \n"
    driven = drive("cr-v2", text, SPLIT_READERS)
    assert {driven.brief(role).text for role in (*READERS, *REVIEWERS)} == {text}
    assert driven.result["text_hash"] == form.digest(text)


def test_the_digest_of_an_ask_says_role_round_and_brief() -> None:
    brief = ReadingBrief(TEXT, "ko", ())
    asks = [Ask(role, brief, Reading, turn) for role in ("P-NEG", "P-IMP") for turn in (1, 2)]
    other = Ask("P-NEG", ReadingBrief(TEXT + " ", "ko", ()), Reading)
    found = digests((*asks, other))
    assert len(set(found)) == 5
    assert digests((Ask("P-NEG", ReadingBrief(TEXT, "ko", ()), Reading),)) == found[:1]


# --- put ---------------------------------------------------------------------------------------


def _ended(flow: Generator[Batch, Answers, Any], *sent: Any) -> Any:
    next(flow)
    with pytest.raises(StopIteration) as end:
        flow.send(sent)
    return end.value.value


ASK = Ask("P-NEG", ReadingBrief("", "ko", ()), Reading)


def test_put_gives_back_what_was_sent() -> None:
    assert _ended(put([ASK, ASK]), Reading(), NOT_TOLD) == (Reading(), NOT_TOLD)
    assert next(put([ASK])) == (ASK,)


def test_put_of_nothing_asks_nothing() -> None:
    with pytest.raises(StopIteration) as end:
        next(put([]))
    assert end.value.value == ()


@pytest.mark.parametrize("sent", [(), (Reading(),), (Reading(),) * 3])
def test_a_wrong_number_of_answers_is_refused(sent: tuple[Reading, ...]) -> None:
    flow = put([ASK, ASK])
    next(flow)
    with pytest.raises(ValueError, match=f"wanted 2 answers, one for each ask in order; found {len(sent)}"):
        flow.send(sent)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_flow_refuses_them_too(protocol: str) -> None:
    flow = sentiment.flow(protocol, case(TEXT), book(protocol), AGREED)
    next(flow)
    with pytest.raises(ValueError, match=r"wanted \d answers"):
        flow.send((Reading(),) * 2)


# --- readings on the table ---------------------------------------------------------------------


def test_candidates_run_through_in_the_order_of_the_readers_and_none_is_merged() -> None:
    same = reading(("본품#품질", "화면", "positive"), ("본품#품질", "화면", "positive"))
    result = drive("cr-v2", TEXT, {"P-LIT": same, "P-NEG": same}).result
    assert [(one["tuple_id"], one["origin"]) for one in result["stage1"]] == [
        ("t0", "P-NEG"), ("t1", "P-NEG"), ("t2", "P-LIT"), ("t3", "P-LIT"),
    ]  # fmt: skip
    assert result["final"] == result["stage1"]


def test_marks_halve_the_confidence_and_stand_in_the_path() -> None:
    told = Triplet(aspect_term="good 최고", aspect_ref="본품#맛", polarity="positive", confidence=Decimal("0.9"))
    driven = drive("cr-v2", TEXT, {"P-NEG": Reading((told,))})
    assert driven.result["stage1"][0]["confidence"] == Decimal("0.1125")
    assert driven.rulings("candidates-1") == [
        ("t0", "marked", "1", "invalid_ref"),
        ("t0", "marked", "2", "invalid_language"),
        ("t0", "marked", "3", "invalid_target"),
    ]


@pytest.mark.parametrize(
    ("term", "said", "evidence", "place"),
    [
        ("좋", None, None, (4, 5)),
        ("좋", Span(15, 16), None, (15, 16)),
        ("좋", Span(14, 17), None, (15, 16)),
        ("좋", None, "가격은 좋아요", (15, 16)),
        ("", Span(3, 4), None, (0, 0)),
        (" ", None, None, (0, 0)),
        ("배송", Span(0, 2), None, (None, None)),
    ],
)
def test_offsets_are_found_by_code(term: str, said: Span | None, evidence: str | None, place: Any) -> None:
    told = Triplet(aspect_term=term, polarity="positive", span=said, evidence=evidence)
    [found] = drive("single", TEXT, {"S0": Reading((told,))}).result["stage1"]
    assert (found["begin"], found["end"]) == place


@pytest.mark.parametrize(
    ("evidence", "ruling"),
    [
        (None, ("none", "1")),
        ("화면이  좋지", ("found", "2")),
        ("화면이 좋아요", ("struck", "3")),
        ("화면이 가격은", ("struck", "3")),
    ],
)
def test_evidence_is_looked_for_by_code(evidence: str | None, ruling: tuple[str, str]) -> None:
    driven = drive("single", TEXT, {"S0": Reading((Triplet(evidence=evidence),))})
    assert driven.rulings("evidence-1") == [("t0", *ruling, "")]


def test_flags_stand_in_the_path_with_their_row() -> None:
    whole = reading(("제품 전체#품질", "", "positive"), ("", "색", "positive"), ("", "색", "negative"))
    driven = drive("cr-v2", TEXT, SPLIT_READERS | {"P-LIT": whole})
    assert driven.rulings("conflicts-1") == [
        ("t0,t1", "ref_polarity_mismatch", "1", ""),
        ("t3,t4", "term_polarity_mismatch", "3", ""),
        ("t1,t2", "granularity_overlap_candidate", "4", ""),
    ]
    assert [flag["conflict_type"] for flag in driven.result["flags"]] == [
        one[1] for one in driven.rulings("conflicts-1")
    ]


# --- silence -----------------------------------------------------------------------------------


@pytest.mark.parametrize("silent", [some for n in range(4) for some in itertools.combinations(READERS, n)])
@pytest.mark.parametrize("protocol", ["cr-v1", "cr-v2"])
def test_any_readers_may_be_silent(protocol: str, silent: tuple[str, ...]) -> None:
    answers = {role: answer for role, answer in SPLIT_READERS.items() if role not in silent}
    driven = drive(protocol, TEXT, answers)
    result = driven.result
    assert [one["origin"] for one in result["stage1"]] == [role for role in READERS if role not in silent]
    reviewed = not {"P-NEG", "P-IMP"} & set(silent)
    assert driven.asked == [list(READERS), list(REVIEWERS)][: 1 + reviewed]
    why = "not told" if reviewed else "nothing was flagged"
    assert result["skipped"] == [
        *({"role": role, "why": "not told"} for role in silent), *({"role": role, "why": why} for role in REVIEWERS)
    ]  # fmt: skip
    assert (result["label"] is None) == (len(silent) == 3)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_where_no_reader_answers_there_is_no_verdict(protocol: str) -> None:
    driven = drive(protocol, TEXT, {})
    result = driven.result
    assert (result["label"], result["confidence"], result["final"]) == (None, None, [])
    assert "no verdict" in result["rationale"]
    assert driven.rulings("sentence-label-1") == []
    empty = drive(protocol, TEXT, dict.fromkeys((*READERS, "S0"), Reading())).result
    assert (empty["label"], empty["confidence"]) == ("neutral", Decimal("0.7"))


@pytest.mark.parametrize("silent", [some for n in range(4) for some in itertools.combinations(REVIEWERS, n)])
@pytest.mark.parametrize("when", ["flagged", "always"])
@pytest.mark.parametrize("protocol", ["cr-v1", "cr-v2"])
def test_any_reviewers_may_be_silent(protocol: str, when: str, silent: tuple[str, ...]) -> None:
    """All who answer want t0 and t2 dropped; t2 is not flagged."""
    wish = review(("DROP", "t0 t2", "WEAK_EVIDENCE"))
    answers = SPLIT_READERS | {role: wish for role in REVIEWERS if role not in silent}
    driven = drive(protocol, TEXT, answers, book(protocol, review__when=when))
    told = {one["tuple_id"]: (one["action"], one["reason_code"], one["row"]) for one in driven.result["actions"]}
    if len(silent) <= 1:
        assert told == {"t0": ("DROP", "", "1"), "t1": ("KEEP", "", "1"), "t2": ("KEEP", "", "1")}
    else:
        incomplete = ("FLAG", "REVIEW_INCOMPLETE", "0")
        assert told == {"t0": incomplete, "t1": incomplete, "t2": ("KEEP", "", "0")}
    assert driven.result["skipped"] == [{"role": role, "why": "not told"} for role in silent]
    assert driven.result["asks"] == 6


def test_an_absent_reviewer_is_shown_as_absent_and_an_empty_slot_as_a_keep() -> None:
    driven = drive(
        "cr-v2", TEXT, SPLIT_READERS | {"A": review(("FLIP", "t1", "NEGATION_SCOPE", "negative")), "C": Review()}
    )
    [first, second, _] = [step for step in driven.verdict.path if step.table == "arbiter-v2"]
    assert first.on == ("A: KEEP (named no action)", "B: absent", "C: KEEP (named no action)")
    assert second.on == ("A: FLIP NEGATION_SCOPE → polarity negative", "B: absent", "C: KEEP (named no action)")


# --- scope, gate, minority ---------------------------------------------------------------------


def test_what_is_out_of_scope_is_refused_and_recorded() -> None:
    wish = review(("DROP", "t2 t0 t9"), ("FLAG", "t2"))
    driven = drive("cr-v2", TEXT, SPLIT_READERS | dict.fromkeys(REVIEWERS, wish))
    assert (
        driven.rulings("scope-1")
        == [
            ("t2", "refused", "4", "NOT_FLAGGED"),
            ("t9", "refused", "1", "UNKNOWN_TUPLE"),
            ("t2", "refused", "4", "NOT_FLAGGED"),
        ]
        * 3
    )
    assert [step.on for step in driven.verdict.path if step.table == "scope-1"][:3] == [
        ("A: DROP",),
        ("A: DROP",),
        ("A: FLAG",),
    ]
    assert [one["tuple_id"] for one in driven.result["final"]] == ["t1", "t2"]


def test_an_action_of_an_unknown_kind_is_recorded_and_is_no_action() -> None:
    odd = Review(refused=(Refusal("DELETE", ("t0", "t1")),))
    driven = drive("cr-v2", TEXT, SPLIT_READERS | {"A": odd, "B": Review(), "C": review(("DROP", "t0"))})
    assert driven.rulings("actions") == [("t0,t1", "refused", "unknown", "DELETE")]
    assert [one["action"] for one in driven.result["actions"]] == ["KEEP"] * 3


POWERFUL = {
    "A": review(("FLIP", "t0", "CONTRAST_CLAUSE", "positive"), ("FLIP", "t1", "NEGATION_SCOPE", "negative")),
    "B": review(("DROP", "t0 t1", "REDUNDANT_UPPER_REF")),
    "C": Review(),
}


@pytest.mark.parametrize(
    ("text", "rows", "struck"),
    [
        (TEXT, ["3a", "3a"], ["REDUNDANT_UPPER_REF"] * 2),
        ("화면이 좋지 않아요", ["3c", "3a"], ["CONTRAST_CLAUSE", "REDUNDANT_UPPER_REF", "REDUNDANT_UPPER_REF"]),
        ("화면이 좋지만", ["3a", "3c"], ["NEGATION_SCOPE", "REDUNDANT_UPPER_REF", "REDUNDANT_UPPER_REF"]),
        ("화면", ["3c", "3c"], ["CONTRAST_CLAUSE", "NEGATION_SCOPE", "REDUNDANT_UPPER_REF", "REDUNDANT_UPPER_REF"]),
    ],
)
def test_under_strict_a_code_needs_its_cue(text: str, rows: list[str], struck: list[str]) -> None:
    driven = drive("cr-v2", text, SPLIT_READERS | POWERFUL, book("cr-v2", "strict"))
    assert [one["row"] for one in driven.result["actions"]][:2] == rows
    assert [because for _, outcome, _, because in driven.rulings("reason-gate-1") if outcome == "struck"] == struck
    plain = drive("cr-v2", text, SPLIT_READERS | POWERFUL)
    assert [one["row"] for one in plain.result["actions"]][:2] == ["3a", "3a"]
    assert plain.rulings("reason-gate-1") == []


@pytest.mark.parametrize("prose", ["않 안 지만", "NEGATION_SCOPE CONTRAST_CLAUSE", "화면이 좋지 않지만"])
def test_under_strict_a_cue_in_what_somebody_says_is_no_cue(prose: str) -> None:
    """The markers stand in evidence, opinion, rationale, value and silence; in the text there is none."""
    told = [
        Triplet("화면", "본품#품질", polarity, prose, prose, None, Decimal(1), prose)
        for polarity in ("negative", "positive")
    ]
    value = {"polarity": "negative", "note": prose}
    votes = {
        "A": Review(tuple(ReviewAction(Action.FLIP, (f"t{no}",), value, code) for no, code in enumerate(STRUCTURAL))),
        "B": Review((ReviewAction(Action.DROP, ("t0", "t1"), value, prose),)),
        "C": Review(),
    }
    answers = {"P-NEG": Reading(tuple(told)), "P-IMP": Silent(prose)} | votes
    driven = drive("cr-v2", "화면이 좋아요", answers, book("cr-v2", "strict"))
    assert [one["row"] for one in driven.result["actions"]] == ["3c", "3c"]
    assert [one["row"] for one in drive("cr-v2", "화면이 좋아요", answers).result["actions"]] == ["3a", "3a"]


STRUCTURAL = ("NEGATION_SCOPE", "CONTRAST_CLAUSE")


@pytest.mark.parametrize(("evidence", "row"), [(None, "3b"), ("no such words", "3b"), ("화면이 좋지 않지만", "3c")])
def test_under_strict_weak_evidence_is_weak(evidence: str | None, row: str) -> None:
    told = Triplet(aspect_ref="본품#품질", aspect_term="화면", polarity="negative", evidence=evidence)
    votes = {"A": review(("FLIP", "t0", "", "x")), "B": review(("DROP", "t0", "WEAK_EVIDENCE")), "C": Review()}
    driven = drive("cr-v2", TEXT, SPLIT_READERS | {"P-NEG": Reading((told,))} | votes, book("cr-v2", "strict"))
    assert driven.result["actions"][0]["row"] == row


@pytest.mark.parametrize(("place", "row"), [("t0", "3b"), ("t1", "3c")])
def test_under_strict_only_an_upper_ref_is_a_redundant_upper_ref(place: str, row: str) -> None:
    readers = {
        "P-NEG": reading(("제품 전체#품질", "", "positive")),
        "P-IMP": reading(("본품#품질", "화면", "positive")),
    }
    votes = {"A": review(("FLIP", place, "", "x")), "B": review(("DROP", place, "REDUNDANT_UPPER_REF")), "C": Review()}
    driven = drive("cr-v2", TEXT, readers | votes, book("cr-v2", "strict"))
    assert {one["tuple_id"]: one["row"] for one in driven.result["actions"]}[place] == row


SAID = ("KEEP", "DROP", "FLIP", "FLAG", "MERGE", "", "silent")


@pytest.mark.parametrize("reason", ["", "BECAUSE"])
@pytest.mark.parametrize("votes", list(itertools.product(SAID, repeat=3)))
def test_every_minority_is_kept(votes: tuple[str, ...], reason: str) -> None:
    """Whoever answered and named another action than the one that carried stands in the step."""
    answers = {
        role: Review() if vote == "" else review((vote, "t0", reason))
        for role, vote in zip(REVIEWERS, votes, strict=True)
        if vote != "silent"
    }
    driven = drive("cr-v2", TEXT, SPLIT_READERS | answers)
    step = next(step for step in driven.verdict.path if (step.table, step.item) == ("arbiter-v2", "t0"))
    named = [(role, "KEEP" if vote == "MERGE" else vote) for role, vote in zip(REVIEWERS, votes, strict=True) if vote]
    wanted = [
        MinorityOpinion(role, vote, reason) for role, vote in named if vote not in ("silent", step.ruling.outcome)
    ]
    assert list(step.minority) == wanted


# --- what is written down ----------------------------------------------------------------------


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_line_of_results_has_the_published_fields_in_order(protocol: str) -> None:
    wish = review(("FLAG", "t0"), ("DROP", "t1"))
    answers = SPLIT_READERS | {"S0": SPLIT_READERS["P-NEG"]} | dict.fromkeys(REVIEWERS, wish)
    result = drive(protocol, TEXT, answers).result
    assert list(result) == RESULT
    assert {tuple(one) for one in result["stage1"] + result["final"]} == {tuple(TUPLE)}
    assert {tuple(one) for one in result["flags"]} <= {("conflict_type", "aspect_ref", "aspect_term", "tuple_ids")}
    assert {tuple(one) for one in result["actions"]} <= {("tuple_id", "action", "reason_code", "row")}
    assert {tuple(one) for one in result["skipped"]} <= {("role", "why")}
    assert (result["id"], result["text_hash"]) == ("r1", form.digest(TEXT))


def test_one_line_to_the_letter() -> None:
    told = Triplet("화면", "본품#품질", "negative", "좋지", "화면이 좋지", Span(0, 2), Decimal("0.90"), "why")
    driven = drive("single", case("화면이 좋지 않아요"), {"S0": Reading((told,))})
    opinion = (
        '{"tuple_id":"t0","aspect_term":"화면","aspect_ref":"본품#품질","polarity":"negative","begin":0,"end":2,'
        '"opinion_term":"좋지","confidence":"0.90","origin":"S0","flag":null}'
    )
    assert form.dumps(driven.verdict.result) == (
        '{"id":"r1","text_hash":"ed0fa2bcd78ea620f311d002bf644628906d1c01a5bb15b04e93174de8a62a64",'
        f'"stage1":[{opinion}],"flags":[],"actions":[],"final":[{opinion}],"label":"negative","confidence":"0.7",'
        '"rationale":"The label follows from the final tuples.","applied_rules":[],'
        '"memory":{"mode":"off","retrieved_k":0,"write_enabled":false,"store_id":null,"retrieval_stage":"review_only"},'
        '"asks":1,"skipped":[]}'
    )


def test_every_step_names_a_row_of_its_table() -> None:
    known = row_texts()
    for protocol in PROTOCOLS:
        answers = SPLIT_READERS | POWERFUL | {"S0": SPLIT_READERS["P-NEG"]}
        driven = drive(protocol, TEXT, answers, book(protocol, "strict"))
        assert driven.verdict.path
        for step in driven.verdict.path:
            assert step.table == "actions" or (step.table, step.ruling.row) in known


def test_a_flow_leaves_its_inputs_alone_and_can_be_driven_again() -> None:
    first, again = (drive("cr-v2", TEXT, SPLIT_READERS | POWERFUL) for _ in range(2))
    assert first == again
    assert isinstance(first.verdict, Verdict)


def test_the_number_of_a_case_decides_nothing() -> None:
    one, other = (drive("cr-v2", Case(no, "r1", TEXT, "ko", no), SPLIT_READERS | POWERFUL) for no in (1, 999))
    assert one.verdict == other.verdict
