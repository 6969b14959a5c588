"""What a fitted reader has learned from rows of our own, on texts that are not among them."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace

import pytest

from tests.agents.fitted import learned, rows
from withstood.agents.fitted import features, learning, model, reading
from withstood.agents.fitted.model import Model
from withstood.agents.fitted.reading import Found
from withstood.agents.fitted.seats import likeliest
from withstood.claims.case import Target
from withstood.claims.label import Label, Labelled

TEXT = "The lamp is lovely but the waiter was bad."


def told(found: Found) -> tuple[str, str, str]:
    return found.target.aspect_term, found.target.aspect_ref, likeliest(found.both)


def test_terms_refs_polarities_and_opinion_words_are_found() -> None:
    found = learned.reading(learned.english()).find(TEXT, "en")
    assert [told(one) for one in found] == [
        ("lamp", "place#room", "positive"),
        ("waiter", "place#service", "negative"),
    ]
    assert [TEXT[one.target.begin : one.target.end] for one in found] == ["lamp", "waiter"]
    assert [one.opinion_term for one in found] == ["lovely", "bad"]
    assert all(
        sum(shares.values()) == pytest.approx(1) for one in found for shares in (one.whole, one.narrow, one.both)
    )


def test_a_target_that_is_hardly_likely_is_left_out_unless_it_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    bare = [replace(row, labels=tuple(replace(one, aspect_ref="") for one in row.labels)) for row in rows.english(80)]
    reader = learned.reading(learned.fitted(bare))
    found = reader.find(TEXT, "en")
    assert [one.target.aspect_term for one in found] == ["lamp", "waiter"]
    monkeypatch.setattr(reading, "_WORTH", 1.01)
    reader = learned.reading(learned.fitted(bare))
    assert reader.find(TEXT, "en") == ()
    assert len(reader.judge(TEXT, "en", tuple(one.target for one in found))) == 2


def test_rows_without_opinion_words_teach_none() -> None:
    taught = [
        replace(row, labels=tuple(replace(label, opinion_begin=None, opinion_end=None) for label in row.labels))
        for row in rows.english(80)
    ]
    fit = learned.fitted(taught)
    assert fit.parts.opinions is None
    assert fit.parts.terms == learned.english().parts.terms
    found = learned.reading(fit).find(TEXT, "en")
    assert [(one.target.aspect_term, one.opinion_term) for one in found] == [("lamp", None), ("waiter", None)]


def test_a_term_that_is_an_opinion_word_too_is_taught_as_both() -> None:
    label = Label("bargain", "place#room", "positive", 2, 9, "bargain", 2, 9)
    lessons = [learning.Lesson(learned.outline(f"A bargain on day {no}"), (label,)) for no in range(12)]
    parts = learning.learned(lessons)
    assert parts.terms is not None
    assert parts.opinions is not None
    assert parts.terms.labels == parts.opinions.labels


def test_polarity_of_targets_that_are_given() -> None:
    begin = TEXT.index("waiter")
    targets = (Target("waiter", "", begin, begin + 6), Target("", "place#room"))
    found = learned.reading(learned.english()).judge(TEXT, "en", targets)
    assert [one.target for one in found] == list(targets)
    assert likeliest(found[0].both) == "negative"


def test_categories_alone_are_learned_where_the_rows_know_no_terms() -> None:
    parts = learned.korean().parts
    assert parts.terms is None
    assert parts.ref_of is None
    found = learned.reading(learned.korean()).find("용기가 정말 좋아요", "ko")
    assert [told(one) for one in found] == [("", "패키지·구성품#디자인", "positive")]


def test_one_polarity_is_learned_as_the_only_one() -> None:
    assert learned.korean().parts.whole.labels == ("positive",)


def test_a_language_without_a_lexicon_is_read_by_its_characters() -> None:
    taught = [
        Labelled(no, str(no), f"{word} {no}", (Label("", ref, "positive"),))
        for no in range(1, 31)
        for word, ref in ((("suppe", "x#food"), ("kellner", "x#staff"))[no % 2],)
    ]
    found = learned.reading(learned.fitted(taught)).find("der kellner", "other")
    assert [told(one) for one in found] == [("", "x#staff", "positive")]


@pytest.mark.parametrize("text", ["", " ", "…", "\n\n", "a", "👍" * 50, "좋", "é́", "x" * 5000])
@pytest.mark.parametrize("language", ["ko", "en", "other"])
def test_any_text_can_be_read(text: str, language: str) -> None:
    for fit in (learned.english(), learned.korean()):
        for one in learned.reading(fit).find(text, language):
            assert text[one.target.begin or 0 : one.target.end or 0] == one.target.aspect_term


def test_the_same_rows_give_the_same_model() -> None:
    assert learned.fitted(rows.english(20)).hash == learned.fitted(rows.english(20)).hash
    assert learned.fitted(rows.english(20)).hash != learned.fitted(rows.english(21)).hash


def test_runs_of_letters_are_learned_where_labels_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    def runs(fit: Model) -> set[str]:
        return {name for name in fit.parts.narrow.weights if features.is_run(name)}

    assert runs(learned.fitted(rows.english(20)))
    monkeypatch.setattr(learning, "_MANY", 40)
    assert not runs(learned.fitted(rows.english(20)))


def test_labels_and_features_of_any_name_are_learned() -> None:
    taught = [
        Labelled(no, str(no), f"{word} → soup {no}", (Label("", ref, "positive" if no % 2 else "negative"),))
        for no in range(1, 21)
        for word, ref in ((("(0) 1 --> 0: 2", "a --> b: 1"), ("\u2028\\0", "c\nd"))[no % 2],)
    ]
    fit = learned.fitted(taught)
    assert fit.parts.refs is not None
    assert fit.parts.refs.refs == ("a --> b: 1", "c\nd")
    assert "ref:a --> b: 1" in fit.parts.whole.weights


def test_the_look_beyond_the_clause_has_names_of_its_own() -> None:
    near, far = learned.english().parts.narrow, learned.english().parts.whole
    taught = [learning.Lesson(learned.outline(row.text), row.labels) for row in rows.english(80)]
    for lesson in taught:
        aims = list(learning.aims(lesson.outline, lesson.labels))
        looks = [features.of_targets(lesson.outline, aims, narrow) for narrow in (True, False)]
        for narrow, wide in zip(*looks, strict=True):
            assert not {name for name in wide if name in near.weights} - set(narrow)
            assert set(narrow) <= set(wide)
    assert set(far.weights) - set(near.weights)


def test_places_that_touch_no_token_teach_nothing_and_break_nothing() -> None:
    lesson = learning.Lesson(learned.outline("ab  cd"), (Label(" ", "r#a", "positive", 2, 4),))
    assert [aim.placed for aim in learning.aims(lesson.outline, lesson.labels)] == [False]


def test_reading_loads_nothing_that_learning_needs() -> None:
    said = (
        "import sys, withstood.agents.fitted;"
        "print([name for name in ('sklearn', 'numpy', 'pycrfsuite') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", said], capture_output=True, check=True)
    assert done.stdout.decode().strip() == "[]"


def test_a_model_is_numbers_and_texts_and_nothing_else() -> None:
    def leaves(value: object) -> set[type]:
        if isinstance(value, dict):
            return {kind for part in value.values() for kind in leaves(part)}
        return {kind for part in value for kind in leaves(part)} if isinstance(value, list) else {type(value)}

    assert leaves(json.loads(model.written(learned.english()))) <= {int, str, bool, type(None)}
