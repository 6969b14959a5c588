"""What a job is: said once when it is submitted, read by every worker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal

from withstood import form
from withstood.claims.case import Case
from withstood.engine.conduct import Unfit
from withstood.engine.limits import Limits, Spend
from withstood.form import Json, Within
from withstood.jobs.header import Header
from withstood.jobs.sessions import Note
from withstood.jobs.settings import Config

CHUNK = 500
AT_ONCE = 4
MOST_TRIES = 5


@dataclass(frozen=True, slots=True)
class Commission:
    """`config` holds no key and no store. `header` is that of the whole input; a worker whose own differs in what
    decides does not touch the job. `at_once`: so many chunks share the calls in flight."""

    kind: str
    protocol: str
    config: Config
    header: Header
    at_once: Annotated[int, Within(1, 10_000)] = AT_ONCE
    most_tries: Annotated[int, Within(1, 1000)] = MOST_TRIES

    @property
    def seal(self) -> str:
        return seal(self.header)

    @property
    def is_unit(self) -> bool:
        """Whether it is decided whole, by one worker at a time."""
        return self.kind != "sentiment"

    @property
    def share(self) -> int:
        """Calls in flight of one chunk."""
        return max(1, self.config.limits.in_flight // self.at_once)

    @property
    def of_chunk(self) -> Config:
        """The configuration of a chunk: what all chunks share is not limited here a second time. Time is limited where
        there is one chunk, for each sitting."""
        limits = self.config.limits
        seconds = limits.seconds if self.is_unit else None
        own = Limits(in_flight=self.share, seconds=seconds, call_seconds=limits.call_seconds, attempts=limits.attempts)
        return replace(self.config, limits=own)


def seal(header: Header) -> str:
    """What must be the same wherever a chunk is decided."""
    return form.digest(form.dumps([header.job, header.protocol, header.rulebook, header.agreed, header.seats]))


@dataclass(frozen=True, slots=True)
class Question:
    """An investigation as it is queued. Its paths lead to the same sources on every worker, or the worker leaves it."""

    question: str
    repo: str | None = None
    logs: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    cast: tuple[str, ...] = ()
    profile: str = "default"
    kind: str = ""
    quick: bool = False
    language: Literal["en", "ko"] | None = None
    models: Mapping[str, str] = field(default_factory=dict[str, str])
    zone: int = 0


@dataclass(frozen=True, slots=True)
class Study:
    """A research as it is queued: what its session says was ordered, and what the documents of its folder are known by.
    They are the same on every worker, or the worker leaves it."""

    note: Note
    known_by: tuple[str, ...] = ()
    reuse: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of the input in its chunk, with its place in the whole."""

    no: int
    case: Case | None = None
    unfit: Unfit | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk as it is queued: the hash of its rows. Those of phase 1 hold copies of texts of phase 0."""

    no: int
    phase: int
    source: str
    rows: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a chunk came to, and what it cost. `result` is the head of the run that holds its rows; of a job of one
    unit, the hash of its files."""

    result: str
    spent: Spend = field(default_factory=Spend)


def lines(entries: list[Any]) -> str:
    return "".join(f"{form.dumps(entry)}\n" for entry in entries)


def read_lines(kind: type[Any], text: str) -> list[Any]:
    return [form.read(kind, form.loads(line)) for line in text.splitlines()]


def run_name(job: str, no: int) -> str:
    return f"{job}.{no:06}"


def written(value: Any) -> str:
    return form.dumps(value)


def read(kind: type[Any], text: str) -> Any:
    value: Json = form.loads(text)
    return form.read(kind, value)
