"""The record of a research: judged again, shown, explained."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from withstood import form
from withstood.claims.graph import Graph, natural
from withstood.claims.research import Session
from withstood.engine.replay import rejudge
from withstood.errors import UsageError
from withstood.form import Json
from withstood.jobs import header as headers
from withstood.jobs import recorded, sessions, theses
from withstood.jobs.header import Header
from withstood.jobs.kinds import Kind, Told
from withstood.jobs.published import row_texts
from withstood.jobs.recorded import Recorded
from withstood.jobs.sessions import Note
from withstood.jobs.watched import unsaved, watched
from withstood.journal.port import RunEntry, Shelf
from withstood.protocols import research as protocol
from withstood.protocols.asks import Batch, Flow
from withstood.protocols.research_briefs import EXPLORE, SAVE
from withstood.report import cognigraph
from withstood.report.inert import visible
from withstood.report.thesis import Matter
from withstood.rules.rulebook import Rulebook
from withstood.verdict import Step, Verdict


def _flows(known: Header, book: Rulebook) -> Callable[[Any], Flow[Verdict]]:
    """What was saved decides nothing, so other rules need no other answer of SAVE."""
    return lambda session: unsaved(protocol.flow(session, book))


def _presets(protocol_name: str) -> Mapping[str, str]:
    return {}


def _headline(result: Mapping[str, Json]) -> Json:
    return result.get("conclusion")


async def _show(store: Shelf, run: RunEntry, known: Header) -> Told:
    matter, ended = await _concluded(store, run, known), recorded.ended(run)
    graph = form.loads(cognigraph.text(matter.graph))
    seats = {role: seat.agent for role, seat in known.seats.items()}
    lines = [
        f"run {run.name}: {ended.status}; rulebook {known.rulebook.preset} {known.rulebook_hash[:12]}",
        *[f"  {role:<10} {visible(name)}" for role, name in seats.items()],
        f"spent: {ended.spent.calls} calls, {ended.spent.tokens} tokens",
        "",
        theses.told(matter, known.rulebook, "md"),
    ]
    data = {"header": known, "status": ended.status, "spent": ended.spent, "graph": graph,
            "thesis": form.loads(theses.told(matter, known.rulebook, "json"))}  # fmt: skip
    return Told("\n".join(lines), data)


async def _concluded(store: Shelf, run: RunEntry, known: Header) -> Matter:
    case, ended = await _session(store, run.name), recorded.ended(run)
    by_programs = known.seats[EXPLORE].agent.startswith("programmed:")
    stopped = "" if ended.status == "finished" else ended.why or ended.status
    graph = cognigraph.read(cognigraph.text(_graph(case, known)))  # as it stands in the folder: 0.476, not 0.4760
    return theses.matter(graph, known.rulebook, case.case.language, by_programs=by_programs, stopped=stopped)


async def folder(store: Shelf, run: str, note: Note) -> Mapping[str, str]:
    """The folder of a research as its record has it: what the command leaves that works in one, by name."""
    entry = await recorded.find(store, run)
    known = headers.read(entry.name, entry.first)
    matter = await _concluded(store, entry, known)
    pages = {name: cognigraph.page(name, thing) for name, thing in cognigraph.things(matter.graph)}
    files = {cognigraph.FILE: cognigraph.text(matter.graph), sessions.FILE: sessions.text(sessions.of_run(note, run))}
    return {**files, **pages, **theses.files(matter, known.rulebook)}


async def _session(store: Shelf, run: str) -> Recorded:
    async for case in recorded.cases(store, run, Session):
        if case.case is not None:
            return case
    raise UsageError(f"Run {run} ended before anything was looked at. Go on with `withstood research resume FOLDER`.")


def _graph(case: Recorded, known: Header) -> Graph:
    """The last graph that follows from the answers."""
    graphs: list[Graph] = [case.case.start]

    def look(batch: Batch) -> None:
        briefs: list[Any] = [ask.brief for ask in batch if ask.role == SAVE]
        graphs.extend(brief.graph for brief in briefs)

    rejudge(unsaved(watched(protocol.flow(case.case, known.rulebook), look)), case.answers)
    return graphs[-1]


# --- one item ----------------------------------------------------------------------------------


async def _explain(store: Shelf, run: RunEntry, known: Header, item: str) -> Told:
    """Every ruling on an observation, a hypothesis, a pair, or (`#3`) in an iteration."""
    case = await _session(store, run.name)
    graph = _graph(case, known)
    if case.ruling is None:
        return Told(
            f"The run ended before its rulings were written. Go on with its folder, then explain {item}.", {}, 65
        )
    path = [step for step in case.ruling.path if _concerns(step, item)]
    if not path and item not in graph.hypotheses and item not in graph.observations:
        known_ids = ", ".join(sorted([*graph.hypotheses, *graph.observations], key=natural)[:12])
        raise UsageError(f"There is no {item!r} in run {run.name}. There are {known_ids} and more; or say #3.")
    data = {"item": item, "path": path, "thing": _thing(graph, item)}
    return Told("\n".join([*_about(graph, item), *_steps(path)]), data)


def _concerns(step: Step, item: str) -> bool:
    when, _, what = step.item.rpartition(":")
    return item == f"#{when}" if item.startswith("#") else item in what.split(",")


def _thing(graph: Graph, item: str) -> Json:
    one = graph.hypotheses.get(item) or graph.observations.get(item)
    return form.write(one) if one else None


def _about(graph: Graph, item: str) -> Iterator[str]:
    if item in graph.hypotheses:
        one = graph.hypotheses[item]
        yield f"{item} ({one.type}, {one.status}, strength {one.strength}, {one.visit_count} visits)"
        yield f"  {visible(one.summary)}"
        for edge in graph.edges:
            if item in edge.ends:
                other = edge.start if edge.end == item else edge.end
                yield f"  {edge.type:<11} {visible(other)} ({edge.weight}): {visible(_words(graph, other))}"
        for event in one.history:
            change = "" if event.change is None else f" {event.change:+f}"
            yield f"  iteration {event.iteration} {visible(event.action)}: {visible(event.result)}{change}"
    elif item in graph.observations:
        seen = graph.observations[item]
        yield f"{item} ({seen.source_type}, authority {seen.authority}, from {visible(seen.source_url or 'nowhere')})"
        if seen.file:
            yield f"  read as the file {visible(seen.file)}"
        yield f"  {visible(seen.words)}"
        yield f"  kept text {seen.sha256 or 'none'}; checked {seen.checked}; copy of {seen.copy_of or 'none'}"


def _words(graph: Graph, name: str) -> str:
    if name in graph.observations:
        return graph.observations[name].words
    return graph.hypotheses[name].summary if name in graph.hypotheses else ""


def _steps(path: Sequence[Step]) -> Iterator[str]:
    texts = row_texts()
    for step in path:
        because = f" ({visible(step.ruling.because)})" if step.ruling.because else ""
        yield f"{visible(step.item)}: {step.table} row {step.ruling.row} → {visible(step.ruling.outcome)}{because}"
        if step.on:
            yield f"    on {visible('; '.join(part for part in step.on if part))}"
        if told := texts.get((step.table, step.ruling.row)):
            yield f"    {told}"


def _case_of(item: str) -> str:
    """Every item belongs to the one session of the run; `#3` is an iteration of it."""
    return "#1"


KIND = Kind(Session, _flows, _presets, _headline, _show, _explain, _case_of)
