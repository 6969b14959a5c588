"""The shipped data files are whole; a user's directory adds to them or stands instead of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from withstood.errors import ConfigError
from withstood.lexicons import conventions, forum, inquiry, load, taxonomies
from withstood.lexicons.files import OURS
from withstood.lexicons.lexicon import FILES
from withstood.lexicons.taxonomy import NONE, OTHER

LANGUAGES = ("ko", "en")
ENTITIES = {
    "제품 전체": "일반 가격 디자인 품질 편의성 다양성 인지도",
    "본품": "일반 가격 디자인 품질 편의성 다양성 인지도",
    "패키지·구성품": "일반 가격 디자인 품질 편의성 다양성",
    "브랜드": "일반 가격 디자인 품질 인지도",
}
PUBLISHED = [f"{entity}#{attribute}" for entity, attributes in ENTITIES.items() for attribute in attributes.split()]


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return folder


@pytest.mark.parametrize("language", LANGUAGES)
def test_is_rich_enough(language: str) -> None:
    lexicon = load(language)
    for polarity in ("positive", "negative"):
        assert sum(meaning.polarity == polarity for meaning in lexicon.opinions.values()) > 400
    assert len(lexicon.aspects) > 400
    assert len(lexicon.cues) > 150


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_entry_is_empty_or_padded(language: str) -> None:
    lexicon = load(language)
    for entry in (*lexicon.opinions, *lexicon.cues, *lexicon.aspects):
        assert entry and entry == entry.strip() == entry.lower()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_and_every_about_comes_to_a_ref(language: str) -> None:
    lexicon = load(language)
    abouts = {meaning.about for meaning in (*lexicon.opinions.values(), *lexicon.cues.values())}
    for taxonomy in lexicon.taxonomies:
        for kind in {*lexicon.aspects.values(), NONE, OTHER}:
            assert {taxonomy.ref(kind, about) for about in abouts} <= set(taxonomy.refs)
        assert set(taxonomy.aspects) <= {*lexicon.aspects.values(), NONE, OTHER}


def test_the_korean_refs_are_the_published_ones() -> None:
    agreed = conventions()
    assert list(agreed.refs["ko"][:25]) == PUBLISHED
    slashed = [ref.replace("·", "/") for ref in PUBLISHED if "·" in ref]
    assert list(agreed.refs["ko"][25:]) == slashed


def test_a_language_without_readers_agrees_on_nothing() -> None:
    agreed = conventions()
    assert (agreed.refs["other"], agreed.negation["other"], agreed.contrast["other"]) == ((), (), ())


@pytest.mark.parametrize("name", ["generic", "laptops", "nikl", "restaurants"])
def test_a_taxonomy_stands_for_its_own_language_only(name: str) -> None:
    assert name in taxonomies()
    chosen, default = conventions(name), conventions()
    language = "ko" if name == "nikl" else "en"
    other = "en" if language == "ko" else "ko"
    assert chosen.refs[other] == default.refs[other]
    assert (chosen.refs[language] == default.refs[language]) == (name in ("generic", "nikl"))


def test_markers_are_lower_case_and_not_empty() -> None:
    agreed = conventions()
    for markers in (agreed.negation, agreed.contrast):
        for language in LANGUAGES:
            assert markers[language]
            assert all(marker.strip() and marker == marker.lower() for marker in markers[language])


def test_the_same_arguments_give_the_same_object() -> None:
    assert load("ko") is load("ko")
    assert conventions() is conventions()


def test_the_files_there_are_are_the_files_that_are_read() -> None:
    shipped = {path.relative_to(OURS).as_posix() for path in OURS.glob("*/*.toml") if path.parent.name != "taxonomies"}
    assert shipped == {*FILES, *inquiry.FILES, *forum.FILES, "inquiry/kin.toml"}


# --- the user's directory ---

ADDED = '[[group]]\nwords = "zorgly, blimful"\npolarity = "negative"\nabout = "price"\n'


def test_a_file_of_the_same_name_adds_to_ours(tmp_path: Path) -> None:
    extra = write(tmp_path, "en/opinions.toml", ADDED)
    lexicon = load("en", extra)
    assert lexicon.opinions["zorgly"].polarity == "negative"
    assert lexicon.opinions["zorgly"].about == "price"
    assert lexicon.opinions["great"] == load("en").opinions["great"]


def test_what_the_user_says_of_a_word_comes_before_what_we_say(tmp_path: Path) -> None:
    extra = write(tmp_path, "en/opinions.toml", '[[group]]\nwords = ["great"]\npolarity = "negative"\n')
    assert load("en", extra).opinions["great"].polarity == "negative"


def test_with_replace_it_stands_instead_of_ours(tmp_path: Path) -> None:
    extra = write(tmp_path, "en/opinions.toml", "replace = true\n" + ADDED)
    assert set(load("en", extra).opinions) == {"zorgly", "blimful"}
    assert load("en", extra).aspects == load("en").aspects


def test_a_list_and_a_text_with_commas_are_the_same(tmp_path: Path) -> None:
    as_text = write(tmp_path / "a", "ko/markers.toml", 'replace = true\nnegation = """\n안 , 못,\n않\n"""\n')
    as_list = write(tmp_path / "b", "ko/markers.toml", 'replace = true\nnegation = ["안", "못", "않"]\n')
    assert load("ko", as_text).markers == load("ko", as_list).markers


def test_a_list_keeps_the_spaces_of_its_entries(tmp_path: Path) -> None:
    extra = write(tmp_path, "en/markers.toml", 'negation = ["not at all "]\n')
    assert "not at all " in conventions(None, extra).negation["en"]


def test_a_taxonomy_may_be_added_by_name_or_given_by_path(tmp_path: Path) -> None:
    text = 'language = "en"\nrefs = ["room#general", "room#view"]\n[aspects.none]\nany = "room#general"\n'
    extra = write(tmp_path, "taxonomies/hotels.toml", text)
    assert "hotels" in taxonomies(extra)
    by_name, by_path = conventions("hotels", extra), conventions(str(tmp_path / "taxonomies/hotels.toml"))
    assert by_name.refs == by_path.refs
    assert by_name.refs["en"] == ("room#general", "room#view")


def test_a_taxonomy_of_ours_may_be_extended(tmp_path: Path) -> None:
    text = 'language = "ko"\nrefs = ["본품#향"]\n[aspects.sense]\nany = "본품#향"\n'
    extra = write(tmp_path, "taxonomies/nikl.toml", text)
    (extended,) = load("ko", extra).taxonomies
    assert extended.refs == (*PUBLISHED, "본품#향")
    assert extended.ref("sense", "general") == "본품#향"
    assert extended.ref("price", "general") == "제품 전체#가격"


BROKEN = {
    "en/opinions.toml": [
        ("not toml [", "wanted TOML"),
        ('[[group]]\npolarity = "positive"\n', "group[0].words"),
        ('[[group]]\nwords = "a"\npolarity = "splendid"\n', "group[0].polarity: wanted one of positive"),
        ('[[group]]\nwords = "a"\npolarity = "positive"\nweight = 3\n', "group[0].weight"),
        ("[[group]]\nwords = 3\npolarity = 'positive'\n", "group[0].words: wanted a list"),
        ("replace = 1\n", "replace: wanted true or false"),
    ],
    "ko/markers.toml": [("negations = 'a'\n", "wanted one of the fields negation")],
    "ko/aspects.toml": [("[classes]\nsense = 4\n", "classes.sense: wanted a list")],
    "taxonomies/nikl.toml": [('language = "fr"\nrefs = ["a#b"]\n', "wanted one of ko, en")],
    "ko/opinion.toml": [(ADDED, "wanted one of en/aspects.toml")],
}


@pytest.mark.parametrize(
    ("name", "text", "said"), [(n, text, said) for n, rows in BROKEN.items() for text, said in rows]
)
def test_a_broken_file_is_named_with_the_place_and_what_was_wanted(
    tmp_path: Path, name: str, text: str, said: str
) -> None:
    extra = write(tmp_path, name, text)
    with pytest.raises(ConfigError) as raised:
        conventions(None, extra)
        for language in LANGUAGES:
            load(language, extra)
    assert str(tmp_path / name) in str(raised.value)
    assert said in str(raised.value)


def test_a_file_in_another_encoding_is_said_to_be_one(tmp_path: Path) -> None:
    path = write(tmp_path, "ko/words.toml", "") / "ko/words.toml"
    path.write_bytes("particles = '은'".encode("cp949"))
    with pytest.raises(ConfigError, match="UTF-8"):
        load("ko", tmp_path)


def test_a_directory_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="wanted a directory"):
        load("ko", tmp_path / "none")


@pytest.mark.parametrize("language", ["other", "fr", ""])
def test_a_language_without_a_lexicon(language: str) -> None:
    with pytest.raises(ConfigError, match="ko or en"):
        load(language)


def test_a_taxonomy_that_is_not_there_is_answered_with_those_there_are() -> None:
    with pytest.raises(ConfigError, match="generic, laptops, nikl, restaurants"):
        conventions("hotels")


def test_a_ref_that_the_taxonomy_does_not_have(tmp_path: Path) -> None:
    path = write(tmp_path, "mine.toml", 'language = "en"\nrefs = ["a#b"]\n[aspects.none]\nany = "a#c"\n') / "mine.toml"
    with pytest.raises(ConfigError, match=r"aspects.none.any: wanted one of its own refs, found a#c"):
        conventions(str(path))


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_turns_an_opinion_is_published_as_a_marker(language: str) -> None:
    markers, agreed = load(language).markers, conventions()
    turning = [*markers.denials, *markers.distances]
    assert [e for e in turning if not any(m in f" {e} " for m in agreed.negation[language])] == []
    assert [e for e in markers.turns if not any(m in f" {e} " for m in agreed.contrast[language])] == []


@pytest.mark.parametrize(
    ("language", "text"),
    [("ko", "오랫동안 쓰고 연못 옆에 두었다"), ("en", "the casino and the knot butter, a tornado annotation")],
)
def test_a_marker_is_not_found_inside_another_word(language: str, text: str) -> None:
    agreed = conventions()
    markers = (*agreed.negation[language], *agreed.contrast[language])
    assert [marker for marker in markers if marker in f" {text} "] == []
