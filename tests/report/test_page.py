"""The page shows everything, loads nothing and runs nothing; a real browser says so where there is one."""

from __future__ import annotations

import html
import re
import shutil
import socketserver
import subprocess
import threading
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from tests.report.samples import FACTS, HOSTILE, ROWS, TEXT, disputed, refused, result, results
from withstood.report import markdown, page, words
from withstood.report.facts import RunFacts
from withstood.report.tally import Tally


def tallied(*lines: tuple[dict[str, Any], Any], text: str | None = TEXT, most: int = 300) -> Tally:
    tally = Tally(most)
    for line, path in lines:
        tally.add(line, path, text, "en")
    return tally


class Tags(HTMLParser):
    """Every tag with its attributes, and the text between them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


ACTING = {"script", "img", "svg", "iframe", "object", "embed", "link", "form", "input", "base", "a", "video", "audio"}


def offences(drawn: str) -> list[object]:
    tags = Tags(drawn).tags
    loads = [one for one in tags if one[0] in ACTING]
    acts = [name for _, attributes in tags for name in attributes if name.startswith("on") or name in ("src", "href")]
    styles = [value for _, attributes in tags if (value := attributes.get("style"))]
    odd = [style for style in styles if not re.fullmatch(r"width:[\d.]+%", style)]
    return [*loads, *acts, *odd, *re.findall(r"url\(|@import", drawn.split("</style>")[0])]


@pytest.mark.parametrize("word", HOSTILE)
@pytest.mark.parametrize("language", words.LANGUAGES)
def test_hostile_words_are_shown_as_words(word: str, language: str) -> None:
    facts = RunFacts(word, word, word, word, {word: word}, word, word, word, notes=(word,))
    drawn = page.render(tallied(disputed(word, case=word), text=word), facts, {("arbiter-v2", "1"): word}, language)
    assert offences(drawn) == []
    assert drawn.count("<style>") == 1
    drawn.encode()


@settings(max_examples=25)
@given(results())
def test_any_line_can_be_drawn(line: dict[str, Any]) -> None:
    tally = tallied((line, ()), text=line["id"] or TEXT)
    assert offences(page.render(tally, FACTS, ROWS)) == []
    assert markdown.render(tally, FACTS).startswith("# ")


def test_everything_of_a_dispute_is_on_the_page() -> None:
    shown = " ".join(Tags(page.render(tallied(disputed("word")), FACTS, ROWS)).text.split())
    for part in (
        "amber-heron",
        "two or three equal votes → that action",
        "A: FLIP word",
        "Minority: C KEEP word",
        "ref_polarity_mismatch",
        "kept and marked word",
        "the term does not stand in the text",
        "All 1 texts are shown",
        "programmed:a@1",
        "a note",
    ):
        assert part in shown, part


def test_spans_are_marked_where_they_stand() -> None:
    drawn = page.render(tallied(disputed("battery")), FACTS, ROWS)
    (marked,) = re.findall(r"<blockquote>(.*?)</blockquote>", drawn, re.S)
    assert re.sub(r"<sup>.*?</sup>|<.*?>", "", marked) == html.escape(TEXT)
    assert '<mark class="positive">battery<sup>t0 t1</sup></mark>' in marked


def test_bars_say_their_numbers_as_text() -> None:
    (label,) = re.findall(r'aria-label="(positive \d+)"', page.render(tallied((result("r", []), ())), FACTS, ROWS))
    assert label == "positive 1"


@pytest.mark.parametrize("drawer", ["page", "markdown"])
def test_what_is_not_shown_is_said(drawer: str) -> None:
    tally = tallied(*[disputed(case=f"r{no}") for no in range(7)], most=2)
    drawn = page.render(tally, FACTS, ROWS) if drawer == "page" else markdown.render(tally, FACTS)
    assert "2 of 7 texts are shown" in drawn
    assert "withstood explain amber" in drawn


def test_refused_rows_and_missing_answers_are_told() -> None:
    tally = tallied((refused(), ()), disputed("timed out"))
    for drawn in (page.render(tally, FACTS, ROWS), markdown.render(tally, FACTS).replace("\\", "")):
        assert "too_few_columns" in drawn
        assert "timed out" in drawn


def test_the_same_tally_gives_the_same_bytes() -> None:
    drawn = [page.render(tallied(disputed(), (refused(), ())), FACTS, ROWS) for _ in range(2)]
    assert drawn[0] == drawn[1]


def test_an_empty_run_is_a_page_too() -> None:
    assert "No opinion was found." in page.render(Tally(), FACTS, ROWS)
    assert "No opinion was found." in markdown.render(Tally(), FACTS)


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_label_has_its_blanks_in_every_language(language: str) -> None:
    english, other = words.of("en"), words.of(language)
    assert english.keys() == other.keys()
    assert [
        key for key in english if set(re.findall(r"{\w+}", english[key])) != set(re.findall(r"{\w+}", other[key]))
    ] == []


# --- in a browser ------------------------------------------------------------------------------

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture
def visits() -> Iterator[tuple[int, list[str]]]:
    """A server on loopback that notes whoever comes."""
    seen: list[str] = []

    class Note(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            seen.append(self.rfile.readline().decode("latin-1"))

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Note) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield server.server_address[1], seen
        server.shutdown()


def dumped(path: Path, profile: Path) -> str:
    options = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync")
    quiet = ("--disable-background-networking", "--disable-component-update", "--virtual-time-budget=2000")
    command = [BROWSER or "", *options, *quiet, f"--user-data-dir={profile}", "--dump-dom", path.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, timeout=90, check=True).stdout


@pytest.mark.skipif(BROWSER is None, reason="no chromium is installed")
def test_a_browser_runs_and_loads_nothing(tmp_path: Path, visits: tuple[int, list[str]]) -> None:
    port, seen = visits
    here = [word.replace("127.0.0.1:9", f"127.0.0.1:{port}") for word in HOSTILE]
    drawn = page.render(tallied(*[disputed(word, case=word) for word in here], text=" ".join(here)), FACTS, ROWS)
    path = tmp_path / "report.html"
    path.write_text(drawn, "utf-8")
    dom = dumped(path, tmp_path / "profile")
    assert "owned" not in re.findall(r"<title>(.*?)</title>", dom)[0]
    assert offences(dom) == []
    assert seen == []


@pytest.mark.skipif(BROWSER is None, reason="no chromium is installed")
def test_the_browser_would_have_told(tmp_path: Path, visits: tuple[int, list[str]]) -> None:
    port, seen = visits
    path = tmp_path / "hostile.html"
    path.write_text(
        f"<title>x</title><script>document.title='owned'</script><img src=http://127.0.0.1:{port}/x>", "utf-8"
    )
    assert "<title>owned</title>" in dumped(path, tmp_path / "profile")
    assert seen


@pytest.mark.skipif(BROWSER is None, reason="no chromium is installed")
def test_the_policy_holds_even_where_escaping_would_fail(tmp_path: Path, visits: tuple[int, list[str]]) -> None:
    port, seen = visits
    word = f"<script>document.title='owned'</script><img src=http://127.0.0.1:{port}/x>"
    drawn = page.render(tallied(disputed("battery")), FACTS, ROWS).replace("<main>", f"<main>{word}")
    path = tmp_path / "report.html"
    path.write_text(drawn, "utf-8")
    assert "<title>owned</title>" not in dumped(path, tmp_path / "profile")
    assert seen == []
