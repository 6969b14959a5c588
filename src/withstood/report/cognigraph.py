"""A research as files: the graph itself, and a page of Markdown for each observation and hypothesis.

`cognigraph.json` is the truth; the pages are written from it and can be written again at any time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from decimal import Decimal
from functools import cache, lru_cache
from typing import Any

from withstood import form
from withstood.claims.graph import Edge, Graph, Happened, Hypothesis, Observation, check
from withstood.form import Json
from withstood.report.inert import markdown as inert

FILE = "cognigraph.json"
_ENCODE = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode
_KINDS = {"A": "A (derived)", "B": "B (generated)"}


class Lines:
    """The line of each thing, written once: from one iteration to the next most things stay the same objects."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[object, str]] = {}

    def of(self, thing: object) -> str:
        if id(thing) not in self._known or self._known[id(thing)][0] is not thing:
            self._known[id(thing)] = (thing, _object(thing))
        return self._known[id(thing)][1]

    def forget(self, graph: Graph) -> None:
        """Keep what this graph has, so that it never holds more than two graphs."""
        if len(self._known) > 2 * (len(graph.observations) + len(graph.hypotheses) + len(graph.edges)) + 1000:
            self._known.clear()


def text(graph: Graph, lines: Lines | None = None) -> str:
    """The graph as its file: a line for each thing, numbers as numbers, unknown fields as they were."""
    of = lines.of if lines else _object
    parts = {
        "question": _ENCODE(graph.question),
        "iteration": str(graph.iteration),
        "observations": _entries(graph.observations, of),
        "hypotheses": _entries(graph.hypotheses, of),
        "edges": _lines([of(edge) for edge in graph.edges], "[]"),
        "lens_index": str(graph.lens_index),
        "unexplored": _lines([_object(lead) for lead in graph.unexplored], "[]"),
        "health": _object(graph.health),
        "history": _lines([_object(event) for event in graph.history], "[]"),
    } | {name: _ENCODE(_plain(part)) for name, part in graph.others.items()}
    body = ",\n".join([f"{_ENCODE(name)}: {part}" for name, part in parts.items()])
    return f"{{\n{body}\n}}\n"


PUBLISHED = {
    "observations": ("summary", "authority", "source_url", "source_type", "created_at"),
    "hypotheses": ("type", "summary", "strength", "status", "visit_count", "last_visited", "created_at",
                   "reasoning_tool", "verify_keywords"),
    "edges": ("from", "to", "type", "weight", "created_at", "resolved", "resolution"),
}  # fmt: skip
"""The fields of the published schema, where we have more."""


def plain(graph: Graph) -> str:
    """The graph with the published fields alone, and those that another tool had put there."""
    whole: Any = json.loads(text(replace(graph, history=())))
    del whole["history"]
    for name, one in (("observations", graph.observations), ("hypotheses", graph.hypotheses)):
        whole[name] = {key: _kept(entry, name, one[key].others) for key, entry in whole[name].items()}
    edges = zip(whole["edges"], graph.edges, strict=True)
    whole["edges"] = [_kept(entry, "edges", edge.others) for entry, edge in edges]
    return json.dumps(whole, ensure_ascii=False, indent=2) + "\n"


def _kept(entry: Mapping[str, Any], kind: str, others: Mapping[str, Json]) -> dict[str, Any]:
    return {name: part for name, part in entry.items() if name in PUBLISHED[kind] or name in others}


def read(text: str) -> Graph:
    """The graph of a file; a `Misfit` names the place where it is none."""
    return check(form.read(Graph, form.loads(text)))


def _entries(things: Mapping[str, Observation] | Mapping[str, Hypothesis], of: Callable[[object], str]) -> str:
    return _lines([f"{_ENCODE(name)}: {of(one)}" for name, one in things.items()], "{}")


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


def things(graph: Graph) -> Iterator[tuple[str, Observation | Hypothesis]]:
    """The path of every page, and what it tells of. A thing that is the same has the same page."""
    for name, one in graph.observations.items():
        yield f"observations/{name}.md", one
    for name, one in graph.hypotheses.items():
        yield f"hypotheses/{name}.md", one


def page(path: str, thing: Observation | Hypothesis) -> str:
    name = path.rpartition("/")[2].removesuffix(".md")
    return observation(name, thing) if isinstance(thing, Observation) else hypothesis(name, thing)


def observation(name: str, one: Observation) -> str:
    checked = {True: "found in the kept text", False: "not checked: there was no text to look in"}
    lines = [
        f"# Observation {name.removeprefix('obs_')}\n",
        "## Source",
        f"- URL: {inert(one.source_url or 'none')}",
        *([f"- File: {inert(one.file)}"] if one.file else []),
        f"- Type: {_TYPES.get(one.source_type) or inert(one.source_type)}",
        f"- Authority: {form.plain_number(one.authority)}",
        f"- Retrieved: {inert(one.retrieved) or f'iteration {one.created_at}'}",
        *([f"- Text: {one.sha256}"] if one.sha256 else []),
        *([f"- Copy of: {inert(one.copy_of)}"] if one.copy_of else []),
        *([f"- Page is a copy of: {inert(one.first_url)}"] if one.first_url else []),
        f"\n## Content\n{inert(one.summary)}",
        "\n## Quotes",
        f"> {inert(one.words)}",
        *([f"\n({checked[one.checked]})"] if one.checked is not None else []),
        "\n## Extracted Concepts",
        *[f"- {inert(word)}" for word in _concepts(one.summary)],
    ]
    return "\n".join(lines) + "\n"


_TYPES = {"official": "official_doc"}
"""What a page calls a type otherwise than the graph does, as published."""
_WORDS = re.compile(r"[^\W\d_]{2,}")
MOST_CONCEPTS = 6


def _concepts(summary: str) -> list[str]:
    """Its longest words, in their order: what it may be found by."""
    found = list(dict.fromkeys(_WORDS.findall(summary)))
    kept = sorted(found, key=len, reverse=True)[:MOST_CONCEPTS]
    return [word for word in found if word in kept]


def hypothesis(name: str, one: Hypothesis) -> str:
    derived = next((event.result for event in one.history if event.action == "IDEATE"), "")
    lines = [
        f"# Hypothesis {name.removeprefix('hyp_')}\n",
        f"## Type\n{_KINDS[one.type]}",
        f"\n## Statement\n{inert(one.summary)}",
        f"\n## Reasoning Tool\n{inert(one.reasoning_tool or 'none')}",
        f"\n## Derived From\n{inert(derived) or 'a source'}",
        f"\n## Strength\n{form.plain_number(one.strength)}",
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
    change = "" if event.change is None else f"{'' if event.change < 0 else '+'}{form.plain_number(event.change)}"
    return f"| {event.iteration} | {inert(event.action)} | {inert(event.result)} | {change} |"


def edges_of(graph: Graph) -> Mapping[str, list[Edge]]:
    """By hypothesis, the edges that weigh on it."""
    found: dict[str, list[Edge]] = {}
    for edge in graph.edges:
        if edge.type != "CONFLICTS":
            found.setdefault(edge.end, []).append(edge)
    return found
