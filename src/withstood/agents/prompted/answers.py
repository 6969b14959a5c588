"""The door: what a model wrote, as a typed answer or as a `Misfit` that names the place.

Unknown fields, wrong types and numbers out of range are refused. The door is softer at exactly these places:
- the whole reply may stand in one fenced block (```json); JSON with prose around it is refused;
- `span` takes every shape that models use, and becomes null where none fits;
- a part that has a default may be null, which is the same as leaving it out;
- `new_value` may be a bare polarity; anything but that and an object becomes null;
- an action of an unknown kind is put on record and is no action; `actor` is accepted and ignored;
- what `debate_answers` says of the seats of a debate.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeVar

from withstood import form
from withstood.agents.prompted import debate_answers
from withstood.claims.ballot import Action, Refusal, Review, ReviewAction
from withstood.claims.opinion import Reading
from withstood.errors import Misfit

T = TypeVar("T")

_FENCED = re.compile(r"```(?:json|JSON)?[ \t]*\n((?:(?!```).)*)```", re.DOTALL)
_FURTHEST = 10**9


def read_answer(wanted: type[T], text: str) -> T:
    """The answer, or a `Misfit`; never another exception, whatever the text is."""
    value = form.loads(alone(text))
    return _DOORS[wanted](value) if wanted in _DOORS else form.read(wanted, value)


def alone(text: str) -> str:
    bare = text.strip()
    if not bare.startswith("```"):
        return bare
    fenced = _FENCED.fullmatch(bare)
    if fenced is None:
        raise Misfit("", "JSON alone, or in one fenced block that is the whole reply", form.shown(bare))
    return fenced[1]


# --- readings ----------------------------------------------------------------------------------


def _reading(value: Any) -> Reading:
    return form.read(Reading, _each(value, "triplets", _soft_triplet))


def _each(value: Any, name: str, soften: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """The same value with every object of the list softened; what is not a list of objects is left to `form`."""
    if not isinstance(value, dict) or not isinstance(value.get(name), list):
        return value
    return value | {name: [soften(item) if isinstance(item, dict) else item for item in value[name]]}


def _soft_triplet(item: dict[str, Any]) -> dict[str, Any]:
    kept = _given(item, ("aspect_term", "polarity", "confidence"))
    return kept | {"span": _span(kept["span"])} if "span" in kept else kept


def _given(item: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Without those of the named parts that are null."""
    return {name: part for name, part in item.items() if part is not None or name not in names}


_PAIR = re.compile(r"\s*([0-9]+)\s*[,~-]\s*([0-9]+)\s*")
_START = re.compile(r"\bstart[\"']?\s*[:=]\s*[\"']?(-?[0-9]+)", re.IGNORECASE)
_END = re.compile(r"\bend[\"']?\s*[:=]\s*[\"']?(-?[0-9]+)", re.IGNORECASE)


def _span(found: Any) -> dict[str, int] | None:
    """The span in any of the shapes that models use; None, never a fault, where it is not one."""
    match found:
        case {"start": start, "end": end}:
            ends = _offset(start), _offset(end)
        case [start, end]:
            ends = _offset(start), _offset(end)
        case str() if pair := _PAIR.fullmatch(found):
            ends = _offset(pair[1]), _offset(pair[2])
        case str() if (first := _START.search(found)) and (last := _END.search(found)):
            ends = _offset(first[1]), _offset(last[1])
        case _:
            return None
    start, end = ends
    return {"start": start, "end": end} if start is not None and end is not None and start <= end else None


def _offset(found: Any) -> int | None:
    if isinstance(found, str) and re.fullmatch(r"\s*[0-9]{1,9}\s*", found):
        return int(found)
    if isinstance(found, (int, Decimal)) and not isinstance(found, bool) and 0 <= found < _FURTHEST and found % 1 == 0:
        return int(found)
    return None


# --- reviews -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Action:
    """An action as it comes in: of any kind."""

    action_type: str = "KEEP"
    target_tuple_ids: tuple[str, ...] = ()
    new_value: Mapping[str, Any] | None = None
    reason_code: str = ""
    actor: Any = None


@dataclass(frozen=True, slots=True)
class _Actions:
    review_actions: tuple[_Action, ...] = ()


def _review(value: Any) -> Review:
    found = form.read(_Actions, _each(value, "review_actions", _soft_action)).review_actions
    kinds = [(_kind(one.action_type), one) for one in found]
    return Review(
        tuple(_action(kind, one) for kind, one in kinds if kind),
        tuple(Refusal(one.action_type, one.target_tuple_ids) for kind, one in kinds if not kind),
    )


def _soft_action(item: dict[str, Any]) -> dict[str, Any]:
    kept = _given(item, ("target_tuple_ids", "reason_code"))
    match item.get("new_value"):
        case dict():
            return kept
        case str() as word if word.strip():
            return kept | {"new_value": {"polarity": word.strip().lower()}}
        case _:
            return kept | {"new_value": None}


def _kind(named: str) -> Action | None:
    try:
        return Action(named)
    except ValueError:
        return None


def _action(kind: Action, one: _Action) -> ReviewAction:
    return ReviewAction(kind, one.target_tuple_ids, one.new_value, one.reason_code)


_DOORS: dict[type, Callable[[Any], Any]] = {Reading: _reading, Review: _review, **debate_answers.doors(_span)}
