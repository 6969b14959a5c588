"""Forbidden fields: what may stand nowhere in an episode, however deep. Every place is named.

| row | field | what it would carry |
|---|---|---|
| 1 | raw_text | the text |
| 2 | raw_text_hash | what the text can be recognised by |
| 3 | gold | a gold label |
| 4 | gold_label | a gold label |
| 5 | gold_polarity | a gold label |
| 6 | cot | somebody's reasoning |
| 7 | chain_of_thought | somebody's reasoning |

A field that is null or an empty text carries nothing and is let pass. Objects and lists are searched at any depth.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from withstood.form import Json
from withstood.rules.table import NoNumbers, Table

FIELDS = ("raw_text", "raw_text_hash", "gold", "gold_label", "gold_polarity", "cot", "chain_of_thought")
ROWS = {name: str(row) for row, name in enumerate(FIELDS, start=1)}


@dataclass(frozen=True, slots=True)
class Place:
    at: str
    row: str


def places(value: Json, at: str = "") -> Iterator[Place]:
    """Where forbidden fields stand that carry something."""
    for name, part in _parts(value):
        place = name if not at or name.startswith("[") else f".{name}"
        if isinstance(value, Mapping) and name in ROWS and part not in (None, ""):
            yield Place(f"{at}{place}", ROWS[name])
        else:
            yield from places(part, f"{at}{place}")


def _parts(value: Json) -> Iterator[tuple[str, Json]]:
    if isinstance(value, Mapping):
        yield from cast("Mapping[str, Json]", value).items()
    elif isinstance(value, Sequence) and not isinstance(value, str):
        yield from ((f"[{no}]", part) for no, part in enumerate(cast("Sequence[Json]", value)))


@dataclass(frozen=True, slots=True)
class Input:
    entry: Json


@dataclass(frozen=True, slots=True)
class Output:
    forbidden: tuple[Place, ...]


def _decide(case: Input, numbers: NoNumbers) -> Output:
    return Output(tuple(places(case.entry)))


TABLE = Table("memory-forbidden-1", __doc__, Input, Output, _decide, section="none", aliases=("memory-forbidden",))
