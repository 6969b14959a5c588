"""The door for investigators and counter-reviewers: a wish to look, a tiered report, a review.

A report comes in its layers or flat; anything else is a `Misfit` that names the place.

| form | looks like |
|---|---|
| look | {"requests": [{"tool": ...}, ...]}, or one request alone |
| report in layers | {"layer1": {"one_liner", "findings", ... as in a flat one}, "layer2": {"findings"}, "layer3"} |
| flat report | {"one_liner", "confidence", "findings", "needs_further", "reason", "scope", "not_looked_at", "full"} |
| review | {"challenges": [{"item", "verdict", "challenge", "evidence", "impact"}], "full"} |

Each may stand under "turn", and may name its "kind". The door is softer at exactly these places: the other names in
`_OTHER_NAMES`; null for a field that may be left out; capital and small letters of choices; one text for a list of
texts; `needs_further` as an object with `reason` and `scope`. The ids of findings are ours: F1, F2, ... in order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from withstood import form
from withstood.agents.prompted.answers import alone
from withstood.claims.finding import Challenge, CounterReview, Evidence, Finding, Grade, Level, Report
from withstood.errors import Misfit
from withstood.form import Json

T = TypeVar("T")

MOST_HEADLINE = 300
_OTHER_NAMES: Mapping[str, str] = {
    "one-liner": "one_liner",
    "recommended_direction": "direction",
    "alternative": "alternatives",
    "alternative_explanation": "alternatives",
    "alternative_explanations": "alternatives",
    "needs_further_reason": "reason",
    "needs_further_scope": "scope",
    "reviews": "challenges",
    "item_id": "item",
}
_UPPER = ("confidence", "strength", "verdict")
_LISTS = ("alternatives", "not_looked_at")


@dataclass(frozen=True, slots=True)
class Look:
    """A wish to look, before any of its requests has been read."""

    requests: tuple[Json, ...]


@dataclass(frozen=True, slots=True)
class _Headline:
    """A finding in layer 1. Its `description` is taken where there is no layer 2."""

    id: str = ""
    strength: Grade | None = None
    description: str = ""


@dataclass(frozen=True, slots=True)
class _Found:
    description: str
    id: str = ""
    cause: str = ""
    direction: str = ""
    evidence: tuple[Evidence, ...] = ()
    confidence: Level = "MEDIUM"
    alternatives: tuple[str, ...] = ()
    strength: Grade | None = None


@dataclass(frozen=True, slots=True)
class _Head:
    one_liner: str
    iid: str = ""
    confidence: Level = "MEDIUM"
    findings: tuple[_Headline | str, ...] = ()
    needs_further: bool = False
    reason: str = ""
    scope: str = ""
    not_looked_at: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Body:
    findings: tuple[_Found, ...] = ()


@dataclass(frozen=True, slots=True)
class _Layers:
    layer1: _Head
    layer2: _Body | None = None
    layer3: str = ""


@dataclass(frozen=True, slots=True)
class _Flat:
    one_liner: str
    iid: str = ""
    confidence: Level = "MEDIUM"
    findings: tuple[_Found, ...] = ()
    needs_further: bool = False
    reason: str = ""
    scope: str = ""
    not_looked_at: tuple[str, ...] = ()
    full: str = ""


@dataclass(frozen=True, slots=True)
class _Review:
    challenges: tuple[Challenge, ...]
    iid: str = ""
    full: str = ""


def read_turn(wanted: type, text: str) -> Any:
    """A `Look`, or an answer of the type `wanted`; everything else is a `Misfit`."""
    value = _unwrapped(form.loads(alone(text)))
    if not isinstance(value, Mapping):
        raise Misfit("", "an object", form.shown(value))
    if "requests" in value or "tool" in value:
        return Look(form.read(tuple[Any, ...], value["requests"], "requests") if "requests" in value else (value,))
    return _review(value) if wanted is CounterReview else _report(value)


def reduced(text: str) -> Report | None:
    """What is left of a reply that is not in the tiered form: a headline, and the mark. None where it has no words, or
    where it is JSON without a headline."""
    said = _HEADLINE.search(text)
    words = _decoded(said[1]) if said else "" if text.strip().startswith(("{", "[", "```")) else _sentence(text)
    if not words.strip():
        return None
    return Report(form.shown(words, MOST_HEADLINE), "LOW", full=text, reduced=True)


_HEADLINE = re.compile(r"\"one[_-]liner\"\s*:\s*(\"(?:[^\"\\]|\\.)*\")")
_SENTENCE = re.compile(r"(?<=[.!?。])\s")


def _decoded(quoted: str) -> str:
    try:
        return str(form.loads(quoted))
    except Misfit:
        return ""


def _sentence(text: str) -> str:
    return _SENTENCE.split(text.strip(), maxsplit=1)[0]


def _unwrapped(value: Json) -> Json:
    inner = value["turn"] if isinstance(value, Mapping) and value.keys() == {"turn"} else value
    return {name: part for name, part in inner.items() if name != "kind"} if isinstance(inner, Mapping) else inner


# --- reports -----------------------------------------------------------------------------------


def _report(value: Mapping[str, Any]) -> Report:
    if "layer1" not in value:
        return _of_flat(form.read(_Flat, _plain(value)))
    found = form.read(_Layers, _plain(value))
    head, body = found.layer1, found.layer2
    told = _headlines(head) if body is None else body.findings
    return Report(
        head.one_liner,
        head.confidence,
        _numbered(told),
        head.needs_further,
        head.reason,
        head.scope,
        head.not_looked_at,
        found.layer3,
    )


def _headlines(head: _Head) -> list[_Found]:
    return [_Found(one.description) for one in head.findings if isinstance(one, _Headline) and one.description]


def _of_flat(one: _Flat) -> Report:
    findings = _numbered(one.findings)
    return Report(
        one.one_liner, one.confidence, findings, one.needs_further, one.reason, one.scope, one.not_looked_at, one.full
    )


def _numbered(found: Any) -> tuple[Finding, ...]:
    return tuple(
        [
            Finding(f"F{no}", one.description, one.cause, one.direction, one.evidence, one.confidence, one.alternatives)
            for no, one in enumerate(found, start=1)
        ]
    )


def _review(value: Mapping[str, Any]) -> CounterReview:
    found = form.read(_Review, _plain(value))
    return CounterReview(found.challenges, found.full)


def _plain(value: Any) -> Any:
    """The same value under the names that we use, choices in the letters that we use, without its nulls."""
    if isinstance(value, Mapping):
        return _further({_OTHER_NAMES.get(name, name): part for name, part in value.items() if part is not None})
    return [_plain(part) for part in value] if isinstance(value, (list, tuple)) else value


def _further(fields: dict[str, Any]) -> dict[str, Any]:
    further = fields.get("needs_further")
    if isinstance(further, Mapping):
        fields |= {"needs_further": True} | {
            name: part for name, part in further.items() if name in ("reason", "scope")
        }
    return {name: _field(name, part) for name, part in fields.items()}


def _field(name: str, part: Any) -> Any:
    if isinstance(part, str) and name in _UPPER:
        return part.strip().upper()
    if isinstance(part, str) and name == "type":
        return part.strip().lower()
    if isinstance(part, str) and name in _LISTS:
        return [part] if part.strip() else []
    return _plain(part)
