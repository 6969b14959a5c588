"""What the programmed reviewers do with flagged tuples, row by row of their tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.agents.programmed.asking import answer, flag_all, laid, reading, reviewed, votes
from tests.agents.programmed.test_readers import LANGUAGES, TEXTS
from withstood.claims.ballot import Action, Review
from withstood.claims.flag import Flag
from withstood.claims.opinion import Span, Triplet
from withstood.protocols.asks import Silent
from withstood.protocols.briefs import READERS, REVIEWERS, ReadingBrief, ReviewBrief, TableTuple

KEPT = ("KEEP", "")


def tuple_of(text: str, term: str, polarity: str, **parts: str | None) -> TableTuple:
    """A tuple as any reader may bring it, with the offsets and the check of the evidence that code adds."""
    begin = text.find(term)
    span = Span(begin, begin + len(term)) if term and begin >= 0 else None
    item = laid(0, Triplet(term, "food#quality", polarity, span=span), text)
    evidence = parts.get("evidence")
    found = evidence in text if evidence else None
    return replace(item, evidence=evidence, evidence_found=found, opinion_term=parts.get("opinion_term"))


PASTA = "I don't think the pasta is good."
TWO_SIDES = "The soup was great but the service was slow."
WAIT = "Waited an hour and nobody came."

ROWS = [
    ("nothing turns it", TWO_SIDES, tuple_of(TWO_SIDES, "soup", "positive", opinion_term="great"), {}),
    (
        "a denial from afar",
        PASTA,
        tuple_of(PASTA, "pasta", "positive", opinion_term="good", evidence=PASTA[:-1]),
        {"A": ("FLIP", "NEGATION_SCOPE"), "C": ("DROP", "WEAK_EVIDENCE")},
    ),
    ("a denial that was heard", PASTA, tuple_of(PASTA, "pasta", "negative", opinion_term="good"), {}),
    (
        "the other side of a contrast",
        TWO_SIDES,
        tuple_of(TWO_SIDES, "soup", "negative", opinion_term="great"),
        {"A": ("FLIP", "CONTRAST_CLAUSE"), "C": ("DROP", "WEAK_EVIDENCE")},
    ),
    (
        "the opposite, and nothing turns it",
        "The soup was great.",
        tuple_of("The soup was great.", "soup", "negative"),
        {"A": ("FLAG", "POLARITY_UNCERTAIN"), "C": ("DROP", "WEAK_EVIDENCE")},
    ),
    (
        "neither",
        "The soup was great.",
        tuple_of("The soup was great.", "soup", "neutral"),
        {"A": ("FLAG", "POLARITY_UNCERTAIN")},
    ),
    ("nothing known is said of it", "The soup came at six.", tuple_of("The soup came at six.", "soup", "positive"), {}),
    (
        "a term that is not there",
        TWO_SIDES,
        replace(tuple_of(TWO_SIDES, "salad", "positive"), begin=None, end=None),
        {"C": ("DROP", "WEAK_EVIDENCE")},
    ),
    (
        "evidence that is not there",
        TWO_SIDES,
        tuple_of(TWO_SIDES, "soup", "positive", evidence="the best soup in town"),
        {"C": ("DROP", "WEAK_EVIDENCE")},
    ),
    (
        "an opinion word that is not there",
        TWO_SIDES,
        tuple_of(TWO_SIDES, "soup", "positive", opinion_term="superb"),
        {"C": ("DROP", "WEAK_EVIDENCE")},
    ),
    (
        "an inference from a cue",
        WAIT,
        tuple_of(WAIT, "", "negative", evidence=WAIT[:-1], opinion_term="Waited an hour"),
        {"C": ("FLAG", "EXPLICIT_NOT_REQUIRED")},
    ),
    (
        "an inference from nothing known",
        "We came on a Tuesday.",
        tuple_of("We came on a Tuesday.", "", "negative", evidence="We came on a Tuesday"),
        {"B": ("FLAG", "WEAK_INFERENCE"), "C": ("FLAG", "EXPLICIT_NOT_REQUIRED")},
    ),
    (
        "an inference from what is not there",
        WAIT,
        tuple_of(WAIT, "", "negative", evidence="it took forever"),
        {"B": ("DROP", "WEAK_EVIDENCE"), "C": ("DROP", "WEAK_EVIDENCE")},
    ),
    (
        "an inference against what is there",
        WAIT,
        tuple_of(WAIT, "", "positive", evidence=WAIT[:-1]),
        {
            "A": ("FLAG", "POLARITY_UNCERTAIN"),
            "B": ("DROP", "WEAK_INFERENCE"),
            "C": ("FLAG", "EXPLICIT_NOT_REQUIRED"),
        },
    ),
]


@pytest.mark.parametrize(("text", "item", "said"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_each_looks_for_its_own_concern(text: str, item: TableTuple, said: dict[str, tuple[str, str]]) -> None:
    """A reviewer that the row does not name keeps the tuple. (A's contrast check has a table of its own below.)"""
    found = votes(text, item)
    if found["A"] == ("FLAG", "CONTRAST_CLAUSE"):
        found["A"] = KEPT
    assert found == {role: said.get(role, KEPT) for role in REVIEWERS}


def test_a_flip_says_what_to() -> None:
    item = ROWS[1][2]
    (action,) = reviewed("A", PASTA, (item,), flag_all((item,)))
    assert (action.action_type, action.new_value) == (Action.FLIP, {"polarity": "negative"})


@pytest.mark.parametrize(("with_other_side", "said"), [(False, ("FLAG", "CONTRAST_CLAUSE")), (True, KEPT)])
def test_both_sides_of_a_contrast_must_be_on_the_table(with_other_side: bool, said: tuple[str, str]) -> None:
    soup = tuple_of(TWO_SIDES, "soup", "positive", opinion_term="great")
    service = replace(tuple_of(TWO_SIDES, "service", "negative", opinion_term="slow"), tuple_id="t1")
    table = (soup, service) if with_other_side else (soup,)
    first = reviewed("A", TWO_SIDES, table, flag_all(table))[0]
    assert (first.action_type.value, first.reason_code) == said


def on_table(text: str, *items: tuple[str, str, str, str]) -> tuple[TableTuple, ...]:
    """Tuples of one ref, each a term, a ref, a polarity and an opinion word of the text."""
    laid_out = [(tuple_of(text, term, polarity, opinion_term=word), ref) for term, ref, polarity, word in items]
    return tuple(replace(item, aspect_ref=ref, tuple_id=f"t{no}") for no, (item, ref) in enumerate(laid_out))


FOOD, SERVICE, QUALITY = "food#quality", "service#general", "본품#품질"
GIVE_WAY = [
    (
        "a pronoun, and the noun itself is told of",
        "The service was slow, but they were friendly.",
        (("service", SERVICE, "negative", "slow"), ("service", SERVICE, "positive", "friendly")),
        ["t1"],
    ),
    (
        "what describes it, and what comes after",
        "Great bagels made the old-fashioned way.",
        (("bagels", FOOD, "positive", "Great"), ("bagels", FOOD, "negative", "old-fashioned")),
        ["t1"],
    ),
    (
        "nothing that is named, and something that is",
        "The service was prompt and never felt rushed.",
        (("service", SERVICE, "positive", "prompt"), ("", SERVICE, "negative", "rushed")),
        ["t1"],
    ),
    (
        "two nouns",
        "The bread was soft and the salad was soggy.",
        (("bread", FOOD, "positive", "soft"), ("salad", FOOD, "negative", "soggy")),
        [],
    ),
    (
        "trouble on the way to praise",
        "세척이 불편한 구형과 달리 조립이 편해요",
        (("세척", QUALITY, "negative", "불편한"), ("조립", QUALITY, "positive", "편해")),
        ["t0"],
    ),
    (
        "trouble after the praise",
        "조립이 편해요. 세척이 불편해요",
        (("조립", QUALITY, "positive", "편해"), ("세척", QUALITY, "negative", "불편해")),
        [],
    ),
]


@pytest.mark.parametrize(("text", "items", "dropped"), [row[1:] for row in GIVE_WAY], ids=[row[0] for row in GIVE_WAY])
def test_a_tuple_gives_way_to_what_counts_for_more(
    text: str, items: tuple[tuple[str, str, str, str], ...], dropped: list[str]
) -> None:
    table = on_table(text, *items)
    for role, reason in (("B", "WEAK_INFERENCE"), ("C", "WEAK_EVIDENCE")):
        actions = reviewed(role, text, table, flag_all(table))
        found = [a.target_tuple_ids[0] for a in actions if a.action_type is Action.DROP and a.reason_code == reason]
        assert found == dropped, role


def test_a_polarity_that_nothing_says_gives_way_to_one_that_is_said() -> None:
    text = "The soup was great."
    table = on_table(text, ("soup", FOOD, "neutral", ""), ("soup", FOOD, "positive", "great"))
    dropped = [a.action_type is Action.DROP for a in reviewed("B", text, table, flag_all(table))]
    assert dropped == [True, False]


KOREAN = "흡수력이 좋고 촉촉해요"


@pytest.mark.parametrize(
    ("upper_evidence", "ref", "said"),
    [
        (KOREAN, "제품 전체#품질", ("DROP", "REDUNDANT_UPPER_REF")),
        ("촉촉해요", "제품 전체#품질", ("FLAG", "REDUNDANT_REF_UNCERTAIN")),
        (None, "제품 전체#품질", ("FLAG", "REDUNDANT_REF_UNCERTAIN")),
        (KOREAN, "브랜드#품질", KEPT),
    ],
)
def test_an_upper_ref_beside_a_lower_one(upper_evidence: str | None, ref: str, said: tuple[str, str]) -> None:
    lower = replace(tuple_of(KOREAN, "흡수력", "positive", opinion_term="좋", evidence=KOREAN), aspect_ref="본품#품질")
    upper = tuple_of(KOREAN, "", "positive", opinion_term="촉촉", evidence=upper_evidence)
    table = (lower, replace(upper, tuple_id="t1", aspect_ref=ref))
    actions = reviewed("C", KOREAN, table, flag_all(table, "granularity_overlap_candidate"))
    assert [(action.action_type.value, action.reason_code) for action in actions] == [KEPT, said]


@given(TEXTS, LANGUAGES, st.data())
def test_every_flagged_tuple_gets_one_action_and_no_other_does(text: str, language: str, data: st.DataObject) -> None:
    found = [triplet for role in READERS for triplet in reading(role, text, language)]
    turned = data.draw(st.lists(st.sampled_from(["positive", "negative", "mixed", ""]), max_size=len(found)))
    found = [replace(t, polarity=p) for t, p in zip(found, turned, strict=False)] + found[len(turned) :]
    table = tuple(laid(number, triplet, text) for number, triplet in enumerate(found))
    named = data.draw(st.lists(st.sampled_from([item.tuple_id for item in table] or ["t9"]), unique=True))
    flags = (Flag(data.draw(KINDS), "", "", (*named, "t404")),)
    for role in REVIEWERS:
        review = answer(role, ReviewBrief(text, language, table, flags), Review)
        assert isinstance(review, Review)
        targets = [tuple_id for action in review.review_actions for tuple_id in action.target_tuple_ids]
        assert targets == [item.tuple_id for item in table if item.tuple_id in named]
        assert all((a.action_type is Action.FLIP) == (a.new_value is not None) for a in review.review_actions)
        assert not review.refused


KINDS = st.sampled_from(["ref_polarity_mismatch", "granularity_overlap_candidate", "term_polarity_mismatch"])


@given(TEXTS, LANGUAGES)
def test_what_the_scope_reader_brings_is_not_turned(text: str, language: str) -> None:
    """The reader and the reviewer of the same concern look at the same clause: they may not disagree."""
    table = tuple(laid(number, triplet, text) for number, triplet in enumerate(reading("P-NEG", text, language)))
    review = answer("A", ReviewBrief(text, language, table, flag_all(table)), Review)
    assert isinstance(review, Review)
    assert Action.FLIP not in {action.action_type for action in review.review_actions}


@pytest.mark.parametrize("role", REVIEWERS)
def test_a_language_without_a_reader_is_met_with_silence(role: str) -> None:
    assert isinstance(answer(role, ReviewBrief("Sehr gut", "other", (), ()), Review), Silent)


@pytest.mark.parametrize("role", REVIEWERS)
def test_a_brief_for_another_seat_is_met_with_silence(role: str) -> None:
    found = answer(role, ReadingBrief("Great soup", "en", ()), Review)
    assert isinstance(found, Silent)
    assert "wanted a ReviewBrief" in found.why and "ReadingBrief" in found.why


def test_tuples_without_a_flag_are_left_alone() -> None:
    item = tuple_of(PASTA, "pasta", "positive", opinion_term="good")
    quiet: Callable[[str], bool] = lambda role: reviewed(role, PASTA, (item,), ()) == ()  # noqa: E731
    assert all(map(quiet, REVIEWERS))
