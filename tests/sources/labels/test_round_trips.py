"""What a layout can carry comes back the same from it, whatever stands in the texts."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from tests.sources.labels.rows import tables
from withstood.claims.label import Labelled
from withstood.sources import labelled
from withstood.sources.labelled import LAYOUTS, Carried

SOME = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def bare(rows: list[Labelled], ids: bool) -> list[Labelled]:
    """Rows without what says where they stood."""
    return [
        replace(row, no=no, line=0, remarks=(), id=row.id if ids else str(no)) for no, row in enumerate(rows, start=1)
    ]


@pytest.mark.parametrize("layout", LAYOUTS)
@SOME
@given(rows=tables())
def test_what_a_layout_carries_comes_back(tmp_path: Path, layout: str, rows: list[Labelled]) -> None:
    carried = Carried(lambda: iter(rows), layout)
    expected = list(carried)
    path = tmp_path / "written"
    path.write_text("".join(carried.written()), encoding="utf-8", newline="")
    if not expected:
        return
    found = [row for row in labelled.read(path, layout) if isinstance(row, Labelled)]
    ids = LAYOUTS[layout].room.ids
    assert bare(found, ids) == bare(expected, ids)


@pytest.mark.parametrize("layout", LAYOUTS)
@SOME
@given(rows=tables())
def test_what_was_carried_once_is_carried_whole(layout: str, rows: list[Labelled]) -> None:
    once = list(Carried(lambda: iter(rows), layout))
    again = Carried(lambda: iter(once), layout)
    assert list(again) == once
    assert again.losses == Counter()
