"""What the engine writes into the journal and reads back: one frozen type per kind of record."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, TypeVar

from withstood import form
from withstood.engine.limits import Spend
from withstood.form import Json
from withstood.journal.port import Record
from withstood.models.port import Batch
from withstood.protocols.asks import Ask, Silent
from withstood.verdict import Step

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CallEntry:
    """`call`: a call is about to be made. Until its outcome is known it counts at its most."""

    role: str
    round: int
    no: int
    model: str
    most: Spend


@dataclass(frozen=True, slots=True)
class ReplyEntry:
    """`reply`: a call's reply that did not yet make an answer; the next call of the ask builds on it."""

    role: str
    round: int
    no: int
    text: str
    finish: str
    tokens_in: int
    tokens_out: int
    spent: Spend
    attempts: int


@dataclass(frozen=True, slots=True)
class AnswerEntry:
    """`answer`: what an ask came to. `ask` is the digest of what was asked, `spent` what its last call cost."""

    role: str
    round: int
    ask: str
    agent: str
    answer: Json = None
    silent: str | None = None
    spent: Spend = Spend()
    attempts: int = 0
    milliseconds: int = 0
    reused: bool = False

    def value(self, ask: Ask[T]) -> T | Silent:
        return Silent(self.silent) if self.silent is not None else form.read(ask.wants, self.answer, "answer")


@dataclass(frozen=True, slots=True)
class RulingEntry:
    """`ruling`: the line of the results as it was written, the steps that led to it, and what may be learned."""

    line: str
    path: tuple[Step, ...] = ()
    lesson: Json = None


@dataclass(frozen=True, slots=True)
class EndEntry:
    """`end`: how a sitting of the run ended. A run may have several; the last one counts."""

    status: str
    why: str = ""
    spent: Spend = Spend()


@dataclass(frozen=True, slots=True)
class LostEntry:
    """`lost`: an attempt whose outcome nobody knows, booked at its most. `over`: no other attempt follows it."""

    role: str
    round: int
    spent: Spend
    over: bool


@dataclass(frozen=True, slots=True)
class HandedEntry:
    """`handed`: what the provider calls the batch of this stamp."""

    stamp: str
    id: str


KINDS: dict[type[Any], str] = {
    CallEntry: "call",
    ReplyEntry: "reply",
    AnswerEntry: "answer",
    RulingEntry: "ruling",
    EndEntry: "end",
    LostEntry: "lost",
    Batch: "batch",  # calls are about to be handed over together; its id follows as `handed`
    HandedEntry: "handed",
}


def record(item: int, entry: Any, key: str | None = None) -> Record:
    return Record(KINDS[type(entry)], item, form.dumps(entry), key)


def entry(kind: type[T], kept: Record) -> T:
    return form.read(kind, form.loads(kept.body))


def line_of(kept: Record) -> str:
    """The line of a ruling, without reading its steps."""
    return json.loads(kept.body)["line"]


def line(result: dict[str, Json]) -> str:
    """A result as its line in `results.jsonl`."""
    return form.line(result)
