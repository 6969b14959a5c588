"""Sweeping: a recorded run judged again at many rulebooks, several processes side by side.

Each part takes every n-th case. It reads the journal for itself, so that no answer travels between processes; orders
and tallies are lines of JSON."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from withstood import form
from withstood.engine.replay import Answered, Needs
from withstood.errors import InputError, JournalError, WithstoodError
from withstood.jobs import header as headers
from withstood.jobs import kinds, recorded, rejudging
from withstood.jobs.header import Header
from withstood.jobs.kinds import Kind
from withstood.jobs.marking import Marks, marking
from withstood.jobs.recorded import Recorded
from withstood.journal.port import Store
from withstood.rules.rulebook import Rulebook
from withstood.verdict import Verdict

LEAST_A_PART = 100_000
"""Fewer records times points than this are not worth a process of their own."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is swept. `rules` is what every point begins with; a point changes settings of it."""

    store: str
    run: str
    points: tuple[Mapping[str, str], ...]
    rules: tuple[str, ...] = ()
    gold: str | None = None
    layout: str | None = None
    part: int = 0
    parts: int = 1


@dataclass(slots=True)
class Tally:
    """What one point came to. `moves` counts headlines that are not as recorded, as `then → now`."""

    decided: int = 0
    changed: int = 0
    open: int = 0
    answers: int = 0
    headlines: dict[str, int] = field(default_factory=dict[str, int])
    moves: dict[str, int] = field(default_factory=dict[str, int])
    marks: tuple[int, int, int] = (0, 0, 0)

    def take(self, kind: Kind, now: Verdict | Needs, then: Verdict, marks: Marks | None, case: Any) -> None:
        if isinstance(now, Needs):
            self.open += 1
            self.answers += len(now.asks)
            return
        before, after = (told(kind, one) for one in (then, now))
        self.decided += 1
        self.changed += now.result != then.result
        self.headlines[after] = self.headlines.get(after, 0) + 1
        if before != after:
            move = f"{before} → {after}"
            self.moves[move] = self.moves.get(move, 0) + 1
        if marks is not None:
            self.marks = _sum(self.marks, marks.of(case, now.result))

    def add(self, other: Tally) -> Tally:
        return Tally(
            self.decided + other.decided,
            self.changed + other.changed,
            self.open + other.open,
            self.answers + other.answers,
            dict(Counter(self.headlines) + Counter(other.headlines)),
            dict(Counter(self.moves) + Counter(other.moves)),
            _sum(self.marks, other.marks),
        )


def _sum(one: tuple[int, int, int], other: tuple[int, int, int]) -> tuple[int, int, int]:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


def told(kind: Kind, verdict: Verdict) -> str:
    """The headline of a verdict as a word."""
    found = kind.headline(verdict.result)
    return found if isinstance(found, str) else "none" if found is None else form.dumps(found)


@dataclass(frozen=True, slots=True)
class Swept:
    """A part of a sweep, or all of it. `matched` counts the cases that gold has something to say of."""

    cases: int
    tallies: tuple[Tally, ...]
    matched: int = 0
    measure: str = ""

    def add(self, other: Swept) -> Swept:
        tallies = [one.add(two) for one, two in zip(self.tallies, other.tallies, strict=True)]
        return Swept(self.cases + other.cases, tuple(tallies), self.matched + other.matched, self.measure)


def books(known: Header, order: Order) -> list[Rulebook]:
    start = rejudging.rulebook(known, order.rules, {})
    return [start.adjusted(point) for point in order.points]


async def swept(order: Order, store: Store) -> Swept:
    """The cases of this part, at every point."""
    entry = await recorded.find(store, order.run)
    known = headers.read(entry.name, entry.first)
    kind = kinds.of(known)
    marks = marking(known, Path(order.gold), order.layout) if order.gold else None
    flows = [kind.flows(known, book) for book in (known.rulebook, *books(known, order))]
    tallies, cases = [Tally() for _ in order.points], 0
    async for case in recorded.cases(store, entry.name, kind.matter):
        if case.case is None or case.kept is None or case.no % order.parts != order.part:
            continue
        answered = Answered(case.answers)
        then, *now = [answered.judge(flow_of(case.case)) for flow_of in flows]
        cases += 1
        _take(kind, tallies, decided(case, then, known), now, marks, case)
    return Swept(cases, tuple(tallies), marks.matched if marks else 0, marks.measure if marks else "")


def decided(case: Recorded, then: Verdict | Needs, known: Header) -> Verdict:
    if isinstance(then, Needs):
        raise JournalError(
            f"Item {case.id!r}: judged by the same rules it would ask something that was never asked. It was decided "
            f"by withstood {known.version}; the protocol has changed since."
        )
    return then


def _take(
    kind: Kind,
    tallies: Sequence[Tally],
    then: Verdict,
    now: Sequence[Verdict | Needs],
    marks: Marks | None,
    case: Recorded,
) -> None:
    for tally, verdict in zip(tallies, now, strict=True):
        tally.take(kind, verdict, then, marks, case)


async def sweep(order: Order, store: Store, worker: Sequence[str], processes: int | None = None) -> Swept:
    """All cases, at every point. `worker` is the command that a part is handed to. What is wrong with the order is
    said before a process is started."""
    entry = await recorded.find(store, order.run)
    books(headers.read(entry.name, entry.first), order)
    worth = max(1, entry.records * len(order.points) // LEAST_A_PART)
    parts = processes or min(os.cpu_count() or 1, worth)
    if parts == 1:
        whole = await swept(order, store)
    else:
        found = await asyncio.gather(*(_part(worker, replace(order, part=no, parts=parts)) for no in range(parts)))
        first, *rest = found
        whole = first
        for one in rest:
            whole = whole.add(one)
    if order.gold and not whole.matched:
        raise InputError(
            f"The gold in {order.gold} does not match run {order.run}: it says something of not one case. Name the "
            "file whose cases were decided; ids are compared, and texts where the ids differ."
        )
    return whole


async def _part(worker: Sequence[str], order: Order) -> Swept:
    pipe = asyncio.subprocess.PIPE
    started = await asyncio.create_subprocess_exec(*worker, stdin=pipe, stdout=pipe)
    try:
        out, _ = await started.communicate(form.dumps(order).encode())
    except BaseException:
        started.kill()
        await started.wait()
        raise
    if started.returncode:
        raise _fault(out)
    return form.read(Swept, form.loads(out))


def _fault(out: bytes) -> WithstoodError:
    """A fault that a part has met keeps its words and its exit code."""
    found: Any = form.loads(out) if out else {"message": "A part of the sweep ended without a word.", "code": 1}
    fault = WithstoodError(str(found["message"]))
    fault.exit_code = int(found["code"])
    return fault
