"""The record of an investigation: judged again, shown, explained, and drawn as reports once more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from withstood import form
from withstood.claims.inquiry import Agreed, Inquiry
from withstood.engine.entries import AnswerEntry, ReplyEntry, entry
from withstood.engine.limits import Spend
from withstood.form import Json
from withstood.jobs import recorded
from withstood.jobs.facts import of_record
from withstood.jobs.header import Header
from withstood.jobs.kinds import Kind, Told
from withstood.jobs.published import row_texts
from withstood.journal.port import RunEntry, Shelf
from withstood.protocols.asks import Flow
from withstood.protocols.investigation import investigate
from withstood.protocols.investigation_briefs import CHECK, PLAN
from withstood.report import inquest as inquests
from withstood.report import inquest_explanation, inquest_files, inquest_text
from withstood.report.facts import RunFacts
from withstood.report.inquest import Answer, Cost, Inquest
from withstood.rules.rulebook import Rulebook
from withstood.verdict import Verdict


async def inquest(store: Shelf, run: str, found: Verdict, facts: RunFacts, why: str = "") -> Inquest:
    """A verdict with everything that the journal knows of how it came about."""
    answers: list[Answer] = []
    costs: dict[str, Cost] = {}
    async for chunk in store.records(run):
        for kept in [one.record for one in chunk]:
            if kept.kind == "answer":
                said = entry(AnswerEntry, kept)
                costs[said.role] = _with(costs.get(said.role, Cost()), said.spent)
                if said.silent is None and said.role not in (CHECK, PLAN):
                    answers.append(Answer(said.role, said.round, said.answer))
            elif kept.kind == "reply":
                reply = entry(ReplyEntry, kept)
                costs[reply.role] = _with(costs.get(reply.role, Cost()), reply.spent)
    used = {role: cost for role, cost in costs.items() if cost.calls}
    return inquests.read(found.result, found.path, facts, answers, used, why)


def _with(cost: Cost, spent: Spend) -> Cost:
    return Cost(
        cost.calls + spent.calls,
        cost.tokens_in + spent.tokens_in,
        cost.tokens_out + spent.tokens_out,
        max(cost.peak, spent.tokens_in),
    )


# --- the kind ----------------------------------------------------------------------------------


def _flows(known: Header, book: Rulebook) -> Callable[[Any], Flow[Verdict]]:
    agreed = form.read(Agreed, known.agreed)
    return lambda matter: investigate(matter, book, agreed)


def _presets(protocol_name: str) -> Mapping[str, str]:
    return {}


def _headline(result: Mapping[str, Json]) -> Json:
    """The tag of each finding."""
    report: Any = result.get("report") or {}
    return ", ".join(f"{one['id']} {one['tag']}" for one in report.get("findings", ())) or report.get("certainty")


async def _show(store: Shelf, run: RunEntry, known: Header) -> Told:
    found = await _whole(store, run, known)
    if found is None:
        return Told(_unfinished(run), {"header": known}, 65)
    return Told(inquest_text.render(found), {**inquest_files.published(found), "facts": found.facts})


async def _explain(store: Shelf, run: RunEntry, known: Header, item: str) -> Told:
    found = await _whole(store, run, known)
    if found is None:
        return Told(_unfinished(run), {}, 65)
    told = inquest_explanation.explain(found, item, row_texts())
    return Told(told.text, told.data)


def _unfinished(run: RunEntry) -> str:
    return f"Run {run.name} was not decided: it ended before. Go on with --resume."


async def _whole(store: Shelf, run: RunEntry, known: Header) -> Inquest | None:
    async for case in recorded.cases(store, run.name, Inquiry):
        if case.ruling is not None:
            result: Any = form.loads(case.ruling.line)
            verdict = Verdict(result, tuple(case.ruling.path))
            return await inquest(store, run.name, verdict, of_record(run, known, store.torn))
    return None


def _case_of(item: str) -> str:
    """Every item belongs to the one question of the run."""
    return "#1"


KIND = Kind(Inquiry, _flows, _presets, _headline, _show, _explain, _case_of)
