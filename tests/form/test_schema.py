"""The schema draws what `read` takes: a small reader of JSON Schema judges the same values."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.form.shapes import Leaf, Tree, free_json, trees
from withstood import form
from withstood.claims.ballot import Ballot, Review, Vote
from withstood.claims.flag import Flag
from withstood.claims.opinion import Reading, Triplet
from withstood.verdict import Verdict

KINDS: dict[str, Any] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, Decimal)) and not isinstance(value, bool),
}


def fits(schema: dict[str, Any], value: Any) -> bool:
    """JSON Schema as far as form draws it."""
    if "anyOf" in schema and not any(fits(part, value) for part in schema["anyOf"]):
        return False
    if "enum" in schema and not any(type(value) is type(choice) and value == choice for choice in schema["enum"]):
        return False
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(KINDS[kind](value) for kind in kinds):
        return False
    if KINDS["number"](value) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        return False
    if isinstance(value, str) and not _text_fits(schema, value):
        return False
    return _object_fits(schema, value) if isinstance(value, dict) else _array_fits(schema, value)


def _text_fits(schema: dict[str, Any], value: str) -> bool:
    if "pattern" in schema and not re.search(schema["pattern"], value, re.ASCII):
        return False
    return schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value))


def _object_fits(schema: dict[str, Any], value: dict[str, Any]) -> bool:
    fields, others = schema.get("properties", {}), schema.get("additionalProperties", {})
    if any(name not in value for name in schema.get("required", [])):
        return False
    if others is False and not value.keys() <= fields.keys():
        return False
    if not all(fits(schema.get("propertyNames", {}), name) for name in value):
        return False
    return all(fits(fields.get(name, others), part) for name, part in value.items())


def _array_fits(schema: dict[str, Any], value: Any) -> bool:
    if not isinstance(value, list):
        return True
    first = schema.get("prefixItems", [])
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        return False
    rest = [schema.get("items", {})] * (len(value) - len(first))
    return all(fits(part, item) for part, item in zip([*first, *rest], value, strict=True))


def reads(wanted: Any, value: Any) -> bool:
    try:
        form.read(wanted, value)
    except form.Misfit:
        return False
    return True


@given(trees)
def test_what_is_written_fits_the_schema(tree: Tree) -> None:
    assert fits(form.schema(Tree), form.write(tree))


@given(trees, st.data())
def test_schema_and_reading_agree_on_a_part_replaced(tree: Tree, data: st.DataObject) -> None:
    found = form.write(tree)
    name = data.draw(st.sampled_from(sorted([*found, "stray"])))
    found[name] = data.draw(free_json)
    if fits(form.schema(Tree), found) and not _wordy_number(found):
        assert reads(Tree, found)


def _wordy_number(found: dict[str, Any]) -> bool:
    """A schema cannot say "the text of a decimal", nor that an enum reads more than it writes."""
    return isinstance(found.get("number"), str)


EXAMPLES: list[tuple[Any, str, bool]] = [
    (Leaf, '{"name": "a"}', True),
    (Leaf, '{"name": "a", "share": 0.25}', True),
    (Leaf, '{"name": "a", "share": 1.25}', False),
    (Leaf, '{"name": "a", "count": true}', False),
    (Leaf, '{"name": "a", "extra": 1}', False),
    (Leaf, "{}", False),
    (Tree, '{"pair": ["a", 1]}', True),
    (Tree, '{"pair": ["a", 1, 2]}', False),
    (Tree, '{"code": "abcd", "few": ["a"]}', True),
    (Tree, '{"code": "a"}', False),
    (Tree, '{"code": "abcde"}', False),
    (Tree, '{"few": []}', False),
    (Tree, '{"few": ["a", "b", "c"]}', False),
    (Tree, '{"either": {"gone": true}, "by_mood": {"up": 1}}', True),
    (Tree, '{"by_mood": {"up": 1, "": 2}}', False),
    (Tree, '{"either": {"gone": false}}', False),
    (Tree, '{"either": {}}', False),
    (Tree, '{"free": {"a": [1, {"b": null}]}}', True),
    (Reading, '{"triplets": [{"aspect_term": "x", "span": {"start": 0, "end": 1}, "confidence": 0.5}]}', True),
    (Reading, '{"triplets": [{"aspect_term": null}]}', False),
    (Review, '{"review_actions": [{"action_type": "KEEP", "target_tuple_ids": ["t0"]}]}', True),
    (Review, '{"review_actions": [{"target_tuple_ids": ["t0"]}]}', False),
    (Ballot, '{"A": {"absent": true}, "B": null}', True),
    (Ballot, '{"D": null}', False),
]


@pytest.mark.parametrize(("wanted", "text", "right"), EXAMPLES)
def test_schema_and_reading_agree_on_examples(wanted: Any, text: str, right: bool) -> None:
    value = form.loads(text)
    assert (fits(form.schema(wanted), value), reads(wanted, value)) == (right, right)


@pytest.mark.parametrize("wanted", [Tree, Leaf, Vote, Ballot, Review, Reading, Triplet, Flag, Verdict])
def test_every_object_is_closed(wanted: Any) -> None:
    def closed(part: Any) -> bool:
        if isinstance(part, list):
            return all(map(closed, part))
        if not isinstance(part, dict):
            return True
        return ("properties" not in part or part["additionalProperties"] is False) and all(map(closed, part.values()))

    assert closed(form.schema(wanted))
    assert form.loads(form.dumps(form.schema(wanted))) == form.schema(wanted)


def test_defaults_are_drawn_as_they_are_written() -> None:
    fields = cast("dict[str, Any]", form.schema(Leaf)["properties"])
    assert fields["share"]["default"] == "0.5"
    assert fields["mood"] == {"enum": ["up", "down"], "default": "up"}
    assert form.schema(Leaf)["required"] == ["name"]
