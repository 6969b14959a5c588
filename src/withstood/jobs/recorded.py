"""What stands in the journal: runs found by name, cases with their answers, verdicts judged again."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any

from withstood import form
from withstood.engine.entries import AnswerEntry, EndEntry, RulingEntry, entry, line_of
from withstood.engine.recall import Seat
from withstood.errors import Misfit, UsageError
from withstood.journal.port import Record, RunEntry, Shelf


async def find(store: Shelf, name: str) -> RunEntry:
    """A run by its name, by the beginning of its name where that is enough, or `last`."""
    entries = await store.runs()
    if name == "last" and entries:
        return entries[-1]
    exact = [found for found in entries if found.name == name]
    matching = exact or [found for found in entries if found.name.startswith(name)]
    if len(matching) == 1:
        return matching[0]
    if matching:
        raise UsageError(f"{name!r} may be any of {', '.join(found.name for found in matching)}. Say more of the name.")
    raise UsageError(f"There is no run {name!r}. `withstood runs` lists those there are.")


def ended(run: RunEntry) -> EndEntry:
    """How the run ended, as far as its last record can be read."""
    try:
        return form.read(EndEntry, form.loads(run.last)) if run.last_kind == "end" else EndEntry("unfinished")
    except Misfit:
        return EndEntry("unfinished", "its last record was torn")


@dataclass(frozen=True, slots=True)
class Recorded:
    """One case with all its answers; None is the case of a row that was refused. Without a ruling it was never brought
    to its end."""

    no: int
    case: Any
    answers: Mapping[Seat, AnswerEntry]
    kept: Record | None

    @property
    def ruling(self) -> RulingEntry | None:
        """Read when it is asked for: judging again needs only its line."""
        return entry(RulingEntry, self.kept) if self.kept else None

    @property
    def line(self) -> str:
        return line_of(self.kept) if self.kept else "{}"

    @property
    def id(self) -> str:
        result: Any = None if self.case else form.loads(self.line)
        return self.case.id if self.case else str(result.get("id"))


async def cases(store: Shelf, run: str, matter: type[Any]) -> AsyncIterator[Recorded]:
    """Every case, as its ruling stands in the journal; then those without one. `matter` is the type of a case."""
    texts: dict[int, Any] = {}
    answers: dict[int, dict[Seat, AnswerEntry]] = {}
    async for chunk in store.records(run):
        for kept in [one.record for one in chunk]:
            if kept.kind == "case":
                texts[kept.item] = entry(matter, kept)
            elif kept.kind == "answer":
                answer = entry(AnswerEntry, kept)
                answers.setdefault(kept.item, {})[answer.role, answer.round] = answer
            elif kept.kind == "ruling":
                yield Recorded(kept.item, texts.pop(kept.item, None), answers.pop(kept.item, {}), kept)
    for no, case in texts.items():
        yield Recorded(no, case, answers.get(no, {}), None)


async def in_order(cases: AsyncIterator[Recorded]) -> AsyncIterator[Recorded]:
    """Rulings stand nearly in order; each waits for those before it. What was never ruled is passed over at the end."""
    waiting: dict[int, Recorded] = {}
    due = 1
    async for case in cases:
        if case.kept is not None:
            waiting[case.no] = case
        while due in waiting:
            yield waiting.pop(due)
            due += 1
    for no in sorted(waiting):
        yield waiting[no]


async def located(store: Shelf, run: str, matter: type[Any], wanted: str, case: str) -> tuple[Recorded, str | None]:
    """The `case` that holds what is wanted; and its name, where it is no case itself but a finding of one, or a
    hypothesis. What begins with `#` is no name: a case, or a part of its course."""
    found = await item(store, run, matter, case)
    if wanted in (case, found.id) or wanted.startswith("#") or found.ruling is None:
        return found, None
    named = {name.casefold(): name for step in found.ruling.path for name in _names(step.item)}
    if wanted.casefold() not in named:
        raise UsageError(f"There is no item {wanted!r} in run {run}. `withstood show {run}` names those there are.")
    return found, named[wanted.casefold()]


def _names(item: str) -> list[str]:
    """What a step is about: `7` or `7,9` of an investigation, `2:hyp_A1` in the second iteration of a research."""
    return item.rpartition(":")[2].split(",")


async def item(store: Shelf, run: str, matter: type[Any], wanted: str) -> Recorded:
    """A case by its id, or by `#` and its number. Of rows with one id it is the one that was decided."""
    refused: Recorded | None = None
    async for found in cases(store, run, matter):
        if wanted == f"#{found.no}" or (wanted == found.id and found.case):
            return found
        if wanted == found.id:
            refused = found
    if refused is not None:
        return refused
    raise UsageError(f"There is no text {wanted!r} in run {run}. Give its id, or its place in the input as '#3'.")
