"""Lists as the research files write them: brackets, numbers and quoted words, and nothing that could run.

`[([1, 2], [4], 'POS')]` is read as tuples of numbers and strings. Round and square brackets mean the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

from withstood.sources.labels.entries import Unfit
from withstood.sources.records import inert

Literal: TypeAlias = "int | str | tuple[Literal, ...] | None"

_TOKEN = re.compile(
    r"""\s*(?:(?P<open>[\[(])|(?P<close>[\])])|(?P<comma>,)|(?P<number>-?\d{1,9})(?![\w.])"""
    r"""|(?P<none>None|null)\b|(?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"))"""
)
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_SIGNS = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"'}
_MOST_LEVELS = 8


def parsed(written: str) -> tuple[Literal, ...]:
    """One list with everything in it."""
    stack: list[list[Literal]] = [[]]
    wants_comma = False
    for kind, token in _tokens(written):
        if kind == "close":
            if len(stack) < 2:
                raise _broken(written)
            done = tuple(stack.pop())
            stack[-1].append(done)
        elif kind == "comma":
            if not wants_comma or len(stack) < 2:
                raise _broken(written)
        elif wants_comma or len(stack) > _MOST_LEVELS:
            raise _broken(written)
        elif kind == "open":
            stack.append([])
        else:
            stack[-1].append(_value(kind, token))
        wants_comma = kind not in ("open", "comma")
    whole = stack[0][0] if len(stack) == 1 and len(stack[0]) == 1 else None
    if not isinstance(whole, tuple):
        raise _broken(written)
    return whole


def _tokens(written: str) -> Iterator[tuple[str, str]]:
    at, end = 0, len(written.rstrip())
    while at < end:
        found = _TOKEN.match(written, at)
        if found is None or found.lastgroup is None:
            raise _broken(written[at:])
        yield found.lastgroup, found[found.lastgroup]
        at = found.end()


def _value(kind: str, token: str) -> Literal:
    if kind == "number":
        return int(token)
    return None if kind == "none" else _ESCAPE.sub(_sign, token[1:-1])


def _sign(found: re.Match[str]) -> str:
    code = found[1] or found[2] or found[3]
    if code is None:
        return _SIGNS.get(found[4], found[0])
    number = int(code, 16)
    return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else found[0]


def _broken(written: str) -> Unfit:
    return Unfit(
        "broken_labels",
        f"wanted a list of labels such as [([0, 1], [3], 'POS')], found {inert(written)}. Repair the line.",
    )
