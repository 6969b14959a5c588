"""Judging a recorded run again: the same answers, the same protocol, these rules or others."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from withstood import form
from withstood.engine.entries import line
from withstood.engine.replay import Needs, rejudge
from withstood.errors import Diverged, UsageError
from withstood.jobs import kinds, recorded, rulebook_file
from withstood.jobs.header import Header
from withstood.jobs.recorded import Recorded
from withstood.journal.port import Shelf
from withstood.protocols.asks import Flow
from withstood.rules.rulebook import PRESETS, Rulebook
from withstood.verdict import Step, Verdict

ONCE = ("arbiter-", "sentence-label-", "judgement-", "ranking-")
"""Tables that make one step on an item."""


@dataclass(frozen=True, slots=True)
class Rejudged:
    """A recorded case and what it comes to now: a verdict, or the asks that nobody has answered.
    A row of the input that was refused stays refused: `now` is None."""

    recorded: Recorded
    now: Verdict | Needs | None
    line: str

    @property
    def changed(self) -> bool:
        return isinstance(self.now, Verdict) and self.line != self.recorded.line


def rulebook(known: Header, presets: tuple[str, ...], changes: Mapping[str, str]) -> Rulebook:
    """The recorded rulebook with changes, or another preset or file with what the protocol sets, and changes.
    `arbiter=v1` may stand among the presets."""
    book, set_here = known.rulebook, dict[str, str]()
    for part in (part for value in presets for part in value.split(",")):
        name, equals, value = part.partition("=")
        if equals:
            set_here[name.strip()] = value.strip()
        elif name in PRESETS:
            book = PRESETS[name].adjusted(kinds.of(known).presets(known.protocol))
        elif rulebook_file.is_file(name):
            book = rulebook_file.read(Path(name)).book(kinds.of(known).presets(known.protocol))
        else:
            raise UsageError(
                f"There is no rulebook {name!r}. There are: {', '.join(PRESETS)}; or name a file that ends in .toml, "
                "or say arbiter=v1."
            )
    return book.adjusted(set_here).adjusted(changes)


async def rejudged(store: Shelf, run: str, known: Header, book: Rulebook) -> AsyncIterator[Rejudged]:
    """Every case that was ruled, in input order. Under the recorded rules nothing may differ: `errors.Diverged`."""
    same = form.dumps(book) == form.dumps(known.rulebook)
    kind = kinds.of(known)
    flow_of = kind.flows(known, book)
    async for case in recorded.in_order(recorded.cases(store, run, kind.matter)):
        again = _again(case, flow_of)
        if same and (isinstance(again.now, Needs) or again.changed):
            raise Diverged(
                f"Run {run}, item {case.id!r}: judged by the same rules it does not come to the recorded verdict. "
                f"It was decided by withstood {known.version}; the protocol has changed since."
            )
        yield again


def _again(case: Recorded, flow_of: Callable[[Any], Flow[Verdict]]) -> Rejudged:
    if case.case is None:
        return Rejudged(case, None, case.line)
    now = rejudge(flow_of(case.case), case.answers)
    return Rejudged(case, now, line(now.result) if isinstance(now, Verdict) else "")


@dataclass(frozen=True, slots=True)
class Change:
    """One item on which the rows that fired are not the same. None: no row of that kind fired."""

    item: str
    then: Step | None
    now: Step | None


def changes(again: Rejudged) -> Iterator[Change]:
    """The rulings that differ, item by item: editions of one table are set against each other."""
    if again.recorded.ruling is None or not isinstance(again.now, Verdict):
        return
    then, now = _by_place(again.recorded.ruling.path), _by_place(again.now.path)
    for place in {**then, **now}:
        before, after = then.get(place), now.get(place)
        if before is None or after is None or before.ruling != after.ruling:
            yield Change(place[1], before, after)


def _by_place(path: tuple[Step, ...]) -> dict[tuple[str, str, str], Step]:
    return {(step.table.rpartition("-")[0], step.item, _which(step)): step for step in path}


def _which(step: Step) -> str:
    """Several steps of one table on one item are told apart by what they looked at."""
    return "" if step.table.startswith(ONCE) else f"{step.ruling.row} {step.on}"
