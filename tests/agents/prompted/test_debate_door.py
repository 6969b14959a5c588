"""The door of the debate's seats: what it takes, what it makes of it, and what it refuses."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withstood import form
from withstood.agents.prompted import prompts
from withstood.agents.prompted.agent import file_of
from withstood.agents.prompted.answers import read_answer
from withstood.agents.prompted.asked import asked
from withstood.claims.debate import Persona, Summary, Turn
from withstood.claims.opinion import Span
from withstood.claims.staged import (
    AspectReview,
    Extraction,
    Named,
    Revalidation,
    SentimentReview,
    Sentiments,
    Validation,
)
from withstood.errors import Misfit
from withstood.protocols.debate_briefs import RAPPORTEUR, STAGE1, STAGE2, ReviewContext, Table, TurnBrief

KINDS = (Extraction, Sentiments, Validation, Turn, Summary, AspectReview, SentimentReview, Revalidation)


def read(kind: type[Any], told: Any) -> Any:
    return read_answer(kind, json.dumps(told))


@pytest.mark.parametrize("kind", KINDS)
def test_an_empty_answer_is_an_answer(kind: type[Any]) -> None:
    assert read(kind, {}) == kind()


@pytest.mark.parametrize("kind", KINDS)
def test_unknown_fields_are_refused(kind: type[Any]) -> None:
    with pytest.raises(Misfit):
        read(kind, {"weight": 1})


@pytest.mark.parametrize(
    ("said", "span"),
    [
        ({"start": 0, "end": 2}, Span(0, 2)),
        ([0, 2], Span(0, 2)),
        ("0-2", Span(0, 2)),
        ("start: 0, end: 2", Span(0, 2)),
        ({"start": 2, "end": 0}, None),
        ("화면", None),
        (7, None),
    ],
)
def test_spans_of_any_shape(said: Any, span: Span | None) -> None:
    assert read(Extraction, {"aspects": [{"term": "화면", "span": said}]}).aspects[0].span == span
    risk = read(Validation, {"structural_risks": [{"type": "NEGATION", "scope": said}]}).structural_risks[0]
    assert risk.scope == span
    one = read(AspectReview, {"aspect_review": [{"term": "화면", "revised_span": said}]}).aspect_review[0]
    assert one.revised_span == span


@pytest.mark.parametrize(
    ("said", "term", "ref", "opinion"),
    [
        ({"aspect_term": {"term": "화면", "span": "0-2"}}, Named("화면", Span(0, 2)), None, None),
        ({"aspect_term": "화면"}, Named("화면"), None, None),
        ({"aspect_term": None, "aspect_ref": "본품#품질", "opinion_term": "좋다"}, None, "본품#품질", "좋다"),
        ({"aspect_ref": "화면", "opinion_term": "좋다"}, Named("화면"), None, "좋다"),
        ({"opinion_term": {"term": "화면", "span": [0, 2]}}, Named("화면", Span(0, 2)), None, None),
        ({"aspect_term": "화면", "opinion_term": {"term": "색"}}, Named("화면"), None, None),
    ],
)
def test_older_keys_of_a_sentiment(said: Any, term: Named | None, ref: str | None, opinion: str | None) -> None:
    (one,) = read(Sentiments, {"aspect_sentiments": [said]}).aspect_sentiments
    assert (one.aspect_term, one.aspect_ref, one.opinion_term) == (term, ref, opinion)


def test_what_is_filled_in_is_for_code_to_say() -> None:
    (one,) = read(
        Sentiments, {"aspect_sentiments": [{"is_backfilled": True, "polarity": 3, "confidence": None}]}
    ).aspect_sentiments
    assert (one.is_backfilled, one.polarity, one.confidence) == (False, None, Decimal(0))


def test_confidences_out_of_range_are_refused() -> None:
    with pytest.raises(Misfit, match="from 0 to 1"):
        read(Extraction, {"aspects": [{"term": "화면", "confidence": 2}]})


def test_risks_of_the_last_look_may_be_objects() -> None:
    told = {"resolved_risks": [{"type": "IRONY"}], "remaining_risks": ["NEGATION"], "final_consistency_score": None}
    found = read(Revalidation, {"final_validation": told}).final_validation
    assert (found.resolved_risks, found.remaining_risks) == (("IRONY",), ("NEGATION",))


def test_a_review_may_name_its_term_as_an_object() -> None:
    found = read(SentimentReview, {"sentiment_review": [{"aspect_term": {"term": "화면"}, "action": "drop"}]})
    assert found.sentiment_review[0].aspect_term == "화면"


@given(
    st.sampled_from(KINDS),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "aspects",
                        "aspect_sentiments",
                        "aspect_term",
                        "opinion_term",
                        "span",
                        "final_validation",
                        "remaining_risks",
                        "term",
                    ]
                ),
                inner,
                max_size=3,
            )
        ),
    ),
)
def test_whatever_comes_is_an_answer_or_a_misfit(kind: type[Any], told: Any) -> None:
    try:
        found = read(kind, told)
    except Misfit:
        return
    assert form.read(kind, form.write(found)) == found


# --- prompts -----------------------------------------------------------------------------------

PERSONA = Persona("감사", "장부", "빠짐없이", "sceptic", "느긋하게")


@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("role", [*STAGE1, "auditor", RAPPORTEUR, *STAGE2])
def test_every_seat_has_its_prompt_and_its_form(role: str, language: str) -> None:
    prompt = prompts.prompt(file_of(role), language)
    assert file_of(role) == ("SPEAKER" if role == "auditor" else role)
    assert prompt.digest


def test_a_speaker_is_told_who_it_is_and_what_was_said() -> None:
    told = TurnBrief('a "text"', "en", PERSONA, Table(), "- Critic(con): no", "Memory advisory")
    system = prompts.system("SPEAKER", "en", (), PERSONA)
    user = prompts.user("SPEAKER", "en", prompts.blanks(told))
    assert all(part in system for part in (PERSONA.name, PERSONA.goal, PERSONA.stance, PERSONA.style))
    assert '"a \\"text\\""' in user
    assert "- Critic(con): no" in user
    assert "Memory advisory" in user


def test_reviews_read_null_where_no_debate_was_held() -> None:
    from withstood.protocols.debate_briefs import AmendmentBrief

    none = prompts.user("ATE2", "en", prompts.blanks(AmendmentBrief("a", "en", Table(), None)))
    some = prompts.user("ATE2", "en", prompts.blanks(AmendmentBrief("a", "en", Table(), ReviewContext())))
    assert "\nnull\n" in none
    assert "mapping_stats" in some


@pytest.mark.parametrize("kind", KINDS)
def test_the_form_that_is_asked_for_passes_the_door(kind: type[Any]) -> None:
    _, schema = asked(kind)
    assert schema["additionalProperties"] is False
    assert read(kind, _filled(schema)) is not None


def _filled(schema: Any) -> Any:
    """A value that the schema allows, with something in every list."""
    if "properties" in schema:
        return {name: _filled(part) for name, part in schema["properties"].items()}
    if "items" in schema:
        return [_filled(schema["items"])]
    if "anyOf" in schema:
        return _filled(schema["anyOf"][0])
    if "enum" in schema:
        return schema["enum"][0]
    return {"string": "x", "boolean": True, "integer": 1, "number": 1, "null": None}[schema["type"]]
