"""Whatever form is asked for, the schema of it stays in what all providers enforce."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal

import pytest

from withstood import form
from withstood.agents.prompted.asked import AskedReading, AskedReview
from withstood.claims.opinion import Reading
from withstood.models.strict import strict_schema

ALLOWED = {"type", "properties", "required", "additionalProperties", "items", "anyOf", "enum"}


class Colour(Enum):
    RED = "red"


@dataclass(frozen=True)
class Inner:
    number: Annotated[Decimal, form.Within(0, 1)] = Decimal(1)


@dataclass(frozen=True)
class Outer:
    word: Literal["a", "b"]
    colour: Colour = Colour.RED
    inner: tuple[Inner, ...] = ()
    maybe: Inner | None = None


@pytest.mark.parametrize("wanted", [Outer, Reading, AskedReading, AskedReview])
def test_closed_complete_and_plain(wanted: type) -> None:
    for part in _parts(strict_schema(form.schema(wanted))):
        assert part.keys() <= ALLOWED
        assert "anyOf" in part or isinstance(part["type"], str)
        if part.get("type") == "object":
            assert part["additionalProperties"] is False
            assert part["required"] == list(part["properties"])


def test_nothing_is_lost_but_ranges_and_defaults() -> None:
    found = strict_schema(form.schema(Outer))["properties"]
    assert found["word"]["enum"] == ["a", "b"] and found["colour"]["enum"] == ["red"]
    assert found["inner"]["items"]["properties"] == {"number": {"type": "number"}}
    assert found["maybe"]["anyOf"][1] == {"type": "null"}


def _parts(schema: dict[str, Any]) -> list[dict[str, Any]]:
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", ())]
    inner += [schema["items"]] if "items" in schema else []
    return [schema, *(part for one in inner for part in _parts(one))]
