"""The record of a sentiment run: judged again, shown, explained."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from withstood import form
from withstood.claims.case import Case, Conventions
from withstood.form import Json
from withstood.jobs import recorded, text_protocols
from withstood.jobs.facts import of_record
from withstood.jobs.header import Header
from withstood.jobs.kinds import Kind, Told
from withstood.jobs.published import row_texts
from withstood.jobs.rendered import add
from withstood.journal.port import RunEntry, Shelf
from withstood.protocols.asks import Flow
from withstood.report import explanation, markdown
from withstood.report.tally import Tally
from withstood.rules.rulebook import Rulebook
from withstood.verdict import Verdict


def _flows(known: Header, book: Rulebook) -> Callable[[Any], Flow[Verdict]]:
    agreed = form.read(Conventions, known.agreed)
    decide = text_protocols.named(known.protocol).flow
    return lambda case: decide(case, book, agreed)


def _presets(protocol_name: str) -> Mapping[str, str]:
    return text_protocols.named(protocol_name).presets


def _headline(result: Mapping[str, Json]) -> Json:
    return result.get("label")


async def _show(store: Shelf, run: RunEntry, known: Header) -> Told:
    tally = Tally(most_shown=10)
    async for case in recorded.cases(store, run.name, Case):
        if case.ruling is not None:
            result: Any = form.loads(case.ruling.line)
            add(tally, result, case.ruling.path, case.case)
    facts = of_record(run, known, store.torn)
    data = {"facts": facts, "header": known, "labels": dict(tally.labels.items())}
    return Told(markdown.render(tally, facts), data)


async def _explain(store: Shelf, run: RunEntry, known: Header, item: str) -> Told:
    found = await recorded.item(store, run.name, Case, item)
    if found.ruling is None:
        return Told(f"{item} was not decided: the run ended before. Go on with --resume.", {}, 65)
    result: Any = form.loads(found.ruling.line)
    text = found.case.text if found.case else None
    answers = [form.write(answer) for answer in found.answers.values()]
    data = {"result": result, "text": text, "path": found.ruling.path, "answers": answers}
    return Told(explanation.explain(result, found.ruling.path, row_texts(), text=text), data)


KIND = Kind(Case, _flows, _presets, _headline, _show, _explain)
