"""What each seat of a fitted reader brings, and how reviewers settle what readers disagree on."""

from __future__ import annotations

from dataclasses import replace

from tests.agents.fitted import learned
from withstood.agents.fitted.reading import Found, Reading
from withstood.agents.fitted.seats import seats
from withstood.claims.ballot import Review
from withstood.claims.case import Target
from withstood.claims.flag import Flag
from withstood.claims.opinion import Reading as Answer
from withstood.protocols.asks import Ask
from withstood.protocols.briefs import READERS, REVIEWERS, SINGLE, ReadingBrief, ReviewBrief, TableTuple

TEXT = "The lamp is lovely but the waiter was bad."
BRIEF = ReadingBrief(TEXT, "en", ())


def answer(role: str, brief: object, reading: Reading | None = None) -> object:
    agent = seats(reading or learned.reading(learned.english()), learned.english().short)[role]
    coroutine = agent.answer(Ask(role, brief, Answer), None)  # pyright: ignore[reportArgumentType]
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    raise AssertionError("a program waits for nothing")


def terms(found: object) -> list[tuple[str, str]]:
    assert isinstance(found, Answer)
    return [(triplet.aspect_term, triplet.polarity) for triplet in found.triplets]


def test_readers_with_a_place_bring_terms_and_the_other_brings_categories() -> None:
    stated = [("lamp", "positive"), ("waiter", "negative")]
    assert terms(answer("P-LIT", BRIEF)) == stated
    assert terms(answer("P-NEG", BRIEF)) == stated
    assert terms(answer("P-IMP", BRIEF)) == []
    assert terms(answer(SINGLE, BRIEF)) == stated


def test_given_targets_are_told_of_by_those_whom_they_concern() -> None:
    given = (Target("", "place#room"), Target("lamp", "", 4, 8))
    brief = replace(BRIEF, given=given)
    assert [term for term, _ in terms(answer("P-LIT", brief))] == ["lamp"]
    assert [term for term, _ in terms(answer("P-IMP", brief))] == [""]
    assert len(terms(answer(SINGLE, brief))) == 2


def test_triplets_quote_the_text() -> None:
    found = answer("P-LIT", BRIEF)
    assert isinstance(found, Answer)
    for triplet in found.triplets:
        assert triplet.span is not None
        assert TEXT[triplet.span.start : triplet.span.end] == triplet.aspect_term
        assert triplet.evidence in TEXT if triplet.evidence else False
        assert triplet.opinion_term in TEXT if triplet.opinion_term else False
        assert 0 <= triplet.confidence <= 1


def test_every_name_has_the_hash_of_the_model() -> None:
    named = {role: agent.name for role, agent in seats(learned.reading(learned.english()), "abc").items()}
    assert set(named) == {*READERS, SINGLE, *REVIEWERS}
    assert len(set(named.values())) == len(named)
    assert all(name.startswith("fitted:") and name.endswith(":abc") for name in named.values())


# --- reviewers ---------------------------------------------------------------------------------

LAMP, ROOM = Target("lamp", "", 4, 8), Target("", "place#room")


class Undecided(Reading):
    """Says positive by the text as a whole and negative by the clause; a little more negative by both."""

    def __init__(self) -> None:
        pass

    def judge(self, text: str, language: str, targets: tuple[Target, ...]) -> tuple[Found, ...]:
        praise, blame = {"positive": 0.6, "negative": 0.4}, {"positive": 0.3, "negative": 0.7}
        return tuple(Found(one, praise, blame, {"positive": 0.45, "negative": 0.55}, None, None) for one in targets)


def item(no: int, target: Target, polarity: str) -> TableTuple:
    place = (target.begin, target.end) if target.aspect_term else (0, 0)
    return TableTuple(
        f"t{no}", target.aspect_term, target.aspect_ref, polarity, None, None, None, *place, "0.5", "P-LIT"
    )


def actions(role: str, *items: TableTuple, flagged: tuple[str, ...] = ("t0", "t1")) -> list[tuple[str, str, str]]:
    flag = Flag("term_polarity_mismatch", "", "lamp", flagged)
    found = answer(role, ReviewBrief(TEXT, "en", items, (flag,)), Undecided())
    assert isinstance(found, Review)
    return [(one.target_tuple_ids[0], one.action_type, one.reason_code) for one in found.review_actions]


def test_each_reviewer_keeps_what_its_own_way_of_looking_says() -> None:
    table = (item(0, LAMP, "positive"), item(1, LAMP, "negative"))
    kept = {"A": "t1", "B": "t0", "C": "t1"}
    for role, tuple_id in kept.items():
        found = actions(role, *table)
        assert [one[0] for one in found if one[1] == "KEEP"] == [tuple_id]
        assert [one[1:] for one in found if one[0] != tuple_id] == [("DROP", "WEAK_EVIDENCE")]


def test_a_tuple_that_nothing_stands_against_is_kept() -> None:
    assert actions("A", item(0, LAMP, "positive"), item(1, ROOM, "negative")) == [
        ("t0", "KEEP", ""),
        ("t1", "KEEP", ""),
    ]
    assert actions("A", item(0, LAMP, "odd"), flagged=("t0",)) == [("t0", "KEEP", "")]


def test_a_category_without_a_term_is_weakly_inferred() -> None:
    found = actions("A", item(0, ROOM, "positive"), item(1, ROOM, "negative"))
    assert ("t0", "DROP", "WEAK_INFERENCE") in found


def test_only_what_is_flagged_is_acted_on() -> None:
    table = (item(0, LAMP, "positive"), item(1, LAMP, "negative"))
    assert [one[0] for one in actions("C", *table, flagged=("t1",))] == ["t1"]
