"""The tables of an investigation: over all inputs where they are finite, by their laws where they are not."""

from __future__ import annotations

import itertools
from decimal import Decimal
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withstood.claims import iid
from withstood.claims.finding import GRADES, Grade
from withstood.claims.inspection import Seen
from withstood.errors import Misfit
from withstood.rules import (
    casting,
    citation,
    classification,
    grouping,
    judgement_1,
    judgements,
    ranking,
    revision,
)
from withstood.rules.classification import Group, Member
from withstood.rules.grouping import Place, Stated
from withstood.rules.judgements import Piece, Side

STANDINGS: tuple[Any, ...] = ("AGREED", "DISAGREED", "UNCERTAIN", "NEEDS_MORE")
VOICES = ("CODE-CALLCHAIN-R1", "CODE-CALLCHAIN-R3-DEEP", "LOG-PATTERN-R1", "HIST-BLAME-R1", "CR-AGREED-R3")

members = st.builds(Member, st.sampled_from(VOICES), st.sampled_from(GRADES), st.booleans())
groups = st.builds(
    Group,
    st.just("G"),
    st.lists(members, max_size=4).map(tuple),
    st.lists(members, max_size=2).map(tuple),
    st.sampled_from(["HIGH", "MEDIUM", "LOW"]),
).filter(lambda one: bool(one.opponents or classification.supporting(one)))
dockets = st.lists(groups, max_size=4).map(
    lambda found: [Group(f"G{no}", one.supporters, one.opponents, one.confidence) for no, one in enumerate(found)]
)


# --- classification ----------------------------------------------------------------------------


def _as_published(group: Group) -> str:
    supporters = {iid.voice(one.iid) for one in group.supporters if not one.iid.startswith("CR-")}
    grades = [one.grade for one in group.supporters if not one.iid.startswith("CR-")]
    if len(supporters) >= 2 and not group.opponents:
        return "AGREED"
    if group.opponents:
        return "DISAGREED"
    return "UNCERTAIN" if set(grades) & {"MODERATE", "STRONG"} else "NEEDS_MORE"


@given(dockets)
def test_groups_stand_as_the_seed_says(docket: list[Group]) -> None:
    found = classification.classify(docket).groups[: len(docket)]
    assert [one.standing for one in found] == [_as_published(group) for group in docket]
    rows = {"AGREED": {"1"}, "DISAGREED": {"2"}, "UNCERTAIN": {"3"}, "NEEDS_MORE": {"4"}}
    assert all(one.row in rows[one.standing] for one in found)


@given(dockets, st.randoms(use_true_random=False))
def test_order_and_copies_change_no_standing(docket: list[Group], random: Any) -> None:
    def mixed(found: tuple[Member, ...]) -> tuple[Member, ...]:
        again = [*found, *found]
        random.shuffle(again)
        return tuple(again)

    other = [Group(one.id, mixed(one.supporters), mixed(one.opponents), one.confidence) for one in docket]
    one, two = classification.classify(docket), classification.classify(other)
    assert one.groups[: len(docket)] == two.groups[: len(docket)]
    assert one.round3 == two.round3


@given(dockets)
def test_whoever_asked_for_more_gets_a_group_or_an_item(docket: list[Group]) -> None:
    found = classification.classify(docket).groups
    extra = [one.id.removeprefix("more:") for one in found[len(docket) :]]
    served = [
        {iid.voice(member.iid) for member in (*group.supporters, *group.opponents)}
        for group, one in zip(docket, found, strict=False)
        if one.standing == "NEEDS_MORE"
    ]
    asked = {
        iid.voice(member.iid)
        for group in docket
        for member in (*group.supporters, *group.opponents)
        if member.needs_further and not member.iid.startswith("CR-")
    }
    assert sorted(map(iid.voice, extra)) == sorted(asked - set().union(*served))
    assert all(one.standing == "NEEDS_MORE" for one in found[len(docket) :])


@pytest.mark.parametrize(
    ("docket", "run", "row"),
    [
        ([], False, "r0"),
        ([Group("a", (Member("A-X-R1", "STRONG"), Member("B-X-R1")))], False, "r4"),
        ([Group("a", (Member("A-X-R1"), Member("B-X-R1")))], True, "r5"),
        ([Group("a", (Member("A-X-R1", "STRONG"),))], True, "r5"),
        ([Group("a", (Member("A-X-R1", "STRONG"),), (), "HIGH")], True, "r2"),
        ([Group("a", (Member("A-X-R1"),))], True, "r3"),
        ([Group("a", (), (Member("CR-AGREED-R3", "STRONG"),))], True, "r1"),
        ([Group("a", (Member("A-X-R1", "STRONG", True), Member("B-X-R1", "STRONG")))], True, "r3"),
    ],
)
def test_whether_round_3_is_run(docket: list[Group], run: bool, row: str) -> None:
    assert classification.classify(docket).round3 == classification.Round(run, row)


def test_a_group_with_nobody_is_refused() -> None:
    for nobody in (Group("a"), Group("a", (Member("CR-AGREED-R3", "STRONG"),))):
        with pytest.raises(Misfit, match="nobody"):
            classification.classify([nobody])


def test_more_items_come_in_order_of_first_appearance() -> None:
    docket = [
        Group("a", (Member("B-X-R1", "STRONG"),), (Member("C-X-R1"),)),
        Group("b", (Member("A-X-R1", "STRONG", True), Member("C-X-R1", "WEAK", True), Member("B-X-R1", "WEAK", True))),
    ]
    found = classification.classify(docket).groups
    assert [one.id for one in found[2:]] == ["more:B-X-R1", "more:C-X-R1", "more:A-X-R1"]


# --- revision ----------------------------------------------------------------------------------


def test_revision_over_all_inputs() -> None:
    maybe = (None, False, True)
    challenges: tuple[Any, ...] = (None, "UPHELD", "WEAKENED", "REFUTED")
    for standing, challenge, checked, resolved, crossed, new in itertools.product(
        STANDINGS, challenges, (False, True), maybe, maybe, (None, *STANDINGS)
    ):
        found = revision.revise(revision.Input(standing, challenge, checked, resolved, crossed, new))
        wanted = {
            "AGREED": "DISAGREED" if challenge == "REFUTED" and checked else "AGREED",
            "DISAGREED": "AGREED" if resolved else "DISAGREED",
            "UNCERTAIN": "AGREED" if crossed else "UNCERTAIN",
            "NEEDS_MORE": new or "UNCERTAIN",
        }[standing]
        caveat = standing == "AGREED" and (challenge == "WEAKENED" or (challenge == "REFUTED" and not checked))
        assert (found.standing, found.caveat) == (wanted, caveat)
        assert found.row in revision.TABLE.rows()


# --- judgement ---------------------------------------------------------------------------------

NUMBERS = judgements.Numbers()
pieces = st.builds(
    Piece,
    st.sampled_from(["code", "log"]),
    st.sampled_from(["a:1", "a:2", "b:1"]),
    st.sampled_from(GRADES),
    st.booleans(),
    st.sampled_from([None, "o1", "o2"]),
)
evidence = st.lists(pieces, max_size=5).map(tuple)
sides = st.lists(evidence, max_size=3).map(
    lambda found: tuple([Side(name, some) for name, some in zip("ABC", found, strict=False)])
)
cases = st.builds(
    judgements.Input,
    st.sampled_from(STANDINGS),
    st.sampled_from([None, "UPHELD", "WEAKENED", "REFUTED"]),
    st.lists(st.sampled_from(VOICES), max_size=4).map(tuple),
    sides,
)


@given(cases, st.randoms(use_true_random=False))
def test_order_and_copies_change_no_ruling(case: judgements.Input, random: Any) -> None:
    def mixed(side: Side) -> Side:
        again = [*side.evidence, *side.evidence, *side.evidence]
        random.shuffle(again)
        return Side(side.name, tuple(again))

    shuffled = list(map(mixed, case.sides))
    random.shuffle(shuffled)
    other = judgements.Input(case.standing, case.challenge, case.investigators[::-1] * 2, tuple(shuffled))
    assert judgement_1.judge(other, NUMBERS) == judgement_1.judge(case, NUMBERS)


@given(cases)
def test_what_was_struck_weighs_nothing(case: judgements.Input) -> None:
    kept = tuple([Side(side.name, tuple([one for one in side.evidence if one.checked])) for side in case.sides])
    without = judgements.Input(case.standing, case.challenge, case.investigators, kept)
    assert judgement_1.judge(without, NUMBERS) == judgement_1.judge(case, NUMBERS)


@given(cases, st.data())
def test_taking_evidence_away_never_adopts_the_side_that_lost_it(case: judgements.Input, data: st.DataObject) -> None:
    before = judgement_1.judge(case, NUMBERS)
    for side in case.sides:
        if side.evidence and before.adopted != side.name:
            fewer = side.evidence[data.draw(st.integers(1, len(side.evidence))) :]
            changed = tuple([Side(one.name, fewer) if one is side else one for one in case.sides])
            after = judgement_1.judge(judgements.Input(case.standing, case.challenge, (), changed), NUMBERS)
            assert after.adopted != side.name


@given(cases)
def test_confirmed_needs_two_investigators_strong_evidence_and_two_origins(case: judgements.Input) -> None:
    found = judgement_1.judge(case, NUMBERS)
    checked = [piece for side in case.sides for piece in side.evidence if piece.checked]
    voices = {iid.voice(name) for name in case.investigators} - {"CR-AGREED"}
    places = {(piece.type, piece.location) for piece in checked}
    if found.certainty == "Confirmed":
        assert case.standing == "AGREED" and case.challenge in (None, "UPHELD")
        assert len(voices) >= 2 and len(places) >= 2
        assert any(piece.grade == "STRONG" for piece in checked)
    assert found.mass.keys() == {side.name for side in case.sides}
    assert found.row in judgement_1.TABLE.rows()


def _side(name: str, *grades: Grade) -> Side:
    return Side(name, tuple([Piece("code", f"{name}:{no}", grade, True) for no, grade in enumerate(grades)]))


@pytest.mark.parametrize(
    ("sides_", "adopted", "minority", "row"),
    [
        ((_side("A", "STRONG", "STRONG"), _side("B", "STRONG")), "A", "B", "6"),
        ((_side("A", "STRONG"), _side("B", "STRONG", "STRONG")), "B", "A", "6"),
        ((_side("A", "STRONG", "MODERATE"), _side("B", "STRONG")), None, None, "7"),
        ((_side("A", "MODERATE"), _side("B")), None, None, "7"),
        ((_side("A", "STRONG"), _side("B")), "A", "B", "6"),
        ((_side("A", "STRONG"),), "A", None, "6"),
        ((), None, None, "7"),
        ((_side("C", "WEAK"), _side("A", "STRONG", "STRONG"), _side("B", "STRONG")), "A", "B", "6"),
    ],
)
def test_much_heavier_is_twice_and_three_more(
    sides_: tuple[Side, ...], adopted: str | None, minority: str | None, row: str
) -> None:
    for case in (judgements.Input("DISAGREED", None, (), sides_), judgements.Input("AGREED", "REFUTED", (), sides_)):
        found = judgement_1.judge(case, NUMBERS)
        assert (found.adopted, found.minority, found.row) == (adopted, minority, row)


def test_one_piece_under_two_origins_makes_them_one() -> None:
    pieces = (
        Piece("log", "a:1", "WEAK", True, "o"),
        Piece("code", "b:9", "WEAK", True, "o"),
        Piece("code", "b:9", "STRONG", True),
        Piece("code", "b:9", "STRONG", False, "p"),
        Piece("code", "c:4", "MODERATE", True, "p"),
    )
    for some in itertools.permutations(pieces):
        found = judgement_1.judge(judgements.Input("DISAGREED", None, (), (Side("A", some),)), NUMBERS)
        assert found.mass == {"A": 3 + 2}


def test_the_numbers_are_those_that_are_set() -> None:
    numbers = judgements.Numbers(strong=Decimal("2.5"), gap=Decimal("0.5"), factor=Decimal(1))
    found = judgement_1.judge(
        judgements.Input("DISAGREED", None, (), (_side("A", "STRONG"), _side("B", "MODERATE"))), numbers
    )
    assert (found.mass, found.adopted) == ({"A": Decimal("2.5"), "B": 2}, "A")


# --- citations ---------------------------------------------------------------------------------


def test_citations_over_all_inputs() -> None:
    for seen, claimed in itertools.product(get_args(Seen), GRADES):
        found = citation.grade(seen, claimed)
        assert (found.outcome == "checked") == (seen in ("there", "comment", "commit-alone"))
        assert found.grade == (claimed if seen == "there" else "WEAK")
        assert citation.TABLE.rows()[found.row].startswith(f"{seen}:")


# --- grouping ----------------------------------------------------------------------------------

places = st.builds(Place, st.just("code"), st.sampled_from(["a", "b"]), st.just(5), st.integers(5, 9)) | st.builds(
    Place, st.just("commit"), commit=st.sampled_from(["c1", "c2"])
)
stated = st.lists(
    st.builds(
        Stated,
        st.just(""),
        st.sampled_from(VOICES[:4]),
        st.sampled_from(["", "x", "y"]),
        st.sampled_from(["", "d", "e"]),
        st.lists(places, max_size=2).map(tuple),
    ),
    max_size=6,
).map(lambda found: [Stated(f"f{no}", o.investigator, o.cause, o.direction, o.places) for no, o in enumerate(found)])
NEAR = grouping.Numbers()


@given(stated, st.randoms(use_true_random=False))
def test_the_order_of_findings_changes_no_group(findings: list[Stated], random: Any) -> None:
    shuffled = findings.copy()
    random.shuffle(shuffled)
    assert grouping.group(shuffled, NEAR) == grouping.group(findings, NEAR)


@given(stated)
def test_groups_hold_every_finding_once_and_oppose_each_other(findings: list[Stated]) -> None:
    found = grouping.group(findings, NEAR)
    assert sorted(name for one in found for name in one.findings) == sorted(one.id for one in findings)
    by_head = {one.findings[0]: one for one in found}
    for one in found:
        for other in one.opposes:
            assert one.findings[0] in by_head[other].opposes
            assert one.findings[0] != other


@pytest.mark.parametrize(
    ("one", "other", "relation"),
    [
        (("x", "d", Place("code", "a", 5, 5)), ("x", "e", Place("code", "a", 7, 9)), "similar"),
        (("x", "d", Place("code", "a", 5, 5)), ("x", "e", Place("config", "a", 6, 6)), "similar"),
        (("x", "d", Place("code", "a", 5, 5)), ("y", "d", Place("code", "a", 5, 5)), "opposed"),
        (("x", "d", Place("code", "a", 5, 5)), ("y", "e", Place("code", "a", 99, 99)), "apart"),
        (("x", "d", Place("code", "a", 5, 5)), ("x", "d", Place("code", "b", 5, 5)), "linked"),
        (("x", "d", Place("code", "a", 5, 5)), ("x", "d", Place("log", "l", 5, 5)), "similar"),
        (("x", "d", Place("code", "a", 5, 5)), ("x", "e", Place("log", "l", 5, 5)), "linked"),
        (("", "d", Place("code", "a", 5, 5)), ("x", "d", Place("code", "a", 5, 5)), "similar"),
        (("", "d", Place("code", "a", 5, 5)), ("x", "e", Place("code", "a", 5, 5)), "apart"),
        (("x", "d", Place("commit", commit="c")), ("x", "e", Place("commit", commit="c")), "similar"),
        (
            ("x", "d", Place("log", "l", 1, 1, template="t")),
            ("x", "", Place("log", "m", 9, 9, template="t")),
            "similar",
        ),
        (("", "", Place("code", "a", 5, 5)), ("", "", Place("code", "a", 5, 5)), "apart"),
    ],
)
def test_how_two_findings_relate(one: Any, other: Any, relation: str) -> None:
    a, b = (Stated(name, "V", cause, way, (place,)) for name, (cause, way, place) in (("a", one), ("b", other)))
    assert grouping.relate(a, b, NEAR).relation == grouping.relate(b, a, NEAR).relation == relation


def test_an_investigator_does_not_oppose_itself() -> None:
    here = (Place("code", "a", 5, 5),)
    alone = [Stated("f1", "A-X-R1", "x", "", here), Stated("f2", "A-X-R3-DEEP", "y", "", here)]
    assert all(not one.opposes for one in grouping.group(alone, NEAR))
    both = [*alone, Stated("f3", "B-X-R1", "y", "", here)]
    assert all(not one.opposes for one in grouping.group(both, NEAR))
    assert all(one.opposes for one in grouping.group([alone[0], both[2]], NEAR))


# --- casting and ranking -----------------------------------------------------------------------


def test_the_user_the_kind_and_the_fill() -> None:
    kinds = (casting.Kind("bug", 0, ("CODE-A", "CODE-B", "CODE-C", "LOG-A")), casting.Kind("slow", 1, ("CODE-A",)))
    ready = ("CODE-A", "CODE-B", "CODE-C", "HIST-A")
    fill = ("HIST-A", "CODE-C")
    bug = casting.cast(casting.Input(kinds[:1], ready, fill, wanted=3))
    assert (bug.kind, bug.cast, bug.without_source, bug.row) == ("bug", ("CODE-A", "CODE-B", "HIST-A"), ("LOG-A",), "3")
    assert casting.cast(casting.Input(kinds, ready, fill, wanted=3)).cast == ("CODE-A", "HIST-A", "CODE-C")
    assert casting.cast(casting.Input(kinds, ready, fill, quick=True)).cast == ("CODE-A",)
    assert casting.cast(casting.Input(kinds, ready, fill, named=("LOG-A", "LOG-A"))).cast == ("LOG-A",)


ranked = st.lists(
    st.builds(
        ranking.Ranked,
        st.integers(1, 99).map(str),
        st.sampled_from(ranking.CERTAINTIES),  # pyright: ignore[reportArgumentType]
        st.integers(0, 2),
        st.integers(0, 3).map(Decimal),
        st.integers(0, 2),
        st.sampled_from(["HIGH", "MEDIUM", "LOW"]),
    ),
    unique_by=lambda one: one.id,
)


@given(ranked)
def test_ranking_is_a_total_order_by_certainty_first(found: list[ranking.Ranked]) -> None:
    order = ranking.rank(found)
    assert order == ranking.rank(found[::-1])
    by_id = {one.id: one for one in found}
    places_ = [ranking.CERTAINTIES.index(by_id[name].certainty) for name in order]
    assert places_ == sorted(places_)
