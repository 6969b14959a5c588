"""The judgement that weighs investigators, by its laws."""

from __future__ import annotations

from decimal import Decimal
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withstood.claims.finding import GRADES, Grade
from withstood.errors import Misfit
from withstood.rules import judgement_1, judgement_w1
from withstood.rules.judgements import Input, Numbers, Piece, Side
from withstood.rules.rulebook import Rulebook

VOICES = ("CODE-CALLCHAIN", "LOG-PATTERN", "HIST-BLAME", "CR-AGREED")
STANDINGS: tuple[Any, ...] = ("AGREED", "DISAGREED", "UNCERTAIN", "NEEDS_MORE")

pieces = st.builds(
    Piece,
    st.just("code"),
    st.sampled_from(["a.py:1", "b.py:2", "c.py:3", "d.py:4"]),
    st.sampled_from(GRADES),
    st.booleans(),
    st.sampled_from([None, "o1", "o2"]),
    st.sampled_from(VOICES),
)
sides = st.lists(st.lists(pieces, max_size=5).map(tuple), max_size=3).map(
    lambda found: tuple([Side(f"S{no}", of_it) for no, of_it in enumerate(found)])
)
cases = st.builds(
    Input,
    st.sampled_from(STANDINGS),
    st.sampled_from([None, "UPHELD", "WEAKENED", "REFUTED"]),
    st.lists(st.sampled_from([f"{voice}-R1" for voice in VOICES]), max_size=4).map(tuple),
    sides,
)


def weighing(stated: str) -> Numbers:
    return Numbers(edition="w1", reliability=stated)


def side(name: str, by: str, *grades: Grade) -> Side:
    return Side(
        name, tuple([Piece("code", f"{name}{no}.py:1", grade, True, None, by) for no, grade in enumerate(grades)])
    )


@given(cases, st.sampled_from(["", "CODE:0.8;LOG:0.8;HIST:0.8;CR:0.8", "CODE:0.6"]))
def test_where_all_are_equally_reliable_it_is_the_first_edition(case: Input, stated: str) -> None:
    assert judgement_w1.judge(case, weighing(stated)) == judgement_1.judge(case, Numbers())


def test_one_reliable_witness_outweighs_two_poor_ones() -> None:
    good, poor = side("good", "CODE-CALLCHAIN", "STRONG", "STRONG"), side("poor", "LOG-PATTERN", "STRONG", "STRONG")
    case = Input("DISAGREED", None, (), (good, poor))
    assert judgement_1.judge(case, Numbers()).row == "7"
    found = judgement_w1.judge(case, weighing("CODE-CALLCHAIN:0.95;LOG:0.6"))
    assert (found.adopted, found.minority, found.row) == ("good", "poor", "6")
    assert found.mass == {"good": 6, "poor": Decimal("0.828")}
    assert judgement_w1.judge(case, weighing("CODE-CALLCHAIN:0.6;LOG:0.95")).adopted == "poor"


def test_a_voice_goes_before_its_type_and_others_have_the_least() -> None:
    known = judgement_w1.shares("LOG:0.7;LOG-PATTERN:0.9")
    assert known.of("LOG-PATTERN-R1") == 1
    assert known.of("LOG-TIMELINE-R1") == known.of("HIST-BLAME") == Decimal("0.386")


@pytest.mark.parametrize("chance", ["0.5", "0.2", "0"])
def test_who_is_no_better_than_a_coin_weighs_and_corroborates_nothing(chance: str) -> None:
    numbers = weighing(f"CODE:0.9;LOG:{chance}")
    both = ("CODE-CALLCHAIN-R1", "LOG-PATTERN-R1")
    strong = (side("I1", "CODE-CALLCHAIN", "STRONG", "STRONG"),)
    assert judgement_1.judge(Input("AGREED", None, both, strong), numbers).row == "5"
    assert judgement_w1.judge(Input("AGREED", None, both, strong), numbers).caveat == "ONE_INVESTIGATOR"
    weak = Input("DISAGREED", None, (), (side("I1", "LOG-PATTERN", "STRONG"),))
    assert judgement_w1.judge(weak, numbers).mass == {"I1": 0}


@given(cases, st.permutations(VOICES), st.tuples(*[st.sampled_from(["0.55", "0.7", "0.9"])] * 4))
def test_raising_all_who_stand_on_one_side_alone_never_makes_it_lose(
    case: Input, voices: list[str], stated: tuple[str, ...]
) -> None:
    def judged(told: dict[str, str]) -> str | None:
        return judgement_w1.judge(case, weighing(";".join(f"{name}:{p}" for name, p in told.items()))).adopted

    told = dict(zip(voices, stated, strict=True))
    before = judged(told)
    for one in case.sides:
        own = {piece.by for piece in one.evidence}
        others = {piece.by for other in case.sides if other is not one for piece in other.evidence}
        if before == one.name and not own & others:
            assert judged(told | dict.fromkeys(own, "0.95")) == one.name


def test_every_row_of_the_page_is_reached() -> None:
    seen: set[str] = set()
    asked = product(STANDINGS, (None, "WEAKENED", "REFUTED"), (1, 2), (1, 2))
    for standing, challenge, count, places in asked:
        for grade in GRADES:
            one = side("I1", "CODE-CALLCHAIN", *(grade,) * places)
            found = judgement_w1.judge(Input(standing, challenge, VOICES[:count], (one,)), weighing("CODE:0.9"))
            seen.add(found.row)
    assert seen == set(judgement_w1.TABLE.rows())


@pytest.mark.parametrize("stated", ["CODE", "CODE:2", "code:0.5", "CODE:0.5,LOG:0.5", "CODE-A-R1:0.5"])
def test_what_is_no_reliability_is_refused(stated: str) -> None:
    with pytest.raises(Misfit, match=r"mass\.reliability"):
        Rulebook().adjusted({"mass.reliability": stated})
