"""Conflict flags: cases by hand, exact thresholds, and what a flag may depend on."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.cases_in import cases_in
from withstood.claims.flag import Flag
from withstood.claims.opinion import Candidate
from withstood.errors import Misfit
from withstood.rules import conflicts
from withstood.rules.conflicts import Input, Numbers, Stated

CASES = cases_in("conflicts")
ALL_ON = Numbers(semantic="on", granularity="on")

REFS = ("", " ", "본품#품질", " 본품#품질", "제품 전체#품질", "제품 전체 # 품질", "브랜드#가격", "#품질", "본품")
TERMS = ("", "battery", "Battery", "batterys ", "색")
POLARITIES = ("", "positive", "negative", "neutral")

stated = st.builds(
    Stated,
    st.just(""),
    st.sampled_from(TERMS) | st.none(),
    st.sampled_from(REFS) | st.none(),
    st.sampled_from(POLARITIES) | st.none(),
)


def _numbered(found: Sequence[Stated]) -> tuple[Stated, ...]:
    return tuple(replace(one, tuple_id=f"t{no}") for no, one in enumerate(found))


tables = st.lists(stated, max_size=7).map(_numbered)


# --- cases -------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES["case"], ids=lambda case: case["name"])
def test_cases(case: dict[str, Any]) -> None:
    candidates = tuple(Stated(tuple_id, term, ref, polarity) for tuple_id, ref, term, polarity in case["candidates"])
    wanted = tuple(Flag(kind, ref, term, tuple(ids.split())) for kind, ref, term, ids in case["flags"])
    asked = Input(candidates, case.get("mode"), case.get("semantic"), case.get("granularity"))
    assert conflicts.TABLE.decide(asked, Numbers()).flags == wanted


@pytest.mark.parametrize("case", CASES["similar"], ids=lambda case: case["name"])
def test_the_threshold_is_exact(case: dict[str, Any]) -> None:
    for one, other in itertools.permutations(case["terms"]):
        assert conflicts.similar(one, other, Decimal(case["theta"]))
        if case["above"]:
            assert not conflicts.similar(one, other, Decimal(case["above"]))


@pytest.mark.parametrize("case", CASES["unlike"])
def test_a_term_that_says_nothing_is_like_no_other(case: dict[str, Any]) -> None:
    one, other = case["terms"]
    assert not conflicts.similar(one, other, Decimal(0))


@pytest.mark.parametrize("case", CASES["last"])
def test_the_last_flag_gives_the_type(case: dict[str, Any]) -> None:
    flags = [Flag(kind, "", "", tuple(ids.split())) for kind, ids in case["flags"]]
    assert conflicts.conflict_types(flags) == case["types"]


@pytest.mark.parametrize(
    ("ref", "upper"),
    [("제품 전체#품질", True), (" 제품 전체 #x", True), ("제품 전체", True), ("본품#제품 전체", False), ("", False)],
)
def test_upper_refs(ref: str, upper: bool) -> None:
    assert conflicts.is_upper(ref) is upper
    assert not conflicts.is_upper(None)


def test_what_the_input_says_wins_over_the_rulebook() -> None:
    pair = (Stated("t0", "abcxx", "F#A", "p"), Stated("t1", "abcyy", "F#A", "n"), Stated("t2", "s", "", "p"))
    pair = (*pair, Stated("t3", "s", "", "n"))
    book = Numbers(mode="primary", theta=Decimal("0.9"), semantic="on")

    def kinds(**said: Any) -> list[str]:
        return [flag.conflict_type for flag in conflicts.TABLE.decide(Input(pair, **said), book).flags]

    assert kinds() == ["ref_polarity_mismatch"]
    assert kinds(theta=Decimal("0.6")) == ["ref_polarity_mismatch", "semantic_conflict_candidate"]
    assert kinds(theta=Decimal("0.6"), semantic=False) == ["ref_polarity_mismatch"]
    assert kinds(theta=Decimal(0))[1] == "semantic_conflict_candidate"
    assert kinds(mode="primary_secondary") == ["ref_polarity_mismatch", "term_polarity_mismatch"]


def test_an_id_stands_once() -> None:
    with pytest.raises(Misfit, match=r'candidates\[2\]\.tuple_id: wanted .* found "t0" again'):
        conflicts.TABLE.decide(Input((Stated("t0"), Stated("t1"), Stated("t0"))), Numbers())


# --- laws --------------------------------------------------------------------------------------


@given(tables)
def test_flags_are_those_of_a_plain_search(table: tuple[Stated, ...]) -> None:
    """Rows 1, 3 and 4, once more: every group is sought from scratch."""
    kinds = {"ref_polarity_mismatch", "term_polarity_mismatch", "granularity_overlap_candidate"}
    found = [flag for flag in conflicts.flags(table, ALL_ON) if flag.conflict_type in kinds]
    wanted = [*_by_ref(table), *_by_term(table), *_by_granularity(table)]
    assert [(flag.conflict_type, flag.tuple_ids) for flag in found] == wanted


def _stripped(one: Stated) -> tuple[str, str]:
    return (one.aspect_ref or "").strip(), (one.aspect_term or "").strip()


def _several(members: list[Stated]) -> bool:
    return len({one.polarity for one in members} - {"", None}) >= 2


def _ids(members: list[Stated]) -> tuple[str, ...]:
    return tuple(one.tuple_id for one in members)


def _by_ref(table: Sequence[Stated]) -> list[tuple[str, tuple[str, ...]]]:
    refs = dict.fromkeys(_stripped(one)[0] for one in table)
    groups = [[one for one in table if _stripped(one)[0] == ref] for ref in refs if ref]
    return [("ref_polarity_mismatch", _ids(group)) for group in groups if _several(group)]


def _by_term(table: Sequence[Stated]) -> list[tuple[str, tuple[str, ...]]]:
    terms = dict.fromkeys(_stripped(one)[1] for one in table if not _stripped(one)[0])
    groups = [[one for one in table if _stripped(one) == ("", term)] for term in terms if term]
    return [("term_polarity_mismatch", _ids(group)) for group in groups if _several(group)]


def _by_granularity(table: Sequence[Stated]) -> list[tuple[str, tuple[str, ...]]]:
    split = [(one, [half.strip() for half in _stripped(one)[0].split("#", 1)]) for one in table if one.polarity]
    parts = [(one, halves) for one, halves in split if len(halves) == 2]
    found: list[tuple[str, tuple[str, ...]]] = []
    for key in dict.fromkeys((halves[1], one.polarity) for one, halves in parts):
        group = [(one, halves[0]) for one, halves in parts if (halves[1], one.polarity) == key]
        entities = {entity for _, entity in group}
        if "제품 전체" in entities and entities - {"제품 전체", ""}:
            found.append(("granularity_overlap_candidate", _ids([one for one, _ in group])))
    return found


@given(tables)
def test_semantic_flags_stand_in_a_flagged_ref_and_name_two_rivals(table: tuple[Stated, ...]) -> None:
    by_id = {one.tuple_id: one for one in table}
    ref, firsts = "", list[str]()
    for flag in conflicts.flags(table, ALL_ON):
        if flag.conflict_type == "ref_polarity_mismatch":
            ref, firsts = flag.aspect_ref, []
        if flag.conflict_type == "semantic_conflict_candidate":
            one, other = (by_id[tuple_id] for tuple_id in flag.tuple_ids)
            assert flag.aspect_ref == ref
            assert flag.aspect_term == f"{_stripped(one)[1]}|{_stripped(other)[1]}"
            assert one.polarity and other.polarity and one.polarity != other.polarity
            assert one.tuple_id not in firsts
            firsts.append(one.tuple_id)


def _as_candidate(one: Stated, number: int) -> Candidate:
    """The four fields kept, everything else made from a number."""
    return Candidate(
        tuple_id=one.tuple_id,
        aspect_term=one.aspect_term or "",
        aspect_ref=one.aspect_ref or "",
        polarity=one.polarity or "",
        begin=number,
        end=number + 3,
        opinion_term=f"word {number}",
        evidence=f"evidence {number}" if number % 2 else None,
        evidence_found=(None, True, False)[number % 3],
        confidence=Decimal(number) / 100,
        origin=("P-NEG", "P-IMP", "P-LIT")[number % 3],
        invalid=("invalid_ref",)[: number % 2],
        flag="x" * (number % 2) or None,
    )


@given(tables, st.permutations(range(100)))
def test_flags_depend_on_four_fields_alone(table: tuple[Stated, ...], numbers: list[int]) -> None:
    told = [_as_candidate(one, number) for one, number in zip(table, numbers, strict=False)]
    assert conflicts.flags(told, ALL_ON) == conflicts.flags(table, ALL_ON)


@given(tables, st.sampled_from([Numbers(), ALL_ON, Numbers(mode="primary")]))
def test_ids_are_names_and_nothing_more(table: tuple[Stated, ...], numbers: Numbers) -> None:
    renamed = [replace(one, tuple_id=f"x{one.tuple_id}") for one in table]
    again = [
        replace(flag, tuple_ids=tuple(f"x{name}" for name in flag.tuple_ids))
        for flag in conflicts.flags(table, numbers)
    ]
    assert list(conflicts.flags(renamed, numbers)) == again


@given(tables)
def test_one_polarity_raises_no_mismatch(table: tuple[Stated, ...]) -> None:
    agreed = [replace(one, polarity="positive") for one in table]
    kinds = {flag.conflict_type for flag in conflicts.flags(agreed, ALL_ON)}
    assert kinds <= {"granularity_overlap_candidate"}


@given(tables)
def test_switches_only_add_flags(table: tuple[Stated, ...]) -> None:
    everything = conflicts.flags(table, ALL_ON)
    for mode, semantic, granularity in itertools.product(
        ("primary", "primary_secondary"), ("off", "on"), ("off", "on")
    ):
        fewer = conflicts.flags(table, Numbers(mode=mode, semantic=semantic, granularity=granularity))
        rest = iter(everything)
        assert all(flag in rest for flag in fewer)


terms = st.text(st.sampled_from("abc가 !"), max_size=9)


@given(terms, terms, st.decimals(0, 1, places=3))
def test_similarity_is_the_greater_of_two_measures(one: str, other: str, theta: Decimal) -> None:
    """A higher threshold never makes two terms similar that a lower one keeps apart."""
    assert conflicts.similar(one, other, theta) or not conflicts.similar(one, other, min(theta * 2, Decimal(1)))
    assert conflicts.similar(one, one, Decimal(1)) is bool(one.replace("!", "").strip())
