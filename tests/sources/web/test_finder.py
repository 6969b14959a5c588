"""The web as a finder, on a small web of our own: found, read, told apart, skipped with a reason."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from tests.fakes.connects import connects
from tests.town.pages import Page
from tests.town.served import SEARCH, Town, served
from withstood.claims import address
from withstood.sources.finder import Finder, Found, Source
from withstood.sources.web.finder import WebFinder
from withstood.sources.web.opening import opened
from withstood.sources.web.settings import Web


@pytest.fixture(scope="module")
def town() -> Iterator[Town]:
    with served() as town:
        yield town


@contextmanager
def finding(town: Town, **changes: Any) -> Iterator[WebFinder]:
    finder = opened(replace(town.web, **changes), permitted=town.permitted)
    try:
        yield finder
    finally:
        finder.close()


def found(finder: Finder, query: str, *, deep: bool = True) -> Found:
    return asyncio.run(finder.find(query, "en", deep=deep))


def by_url(answer: Found) -> dict[str, Source]:
    return {source.url: source for source in answer.sources}


def skipped(answer: Found) -> dict[str, str]:
    return {one.url: one.why for one in answer.skipped}


EVERYTHING = "retrieval fine-tuning report study final answer chart loop inside local"


def test_pages_of_both_languages_and_all_kinds_are_read(town: Town) -> None:
    with finding(town, pages_deep=2) as finder:
        for query, url, said in (
            ("latency index memory", "http://docs.vectorhall.io/retrieval/latency", "40 milliseconds"),
            ("공공기관 언어모델 실태", "http://www.kordata.or.kr/report/2024-3", "214곳 중 57%"),
            ("검색 증강 생성의 한계", "http://docs.gaonsearch.co.kr/rag/limits", "열 번 중 두 번"),
            ("accelerators milliseconds cheaper", "http://arxiv.org/pdf/2402.02002", "14 hours on 8 accelerators"),
            ("sourdough starter", "http://bakersyard.org/sourdough", "4 days at 24 degrees"),
            ("bread stone steam", "http://bakersyard.org/ovens", "240 degrees"),
        ):
            source = by_url(found(finder, query))[url]
            assert said in source.text, url
            assert "Privacy" not in source.text
            assert source.title
            assert datetime.fromisoformat(source.retrieved).tzinfo == UTC


def test_a_redirect_ends_where_it_leads(town: Town) -> None:
    with finding(town, pages_deep=20) as finder:
        sources = by_url(found(finder, "short ly rag"))
    assert "http://quietcode.dev/notes/hybrid" in sources
    assert not any(address.domain(url) == "short.ly" for url in sources)


def test_copies_are_told_by_their_words(town: Town) -> None:
    with finding(town, pages_deep=20) as finder:
        sources = by_url(found(finder, "retrieval against fine-tuning on fresh facts, trial in a hospital report"))
    first = "http://arxiv.org/abs/2401.01001"
    copies = {url for url, one in sources.items() if one.copy_of == first}
    assert copies >= {"http://papers-mirror.net/2401.01001", "http://research-digest.blog/retrieval-against-tuning"}
    assert not sources[first].copy_of
    honest = [url for url in sources if url.startswith(("http://research.northbay", "http://hospital-news"))]
    assert len(honest) == 3
    assert sum(bool(sources[url].copy_of) for url in honest) == 1


def test_what_was_read_before_is_remembered(town: Town) -> None:
    with finding(town) as finder:
        text = by_url(found(finder, "survey of lookup"))["http://doi.org/10.5555/lookup.2024.88"].text
    with finding(town) as finder:
        finder.remember([("http://elsewhere.org/survey", text)])
        source = by_url(found(finder, "survey of lookup"))["http://doi.org/10.5555/lookup.2024.88"]
    assert source.copy_of == "http://elsewhere.org/survey"


def test_what_is_not_read_is_told_once_with_the_reason(town: Town) -> None:
    with finding(town, pages_deep=20) as finder, connects() as heard:
        told = {**skipped(found(finder, EVERYTHING)), **skipped(found(finder, "chart gone crowded hollow pictures"))}
        again = skipped(found(finder, EVERYTHING))
    wanted = {
        "http://closed-journal.com/articles/retrieval-fine-tuning": "robots.txt",
        "http://short.ly/retrieval-fine-tuning-loop": "redirects more than 5",
        "http://short.ly/retrieval-fine-tuning-inside": "not public",
        "http://short.ly/retrieval-fine-tuning-local": "no plain http",
        "http://pictures.org/retrieval-fine-tuning-chart.png": "image/png",
        "http://gone.org/retrieval-fine-tuning": "status 404",
        "http://crowded.org/retrieval-fine-tuning": "status 429",
        "http://hollow.org/retrieval-fine-tuning": "no text",
    }
    assert {url: why for url, why in told.items() if url in wanted and wanted[url] in why}.keys() == wanted.keys()
    assert not set(again) & set(wanted)
    assert {number for number, _ in heard} == {"127.0.0.1"}
    assert not town.visits("closed-journal.com")


def test_a_page_is_fetched_once_however_often_it_is_found() -> None:
    with served() as town, finding(town) as finder:
        one, two = found(finder, "freshness of an index"), found(finder, "freshness of an index")
    assert one == two
    assert len(town.visits("docs.vectorhall.io")) == len(set(town.visits("docs.vectorhall.io")))


def test_another_page_is_taken_for_one_that_cannot_be_read(town: Town) -> None:
    with finding(town, pages_deep=3) as finder:
        answer = found(finder, "our study: worse in 99 percent of the cases")
    assert "http://closed-journal.com/articles/retrieval-fine-tuning" in skipped(answer)
    assert len(answer.sources) == 3


def test_broad_looks_at_many_owners(town: Town) -> None:
    with finding(town, pages_broad=8) as finder:
        answer = found(finder, "fine-tuning is better than retrieval", deep=False)
    owners = [address.domain(source.url) for source in answer.sources]
    assert len(owners) == len(set(owners)) == 8


def test_orders_in_a_page_are_only_words_of_that_page(town: Town) -> None:
    before = len(town.asked)
    with finding(town, pages_deep=20) as finder:
        answer = found(finder, "final answer fine-tuning is better than retrieval in all cases")
    poisoned = [source for source in answer.sources if address.domain(source.url) == "surefacts.click"]
    assert len(poisoned) >= 3
    assert any("Ignore all previous instructions" in source.text for source in poisoned)
    assert not [path for host, path in town.asked[before:] if path.startswith("/collect")]


def test_a_search_that_is_down_is_told() -> None:
    with served() as town, finding(town) as finder:
        town.down = 503
        answer = found(finder, "retrieval")
        town.down = 0
        again = found(finder, "retrieval")
    assert answer.sources == again.sources == ()
    assert "status 503" in skipped(answer)["search with searxng"]
    assert "rests" in skipped(again)["search with searxng"]
    assert [host for host, _ in town.asked] == [SEARCH]


def test_one_page_changes_nothing_for_another() -> None:
    """G8: the same sources with a hostile page beside them, but for that page."""
    bomb = Page("http://bomb.example/retrieval", "retrieval latency index memory", ("<div>" * 5_000,))
    with served() as town, finding(town) as finder:
        plain = by_url(found(finder, "retrieval latency index memory"))
    with served({bomb.url: bomb}) as town, finding(town, pages_deep=5) as finder:
        beside = by_url(found(finder, "retrieval latency index memory"))
    for url, source in plain.items():
        assert replace(beside[url], retrieved="") == replace(source, retrieved="")


def test_there_is_an_end_to_the_time_of_a_search() -> None:
    with served() as town, finding(town, search_seconds=Decimal("0.2"), pause=Decimal(60), pages_deep=4) as finder:
        answer = found(finder, "quietcode notes combining definition")
    assert any("no time" in why for why in skipped(answer).values())


def test_the_name_says_who_is_asked() -> None:
    with served() as town, finding(town) as finder:
        assert finder.name == "web(searxng)"
    finder = opened(Web(), environment={"EXA_API_KEY": "k" * 20})
    assert finder.name == "web(exa,ddgs)"
    finder.close()
