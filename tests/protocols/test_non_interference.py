"""What no answer can do: prose decides nothing, a hostile reviewer stays in its place, silence never counts."""

from __future__ import annotations

import itertools
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from tests.protocols.answers import IDS, TEXTS, Cast, casts, dressed, prose
from tests.protocols.drive import PROTOCOLS, Driven, book, drive
from withstood import form
from withstood.claims.ballot import Action, Review, ReviewAction
from withstood.claims.opinion import Reading
from withstood.protocols.asks import Silent
from withstood.protocols.briefs import READERS, REVIEWERS, ReviewBrief
from withstood.rules.rulebook import Rulebook

texts = st.sampled_from(TEXTS)
protocols = st.sampled_from(PROTOCOLS)
reviewed = st.sampled_from(["cr-v1", "cr-v2"])
presets = st.sampled_from(["published", "strict"])


def _books(protocol: str, preset: str) -> list[Rulebook]:
    """As it is, and with every switch that lets more in."""
    open_wide = {"review__scope": "any", "review__when": "always", "conflicts__semantic": "on"}
    return [book(protocol, preset), book(protocol, preset, **open_wide)]


def _ruled(driven: Driven) -> bytes:
    """All that was decided: opinion words and their places are quotations, and why a seat is silent is prose."""
    quoted = {"opinion_term", "begin", "end"}
    told = driven.result
    for stage in ("stage1", "final"):
        told[stage] = [{name: part for name, part in one.items() if name not in quoted} for one in told[stage]]
    told["skipped"] = [seat["role"] for seat in told["skipped"]]
    rows = [(step.table, step.item, step.ruling.outcome, step.ruling.row) for step in driven.verdict.path]
    return form.dumps([told, [row for row in rows if row[0] != "actions"]]).encode()


# --- prose decides nothing ---------------------------------------------------------------------


@given(protocol=protocols, preset=presets, cast=casts, text=texts, data=st.data())
def test_answers_that_differ_in_prose_alone_are_ruled_the_same(
    protocol: str, preset: str, cast: Cast, text: str, data: st.DataObject
) -> None:
    one, other = (data.draw(dressed(cast, text)) for _ in range(2))
    for rules in _books(protocol, preset):
        assert _ruled(drive(protocol, text, one, rules)) == _ruled(drive(protocol, text, other, rules))


@given(protocol=protocols, cast=casts, text=texts, data=st.data())
def test_a_rationale_is_seen_by_nobody(protocol: str, cast: Cast, text: str, data: st.DataObject) -> None:
    """Nothing of it stands in a brief, a result or a path: everything else is equal to the byte."""
    told = data.draw(dressed(cast, text))
    again = told | {role: _without_rationale(told[role]) for role in (*READERS, "S0")}
    assert drive(protocol, text, told) == drive(protocol, text, again)


def _without_rationale(answer: Any) -> Any:
    if isinstance(answer, Silent):
        return answer
    triplets = form.write(answer)["triplets"]
    return form.read(Reading, {"triplets": [one | {"rationale": None} for one in triplets]})


# --- a hostile reviewer ------------------------------------------------------------------------

hostile_values = st.dictionaries(
    st.sampled_from(["polarity", "aspect_ref", "aspect_term", "tuple_id", "confidence", "flag"]),
    prose | st.none() | st.integers() | st.lists(prose, max_size=2),
    max_size=4,
)


def hostile(codes: st.SearchStrategy[str]) -> st.SearchStrategy[Review]:
    """The worst that the schema of a review allows."""
    ids = st.lists(st.sampled_from([*IDS, "t99", "", "*", "t0,t1", "T0"]) | prose, max_size=6).map(tuple)
    actions = st.builds(ReviewAction, st.sampled_from(Action), ids, st.none() | hostile_values, codes)
    return st.builds(Review, st.lists(actions, max_size=12).map(tuple))


any_code = st.sampled_from(["", "NEGATION_SCOPE", "CONTRAST_CLAUSE", "WEAK_EVIDENCE", "REDUNDANT_UPPER_REF"]) | prose
sweep = tuple(ReviewAction(kind, IDS, {"polarity": "x"}, code) for kind, code in [(Action.DROP, ""), (Action.FLIP, "")])


@given(protocol=reviewed, preset=presets, cast=casts, text=texts, data=st.data())
def test_no_review_touches_what_is_not_flagged(
    protocol: str, preset: str, cast: Cast, text: str, data: st.DataObject
) -> None:
    """Not even all three at once; and none makes a tuple or changes more of one than its polarity and its mark."""
    attack = {role: data.draw(hostile(any_code) | st.just(Review(sweep))) for role in REVIEWERS}
    rules = book(protocol, preset, review__when="always")
    result = drive(protocol, text, data.draw(dressed(cast, text)) | attack, rules).result
    flagged = {name for flag in result["flags"] for name in flag["tuple_ids"]}
    before = {one["tuple_id"]: one for one in result["stage1"]}
    assert [one["tuple_id"] for one in result["final"]] == [
        name for name in before if name in {one["tuple_id"] for one in result["final"]}
    ]
    for name in before.keys() - flagged:
        assert before[name] in result["final"]
    for one in result["final"]:
        assert {part for part in one if one[part] != before[one["tuple_id"]][part]} <= {"polarity", "flag"}


@given(protocol=reviewed, preset=presets, seat=st.sampled_from(REVIEWERS), cast=casts, text=texts, data=st.data())
def test_one_hostile_reviewer_among_two_that_keep_removes_and_turns_nothing(
    protocol: str, preset: str, seat: str, cast: Cast, text: str, data: st.DataObject
) -> None:
    answers = data.draw(dressed(cast, text)) | dict.fromkeys(REVIEWERS, Review())
    answers[seat] = data.draw(hostile(any_code))
    for rules in _books(protocol, preset):
        result = drive(protocol, text, answers, rules).result
        assert {one["action"] for one in result["actions"]} <= {"KEEP", "FLAG"}
        assert [one["polarity"] for one in result["final"]] == [one["polarity"] for one in result["stage1"]]


@given(protocol=reviewed, attack=hostile(any_code), data=st.data())
def test_under_strict_a_self_declared_code_beats_nobody(protocol: str, attack: Review, data: st.DataObject) -> None:
    """A text without a marker and evidence that stands there: no split is decided by a code."""
    text = TEXTS[1]
    told = {"aspect_ref": "본품#품질", "evidence": "화면이 좋아요"}
    triplets = [told | {"polarity": polarity} for polarity in ("positive", "negative", "neutral")]
    answers: dict[str, Any] = {"P-NEG": form.read(Reading, {"triplets": triplets})}
    answers |= {"A": attack, "B": data.draw(hostile(any_code)), "C": data.draw(hostile(any_code))}
    rows = {one["row"] for one in drive(protocol, text, answers, book(protocol, "strict")).result["actions"]}
    assert rows <= ({"1", "2", "3b"} if protocol == "cr-v1" else {"1", "2", "3c"})


# --- silence -----------------------------------------------------------------------------------

wishes = st.dictionaries(
    st.tuples(st.sampled_from(READERS), st.integers(0, 2)),
    st.tuples(st.sampled_from(Action), any_code),
    max_size=9,
)


def _reviewer(wish: dict[tuple[str, int], tuple[Action, str]]) -> Any:
    """A reviewer that wants one thing of a reader's n-th tuple, whatever its id is."""

    def review(brief: ReviewBrief) -> Review:
        counts: dict[str, int] = dict.fromkeys(READERS, 0)
        actions: list[ReviewAction] = []
        for one in brief.candidates:
            place = (one.origin, counts[one.origin])
            counts[one.origin] += 1
            if place in wish:
                kind, code = wish[place]
                actions.append(ReviewAction(kind, (one.tuple_id,), {"polarity": "turned"}, code))
        return Review(tuple(actions))

    return review


def _fates(driven: Driven) -> dict[tuple[str, int], str]:
    """A reader's n-th tuple, and what became of it."""
    counts: dict[str, int] = dict.fromkeys(READERS, 0)
    fates: dict[tuple[str, int], str] = {}
    for one, acted in zip(driven.result["stage1"], driven.result["actions"], strict=True):
        fates[one["origin"], counts[one["origin"]]] = acted["action"]
        counts[one["origin"]] += 1
    return fates


@given(
    protocol=reviewed, preset=presets, cast=casts, text=texts, votes=st.tuples(wishes, wishes, wishes), data=st.data()
)
def test_taking_answers_away_removes_nothing_that_two_do_not_want_removed(
    protocol: str, preset: str, cast: Cast, text: str, votes: tuple[Any, ...], data: st.DataObject
) -> None:
    answers = data.draw(dressed(cast, text)) | {
        role: _reviewer(wish) for role, wish in zip(REVIEWERS, votes, strict=True)
    }
    assume(any(isinstance(answers[role], Reading) for role in READERS))
    away = data.draw(st.sets(st.sampled_from([*READERS, *REVIEWERS]), min_size=1))
    before = _fates(drive(protocol, text, answers, book(protocol, preset)))
    fewer = {role: answer for role, answer in answers.items() if role not in away}
    for place, action in _fates(drive(protocol, text, fewer, book(protocol, preset))).items():
        if action in ("DROP", "FLIP") and before[place] in ("KEEP", "FLAG"):
            present = [wish for role, wish in zip(REVIEWERS, votes, strict=True) if role not in away]
            assert sum(wish.get(place, ("", ""))[0] == action for wish in present) >= 2


@given(protocol=reviewed, cast=casts, text=texts, data=st.data())
def test_with_fewer_than_two_reviewers_everything_stays(
    protocol: str, cast: Cast, text: str, data: st.DataObject
) -> None:
    told = data.draw(dressed(cast, text))
    for alone in ((), *itertools.combinations(REVIEWERS, 1)):
        answers = {role: answer for role, answer in told.items() if role not in REVIEWERS or role in alone}
        result = drive(protocol, text, answers, book(protocol)).result
        assert [one["tuple_id"] for one in result["final"]] == [one["tuple_id"] for one in result["stage1"]]
        flagged = {name for flag in result["flags"] for name in flag["tuple_ids"]}
        for one in result["final"]:
            assert one["flag"] == ("REVIEW_INCOMPLETE" if one["tuple_id"] in flagged else None)
