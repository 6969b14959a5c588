"""A research as files: the graph itself, and a page of Markdown for each observation and hypothesis.

`cognigraph.json` is the truth; the pages are written from it and can be written again at any time.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from decimal import Decimal
from functools import cache, lru_cache
from typing import Any

from withstood import form
from withstood.claims.graph import Edge, Graph, Happened, Hypothesis, Observation, check
from withstood.report.inert import markdown as inert

FILE = "cognigraph.json"
_ENCODE = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode
_KINDS = {"A": "A (derived)", "B": "B (generated)"}


def text(graph: Graph) -> str:
    """The graph as its file: a line for each thing, numbers as numbers, unknown fields as they were."""
    parts = {
        "question": _ENCODE(graph.question),
        "iteration": str(graph.iteration),
        "observations": _entries(graph.observations),
        "hypotheses": _entries(graph.hypotheses),
        "edges": _lines([_object(edge) for edge in graph.edges], "[]"),
        "lens_index": str(graph.lens_index),
        "unexplored": _lines([_object(lead) for lead in graph.unexplored], "[]"),
        "health": _object(graph.health),
        "history": _lines([_object(event) for event in graph.history], "[]"),
    } | {name: _ENCODE(_plain(part)) for name, part in graph.others.items()}
    body = ",\n".join([f"{_ENCODE(name)}: {part}" for name, part in parts.items()])
    return f"{{\n{body}\n}}\n"


def read(text: str) -> Graph:
    """The graph of a file; a `Misfit` names the place where it is none."""
    return check(form.read(Graph, form.loads(text)))


def _entries(things: Mapping[str, Observation] | Mapping[str, Hypothesis]) -> str:
    return _lines([f"{_ENCODE(name)}: {_object(one)}" for name, one in things.items()], "{}")


def _lines(parts: list[str], around: str) -> str:
    return f"{around[0]}\n" + ",\n".join(parts) + f"\n{around[1]}" if parts else around


def _object(thing: Any) -> str:
    found = _flat(thing)
    others: Mapping[str, Any] = getattr(thing, "others", _NOTHING)
    return _ENCODE(found | {name: _plain(part) for name, part in others.items()} if others else found)


_NOTHING: Mapping[str, Any] = {}


def _flat(thing: object) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for attribute, name in _names(type(thing)):
        part: object = getattr(thing, attribute)
        found[name] = part if type(part) in _AS_IT_IS else _plain(part)
    return found


@cache
def _names(kind: type) -> tuple[tuple[str, str], ...]:
    """Attributes and their names in the file."""
    known = [field for field in fields(kind) if "rest" not in field.metadata]
    return tuple([(field.name, field.metadata.get("name", field.name)) for field in known])


_AS_IT_IS = frozenset({str, int, bool, type(None)})


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return _number(value)
    if isinstance(value, Mapping):
        return {name: _plain(part) for name, part in value.items()}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, Happened):
        return _flat(value)
    if isinstance(value, (tuple, list)):
        return [_plain(part) for part in value]  # pyright: ignore[reportUnknownVariableType]
    return value


@lru_cache(maxsize=4096)
def _number(value: Decimal) -> float | int | str:
    return form.plain_number(value)


# --- pages -------------------------------------------------------------------------------------


def pages(graph: Graph) -> Iterator[tuple[str, object, str]]:
    """Path, thing and text of every page. A thing that is the same object has the same page."""
    for name, one in graph.observations.items():
        yield f"observations/{name}.md", one, observation(name, one)
    for name, one in graph.hypotheses.items():
        yield f"hypotheses/{name}.md", one, hypothesis(name, one)


def observation(name: str, one: Observation) -> str:
    checked = {True: "found in the kept text", False: "not checked: there was no text to look in"}
    lines = [
        f"# Observation {name.removeprefix('obs_')}\n",
        "## Source",
        f"- URL: {inert(one.source_url or 'none')}",
        f"- Type: {inert(one.source_type)}",
        f"- Authority: {one.authority}",
        f"- Retrieved: {inert(one.retrieved) or f'iteration {one.created_at}'}",
        *([f"- Text: {one.sha256}"] if one.sha256 else []),
        *([f"- Copy of: {inert(one.copy_of)}"] if one.copy_of else []),
        *([f"- Page is a copy of: {inert(one.first_url)}"] if one.first_url else []),
        f"\n## Content\n{inert(one.summary)}",
        "\n## Quotes",
        f"> {inert(one.words)}",
        *([f"\n({checked[one.checked]})"] if one.checked is not None else []),
    ]
    return "\n".join(lines) + "\n"


def hypothesis(name: str, one: Hypothesis) -> str:
    derived = next((event.result for event in one.history if event.action == "IDEATE"), "")
    lines = [
        f"# Hypothesis {name.removeprefix('hyp_')}\n",
        f"## Type\n{_KINDS[one.type]}",
        f"\n## Statement\n{inert(one.summary)}",
        f"\n## Reasoning Tool\n{inert(one.reasoning_tool or 'none')}",
        f"\n## Derived From\n{inert(derived) or 'a source'}",
        f"\n## Strength\n{one.strength}",
        f"\n## Status\n{one.status}",
        "\n## Visit History",
        "| Iteration | Action | Result | Strength Change |",
        "|-----------|--------|--------|-----------------|",
        *[_row(event) for event in one.history],
        "\n## Verification Direction",
        *[f'- "{inert(word)}"' for word in one.verify_keywords],
    ]
    return "\n".join(lines) + "\n"


def _row(event: Happened) -> str:
    change = "" if event.change is None else f"{event.change:+f}"
    return f"| {event.iteration} | {inert(event.action)} | {inert(event.result)} | {change} |"


def edges_of(graph: Graph) -> Mapping[str, list[Edge]]:
    """By hypothesis, the edges that weigh on it."""
    found: dict[str, list[Edge]] = {}
    for edge in graph.edges:
        if edge.type != "CONFLICTS":
            found.setdefault(edge.end, []).append(edge)
    return found
