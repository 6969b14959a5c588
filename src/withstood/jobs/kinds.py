"""The jobs by name, as far as their records go: what a recorded run needs to be judged again, shown and explained.

A job's own module does the work; its record module, found here, is all that reading an old run imports.
"""

from __future__ import annotations

import importlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from withstood.errors import JournalError
from withstood.form import Json
from withstood.jobs.header import Header
from withstood.journal.port import RunEntry, Shelf
from withstood.protocols.asks import Flow
from withstood.rules.rulebook import Rulebook
from withstood.verdict import Verdict

RECORDS: Mapping[str, str] = MappingProxyType(
    {
        "sentiment": "withstood.jobs.sentiment_record",
        "investigation": "withstood.jobs.investigation_record",
        "research": "withstood.jobs.research_record",
    }
)


@dataclass(frozen=True, slots=True)
class Told:
    """What is said of a run or of one item of it, in words and as data. `code` is the exit code that goes with it."""

    text: str
    data: Mapping[str, Any]
    code: int = 0


@dataclass(frozen=True, slots=True)
class Kind:
    """`matter` is what a flow decides. `flows` gives the flow of a matter under a rulebook; `presets` what a protocol
    sets in it; `headline` what a result comes to in a word or two."""

    matter: type[Any]
    flows: Callable[[Header, Rulebook], Callable[[Any], Flow[Verdict]]]
    presets: Callable[[str], Mapping[str, str]]
    headline: Callable[[Mapping[str, Json]], Json]
    show: Callable[[Shelf, RunEntry, Header], Awaitable[Told]]
    explain: Callable[[Shelf, RunEntry, Header, str], Awaitable[Told]]
    case_of: Callable[[str], str] = str
    """The case that an item to be explained belongs to: itself, where every item is a case."""


def of(known: Header) -> Kind:
    """The kind of a recorded run: every record module has one `KIND`."""
    if known.job not in RECORDS:
        raise JournalError(f"The run is of a job {known.job!r} that this version does not know.")
    return importlib.import_module(RECORDS[known.job]).KIND
