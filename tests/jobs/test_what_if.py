"""What would have flipped a ruling: what is told is what trying everything finds, in every protocol."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.jobs.recording import header, kind, recorded
from tests.protocols import drive, inquest, researching
from withstood.claims.ballot import Action, Review, ReviewAction
from withstood.claims.case import Case
from withstood.claims.inquiry import Inquiry
from withstood.claims.research import Session
from withstood.jobs import what_if
from withstood.jobs.kinds import Kind
from withstood.jobs.recorded import Recorded
from withstood.jobs.what_if import Bench, Question
from withstood.protocols import research, sentiment
from withstood.protocols.asks import Ask, Silent
from withstood.protocols.investigation import investigate
from withstood.protocols.levers import Lever
from withstood.report import what_if as told
from withstood.rules.rulebook import PRESETS

BOOK = drive.book("cr-v2")
SENTIMENT = kind(
    Case, lambda case, book: sentiment.flow("cr-v2", case, book, drive.AGREED), lambda result: result["label"]
)
INVESTIGATION = kind(Inquiry, lambda case, book: investigate(case, book, inquest.AGREED), lambda result: _tags(result))
RESEARCH = kind(Session, research.flow, lambda result: result["conclusion"])


def _tags(result: Any) -> str:
    return ", ".join(sorted(one["tag"] for one in result["report"]["findings"])) or "nothing"


def everything(bench: Bench, chosen: Sequence[Lever]) -> set[frozenset[tuple[int, int]]]:
    """The minimal flipping sets, by brute force."""
    all_of = product(*[(None, *range(len(lever.options))) for lever in chosen])
    picks = [tuple([(place, one) for place, one in enumerate(some) if one is not None]) for some in all_of]
    flipping = [frozenset(one) for one in picks if one and bench.flips(bench.supposed(chosen, one))]
    return {one for one in flipping if not any(other < one for other in flipping)}


def by_name(chosen: Sequence[Lever], found: told.Search) -> set[frozenset[tuple[int, int]]]:
    places = {
        (lever.name, option.told): (place, no)
        for place, lever in enumerate(chosen)
        for no, option in enumerate(lever.options)
    }
    return {frozenset(places[one.name, one.now] for one in flip.changes) for flip in found.flips}


def agrees(of: Kind, job: str, case: Recorded, book: Any, on: str | None = None) -> told.Search:
    """Equal to brute force where there are at most twelve things to strike."""
    bench = Bench(of, header(job, book), case, on)
    chosen = what_if.struck(bench.levers)
    found = what_if.search(bench, chosen, what_if.MOST_TRIES)
    assert len(chosen) <= 12
    assert found.exact
    assert by_name(chosen, found) == everything(bench, chosen)
    return found


# --- sentiment ---------------------------------------------------------------------------------

ACTIONS = st.one_of(
    st.none(),
    st.builds(
        lambda action, target, reason: ReviewAction(action, (target,), {"polarity": "neutral"}, reason),
        st.sampled_from([Action.KEEP, Action.DROP, Action.FLIP, Action.FLAG]),
        st.sampled_from(["t0", "t1", "t2"]),
        st.sampled_from(["", "NEGATION_SCOPE", "WEAK_EVIDENCE"]),
    ),
)
REVIEWS = st.lists(ACTIONS, max_size=4).map(lambda found: Review(tuple([one for one in found if one is not None])))
POLARITIES = st.sampled_from(["positive", "negative", "neutral"])


def review_of(polarities: Sequence[str], reviews: Sequence[Any]) -> Recorded:
    readers = ("P-NEG", "P-IMP", "P-LIT")
    told_by = {
        role: drive.reading(("본품#품질", "품질", one)) for role, one in zip(readers, polarities, strict=True)
    } | dict(zip("ABC", reviews, strict=True))
    case = drive.case("품질은 별로예요")
    return recorded(sentiment.flow("cr-v2", case, BOOK, drive.AGREED), case, lambda ask: told_by[ask.role])


@settings(max_examples=25, deadline=None)
@given(
    st.lists(POLARITIES, min_size=3, max_size=3),
    st.lists(st.one_of(REVIEWS, st.just(Silent("away"))), min_size=3, max_size=3),
    st.sampled_from([None, "t0", "t1"]),
)
def test_a_review_equals_brute_force(polarities: list[str], reviews: list[Any], on: str | None) -> None:
    agrees(SENTIMENT, "sentiment", review_of(polarities, reviews), BOOK, on)


def test_turned_votes_equal_brute_force_too() -> None:
    drop = Review((ReviewAction(Action.DROP, ("t0",)),))
    case = review_of(("negative", "negative", "positive"), (drop, drop, Review()))
    known = header("sentiment", BOOK)
    bench = Bench(SENTIMENT, known, case)
    chosen = [lever for lever in bench.levers if lever.name.endswith("t0")]
    found = what_if.search(bench, chosen, 10_000)
    assert found.exact
    assert by_name(chosen, found) == everything(bench, chosen)


def test_one_vote_less_makes_it_fragile_and_says_what_to_check() -> None:
    drop = Review((ReviewAction(Action.DROP, ("t0",)),))
    case = review_of(("negative", "positive", "positive"), (drop, drop, Review()))
    found = what_if.of_case(SENTIMENT, header("sentiment", BOOK), case, Question(settings=False, most=100))
    assert (found.outcome, found.fragile) == ("positive", True)
    assert {one.changes[0].name for one in found.struck.flips} == {"A on t0", "B on t0"}
    assert set(found.check_next()) == {"A on t0", "B on t0"}
    assert "A on t0: DROP → no action  →  mixed" in told.text(found)
    singly = what_if.singly(SENTIMENT, header("sentiment", BOOK), case, Question(settings=False))
    assert singly.fragile


def test_a_setting_that_flips_it_is_named() -> None:
    tie = [Review((ReviewAction(one, ("t0",), None, "WEAK_EVIDENCE"),)) for one in (Action.FLIP, Action.DROP)]
    case = review_of(("negative", "positive", "positive"), (*tie, Review()))
    found = what_if.of_case(SENTIMENT, header("sentiment", BOOK), case, Question())
    assert ("arbiter.edition", "v2", "v1", "mixed") in [
        (one.setting, one.was, one.now, one.outcome) for one in found.settings
    ]


# --- investigation -----------------------------------------------------------------------------


def inquiry_of(answers: dict[str, Any]) -> Recorded:
    matter = inquest.matter()
    flow = investigate(matter, PRESETS["published"], inquest.AGREED)
    return recorded(flow, matter, lambda ask: inquest.answer(ask, answers))


def test_an_investigation_equals_brute_force() -> None:
    one = inquest.finding("no guard", "missing-guard", inquest.cite("pay.py:10"), inquest.cite("app.log:4"))
    other = inquest.finding("no guard at all", "missing-guard", inquest.cite("pay.py:10"), inquest.cite("shop.py:3"))
    against = inquest.finding("slow disk", "slow-disk", inquest.cite("disk.log:9"), direction="add-disk")
    case = inquiry_of(
        {
            "CODE-CALLCHAIN-R1": inquest.report(one),
            "LOG-STACKTRACE-R1": inquest.report(other),
            "HIST-RECENT-R1": inquest.report(against),
        }
    )
    found = agrees(INVESTIGATION, "investigation", case, PRESETS["published"])
    assert any(change.sort == "evidence" for flip in found.flips for change in flip.changes), found


def test_numbers_are_changed_to_the_nearest_that_flips() -> None:
    one = inquest.finding("no guard", "missing-guard", inquest.cite("pay.py:10"), inquest.cite("app.log:4"))
    against = inquest.finding("guard is there", "missing-guard", inquest.cite("pay.py:11"), direction="remove-guard")
    case = inquiry_of({"CODE-CALLCHAIN-R1": inquest.report(one), "LOG-STACKTRACE-R1": inquest.report(against)})
    known = header("investigation", PRESETS["published"])
    found = what_if.of_case(INVESTIGATION, known, case, Question())
    for flip in found.settings:
        book = PRESETS["published"].adjusted({flip.setting: flip.now})
        assert Bench(INVESTIGATION, known, case).under(book) == flip.outcome != found.outcome


# --- research ----------------------------------------------------------------------------------


def test_a_research_equals_brute_force() -> None:
    told_by = {
        ("EXPLORE", 1): researching.exploration(
            observations=[researching.observed(1), researching.observed(2)],
            type_a_hypotheses=[researching.claimed(1)],
            edges=[researching.edge("obs_1", "SUPPORTS", "hyp_A1"), researching.edge("obs_2", "SUPPORTS", "hyp_A1")],
        )
    }
    session = Session(1, "s1", "Is it better?", "en", researching.Graph(), 3)
    answers: Any = {**researching.QUIET, **told_by}

    def answer(ask: Ask[Any]) -> Any:
        found = answers.get((ask.role, ask.round), answers.get(ask.role, Silent("not told")))
        return found(ask.brief) if callable(found) else found

    case = recorded(research.flow(session, PRESETS["published"]), session, answer)
    known = header("research", PRESETS["published"])
    bench = Bench(RESEARCH, known, case)
    chosen = [lever for lever in what_if.struck(bench.levers) if lever.sort == "evidence"]
    assert 2 <= len(chosen) <= 12
    assert by_name(chosen, what_if.search(bench, chosen, 5000)) == everything(bench, chosen)


@pytest.mark.parametrize("most", [1, 5])
def test_a_large_case_says_how_far_it_was_searched(most: int) -> None:
    drop = Review((ReviewAction(Action.DROP, ("t0", "t1", "t2")),))
    case = review_of(("negative", "positive", "positive"), (drop, drop, drop))
    found = what_if.of_case(SENTIMENT, header("sentiment", BOOK), case, Question(most=most, settings=False))
    assert not found.struck.exact
    assert f"{most} sets were tried: complete for sets of up to 0 changes" in told.text(found)
    bound = found.struck.bound
    assert bound is None or bound.outcome != found.outcome
