"""The smallest sets are those that trying everything would find."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from withstood.measures.smallest import Picks, smallest

OPTIONS = st.lists(st.integers(1, 2), max_size=5)


@given(options=OPTIONS, data=st.data())
def test_it_equals_trying_everything(options: list[int], data: st.DataObject) -> None:
    flipping = {picks for picks in everything(options) if picks and data.draw(st.booleans())}
    found = smallest(options, lambda picks: picks in flipping, most=10_000)
    least = {one for one in flipping if not any(set(other) < set(one) for other in flipping)}
    assert (set(found.sets), found.exact) == (least, True)


@given(options=st.lists(st.integers(1, 3), min_size=4, max_size=6), most=st.integers(1, 40), least=st.integers(1, 6))
def test_what_it_calls_complete_is_complete(options: list[int], most: int, least: int) -> None:
    """A set flips that changes so many levers; a bound is a set of which nothing can be left out."""
    found = smallest(options, lambda picks: len(picks) >= least, most)
    assert found.tried <= most
    assert all(len(one) <= found.complete for one in found.sets) or found.exact
    if found.complete >= least:
        assert {len(one) for one in found.sets} == ({least} if least <= len(options) else set())
    elif not found.exact and least <= len(options):
        assert found.bound is not None
        assert len(found.bound) == least


def everything(options: list[int]) -> list[Picks]:
    chosen = product(*[(None, *range(count)) for count in options])
    return [tuple([(place, one) for place, one in enumerate(picks) if one is not None]) for picks in chosen]
