"""How the stub model plays an investigator or a counter-reviewer: it looks where words of the question stand, reads
there, and reports the line that it read, word for word. Same prompt, same turn.

It knows nothing. What it brings is evidence that is really there, causes that two of it agree on where they cite one
line, and, as a counter-reviewer, a challenge to every item.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

_HEAD = re.compile(r"^\[(r\d+)\] (\w+): (refused: )?(.*)$", re.MULTILINE)
_READ = re.compile(r"lines \d+ to \d+ of (.+?)(?:, which has \d+)?$")
_PLACE = re.compile(r"^\| +(?:\d+x .*? first at )?(\S+?\.\w+):(\d+)\b", re.MULTILINE)
_LINE = re.compile(r"^\| (\d+): (.*)$")
_COMMIT = re.compile(r"^\| ([0-9a-f]{12}) \S+ \S+ .*?: (.+) \[", re.MULTILINE)
_ITEM = re.compile(r'"id": "([^"]+)", "side"')
_WORD = re.compile(r"[^\W\d_]{4,}")
_LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"')
_IDS = re.compile(r"^\[(?:\"[\w-]+\"(?:, )?)+\]$", re.MULTILINE)
MOST_REQUESTS = 3
MOST_WORDS = 8
VERDICTS = ("UPHELD", "UPHELD", "WEAKENED", "REFUTED")


def turn(schema: Mapping[str, Any], user: str) -> dict[str, Any]:
    """One turn that fits the schema."""
    shapes = [shape["properties"] for shape in schema["properties"]["turn"]["anyOf"]]
    wishes = _wishes(_offered(shapes), user)
    if wishes and "Your next answer is the last one" not in user:
        return {"turn": {"kind": "look", "requests": wishes[:MOST_REQUESTS]}}
    answer = _review(user) if "challenges" in shapes[-1] else _report(user)
    return {"turn": answer}


def _offered(shapes: Sequence[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    looks = [shape["requests"]["items"]["anyOf"] for shape in shapes if "requests" in shape]
    return {one["properties"]["tool"]["enum"][0]: one["properties"] for one in (looks[0] if looks else ())}


def _wishes(offered: Mapping[str, Mapping[str, Any]], user: str) -> list[dict[str, Any]]:
    """First where the words of the question stand, then the lines that this led to, then nothing more."""
    heads = [found[2] for found in _HEAD.finditer(user)]
    if not heads:
        first = [("log_crashes", {}), ("search", {"pattern": _words(user), "ignore_case": True}), ("commits", {})]
        return [_wish(tool, offered[tool], fields) for tool, fields in first if tool in offered]
    if "read" in heads or "read" not in offered:
        return []
    places = list(dict.fromkeys((found[1], int(found[2])) for found in _PLACE.finditer(user)))
    return [
        _wish("read", offered["read"], {"path": path, "first": max(1, no - 2), "last": no + 2}) for path, no in places
    ]


def _wish(tool: str, fields: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    """Every field of the schema, with what is said or else what is empty."""
    empty = {"string": "", "integer": 0, "boolean": False}
    return {
        name: tool if name == "tool" else said.get(name, part["enum"][0] if "enum" in part else empty[part["type"]])
        for name, part in fields.items()
    }


def _words(user: str) -> str:
    """A pattern for any of the longer words of the question."""
    literal = _LITERAL.search(user)
    words = dict.fromkeys(_WORD.findall(json.loads(literal[0], strict=False))) if literal else ()
    return "|".join([*words][:MOST_WORDS]) or "def"


# --- answers -----------------------------------------------------------------------------------


def _report(user: str) -> dict[str, Any]:
    evidence = _evidence(user)
    ids = [json.loads(found[0]) for found in _IDS.finditer(user)]
    causes, directions = ids if len(ids) == 2 else (["unknown"], [""])
    findings = [
        {
            "id": f"F{no}",
            "description": f"the stub read {piece['location']}",
            "cause": _of(causes, piece["location"]),
            "direction": _of(directions, piece["location"]),
            "evidence": [piece],
            "confidence": "MEDIUM",
            "alternatives": ["the stub knows nothing"],
        }
        for no, piece in enumerate(evidence, start=1)
    ]
    head = {
        "confidence": "MEDIUM",
        "one_liner": f"the stub found {len(findings)} lines",
        "findings": [{"id": one["id"], "strength": "STRONG"} for one in findings],
        "needs_further": False,
        "reason": "",
        "scope": "",
        "not_looked_at": ["everything else"],
    }
    return {"kind": "report", "layer1": head, "layer2": {"findings": findings}, "layer3": "A stub's report."}


def _evidence(user: str) -> list[dict[str, str]]:
    """The middle line of everything that was read, else the newest commit that was shown."""
    found = list[dict[str, str]]()
    for head, lines in _results(user):
        read = _READ.search(head[4]) if head[2] in ("read", "log_read") and not head[3] else None
        numbered = [line for line in map(_LINE.match, lines) if line and len(line[2].strip()) > 3]
        if read and numbered:
            middle = numbered[len(numbered) // 2]
            found.append(_piece("code", f"{read[1]}:{middle[1]}", middle[2].strip()))
    if not found and (commit := _COMMIT.search(user)):
        found.append(_piece("commit", commit[1], commit[2]))
    return found[:MOST_REQUESTS]


def _results(user: str) -> list[tuple[re.Match[str], list[str]]]:
    heads = list(_HEAD.finditer(user))
    ends = [head.start() for head in heads[1:]] + [len(user)]
    return [(head, user[head.end() + 1 : end].splitlines()) for head, end in zip(heads, ends, strict=True)]


def _review(user: str) -> dict[str, Any]:
    items = list(dict.fromkeys(_ITEM.findall(user)))
    evidence = _evidence(user)[:1]
    challenges = [
        {
            "item": item,
            "verdict": _of(VERDICTS, item),
            "challenge": "the stub read the line again",
            "evidence": evidence,
            "impact": "none that the stub could tell",
        }
        for item in items
    ]
    return {"kind": "review", "challenges": challenges, "full": ""}


def _piece(kind: str, location: str, snippet: str) -> dict[str, str]:
    return {"type": kind, "location": location, "snippet": snippet, "strength": "STRONG"}


def _of(among: Sequence[str], text: str) -> str:
    return among[int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:4]) % len(among)]
