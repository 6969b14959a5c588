"""The template of a log line: what stays when whatever changes from line to line is taken out.

A template depends on its own line alone, so the order of the lines and the number of files change nothing.

| mark | stands for |
|---|---|
| <id> | a UUID, or a run of hexadecimal digits that has a digit in it, eight or longer |
| <ip> | an IPv4 address, with a port or without |
| <url> | an address with a scheme |
| <path> | a path with two steps or more |
| <str> | what stands in quotation marks |
| <n> | a number, with its unit where it touches one |
"""

from __future__ import annotations

import re

_MARKS: tuple[tuple[str, str], ...] = (
    ("url", r"\b[a-z][a-z0-9+.-]{1,15}://[^\s\"'<>)\]]+"),
    ("id", r"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b"),
    ("ip", r"\b(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?\b"),
    ("str", r"\"[^\"\n]{0,300}\"|'[^'\n]{1,300}'(?![A-Za-z])|`[^`\n]{1,300}`"),
    ("path", r"(?<![\w.])(?:[A-Za-z]:)?(?:[/\\][\w.@+~-]+){2,}[/\\]?"),
    ("id", r"\b(?:0x[0-9a-fA-F]+|(?=[0-9a-fA-F]*\d)[0-9a-fA-F]{8,})\b"),
    ("n", r"(?<![A-Za-z_])[+-]?\d+(?:[.,:]\d+)*(?:%|[a-zµ]{1,3}\b)?"),
    ("n", r"(?<=[A-Za-z_#-])\d+(?![A-Za-z_])"),
)
_ANY = re.compile("|".join(f"(?P<{mark}{no}>{pattern})" for no, (mark, pattern) in enumerate(_MARKS)), re.ASCII)
MOST = 300


def template(text: str) -> str:
    """At most `MOST` characters of it are looked at."""
    return " ".join(_ANY.sub(_mark, text[:MOST]).split())


def _mark(found: re.Match[str]) -> str:
    return f"<{(found.lastgroup or '').rstrip('0123456789')}>"
