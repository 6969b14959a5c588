"""The seats that programs always fill: searched is kept, quoted is looked for, saved is whole."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.models import OpenLine
from tests.fakes.stores import MemoryStore
from tests.report.test_thesis import grown
from withstood.agents.programmed.research.archivist import Archivist
from withstood.agents.programmed.research.proofreader import Proofreader
from withstood.agents.programmed.research.searcher import Searcher
from withstood.claims.graph import Graph
from withstood.claims.research import Inspected, Observed, Page, Pages, Saved, Skipped
from withstood.errors import OutputError
from withstood.protocols.asks import Ask, Silent
from withstood.protocols.research_briefs import CheckBrief, SaveBrief, SearchBrief
from withstood.report import cognigraph
from withstood.sources.finder import Found, Source
from withstood.sources.session_folder import SessionFolder

TEXT = "Retrieval found the answer in 87 percent of 412 trials. It was not faster."


def asked(agent: Any, brief: Any, wants: Any) -> Any:
    return asyncio.run(agent.answer(Ask("SEAT", brief, wants), OpenLine()))


class Shelf:
    """A finder that has two sources and skipped one."""

    name = "shelf"

    async def find(self, query: str, language: str, *, deep: bool) -> Found:
        sources = (
            Source("https://a.com/x", "A", TEXT, "2026-01-01"),
            Source("https://b.com/y", "B", f"{query} {deep}"),
        )
        return Found(sources, (Skipped("https://c.com/", "robots"),))


def test_what_was_found_is_kept_under_its_hash() -> None:
    store = MemoryStore()
    found: Pages = asked(Searcher([Shelf()], store), SearchBrief("en", "caching", "deep"), Pages)
    assert [(page.id, page.url, page.title) for page in found.pages] == [
        ("p1", "https://a.com/x", "A"),
        ("p2", "https://b.com/y", "B"),
    ]
    assert [store.texts[page.sha256] for page in found.pages] == [TEXT, "caching True"]
    assert found.skipped == (Skipped("https://c.com/", "robots"),)


QUOTES = [
    ("Retrieval found the answer in 87 percent of 412 trials.", True),
    ("found   the answer in\n87 percent", True),
    ("Retrieval found the answer in 88 percent of 412 trials.", False),
    ("Retrieval found the answer in 7 percent", False),
    ("It was faster.", False),
    ("87 percent", False),
    ("Retrieval found the answer. It was not faster.", False),
]


@pytest.mark.parametrize(("words", "found"), QUOTES)
def test_a_quote_stands_in_the_page_or_it_does_not(words: str, found: bool) -> None:
    store = MemoryStore()
    sha256 = asyncio.run(store.keep_text(TEXT))
    page = Page("p1", "https://a.com/x", "A", sha256, "2026-01-01")
    brief = CheckBrief("en", (Observed("obs_1", "summary", "https://A.com/x#part", quote=words),), (page,))
    [seen] = asked(Proofreader(store, has_sources=True), brief, Inspected).seen
    assert (seen.id, seen.found) == ("obs_1", found)
    assert (seen.url, seen.sha256, seen.retrieved) == (
        ("https://a.com/x", sha256, "2026-01-01") if found else (None, None, "")
    )


def test_a_page_that_was_not_read_holds_nothing() -> None:
    store = MemoryStore()
    page = Page("p1", "https://a.com/x", "A", asyncio.run(store.keep_text(TEXT)))
    elsewhere = Observed("obs_1", "s", "https://b.com/", quote=TEXT)
    [seen] = asked(Proofreader(store, has_sources=True), CheckBrief("en", (elsewhere,), (page,)), Inspected).seen
    assert seen.found is False


def test_without_sources_nothing_can_be_checked() -> None:
    brief = CheckBrief("en", (Observed("obs_1", "s"),), ())
    [seen] = asked(Proofreader(MemoryStore(), has_sources=False), brief, Inspected).seen
    assert seen.found is None


def test_the_folder_holds_the_graph_and_its_pages(tmp_path: Path) -> None:
    graph = grown()
    folder = SessionFolder(tmp_path / "s")
    archivist = Archivist(folder)
    saved: Saved = asked(archivist, SaveBrief("en", graph), Saved)
    assert cognigraph.read((tmp_path / "s" / cognigraph.FILE).read_text()) == graph
    assert len(saved.sha256) == 64
    assert sorted(path.stem for path in (tmp_path / "s" / "hypotheses").iterdir()) == sorted(graph.hypotheses)
    folder.close()


def test_only_what_changed_is_written_again(tmp_path: Path) -> None:
    folder = SessionFolder(tmp_path)
    archivist = Archivist(folder)
    graph = grown()
    archivist.save(graph)
    (tmp_path / "observations" / "obs_1.md").write_text("touched")
    archivist.save(graph)
    assert (tmp_path / "observations" / "obs_1.md").read_text() == "touched"
    Archivist(folder).save(graph)
    assert (tmp_path / "observations" / "obs_1.md").read_text() != "touched"
    folder.close()


def test_a_folder_is_one_process_s(tmp_path: Path) -> None:
    held = SessionFolder(tmp_path)
    with pytest.raises(OutputError, match="Another process"):
        SessionFolder(tmp_path)
    held.close()
    SessionFolder(tmp_path).close()


def test_a_disk_that_is_no_more_is_said(tmp_path: Path) -> None:
    folder = SessionFolder(tmp_path)
    (tmp_path / "observations").write_text("a file where a folder should be")
    with pytest.raises(OutputError, match="resume"):
        Archivist(folder).save(grown())
    folder.close()


@pytest.mark.parametrize(
    "agent", [Searcher([], MemoryStore()), Proofreader(MemoryStore(), has_sources=True), Archivist(None)]
)
def test_another_brief_is_no_fault(agent: Any) -> None:
    assert isinstance(asked(agent, Graph(), Saved), Silent)
