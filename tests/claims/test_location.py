"""Locations in the forms that are published, and nothing else."""

from __future__ import annotations

import pytest

from withstood.claims.location import CommitName, Lines, parse


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("src/pay.py:12", Lines("src/pay.py", 12, 12)),
        ("./src/pay.py:12-14", Lines("src/pay.py", 12, 14)),
        ("src/pay.py:L12-L14", Lines("src/pay.py", 12, 14)),
        ("`src/pay.js:12:7`", Lines("src/pay.js", 12, 12)),
        ("로그/앱 1.log:3", Lines("로그/앱 1.log", 3, 3)),
        ("C:/x.log:3", Lines("C:/x.log", 3, 3)),
        ("ABCDEF1", CommitName("abcdef1")),
        ("commit abcdef1234", CommitName("abcdef1234")),
        ("deadbeef:3", Lines("deadbeef", 3, 3)),
    ],
)
def test_lines_and_commits(text: str, wanted: object) -> None:
    assert parse(text) == wanted


@pytest.mark.parametrize("text", ["", "src/pay.py", "src/pay.py:0", "src/pay.py:9-3", ":3", "HEAD", "abc", "main~1"])
def test_what_names_no_place(text: str) -> None:
    assert parse(text) is None
