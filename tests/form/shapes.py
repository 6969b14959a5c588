"""Types for the tests of form: every shape that it reads, nested."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from typing import Annotated, Literal, TypeAlias

from hypothesis import strategies as st

from withstood.form import Json, Like, Long, Within

Share: TypeAlias = Annotated[Decimal, Within(0, 1)]
Code: TypeAlias = Annotated[str, Like("[a-z]{2,}"), Long(most=4)]
Few: TypeAlias = Annotated[tuple[str, ...], Long(1, 2)]


class Mood(str, Enum):
    UP = "up"
    DOWN = "down"

    @classmethod
    def _missing_(cls, value: object) -> Mood | None:
        return cls.__members__.get(value.upper()) if isinstance(value, str) else None


@dataclass(frozen=True, slots=True)
class Leaf:
    name: str
    count: int = 0
    share: Share = Decimal("0.5")
    mood: Mood = Mood.UP


@dataclass(frozen=True, slots=True)
class Gone:
    gone: Literal[True] = True


@dataclass(frozen=True, slots=True)
class Tree:
    leaves: tuple[Leaf, ...] = ()
    pair: tuple[str, int] = ("", 0)
    either: Leaf | Gone | None = None
    number: Decimal | None = None
    word_or_count: int | str = 0
    choice: Literal["a", "b", 3] = "a"
    sure: bool = False
    by_mood: Mapping[Mood, int] = field(default_factory=dict)
    by_name: dict[str, tuple[Leaf, ...]] = field(default_factory=dict)
    free: Mapping[str, Json] | None = None
    code: Code = "ab"
    few: Few = ("",)


names = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
numbers = st.decimals(allow_nan=False, allow_infinity=False)
shares = st.decimals(0, 1, places=4)
free_json = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | names,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=6,
)
leaves = st.builds(Leaf, names, st.integers(), shares, st.sampled_from(Mood))
trees = st.builds(
    Tree,
    st.lists(leaves, max_size=3).map(tuple),
    st.tuples(names, st.integers()),
    leaves | st.just(Gone()) | st.none(),
    numbers | st.none(),
    names | st.integers(),
    st.sampled_from(["a", "b", 3]),
    st.booleans(),
    st.dictionaries(st.sampled_from(Mood), st.integers()),
    st.dictionaries(names, st.lists(leaves, max_size=2).map(tuple), max_size=2),
    st.dictionaries(names, free_json, max_size=2) | st.none(),
    st.sampled_from(["ab", "abcd"]),
    st.lists(names, min_size=1, max_size=2).map(tuple),
)
