"""Recorded cases and kinds of jobs, made by driving a flow by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from withstood import form
from withstood.engine.entries import AnswerEntry, RulingEntry, line, record
from withstood.form import Json
from withstood.jobs.header import Header, Input
from withstood.jobs.kinds import Kind, Told
from withstood.jobs.recorded import Recorded
from withstood.protocols.asks import Ask, Flow, Silent, digests
from withstood.rules.rulebook import Rulebook
from withstood.verdict import Verdict


async def _untold(*given: Any) -> Told:
    raise AssertionError("nothing is told of a run that was made by hand")


def kind(matter: type[Any], flow: Callable[[Any, Rulebook], Flow[Verdict]], headline: Callable[[Any], Json]) -> Kind:
    return Kind(matter, lambda known, book: lambda case: flow(case, book), lambda name: {}, headline, _untold, _untold)


def header(job: str, book: Rulebook, protocol: str = "cr-v2") -> Header:
    return Header("0", job, protocol, book, book.hash, {}, {}, Input("in", "0" * 64, 1))


def recorded(flow: Flow[Verdict], case: Any, answer: Callable[[Ask[Any]], Any]) -> Recorded:
    """The case with what was answered, as the journal would hold it."""
    answers: dict[tuple[str, int], AnswerEntry] = {}
    try:
        batch = next(flow)
        while True:
            given = tuple([answer(ask) for ask in batch])
            for ask, digest, value in zip(batch, digests(batch), given, strict=True):
                silent = value.why if isinstance(value, Silent) else None
                said = None if silent is not None else form.loads(form.dumps(value))
                answers[ask.seat] = AnswerEntry(ask.role, ask.round, digest, "told", said, silent)
            batch = flow.send(given)
    except StopIteration as end:
        kept = record(case.no, RulingEntry(line(end.value.result), end.value.path))
        return Recorded(case.no, case, answers, kept)
