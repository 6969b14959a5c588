"""What an earlier sitting of a run has left: which cases are ruled, and which answers the others have already."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from withstood import form
from withstood.engine.entries import (
    AnswerEntry,
    CallEntry,
    EndEntry,
    HandedEntry,
    LostEntry,
    ReplyEntry,
    RulingEntry,
    entry,
    record,
)
from withstood.engine.limits import Spend
from withstood.engine.order import Done
from withstood.journal.port import Record
from withstood.models.port import PREFIX, Batch

Seat = tuple[str, int]


@dataclass(slots=True)
class CaseRecall:
    """What is known of one case that has no ruling yet."""

    answers: dict[Seat, AnswerEntry] = field(default_factory=dict[Seat, AnswerEntry])
    replies: dict[Seat, list[ReplyEntry]] = field(default_factory=dict[Seat, list[ReplyEntry]])
    open_calls: dict[Seat, Spend] = field(default_factory=dict[Seat, Spend])


@dataclass(slots=True)
class Recall:
    """Fed the records of a run in order. It keeps only what is not ruled yet, so it stays as small as a sitting."""

    spent: Spend = field(default_factory=Spend)
    ended: EndEntry | None = None
    ruled: Ruled = field(default_factory=lambda: Ruled())
    cases: dict[int, CaseRecall] = field(default_factory=dict[int, CaseRecall])
    batches: dict[str, Batch] = field(default_factory=dict[str, Batch])

    @property
    def answered(self) -> int:
        """How many answers the cases without a ruling have."""
        return sum(len(known.answers) for known in self.cases.values())

    def take(self, kept: Record) -> None:
        if kept.kind == "ruling":
            self._close(kept.item)
        elif kept.kind == "end":
            self.ended = entry(EndEntry, kept)
        elif kept.kind == "batch":
            batch = entry(Batch, kept)
            self.batches[batch.stamp] = batch
        elif kept.kind == "handed":
            handed = entry(HandedEntry, kept)
            self.batches[handed.stamp] = replace(self.batches[handed.stamp], id=handed.id)
        elif kept.kind in ("call", "reply", "answer", "lost"):
            self._note(kept)

    def _note(self, kept: Record) -> None:
        known = self.cases.setdefault(kept.item, CaseRecall())
        if kept.kind == "call":
            call = entry(CallEntry, kept)
            if not call.model.startswith(PREFIX):  # what went out in a batch, and is not lost, stands as a batch
                known.open_calls[call.role, call.round] = call.most
        elif kept.kind == "reply":
            reply = entry(ReplyEntry, kept)
            known.replies.setdefault((reply.role, reply.round), []).append(reply)
            self._settle(known, (reply.role, reply.round), reply.spent)
        elif kept.kind == "answer":
            answer = entry(AnswerEntry, kept)
            known.answers[answer.role, answer.round] = answer
            self._settle(known, (answer.role, answer.round), answer.spent)
        else:
            lost = entry(LostEntry, kept)
            self.spent += lost.spent
            if lost.over:
                known.open_calls.pop((lost.role, lost.round), None)

    def _settle(self, known: CaseRecall, seat: Seat, spent: Spend) -> None:
        known.open_calls.pop(seat, None)
        self.spent += spent

    def _close(self, item: int) -> None:
        self.ruled.add(item)
        self.cases.pop(item, None)

    def close_unknown(self) -> list[Record]:
        """The calls that were under way when the last sitting ended are booked at their most, for good."""
        lost: list[Record] = []
        for item, known in self.cases.items():
            for (role, no), most in known.open_calls.items():
                lost.append(record(item, LostEntry(role, no, most, over=True)))
                self.spent += most
            known.open_calls.clear()
        return lost


class Ruled:
    """A set of case numbers, small where they come nearly in order."""

    def __init__(self) -> None:
        self._up_to = 0
        self._beyond: set[int] = set()

    def add(self, no: int) -> None:
        self._beyond.add(no)
        while self._up_to + 1 in self._beyond:
            self._up_to += 1
            self._beyond.remove(self._up_to)

    def __contains__(self, no: object) -> bool:
        return isinstance(no, int) and (no <= self._up_to or no in self._beyond)

    def __len__(self) -> int:
        return self._up_to + len(self._beyond)


def answers_in(record: Record, into: dict[int, dict[Seat, AnswerEntry]]) -> Mapping[Seat, AnswerEntry] | None:
    """Gather answers by case; at the case's ruling, give them out and forget them."""
    if record.kind == "answer":
        answer = form.read(AnswerEntry, form.loads(record.body))
        into.setdefault(record.item, {})[answer.role, answer.round] = answer
    elif record.kind == "ruling":
        return into.pop(record.item, {})
    return None


def recorded(kept: Record, matters: dict[int, str]) -> Done | None:
    """What came to its end with this record of a run. Between a case and its ruling, `matters` holds it."""
    if kept.kind == "case":
        matters[kept.item] = kept.body
    if kept.kind != "ruling":
        return None
    ruling = entry(RulingEntry, kept)
    return Done(kept.item, matters.pop(kept.item, ""), ruling.line, ruling.path, ruling.lesson)
