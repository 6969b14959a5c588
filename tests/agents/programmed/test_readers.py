"""What the programmed readers find, each through its own lens."""

from __future__ import annotations

import tomllib
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.agents.programmed.asking import SEATS, answer, reading, refs
from withstood.agents.programmed import seats
from withstood.agents.programmed.sight import Sight
from withstood.claims.opinion import Reading
from withstood.lexicons import load
from withstood.protocols.asks import Silent
from withstood.protocols.briefs import READERS, SINGLE, ReadingBrief

CASES = tomllib.loads((Path(__file__).parent / "cases.toml").read_text("utf-8"))["case"]
PIECES = st.sampled_from(
    [
        *(
            "향은 ",
            "좋은데 ",
            "별로예요 ",
            "트러블 ",
            "없이 ",
            "않아요 ",
            "안 ",
            "가격이 ",
            "촉촉해요 ",
            "줄 알았는데 ",
            "굿 ",
        ),
        *(
            "the food ",
            "was ",
            "n't ",
            "great ",
            "but ",
            "slow ",
            "service ",
            "never ",
            "and ",
            "too ",
            "it ",
            "waited an hour ",
        ),
        *(". ", "! ", ", ", "\n", "\U0001f44d", "İ", "’", "ㅠㅠ", "(", "-"),
    ]
)
TEXTS = st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=14).map("".join))
LANGUAGES = st.sampled_from(["ko", "en"])


def rows(text: str, roles: tuple[str, ...] = READERS) -> set[tuple[str, str | None, str]]:
    return {(t.aspect_term, t.aspect_ref, t.polarity) for role in roles for t in reading(role, text)}


@pytest.mark.parametrize("case", CASES, ids=[case["text"] for case in CASES])
def test_the_three_together_find_what_is_said(case: dict[str, list[str]]) -> None:
    wanted = {tuple(part.strip() for part in row.split("|")) for row in case["says"]}
    assert rows(str(case["text"])) == wanted


@pytest.mark.parametrize("case", CASES, ids=[case["text"] for case in CASES])
def test_the_single_pass_finds_the_same(case: dict[str, list[str]]) -> None:
    text = str(case["text"])
    assert rows(text, (SINGLE,)) == rows(text)


@given(TEXTS, LANGUAGES)
def test_what_is_quoted_stands_in_the_text(text: str, language: str) -> None:
    for role in (*READERS, SINGLE):
        for triplet in reading(role, text, language):
            assert triplet.opinion_term and triplet.opinion_term in text
            assert triplet.evidence and triplet.evidence in text
            assert triplet.opinion_term in triplet.evidence
            assert (triplet.span is None) == (triplet.aspect_term == "")
            if triplet.span is not None:
                assert text[triplet.span.start : triplet.span.end] == triplet.aspect_term
            assert Decimal(0) < triplet.confidence <= 1
            assert triplet.polarity in ("positive", "negative", "neutral")


@given(TEXTS, LANGUAGES)
def test_refs_are_of_those_allowed(text: str, language: str) -> None:
    for role in (*READERS, SINGLE):
        assert {triplet.aspect_ref for triplet in reading(role, text, language)} <= set(refs(language))


@given(TEXTS, LANGUAGES)
def test_a_reader_says_nothing_twice(text: str, language: str) -> None:
    for role in (*READERS, SINGLE):
        said = [(t.aspect_term, t.span, t.aspect_ref, t.polarity) for t in reading(role, text, language)]
        assert len(said) == len(set(said))


@given(TEXTS, LANGUAGES)
def test_each_lens_keeps_to_its_role(text: str, language: str) -> None:
    assert all(triplet.aspect_term for triplet in reading("P-LIT", text, language))
    assert not any(triplet.aspect_term for triplet in reading("P-IMP", text, language))


@given(TEXTS, LANGUAGES)
def test_another_reader_made_from_the_same_files_says_the_same(text: str, language: str) -> None:
    assert ANOTHER.look(text, language) == YET_ANOTHER.look(text, language)


ANOTHER, YET_ANOTHER = Sight(), Sight()


@pytest.mark.parametrize(
    ("text", "near", "far"),
    [
        ("보습력이 좋다고 할 수 없어요", "positive", "negative"),
        ("I wouldn't say the pasta is good.", "positive", "negative"),
        ("The pasta is not good.", "negative", "negative"),
        ("맛이 좋지 않아요", "negative", "negative"),
    ],
)
def test_a_denial_from_afar_is_seen_by_the_scope_reader_only(text: str, near: str, far: str) -> None:
    assert {triplet.polarity for triplet in reading("P-LIT", text)} == {near}
    assert {triplet.polarity for triplet in reading("P-NEG", text)} == {far}


@pytest.mark.parametrize("role", [*READERS, SINGLE])
@pytest.mark.parametrize("text", ["Das Essen ist gut", "とても良い", ""])
def test_a_language_without_a_reader_is_met_with_silence(role: str, text: str) -> None:
    found = answer(role, ReadingBrief(text, "other", ()), Reading)
    assert found == Silent("no programmed reader for this language: found other, wanted ko or en")


@pytest.mark.parametrize(("text", "language"), [("음식이 훌륭해요", "ko"), ("The food is great", "en")])
def test_where_no_refs_are_agreed_none_is_given(text: str, language: str) -> None:
    found = answer("S0", ReadingBrief(text, language, ()), Reading)
    assert isinstance(found, Reading)
    assert {triplet.aspect_ref for triplet in found.triplets} == {None}


def test_refs_that_no_taxonomy_has_are_matched_by_their_names() -> None:
    own = ("food#all", "staff#all")
    found = answer("P-LIT", ReadingBrief("The soup was great but the waiter was rude.", "en", own), Reading)
    assert isinstance(found, Reading)
    assert [triplet.aspect_ref for triplet in found.triplets] == list(own)


def test_the_users_words_are_read(tmp_path: Path) -> None:
    (tmp_path / "en").mkdir()
    (tmp_path / "en/opinions.toml").write_text(
        '[[group]]\nwords = "zorgly"\npolarity = "negative"\nkind = "adjective"\n'
    )
    brief = ReadingBrief("The soup was zorgly.", "en", refs("en"))
    found = answer("P-LIT", brief, Reading, seats(tmp_path)["P-LIT"])
    assert isinstance(found, Reading)
    assert [(triplet.aspect_term, triplet.polarity) for triplet in found.triplets] == [("soup", "negative")]
    assert answer("P-LIT", brief, Reading) == Reading()


def test_a_taxonomy_given_by_path_decides_the_refs(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'language = "en"\nrefs = ["x#1", "x#2"]\n[aspects.food]\nany = "x#2"\n[aspects.none]\nany = "x#1"\n'
    )
    agent = seats(taxonomy=str(path))["S0"]
    found = answer("S0", ReadingBrief("The soup was great. Never again.", "en", ("x#1", "x#2")), Reading, agent)
    assert isinstance(found, Reading)
    assert [(triplet.aspect_term, triplet.aspect_ref) for triplet in found.triplets] == [("soup", "x#2"), ("", "x#1")]


@pytest.mark.parametrize("language", ["ko", "en"])
def test_every_entry_is_found_as_a_whole_and_with_its_own_polarity(language: str) -> None:
    """Over the whole lexicon: no shipped entry is shadowed by another one, by a denial in it or by a decoy."""
    lexicon, wrong = load(language), []
    apart = {*lexicon.words.decoys, *lexicon.markers.turns}
    for entry, meaning in {**lexicon.cues, **lexicon.opinions}.items():
        found = ANOTHER.look(entry, language)
        assert found is not None
        said = {sighting.far for sighting in found.sightings if (sighting.begin, sighting.end) == (0, len(entry))}
        if meaning.kind not in ("problem", "relative") and entry not in apart and said != {meaning.polarity}:
            wrong.append(entry)
    assert wrong == []


def test_seats_are_named_for_what_they_do() -> None:
    review, staged = {"A", "B", "C", "P-IMP", "P-LIT", "P-NEG", "S0"}, {"ATE", "ATSA", "VALIDATOR"}
    assert set(SEATS) == review | {f"{name}{stage}" for name in staged for stage in (1, 2)} | {"rapporteur"}
    names = [agent.name for agent in SEATS.values()]
    assert len({SEATS[role].name for role in review}) == len(review)
    assert all(name.startswith("programmed:") and name.rpartition("@")[2].isdigit() for name in names)


@pytest.mark.parametrize("role", sorted(SEATS))
def test_a_program_costs_nothing_and_calls_nobody(role: str) -> None:
    agent = SEATS[role]
    assert (agent.prompts(), agent.models()) == ({}, ())
