"""The pages of the documentation, as the tests see them."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
_FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


def text(path: str | Path) -> str:
    return (ROOT / path).read_text("utf-8")


def prose(path: Path) -> str:
    """A page without its blocks of code."""
    return _FENCED.sub("", text(path))


def headings(page: str) -> list[tuple[int, str]]:
    """Level and words of each heading that stands outside of code."""
    found = re.findall(r"^(#+) (.+)$", _FENCED.sub("", page), re.MULTILINE)
    return [(len(marks), words) for marks, words in found]


def anchor(heading: str) -> str:
    """The anchor that a heading is given where Markdown is shown."""
    kept = re.sub(r"[^\w\- ]", "", heading.lower())
    return kept.replace(" ", "-")
