"""Axes of a sweep."""

from __future__ import annotations

import pytest

from withstood.errors import UsageError
from withstood.jobs import axes


def test_lists_and_spans() -> None:
    assert axes.axis("a.b=1,2,2,x").values == ("1", "2", "x")
    assert axes.axis("a.b=0.05..0.2").values == ("0.05", "0.0875", "0.125", "0.1625", "0.2")
    assert axes.axis("a.b=1..5/3").values == ("1", "3", "5")
    assert axes.axis("a.b=1..2/2,9").values == ("1", "2", "9")


def test_points_are_all_combinations() -> None:
    found = axes.points([axes.axis("a=1,2"), axes.axis("b=x,y")])
    assert found == [{"a": "1", "b": "x"}, {"a": "1", "b": "y"}, {"a": "2", "b": "x"}, {"a": "2", "b": "y"}]


@pytest.mark.parametrize("stated", ["a", "a=", "=1", "a=1..x", "a=1..2/1", "a=1..2/0.5", "a=..", "a=nan..1"])
def test_what_is_no_axis(stated: str) -> None:
    with pytest.raises(UsageError, match="Wanted"):
        axes.axis(stated)


def test_too_many_points() -> None:
    with pytest.raises(UsageError, match="at most 2,000 points"):
        axes.points([axes.axis("a=1..2/50"), axes.axis("b=1..2/50")])
