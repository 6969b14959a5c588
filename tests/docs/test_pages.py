"""Links lead somewhere, the Korean README is the English one's twin, decisions are numbered, no figure is stated."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.listings import listings
from tests.docs import pages
from withstood.errors import EXIT_CODES
from withstood.rules.rulebook import PRESETS

LINK = re.compile(r"\]\(([^)\s]+)\)")


def broken(page: Path) -> list[str]:
    """Links of a page to a file or a heading that is not there."""
    return [target for target in LINK.findall(pages.prose(page)) if not _leads_somewhere(page, target)]


def _leads_somewhere(page: Path, target: str) -> bool:
    if re.match(r"https?://", target):
        return True
    path, _, heading = target.partition("#")
    found = (page.parent / path).resolve() if path else page
    if not found.exists() or (found.is_dir() and path.endswith(".md")):
        return False
    return not heading or heading in {pages.anchor(words) for _, words in pages.headings(found.read_text("utf-8"))}


@pytest.mark.parametrize("page", pages.PAGES, ids=lambda page: str(page.relative_to(pages.ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    assert broken(page) == []


def test_a_broken_link_is_seen(tmp_path: Path) -> None:
    page = tmp_path / "a.md"
    page.write_text("# One thing\n[a](b.md) [b](#one-thing) [c](#two) [d](a.md#one-thing)\n```\n[e](f.md)\n```\n")
    assert broken(page) == ["b.md", "#two"]


def test_every_page_is_reached_from_the_readme() -> None:
    seen, waiting = set[Path](), [pages.ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page not in seen and page.suffix == ".md":
            seen.add(page)
            paths = [target.partition("#")[0] for target in LINK.findall(pages.prose(page)) if "://" not in target]
            waiting += [found for path in paths if path and (found := (page.parent / path).resolve()).is_file()]
    assert set(pages.PAGES) - seen == set()


# --- the twin ----------------------------------------------------------------------------------


def test_the_twin_has_the_same_sections() -> None:
    english, korean = (pages.headings(pages.text(name)) for name in ("README.md", "README.ko.md"))
    assert [level for level, _ in english] == [level for level, _ in korean]


def test_the_twin_has_the_same_commands_and_outputs() -> None:
    english, korean = (listings(pages.text(name)) for name in ("README.md", "README.ko.md"))
    assert [(one.command, one.shown) for one in english] == [(one.command, one.shown) for one in korean]


def test_the_twin_has_the_same_check_and_links() -> None:
    english, korean = pages.text("README.md"), pages.text("README.ko.md")
    assert _check(english) == _check(korean)
    assert _targets(english) == _targets(korean)


def _check(page: str) -> list[str]:
    return [line for line in page.splitlines() if line.endswith("check.py")]


def _targets(page: str) -> list[str]:
    return sorted(target for target in LINK.findall(page) if not target.startswith("README"))


# --- what is said is so ------------------------------------------------------------------------


def test_decisions_are_numbered_dated_and_listed() -> None:
    folder = pages.ROOT / "docs" / "decisions"
    written = sorted(path for path in folder.glob("*.md") if path.name != "README.md")
    assert [path.name[:4] for path in written] == [f"{number:04}" for number in range(1, len(written) + 1)]
    listed = pages.text(folder / "README.md")
    for path in written:
        assert re.search(rf"^# {path.name[:4]}: .+\n\nDate: \d{{4}}-\d\d-\d\d\. Status: \w+\.\n", pages.text(path)), (
            path
        )
        assert path.name in listed


def test_exit_codes_that_pages_name_are_documented() -> None:
    known = {str(code) for code, _ in EXIT_CODES}
    named = [code for page in pages.PAGES for code in re.findall(r"(?:exit code|ends\s+with) (\d+)", pages.prose(page))]
    assert named
    assert set(named) <= known


def test_settings_that_pages_name_are_there() -> None:
    known = PRESETS["published"].settings()
    sections = "|".join({name.partition(".")[0] for name in known})
    named = {
        name for page in pages.PAGES for name in re.findall(rf"[`\"]((?:{sections})\.\w+)[=`\"]", pages.text(page))
    }
    assert named
    files = {name for name in named if name.endswith((".md", ".html", ".json"))}
    assert named - set(known) - files - {"arbiter.arbitrate", "override.profile"} == set()


def test_the_glossary_gives_each_word_one_meaning() -> None:
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \| [^|]+ \|$", pages.text("docs/glossary.md"), re.MULTILINE)
    words = [word for row in rows for word in row.split(", ") if word not in ("English",)]
    assert sorted({word for word in words if words.count(word) > 1}) == []
