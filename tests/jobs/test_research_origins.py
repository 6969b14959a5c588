"""A folder whose documents have been given their addresses: authority and origin by the tables, from it alone."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from tests.jobs.studies import QUESTION, resumed, shelf, studied
from withstood.claims.graph import Graph
from withstood.errors import UsageError
from withstood.jobs import sessions
from withstood.report import cognigraph

TABLE = """path,url
study.md,https://arxiv.org/abs/2301.00001
bench.rst,https://docs.example.org/docs/bench
forum.txt,https://www.reddit.com/r/caching/comments/1/slow
"""
WORTH = {"study.md": "0.9", "bench.rst": "0.85", "forum.txt": "0.3", "vendor.md": "0.2"}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    shelf(tmp_path / "shelf")
    (tmp_path / "origins.csv").write_text(TABLE)
    return tmp_path


def worth(graph: Graph) -> dict[str, Decimal]:
    return {one.file or one.source_url or "": one.authority for one in graph.observations.values()}


def test_authority_is_that_of_the_address(place: Path) -> None:
    graph = studied(place, QUESTION, origins=place / "origins.csv", iterations=6).graph
    found = worth(graph)
    assert len(found) >= 3
    assert found == {path: Decimal(WORTH[path]) for path in found}
    assert max(one.strength for one in graph.hypotheses.values()) > Decimal("0.55")
    thesis = (place / "out" / "thesis.md").read_text()
    assert "arxiv.org/abs/2301.00001 (0.9) ← study.md" in thesis
    assert "was said by whoever ran this" in thesis
    page = next((place / "out" / "observations").glob("*.md")).read_text()
    assert "- File: " in page
    assert "← study.md" in (place / "out" / "thesis.html").read_text()


def test_a_session_keeps_the_addresses(place: Path) -> None:
    studied(place, QUESTION, origins=place / "origins.csv", iterations=2)
    (place / "origins.csv").unlink()
    ending = resumed(place, iterations=3)
    assert worth(ending.graph)["study.md"] == Decimal("0.9")
    whole = place / "whole"
    shelf(whole / "shelf")
    (whole / "origins.csv").write_text(TABLE)
    assert studied(whole, QUESTION, origins=whole / "origins.csv", iterations=5).graph == ending.graph


def test_addresses_that_come_later_reach_what_was_observed(place: Path) -> None:
    before = studied(place, QUESTION, iterations=4).graph
    assert set(worth(before).values()) == {Decimal("0.2")}
    after = resumed(place, origins=place / "origins.csv", iterations=1).graph
    found = worth(after)
    assert found == {path: Decimal(WORTH[path]) for path in found}
    assert {*before.observations} <= {*after.observations}


def test_a_table_of_no_folder_is_refused(place: Path) -> None:
    with pytest.raises(UsageError, match="documents of a folder"):
        studied(place, QUESTION, sources=("web",), origins=place / "origins.csv")


def test_files_with_an_address_stay_private(place: Path) -> None:
    (place / "origins.csv").write_text("path,url\n*,https://arxiv.org/abs/1\n")
    studied(place, QUESTION, origins=place / "origins.csv", iterations=2)
    (place / "out" / sessions.FILE).unlink()
    assert sessions.note(place / "out", sessions.graph(place / "out")).reach == "private"
    assert '"file"' in (place / "out" / cognigraph.FILE).read_text()
