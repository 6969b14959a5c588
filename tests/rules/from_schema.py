"""Values drawn from a JSON Schema as far as `form` draws one, and the same values with one thing wrong."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from hypothesis import strategies as st

from tests.form.test_schema import fits

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
anything = st.recursive(
    st.none() | st.booleans() | st.integers(-999, 999) | words,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(words, inner, max_size=2),
    max_leaves=4,
)


def values(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that the schema allows."""
    if "anyOf" in schema:
        return st.one_of([values(part) for part in schema["anyOf"]])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    kind = schema.get("type")
    return KINDS[kind if isinstance(kind, str) else "decimal" if kind else "any"](schema)


def _object(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    if "properties" not in schema:
        return st.dictionaries(words, values(schema["additionalProperties"]), max_size=2)
    fields = {name: values(part) for name, part in schema["properties"].items()}
    needed = {name: part for name, part in fields.items() if name in schema["required"]}
    return st.fixed_dictionaries(needed, optional={name: fields[name] for name in fields.keys() - needed.keys()})


def _array(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    if "prefixItems" in schema:
        return st.tuples(*map(values, schema["prefixItems"])).map(list)
    least = schema.get("minItems", 0)
    return st.lists(values(schema["items"]), min_size=least, max_size=max(least, min(3, schema.get("maxItems", 3))))


def _text(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    if "pattern" in schema:
        return st.from_regex(re.compile(schema["pattern"].removesuffix("$"), re.ASCII), fullmatch=True)
    return words


def _decimal(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """A number, or its text: the schema allows any text, reading takes decimals."""
    exact = st.decimals(schema.get("minimum", -99), schema.get("maximum", 99), places=3)
    edges = [schema[name] for name in ("minimum", "maximum") if name in schema]
    return exact.map(str) | exact.map(float) | (st.sampled_from(edges) if edges else st.nothing())


KINDS: dict[str, Callable[[dict[str, Any]], st.SearchStrategy[Any]]] = {
    "object": _object,
    "array": lambda schema: _array(schema),
    "string": _text,
    "integer": lambda schema: st.integers(schema.get("minimum", -99), schema.get("maximum", 99)),
    "boolean": lambda schema: st.booleans(),
    "null": lambda schema: st.none(),
    "decimal": _decimal,
    "any": lambda schema: anything,
}


def least(schema: dict[str, Any]) -> Any:
    """The smallest value that the schema allows."""
    if "anyOf" in schema:
        return None if {"type": "null"} in schema["anyOf"] else least(schema["anyOf"][0])
    if "enum" in schema:
        return schema["enum"][0]
    if "properties" in schema:
        return {name: least(schema["properties"][name]) for name in schema["required"]}
    if "prefixItems" in schema:
        return [least(part) for part in schema["prefixItems"]]
    if schema.get("minItems"):
        return [least(schema["items"])] * schema["minItems"]
    if "pattern" in schema:
        return re.sub(r"\[(.)-?.*?\]\{(\d+),?\}", lambda found: found[1] * int(found[2]), schema["pattern"].strip("^$"))
    empty: dict[str, Any] = {"object": {}, "array": [], "string": "", "boolean": False, "null": None}
    kind = schema.get("type", "null")
    return empty[kind] if isinstance(kind, str) and kind in empty else schema.get("minimum", 0)


def as_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def spoiled(schema: dict[str, Any], value: Any) -> Iterator[tuple[str, Any]]:
    """Every way to spoil the value in one place that the schema closes: what was done, and the value."""
    for path, part in _places(schema, value, ()):
        if part.get("additionalProperties") is False:
            yield "a stray field", _with(value, (*path, "stray"), 1)
            for name in part["required"]:
                yield f"no {name}", _with(value, (*path, name), _GONE)
        if "pattern" in part:
            yield "a text of another shape", _with(value, path, "another shape")
        if "maxLength" in part:
            yield "a text that is too long", _with(value, path, "a" * (part["maxLength"] + 1))
        if part.get("minItems"):
            yield "a list that is too short", _with(value, path, [])
        if "enum" in part:
            yield "an unknown choice", _with(value, path, "no such choice")
        if "minimum" in part:
            yield "a number out of range", _with(value, path, f"{part['minimum'] - 1}")
        if "maximum" in part:
            yield "a number out of range", _with(value, path, f"{part['maximum']}.{'0' * 40}1")


_GONE = object()


def _places(
    schema: dict[str, Any], value: Any, path: tuple[Any, ...]
) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    for choice in schema.get("anyOf", [schema]):
        if fits(choice, value):
            yield path, choice
            if isinstance(value, dict) and "properties" in choice:
                for name, part in value.items():
                    yield from _places(choice["properties"][name], part, (*path, name))
            if isinstance(value, list) and "items" in choice:
                for no, item in enumerate(value):
                    yield from _places(choice["items"], item, (*path, no))


def _with(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    found = copy.deepcopy(value)
    inner = found
    for step in path[:-1]:
        inner = inner[step]
    if new is _GONE:
        del inner[path[-1]]
    else:
        inner[path[-1]] = new
    return found
