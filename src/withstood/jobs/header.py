"""The first record of a run: everything that its verdicts depend on, besides the answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from withstood import form
from withstood.errors import JournalError
from withstood.form import Json, Misfit
from withstood.journal.port import Record
from withstood.rules.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sat there, and the hashes of the prompt files that were used."""

    agent: str
    prompts: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Input:
    """What was read: its name, the SHA-256 of its bytes, and how many rows it has."""

    name: str
    sha256: str
    rows: int


@dataclass(frozen=True, slots=True)
class Header:
    """A resumed run must have the same header; a replayed one is judged by it. `agreed` is what the job has agreed on
    beforehand, in a form of its own. `begun_with` is what stood outside and may change since: a resumed run goes on
    with what it was begun with."""

    version: str
    job: str
    protocol: str
    rulebook: Rulebook
    rulebook_hash: str
    agreed: Json
    seats: Mapping[str, Seat]
    input: Input
    begun_with: Json = None

    def record(self) -> Record:
        return Record("run", 0, form.dumps(self))


def read(run: str, first: str) -> Header:
    try:
        return form.read(Header, form.loads(first))
    except Misfit as fault:
        raise JournalError(
            f"Run {run} was not written by this version of withstood ({fault}). Use the version that wrote it."
        ) from None
