"""The door: what is let in, where it is soft, and that nothing else ever comes out of it."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from withstood import form
from withstood.agents.prompted.answers import read_answer
from withstood.agents.prompted.asked import AskedReading, AskedReview
from withstood.claims.ballot import Action, Refusal, Review, ReviewAction
from withstood.claims.opinion import Reading, Span, Triplet
from withstood.errors import Misfit
from withstood.models.strict import strict_schema


def reading(triplet: object) -> Reading:
    return read_answer(Reading, json.dumps({"triplets": [triplet]}, ensure_ascii=False))


def review(action: object) -> Review:
    return read_answer(Review, json.dumps({"review_actions": [action]}, ensure_ascii=False))


# --- readings ----------------------------------------------------------------------------------


def test_a_whole_triplet() -> None:
    found = reading(
        {
            "aspect_term": "향",
            "aspect_ref": "본품#품질",
            "polarity": "positive",
            "opinion_term": "좋다",
            "evidence": "향이 좋다",
            "span": {"start": 0, "end": 1},
            "confidence": 0.7,
            "rationale": None,
        }
    )
    wanted = Triplet("향", "본품#품질", "positive", "좋다", "향이 좋다", Span(0, 1), Decimal("0.7"), None)
    assert found == Reading((wanted,))


@pytest.mark.parametrize("text", ["{}", '{"triplets": []}', ' \n{"triplets": []}\n'])
def test_nothing_found(text: str) -> None:
    assert read_answer(Reading, text) == Reading()


def test_everything_has_a_default() -> None:
    assert reading({}).triplets == (Triplet(),)
    assert reading(dict.fromkeys(("aspect_term", "polarity", "confidence"))) == reading({})


@pytest.mark.parametrize(
    "span",
    [
        {"start": 12, "end": 18},
        {"start": "12", "end": " 18 "},
        {"start": 12.0, "end": 18, "text": "x"},
        [12, 18],
        ["12", 18],
        "12,18",
        "12-18",
        "12~18",
        " 12 ~ 18 ",
        "start: 12, end: 18",
        "START=12 END=18",
        "Start:12;End=18",
        '{"start": 12, "end": 18}',
        "end: 18 start: 12",
    ],
)
def test_every_shape_of_a_span(span: object) -> None:
    assert reading({"span": span}).triplets[0].span == Span(12, 18)


def test_an_empty_span_is_kept() -> None:
    assert reading({"span": [5, 5]}).triplets[0].span == Span(5, 5)


@pytest.mark.parametrize(
    "span",
    [
        None,
        "배터리가 짧다",
        "",
        {},
        {"start": 1},
        {"start": None, "end": 2},
        {"start": True, "end": 2},
        {"start": 1.5, "end": 2},
        [1],
        [1, 2, 3],
        [[1], 2],
        "18-12",
        [18, 12],
        [-1, 2],
        "start: -1, end: 2",
        "start: 1",
        "restart: 1 weekend: 2",
        7,
        True,
        [1e300, 1e301],
        ["9" * 400, 1],
        "9" * 5000 + "-" + "9" * 5001,
    ],
)
def test_what_is_no_span_is_null_and_never_a_fault(span: object) -> None:
    assert reading({"span": span}).triplets == (Triplet(),)


@pytest.mark.parametrize(
    ("triplet", "at"),
    [
        ({"confidence": 1.01}, "triplets[0].confidence"),
        ({"confidence": "high"}, "triplets[0].confidence"),
        ({"aspect_term": 3}, "triplets[0].aspect_term"),
        ({"polarity": 1}, "triplets[0].polarity"),
        ({"weight": 5}, "triplets[0].weight"),
        ({"authority": "HIGH"}, "triplets[0].authority"),
        ("t0", "triplets[0]"),
    ],
)
def test_what_does_not_fit_is_refused_by_its_place(triplet: object, at: str) -> None:
    with pytest.raises(Misfit) as caught:
        reading(triplet)
    assert caught.value.at == at


@pytest.mark.parametrize(
    "text", ['{"triplets": 1}', '{"triplets": null}', '{"label": "positive"}', "[]", "null", '"x"']
)
def test_another_shape_is_refused(text: str) -> None:
    with pytest.raises(Misfit):
        read_answer(Reading, text)


# --- the outside -------------------------------------------------------------------------------


@pytest.mark.parametrize("fence", ["```json\n{}\n```", "```\n{}\n```", "```JSON\n{}```", "\n```json  \n{}\n\n```\n"])
def test_one_fenced_block_may_be_the_whole_reply(fence: str) -> None:
    assert read_answer(Reading, fence) == Reading()


@pytest.mark.parametrize(
    "text",
    [
        "Here it is: {}",
        "{} I hope this helps",
        "```json\n{}\n``` done",
        "Sure!\n```json\n{}\n```",
        "```json\n{}\n```\n```json\n{}\n```",
        "```json\n{}",
        "```yaml\n{}\n```",
        "{}{}",
        "{'triplets': []}",
        '{"triplets": [',
        '{"triplets": [], "triplets": []}',
        '{"triplets": [{"confidence": NaN}]}',
        "",
        "[" * 100_000,
        '{"triplets": [{"rationale": "\\ud800"}]}',
    ],
)
def test_what_is_not_json_alone_is_refused(text: str) -> None:
    with pytest.raises(Misfit):
        read_answer(Reading, text)


def test_a_pair_written_as_escapes_is_a_whole_character() -> None:
    assert read_answer(Reading, '{"triplets": [{"rationale": "\\ud83d\\ude00"}]}').triplets[0].rationale == "\U0001f600"


# --- reviews -----------------------------------------------------------------------------------


def test_a_whole_action() -> None:
    found = review(
        {
            "action_type": " flip ",
            "target_tuple_ids": ["t0", "t1"],
            "new_value": {"polarity": "negative", "normalized_ref": None},
            "reason_code": "NEGATION_SCOPE",
            "actor": "C",
        }
    )
    value = {"polarity": "negative", "normalized_ref": None}
    assert found == Review((ReviewAction(Action.FLIP, ("t0", "t1"), value, "NEGATION_SCOPE"),))


def test_an_action_that_is_not_named_keeps() -> None:
    assert review({"target_tuple_ids": ["t0"]}).review_actions == (ReviewAction(Action.KEEP, ("t0",)),)
    assert review({"target_tuple_ids": None, "reason_code": None}) == review({})


@pytest.mark.parametrize(
    ("given_value", "read_as"),
    [
        (" Negative ", {"polarity": "negative"}),
        ("", None),
        ("  ", None),
        (5, None),
        (["negative"], None),
        (True, None),
        (None, None),
        ({}, {}),
    ],
)
def test_a_new_value(given_value: object, read_as: object) -> None:
    assert review({"action_type": "FLIP", "new_value": given_value}).review_actions[0].new_value == read_as


@pytest.mark.parametrize("kind", ["DELETE", "", "KEEP+FLAG", "keep it"])
def test_an_unknown_kind_is_put_on_record_and_is_no_action(kind: str) -> None:
    found = review({"action_type": kind, "target_tuple_ids": ["t3"], "reason_code": "X"})
    assert found == Review((), (Refusal(kind, ("t3",)),))


@pytest.mark.parametrize("actor", ["A", "", None, 5, {"name": "A"}])
def test_an_actor_is_ignored(actor: object) -> None:
    assert review({"actor": actor}) == review({})


@pytest.mark.parametrize(
    ("action", "at"),
    [
        ({"action_type": None}, "review_actions[0].action_type"),
        ({"target_tuple_ids": "t0"}, "review_actions[0].target_tuple_ids"),
        ({"target_tuple_ids": [0]}, "review_actions[0].target_tuple_ids[0]"),
        ({"reason_code": 3}, "review_actions[0].reason_code"),
        ({"vote_count": 3}, "review_actions[0].vote_count"),
        ({"action_type": "DELETE", "weight": 3}, "review_actions[0].weight"),
    ],
)
def test_an_action_that_does_not_fit_is_refused_by_its_place(action: object, at: str) -> None:
    with pytest.raises(Misfit) as caught:
        review(action)
    assert caught.value.at == at


# --- laws --------------------------------------------------------------------------------------

WORDS = st.sampled_from(
    ["triplets", "review_actions", "span", "start", "end", "confidence", "action_type", "new_value", "polarity"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | WORDS,
    lambda part: st.lists(part, max_size=4) | st.dictionaries(WORDS | st.text(max_size=4), part, max_size=4),
    max_leaves=20,
)
NEAR = st.builds(lambda name, parts: {name: parts}, st.sampled_from(["triplets", "review_actions"]), st.lists(VALUES))
WRITTEN = (VALUES | NEAR).map(json.dumps)


@given(st.sampled_from([Reading, Review]), st.text() | WRITTEN | WRITTEN.map(lambda text: f"```json\n{text}\n```"))
@example(Reading, '{"triplets": [{"span": [1e999999999, 2]}]}')
@example(Reading, '{"triplets": [{"span": {"start": "٣", "end": "٤"}}]}')
@example(Review, '{"review_actions": [{"action_type": "\\udfff"}]}')
def test_any_text_is_a_typed_answer_or_a_misfit(wanted: type, text: str) -> None:
    try:
        answer = read_answer(wanted, text)
    except Misfit as fault:
        assert fault.wanted and fault.found
    else:
        assert type(answer) is wanted
        form.dumps(answer).encode()


def filled(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Whatever a schema allows."""
    if "anyOf" in schema:
        return st.one_of([filled(part) for part in schema["anyOf"]])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema["type"]:
        case "object":
            return st.fixed_dictionaries({name: filled(part) for name, part in schema["properties"].items()})
        case "array":
            return st.lists(filled(schema["items"]), max_size=3)
        case "number":
            return st.floats(0, 1)
        case "integer":
            return st.integers(-5, 50)
        case "null":
            return st.none()
        case _:
            return st.text(st.characters(codec="utf-8"), max_size=10)


@given(st.data(), st.sampled_from([(Reading, AskedReading), (Review, AskedReview)]))
def test_the_door_takes_whatever_is_asked_for(data: st.DataObject, pair: tuple[type, type]) -> None:
    wanted, asked = pair
    value = data.draw(filled(strict_schema(form.schema(asked))))
    assert type(read_answer(wanted, json.dumps(value))) is wanted
