"""Observations of files that somebody has given an address since they were made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from withstood.claims.graph import Graph, Observation
from withstood.protocols import growing
from withstood.rules.rulebook import AUTHORITIES, Rulebook
from withstood.sources import origins
from withstood.sources.origins import Origin


def addressed(graph: Graph, rows: Sequence[Origin], book: Rulebook) -> Graph:
    """The graph with each file under the address that it has now, its authority and all strengths by the tables; the
    same graph where nothing changes."""
    changed = {name: _placed(one, rows, book) for name, one in graph.observations.items()}
    if changed == graph.observations:
        return graph
    return growing.strengthened(replace(graph, observations=changed), book)


def _placed(one: Observation, rows: Sequence[Origin], book: Rulebook) -> Observation:
    path = one.file or one.source_url or ""
    url = origins.place(rows, path)
    if url is None or url == one.source_url:
        return one
    judged = AUTHORITIES[book.authority.edition](url, book.authority)
    first = origins.place(rows, one.first_url) if one.first_url else None
    return replace(
        one,
        source_url=url,
        file=path,
        authority=judged.authority,
        source_type=judged.source_type,
        first_url=first or one.first_url,
    )
