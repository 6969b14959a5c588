"""A small writer of YAML: every text is quoted, so that nothing in it is read as anything else."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias, cast

Value: TypeAlias = "str | int | bool | Sequence[Value] | Mapping[str, Value] | None"

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_WORDS = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n"))
_SIGNS = (*range(0x7F, 0xA0), 0x2028, 0x2029, 0xFEFF)
_UNSAFE = str.maketrans({chr(sign): f"\\u{sign:04x}" for sign in _SIGNS})
_HALVES = re.compile("[\ud800-\udfff]")


def dump(value: Mapping[str, Value]) -> str:
    """A document of block mappings and lists, which any reader of YAML 1.1 or 1.2 reads in the same way."""
    return "".join(f"{line}\n" for line in _mapping(value))


def _mapping(value: Mapping[str, Value]) -> list[str]:
    lines: list[str] = []
    for name, part in value.items():
        lines += _entry(f"{_key(name)}:", part)
    return lines or ["{}"]


def _entry(head: str, part: Value) -> list[str]:
    if _is_block(part):
        return [head, *(f"  {line}" for line in _block(part))]
    return [f"{head} {_plain(part)}"]


def _block(part: Value) -> list[str]:
    if isinstance(part, Mapping):
        return _mapping(part)
    lines: list[str] = []
    for one in cast("Sequence[Value]", part):
        inner = _block(one) if _is_block(one) else [_plain(one)]
        lines += [f"- {inner[0]}", *(f"  {line}" for line in inner[1:])]
    return lines


def _is_block(part: Value) -> bool:
    return isinstance(part, (Mapping, Sequence)) and not isinstance(part, str) and len(part) > 0


def _plain(part: Value) -> str:
    if isinstance(part, Mapping):
        return "{}"
    if isinstance(part, str):
        return _quoted(part)
    if part is None or isinstance(part, bool):
        return {None: "null", True: "true", False: "false"}[part]
    return str(part) if isinstance(part, int) else "[]"


def _key(name: str) -> str:
    return name if _PLAIN.fullmatch(name) and name.lower() not in _WORDS else _quoted(name)


def _quoted(text: str) -> str:
    """In double quotes, whose escapes are those of JSON; half a character is no character."""
    return json.dumps(_HALVES.sub("\ufffd", text), ensure_ascii=False).translate(_UNSAFE)
