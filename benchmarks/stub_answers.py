"""Answers of the stub model: drawn from the schema of the request, the same for the same seed and prompt.

A schema says what shape is wanted; the prompt says what can stand in it: a term is a word of the text, a ref comes from
the schema or from the list in the prompt, an action names tuples that lie on the table. Reviewers of one text lean to a
common opinion on each tuple, so that votes agree on some and split on others.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import stub_inquiry

POLARITIES = ("positive", "negative", "neutral", "mixed")
ACTIONS = ("KEEP", "KEEP", "KEEP", "FLIP", "FLIP", "FLAG", "DROP")
REASONS = ("NEGATION_SCOPE", "CONTRAST_CLAUSE", "IMPLICIT_ASPECT", "WEAK_EVIDENCE", "POLARITY_UNCERTAIN", "")
MOST_ITEMS = 3
AGREEMENT = 5  # of 8 votes follow the common opinion

_WORD = re.compile(r"[^\W\d_]{2,}")
_LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"')
_REF = re.compile(r"[^\W\d_][\w·/&]*(?: [\w·/&]+)?#[\w·/&]+")
_TABLED = re.compile(r'"tuple_id"\s*:\s*"([^"]+)"')
_FLAGGED = re.compile(r'"tuple_ids"\s*:\s*\[([^\]]*)\]')

Schema: TypeAlias = Mapping[str, Any]


class Dice:
    """An endless stream of small numbers that depends on its label only."""

    def __init__(self, label: bytes) -> None:
        self._label = hashlib.sha256(label).digest()
        self._left = int.from_bytes(self._label)

    def below(self, sides: int) -> int:
        if self._left < sides << 32:
            self._label = hashlib.sha256(self._label).digest()
            self._left = int.from_bytes(self._label)
        self._left, rolled = divmod(self._left, sides)
        return rolled

    def pick(self, among: Sequence[Any]) -> Any:
        return among[self.below(len(among))]


@dataclass(frozen=True, slots=True)
class Prompt:
    """What an answer can be made of."""

    text: str
    words: tuple[str, ...]
    refs: tuple[str, ...]
    tuples: tuple[str, ...]
    opinion: bytes


def answer(schema: Schema, system: str, user: str, seed: int) -> Any:
    """A value that fits the schema."""
    if "turn" in schema.get("properties", {}):
        return stub_inquiry.turn(schema, user)
    dice = Dice(f"{seed}\n{system}\n{user}".encode("utf-8", "surrogatepass"))
    return _value(schema, "", {}, dice, _prompt(system, user, seed))


def _prompt(system: str, user: str, seed: int) -> Prompt:
    text = _text(user)
    words = tuple(dict.fromkeys(_WORD.findall(text)[:40])) or ("text",)
    opinion = hashlib.sha256(f"{seed}\n{text}".encode("utf-8", "surrogatepass")).digest()
    return Prompt(text, words, _refs(system) or ("general#general",), _tuples(user), opinion)


def _text(user: str) -> str:
    """The text in hand stands first in the prompt, as a JSON string; else the last line will do."""
    for literal in _LITERAL.finditer(user):
        if " " in literal[0]:
            try:
                return json.loads(literal[0], strict=False)
            except ValueError:
                break
    return user.strip().rpartition("\n")[2]


@functools.lru_cache(maxsize=64)
def _refs(system: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_REF.findall(system)))


def _tuples(user: str) -> tuple[str, ...]:
    flagged = [part.strip(' "') for inside in _FLAGGED.findall(user) for part in inside.split(",")]
    return tuple(dict.fromkeys(filter(None, flagged))) or tuple(dict.fromkeys(_TABLED.findall(user)))


# --- by shape ----------------------------------------------------------------------------------


def _value(schema: Schema, name: str, beside: Mapping[str, Any], dice: Dice, prompt: Prompt) -> Any:
    if "anyOf" in schema:
        parts = [part for part in schema["anyOf"] if part.get("type") != "null"]
        usually = parts and (len(parts) == len(schema["anyOf"]) or _wanted(name, beside, dice))
        return _value(dice.pick(parts), name, beside, dice, prompt) if usually else None
    if "enum" in schema:
        return _chosen(schema["enum"], name, beside, dice, prompt)
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        return _object(schema, name, beside, dice, prompt)
    if kind == "array":
        return _array(schema, name, beside, dice, prompt)
    return _KINDS.get(kind or "", _string)(name, beside, dice, prompt)


def _wanted(name: str, beside: Mapping[str, Any], dice: Dice) -> bool:
    if name == "new_value":
        return beside.get("action_type") == "FLIP"
    return dice.below(8) > 0


def _chosen(choices: Sequence[Any], name: str, beside: Mapping[str, Any], dice: Dice, prompt: Prompt) -> Any:
    if name == "action_type":
        action = _string(name, beside, dice, prompt)
        return action if action in choices else choices[0]
    return dice.pick([choice for choice in choices if choice is not None] or choices)


def _object(schema: Schema, name: str, beside: Mapping[str, Any], dice: Dice, prompt: Prompt) -> dict[str, Any]:
    fields: Schema = schema.get("properties") or {}
    if name == "span" and prompt.text:
        return {field: _offset(field, beside, prompt) for field in fields}
    if name == "new_value" and not fields:
        return {"polarity": _opposite(beside, prompt)}
    found = {"": beside.get("")} if "" in beside else {}
    for field, part in fields.items():
        found[field] = _value(part, field, found, dice, prompt)
    found.pop("", None)
    return found


def _array(schema: Schema, name: str, beside: Mapping[str, Any], dice: Dice, prompt: Prompt) -> list[Any]:
    if name == "target_tuple_ids":
        return [beside[""]] if beside.get("") else []
    if "action_type" in (schema.get("items") or {}).get("properties", {}):
        return [_value(schema["items"], name, {"": target}, dice, prompt) for target in prompt.tuples]
    most = min(MOST_ITEMS, schema.get("maxItems", MOST_ITEMS))
    count = max(schema.get("minItems", 0), dice.below(most + 1))
    return [_value(schema.get("items") or {}, name, {}, dice, prompt) for _ in range(count)]


# --- by name -----------------------------------------------------------------------------------


def _string(name: str, beside: Mapping[str, Any], dice: Dice, prompt: Prompt) -> str:
    return _NAMED.get(name, lambda *_: "stub")(beside, dice, prompt)


def _number(name: str, beside: Mapping[str, Any], dice: Dice, prompt: Prompt) -> float:
    return (30 + dice.below(70)) / 100


def _integer(name: str, beside: Mapping[str, Any], dice: Dice, prompt: Prompt) -> int:
    return dice.below(10)


def _boolean(name: str, beside: Mapping[str, Any], dice: Dice, prompt: Prompt) -> bool:
    return dice.below(2) == 0


_KINDS: dict[str, Callable[[str, Mapping[str, Any], Dice, Prompt], Any]] = {
    "string": _string,
    "number": _number,
    "integer": _integer,
    "boolean": _boolean,
    "null": lambda *_: None,
}


def _action(beside: Mapping[str, Any], dice: Dice, prompt: Prompt) -> str:
    common = Dice(prompt.opinion + str(beside.get("")).encode())
    return (common if dice.below(8) < AGREEMENT else dice).pick(ACTIONS)


def _opposite(beside: Mapping[str, Any], prompt: Prompt) -> str:
    return Dice(prompt.opinion + str(beside.get("")).encode() + b"flip").pick(POLARITIES)


def _excerpt(beside: Mapping[str, Any], dice: Dice, prompt: Prompt) -> str:
    at = max(prompt.text.find(str(beside.get("aspect_term") or "")), 0)
    return prompt.text[at : at + 24]


def _offset(field: str, beside: Mapping[str, Any], prompt: Prompt) -> int:
    term = str(beside.get("aspect_term") or "")
    at = max(prompt.text.find(term), 0)
    return at if field == "start" else at + len(term)


_NAMED: dict[str, Callable[[Mapping[str, Any], Dice, Prompt], str]] = {
    "aspect_term": lambda beside, dice, prompt: dice.pick(prompt.words[:4]),
    "aspect_ref": lambda beside, dice, prompt: dice.pick(prompt.refs[:4]),
    "polarity": lambda beside, dice, prompt: (
        _opposite(beside, prompt) if "" in beside else dice.pick(POLARITIES[: 2 + dice.below(3)])
    ),
    "opinion_term": lambda beside, dice, prompt: dice.pick(prompt.words),
    "evidence": _excerpt,
    "rationale": lambda beside, dice, prompt: f"the stub read {dice.pick(prompt.words)}",
    "action_type": _action,
    "reason_code": lambda beside, dice, prompt: dice.pick(REASONS),
    "actor": lambda beside, dice, prompt: "A",
}
