"""What the engine knows of a journal: records, a run that is being written, and the store that keeps them."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias


class Record(NamedTuple):
    """One line of a run. `item` is the number of the case, 0 for the run itself; `body` is JSON.

    `key` is set on an answer that cost something: it names the question so that another run can find the answer."""

    kind: str
    item: int
    body: str
    key: str | None = None


class Kept(NamedTuple):
    """A record as it is kept: its place in the run, and the hash that chains it to the record before."""

    seq: int
    record: Record
    hash: str


Hear: TypeAlias = Callable[[Sequence[Kept]], None]
"""Told the records of a run in order, some hundred at a time."""


def deaf(records: Sequence[Kept]) -> None:
    """Hears nothing."""


def link(before: str, seq: int, record: Record) -> str:
    """The hash of a record: of its predecessor's hash and of everything that it says."""
    said = f"{before}\n{seq}\n{record.kind}\n{record.item}\n{record.key or ''}\n{record.body}"
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()


def text_hash(text: str) -> str:
    """What a text is known by."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def seed(run: str) -> str:
    """What stands before the first record of a run."""
    return hashlib.sha256(f"withstood journal 1\n{run}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class RunEntry:
    """A run as it is listed: its first and its last record."""

    name: str
    records: int
    first: str
    last_kind: str
    last: str
    head: str


class Journal(Protocol):
    """One run, open for writing by this process alone."""

    @property
    def run(self) -> str: ...

    @property
    def head(self) -> str:
        """The hash of the last record that is durable."""
        ...

    def append(self, record: Record) -> None:
        """Put a record in order. It is durable once a later `kept` has returned."""
        ...

    async def kept(self) -> None:
        """Return when everything appended so far is durable; raise `errors.StoreError` when it cannot be."""
        ...

    async def close(self) -> None: ...


class Shelf(Protocol):
    """Runs and texts as they were kept, for reading."""

    def records(self, run: str) -> AsyncIterator[Sequence[Kept]]:
        """All records in order, some hundred at a time, each checked against the chain before it is given out.
        `errors.JournalDamaged` names the place. A torn last record is left out, and reported in `torn`."""
        ...

    async def runs(self) -> Sequence[RunEntry]:
        """The newest last."""
        ...

    async def find(self, key: str) -> Record | None:
        """The first answer kept under this key, in any run, if it is as it was written."""
        ...

    async def text(self, sha256: str) -> str | None:
        """A text that was kept; None where there is none. `errors.JournalDamaged` where it is not as it was kept."""
        ...

    @property
    def torn(self) -> Sequence[str]:
        """What was found torn and was cut, in words."""
        ...


class Texts(Protocol):
    """Where the texts that evidence points into are kept, once for all runs."""

    async def keep_text(self, text: str) -> str:
        """Keep a text that evidence points into, once, under the SHA-256 that is returned; durable by then."""
        ...

    async def text(self, sha256: str) -> str | None:
        """As a shelf gives it out."""
        ...


class Store(Shelf, Texts, Protocol):
    """Where runs are kept, and written."""

    async def create(self, run: str, first: Record) -> Journal:
        """A new run. `errors.ConfigError` where the name is taken."""
        ...

    async def reopen(self, run: str, *, take_over: bool = False, hear: Hear = deaf) -> Journal:
        """An earlier run, for more records; `hear` is told those there are, each checked against the chain.
        `errors.StoreError` where another process has it open, unless it is taken over: then whatever the other one
        still wants to write is refused, or, where it was quicker, ours is."""
        ...

    async def close(self) -> None: ...
