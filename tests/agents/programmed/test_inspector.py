"""The evidence check against real files, logs and commits."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from tests.sources.repositories import git, repository
from withstood.agents.port import Line
from withstood.agents.programmed.inspector import Inspector
from withstood.claims.inspection import Checked, Citation, Inspection
from withstood.protocols.asks import Ask
from withstood.protocols.investigation_briefs import CHECK, CheckBrief
from withstood.sources.workspace import Workspace, opened

PAY = (
    "\n".join(f"line_{no} = {no}" for no in range(1, 10))
    + "\n# TODO: check the order\nif not order.paid:\n    return\n"
)
LOG = """\
2026-11-19 01:02:03 ERROR refund of order 12 failed
Traceback (most recent call last):
  File "app/pay.py", line 11, in refund
TimeoutError: late
2026-11-19 01:03:00 ERROR refund of order 13 failed
"""
TOKEN = "ghp_" + "a1B2" * 9


@pytest.fixture
def space(tmp_path: Path) -> Iterator[Workspace]:
    top = repository(
        tmp_path / "made",
        (
            ("first", {"app/pay.py": "line_1 = 1\nold = True\n"}),
            (
                "Check the order\n\nRefunds of unpaid orders failed.",
                {"app/pay.py": PAY, "keys.txt": f"x\ntoken={TOKEN}\n"},
            ),
        ),
    )
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "app.log").write_text(LOG)
    (logs / "old.log.gz").write_bytes(gzip.compress(LOG.replace("refund", "charge").encode()))
    with opened(top, [logs]) as found:
        yield found


def look(space: Workspace, type: Any, location: str, snippet: str, drift: int = 4) -> Checked:
    kept: list[str] = []

    async def keep(text: str) -> str:
        kept.append(text)
        return hashlib.sha256(text.encode()).hexdigest()

    brief = CheckBrief("en", (Citation("a", type, location, snippet),), drift)
    found = asyncio.run(Inspector(space, keep).answer(Ask(CHECK, brief, Inspection), cast("Line", None)))
    assert isinstance(found, Inspection)
    (checked,) = found.pieces
    assert bool(kept) == bool(checked.sha256)
    if kept:
        assert checked.sha256 == hashlib.sha256(kept[0].encode()).hexdigest()
        assert TOKEN not in kept[0]
    return checked


@pytest.mark.parametrize(
    ("location", "snippet", "line", "end", "drift"),
    [
        ("app/pay.py:11", "if not order.paid:", 11, 11, 0),
        ("./app/pay.py:11-12", "if not order.paid:\n    return", 11, 12, 0),
        ("app/pay.py:8", "if  not  order.paid:", 11, 11, 3),
        ("app/pay.py:12", "line_9 = 9", 9, 9, -3),
    ],
)
def test_lines_of_a_file(space: Workspace, location: str, snippet: str, line: int, end: int, drift: int) -> None:
    found = look(space, "code", location, snippet)
    assert (found.seen, found.path) == ("there", "app/pay.py")
    assert (found.line, found.end_line, found.drift) == (line, end, drift)
    assert found.excerpt[line - found.excerpt_line] == PAY.splitlines()[line - 1]


@pytest.mark.parametrize(
    ("type", "location", "snippet", "seen"),
    [
        ("code", "app/pay.py:11", "if order.paid:", "not-there"),
        ("code", "app/pay.py:1", "if not order.paid:", "not-there"),
        ("code", "app/pay.py:11", "if not order.paid:\nline_1 = 1", "not-there"),
        ("code", "app/pay.py:10", "# TODO: check the order", "comment"),
        ("document", "app/pay.py:10", "# TODO: check the order", "there"),
        ("code", "app/pay.py:11", ":", "no-words"),
        ("code", "app/pay.py:11", "", "no-words"),
        ("code", "app/pay.py:1-6", "\n".join(f"line_{no} = {no}" for no in range(1, 7)), "too-long"),
        ("code", "app/none.py:1", "x = 1", "no-place"),
        ("code", "../made/app/pay.py:11", "if not order.paid:", "no-place"),
        ("code", "/etc/passwd:1", "root", "no-place"),
        ("code", ".git/config:1", "core", "no-place"),
        ("code", "app/pay.py", "if not order.paid:", "no-place"),
        ("log", "other.log:1", "ERROR refund", "no-place"),
        ("log", "app.log:99", "ERROR refund", "no-place"),
        ("log", "app.log:1-999999999", "ERROR refund of order 12 failed", "there"),
        ("commit", "abcdef1234", "", "no-place"),
        ("commit", "abcd", "", "no-place"),
    ],
)
def test_what_is_not_there_and_what_counts_for_little(
    space: Workspace, type: Any, location: str, snippet: str, seen: str
) -> None:
    assert look(space, type, location, snippet).seen == seen


@pytest.mark.parametrize("name", ["app.log", "logs/app.log", "/var/data/logs/app.log"])
def test_a_log_by_any_name_that_can_only_mean_it(space: Workspace, name: str) -> None:
    found = look(space, "log", f"{name}:2", "refund of order 12 failed")
    assert (found.seen, found.path, found.line, found.drift) == ("there", "logs/app.log", 1, -1)
    assert found.template == "refund of order <n> failed"
    assert look(space, "log", f"{name}:4", "TimeoutError: late").template == ""


def test_a_log_that_is_packed(space: Workspace) -> None:
    found = look(space, "log", "old.log.gz:5", "charge of order 13 failed")
    assert (found.seen, found.line) == ("there", 5)


def test_commits_by_message_and_by_patch(space: Workspace, tmp_path: Path) -> None:
    name = git(tmp_path / "made", "rev-parse", "HEAD").strip()
    for snippet, seen in (
        ("Refunds of unpaid orders failed.", "there"),
        ("if not order.paid:", "there"),
        ("+if not order.paid:", "there"),
        ("old = True", "there"),
        ("old = True\nline_2 = 2", "not-there"),
        ("if order.paid:", "not-there"),
        ("", "commit-alone"),
    ):
        found = look(space, "commit", name[:8], snippet)
        assert (found.seen, found.commit) == (seen, name if seen != "not-there" else ""), snippet
        assert look(space, "commit", f"commit {name}", snippet).seen == seen


def test_a_secret_is_covered_on_both_sides(space: Workspace) -> None:
    found = look(space, "config", "keys.txt:2", f"token={TOKEN}")
    assert found.seen == "there"
    assert TOKEN not in "".join(found.excerpt)
