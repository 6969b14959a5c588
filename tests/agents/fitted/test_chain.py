"""A chain of labels finds what trying everything finds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withstood.agents.fitted.chain import THOUSAND, Chain, Row, Sums

LABELS = ("O", "B", "I")
NAMES = ("a", "b", "c", "d")
WEIGHTS = st.integers(-4000, 4000)
CHAINS = st.builds(
    lambda moves, weights: Chain(LABELS, tuple(tuple(moves[no * 3 : no * 3 + 3]) for no in range(3)), weights),
    st.lists(WEIGHTS, min_size=9, max_size=9),
    st.dictionaries(
        st.sampled_from(NAMES),
        st.lists(st.tuples(st.integers(0, 2), WEIGHTS), max_size=3).map(
            lambda pairs: tuple(n for p in pairs for n in p)
        ),
    ),
)
ITEMS = st.lists(st.lists(st.sampled_from((*NAMES, "unknown")), max_size=3), min_size=1, max_size=4)


def rows(chain: Chain, items: Sequence[Sequence[str]]) -> list[Row]:
    return Sums(chain).of(items)[0]


def score(chain: Chain, items: Sequence[Sequence[str]], path: Sequence[int]) -> int:
    own = sum(
        weight
        for place, features in zip(path, items, strict=True)
        for feature in features
        for no, weight in zip(chain.weights.get(feature, ())[::2], chain.weights.get(feature, ())[1::2], strict=True)
        if no == place
    )
    return own + sum(chain.transitions[left][right] for left, right in pairwise(path))


@given(CHAINS, ITEMS)
def test_the_best_labels_are_those_of_the_best_of_all_paths(chain: Chain, items: list[list[str]]) -> None:
    found = [LABELS.index(label) for label in chain.best(rows(chain, items))]
    assert score(chain, items, found) == max(score(chain, items, path) for path in product(range(3), repeat=len(items)))


@given(CHAINS, ITEMS)
def test_shares_are_those_of_all_paths_together(chain: Chain, items: list[list[str]]) -> None:
    paths = {path: math.exp(score(chain, items, path) / THOUSAND) for path in product(range(3), repeat=len(items))}
    whole = sum(paths.values())
    for place, shares in enumerate(chain.shares(rows(chain, items))):
        wanted = [sum(weight for path, weight in paths.items() if path[place] == no) / whole for no in range(3)]
        assert shares == pytest.approx(wanted, abs=1e-9)


def test_nothing_has_no_labels() -> None:
    chain = Chain(LABELS, ((0, 0, 0),) * 3, {})
    assert chain.best([]) == []
    assert chain.shares([]) == []


@given(CHAINS, CHAINS, ITEMS)
def test_chains_that_are_summed_together_have_the_rows_that_each_has_alone(
    one: Chain, other: Chain, items: list[list[str]]
) -> None:
    assert Sums(one, other).of(items) == [rows(one, items), rows(other, items)]


def test_no_chains_have_no_rows() -> None:
    assert Sums().of([["a"]]) == []
