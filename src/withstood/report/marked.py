"""Pieces of Markdown that several reports are made of. Every text in them is shown as text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from withstood.report.inert import markdown as inert
from withstood.report.inert import visible_lines


def grid(titles: Sequence[str], rows: Iterable[Sequence[str | int]]) -> str:
    """A table; what stands in its cells is inert."""
    body = [f"| {' | '.join(inert(str(cell)) for cell in row)} |" for row in rows]
    return "\n".join([f"| {' | '.join(titles)} |", "|" + " --- |" * len(titles), *body]) + "\n"


def section(title: str, body: str) -> str:
    return f"## {title}\n\n{body}"


def listed(lines: Iterable[str]) -> str:
    """A list, one line each; nothing where there is none."""
    return "".join(f"- {inert(line)}\n" for line in lines)


def quoted(text: str, indent: str = "") -> str:
    """Lines as they stand, in a fence that nothing in them closes."""
    plain = visible_lines(text)
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", plain)), default=0))
    return "".join(f"{indent}{line}\n" for line in (f"{fence}text", *plain.split("\n"), fence))
