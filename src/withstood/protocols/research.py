"""Research: observations, hypotheses, and a thesis of what withstood. One pass of the loop is one iteration.

    SELECT ── SEARCH ── EXPLORE ── CHECK ── apply ── IDEATE ── finalize ── health ── SAVE
       a table chooses   │  ▲       quotes   tables   every      statuses   every      one state,
       what to look at   └──┘ twice more              third      by a table fifth      whole, on disk

A model phrases, extracts and imagines. What is looked at, what comes in, what it weighs, what becomes of a hypothesis
and what the thesis stands on is decided by tables. An exploration that fails changes nothing but the counter.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from withstood import form
from withstood.claims.graph import Edge, Graph, Happened, natural
from withstood.claims.research import (
    Exploration,
    Ideas,
    Inspected,
    Page,
    Pages,
    Phrasing,
    Saved,
    Seen,
    Session,
    conflict_between,
)
from withstood.form import Json
from withstood.protocols import growing, queries
from withstood.protocols.asks import Answers, Ask, Batch, Flow, Silent, put
from withstood.protocols.research_briefs import (
    CHECK,
    EXPLORE,
    IDEATE,
    SAVE,
    SEARCH,
    SELECT,
    TRIES,
    CheckBrief,
    ExploreBrief,
    IdeateBrief,
    Link,
    SaveBrief,
    SearchBrief,
    SelectBrief,
    seat,
)
from withstood.rules import health, selection, thesis, verification
from withstood.rules.rulebook import Rulebook
from withstood.verdict import Ruling, Step, Verdict

T = TypeVar("T")
FAILED = Exploration("failure")


@dataclass(slots=True)
class _Course:
    """Where a research is: its graph, what was decided on the way, and who was silent."""

    session: Session
    book: Rulebook
    graph: Graph
    path: list[Step] = field(default_factory=list[Step])
    skipped: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    @property
    def round(self) -> int:
        return self.graph.iteration + 1


def flow(session: Session, book: Rulebook) -> Flow[Verdict]:
    start = replace(session.start, question=session.start.question or session.question)
    course = _Course(session, book, start)
    for _ in range(session.iterations):
        yield from _iteration(course)
    return _verdict(course)


def _iteration(course: _Course) -> Generator[Batch, Answers, None]:
    target = selection.select(course.graph, course.book.selection)
    course.path.append(_chosen(course, target))
    brief = _select_brief(course, target)
    query = yield from _phrased(course, brief)
    found, pages = yield from _explored(course, target, query, brief)
    before = course.graph
    if found.status != "failure":
        yield from _applied(course, target, found, pages)
    if before.iteration >= 3 and before.iteration % 3 == 0:
        yield from _ideated(course)
    _finalized(course, target, before, failed=found.status == "failure")
    _checked(course)
    yield from _one(course, Ask(SAVE, SaveBrief(course.session.language, course.graph), Saved, before.iteration + 1))


def _one(course: _Course, ask: Ask[T]) -> Generator[Batch, Answers, T | None]:
    """One ask; None, and a note, where nobody answers."""
    (answer,) = yield from put([ask])
    if isinstance(answer, Silent):
        course.skipped.append((f"{ask.role} {ask.round}", answer.why))
        return None
    return answer


# --- what to look at ---------------------------------------------------------------------------


def _chosen(course: _Course, target: selection.Output) -> Step:
    item = target.target_id or target.lens or ""
    ruling = Ruling(target.target_type, target.row)
    on = (target.search_mode, *([f"against {target.conflict_with}"] if target.conflict_with else []))
    return Step(selection.TABLE.edition, f"{course.round}:{item}", ruling, on)


def _select_brief(course: _Course, target: selection.Output) -> SelectBrief:
    graph = course.graph
    one = graph.hypotheses.get(target.target_id or "") if target.target_type == "hypothesis" else None
    other = graph.hypotheses.get(target.conflict_with or "")
    return SelectBrief(
        language=course.session.language,
        question=graph.question,
        iteration=graph.iteration,
        target_type=target.target_type,
        target_id=target.target_id,
        about=one.summary if one else "",
        keywords=one.verify_keywords if one else (),
        conflict_with=target.conflict_with,
        against=other.summary if other else "",
        search_mode=target.search_mode,
        lens=target.lens,
        health_issues=graph.health.issues,
    )


def _phrased(course: _Course, brief: SelectBrief) -> Generator[Batch, Answers, str]:
    phrasing = yield from _one(course, Ask(SELECT, brief, Phrasing, course.round))
    return queries.final(phrasing.search_query if phrasing else "", brief)


# --- exploring ---------------------------------------------------------------------------------


def _explored(
    course: _Course, target: selection.Output, query: str, brief: SelectBrief
) -> Generator[Batch, Answers, tuple[Exploration, tuple[Page, ...]]]:
    """At most three tries; the second and the third with the words that the last failure proposed."""
    retry: tuple[str, ...] = ()
    for attempt in range(1, TRIES + 1):
        words = retry[attempt - 2] if 1 < attempt <= len(retry) + 1 else query
        search = SearchBrief(course.session.language, words, target.search_mode)
        pages = yield from _one(course, Ask(seat(SEARCH, attempt), search, Pages, course.round))
        read = pages.pages if pages else ()
        course.skipped += [(f"page {one.url}", one.why) for one in (pages.skipped if pages else ())]
        asked = _explore_brief(course, target, words, attempt, read)
        found = yield from _one(course, Ask(seat(EXPLORE, attempt), asked, Exploration, course.round))
        if found is not None and found.status != "failure":
            return found, read
        retry = found.retry_keywords if found is not None and found.retry_keywords else retry
    return FAILED, ()


def _explore_brief(
    course: _Course, target: selection.Output, query: str, attempt: int, pages: tuple[Page, ...]
) -> ExploreBrief:
    graph = course.graph
    return ExploreBrief(
        language=course.session.language,
        question=graph.question,
        search_query=query,
        search_mode=target.search_mode,
        target_type=target.target_type,
        target_id=target.target_id,
        conflict_with=target.conflict_with,
        existing_hypotheses={name: one.summary for name, one in graph.active().items()},
        existing_observations={name: one.words for name, one in graph.observations.items()},
        next_obs_id=growing.next_id(graph.observations, "obs_"),
        next_hyp_id=growing.next_id(graph.hypotheses, "hyp_A"),
        retry_count=attempt - 1,
        pages=pages,
    )


def _applied(
    course: _Course, target: selection.Output, found: Exploration, pages: tuple[Page, ...]
) -> Generator[Batch, Answers, None]:
    """Quotes are looked for by code; then what was explored comes in."""
    seen: Sequence[Seen] = ()
    if found.observations:
        brief = CheckBrief(course.session.language, found.observations, pages)
        inspected = yield from _one(course, Ask(CHECK, brief, Inspected, course.round))
        seen = inspected.seen if inspected else [Seen(one.id, False, "nobody looked") for one in found.observations]
    growth = growing.explored(course.graph, found, seen, _target_names(target), course.book)
    course.graph = growth.graph
    course.path += [replace(step, item=f"{course.round}:{step.item}") for step in growth.steps]


def _target_names(target: selection.Output) -> tuple[str, ...]:
    """The target first, then what it is in conflict with."""
    named = (target.target_id, target.conflict_with) if target.target_type == "hypothesis" else ()
    return tuple([name for name in named if name])


# --- imagining ---------------------------------------------------------------------------------


def _ideated(course: _Course) -> Generator[Batch, Answers, None]:
    ideas = yield from _one(course, Ask(IDEATE, _ideate_brief(course), Ideas, course.round))
    if ideas is None or ideas.hypothesis is None:
        return
    chosen = ideas.hypothesis
    known = growing.known(course.graph, chosen)
    if known is not None:
        _happened(course, "IDEATE", f"nothing new: {known} says so already")
        return
    course.graph, name = growing.imagined(course.graph, chosen, course.book)
    left = [one for one in ideas.proposals if one.summary != chosen.summary]
    _happened(course, "IDEATE", f"{name} ({chosen.reasoning_tool or 'no tool named'})")
    for one in left:
        _happened(course, "not chosen", f"{one.reasoning_tool}: {one.summary}")


def _ideate_brief(course: _Course) -> IdeateBrief:
    graph = course.graph
    return IdeateBrief(
        language=course.session.language,
        question=graph.question,
        health_issues=graph.health.issues,
        observations={name: one.summary for name, one in graph.observations.items()},
        hypotheses={
            name: f"[{one.type}|{one.status}|{one.strength:.2f}] {one.summary}" for name, one in graph.active().items()
        },
        conflicts=tuple([(edge.start, edge.end) for edge in graph.conflicts()]),
        edges=tuple([Link(edge.start, edge.end, edge.type) for edge in graph.edges]),
        next_hyp_id=growing.next_id(graph.hypotheses, "hyp_B"),
        rejected=tuple([one.summary for one in graph.hypotheses.values() if not one.active]),
    )


def _happened(course: _Course, action: str, result: str) -> None:
    event = Happened(course.graph.iteration, action, result)
    course.graph = replace(course.graph, history=(*course.graph.history, event))


# --- the end of an iteration -------------------------------------------------------------------


def _finalized(course: _Course, target: selection.Output, before: Graph, *, failed: bool) -> None:
    if failed:
        _happened(course, "EXPLORE", "failed")
    else:
        _visit(course, target, before)
        _tried(course, target)
        _verify(course, target)
        _consume(course, target)
    course.graph = replace(course.graph, iteration=course.graph.iteration + 1)


def _visit(course: _Course, target: selection.Output, before: Graph) -> None:
    """The visit is counted, and by how much it moved the strength."""
    graph, name = course.graph, target.target_id or ""
    if target.target_type != "hypothesis" or name not in graph.hypotheses:
        return
    one = graph.hypotheses[name]
    move = growing.moved(before.hypotheses[name].strength, one.strength)
    visited = replace(
        one,
        visit_count=one.visit_count + 1,
        last_visited=graph.iteration,
        moves=(*one.moves, move),
        history=(*one.history, Happened(graph.iteration, "EXPLORE", _evidence_of(graph, name), move)),
    )
    course.graph = replace(graph, hypotheses={**graph.hypotheses, name: visited})


def _evidence_of(graph: Graph, name: str) -> str:
    """What this iteration brought for a hypothesis and against it."""
    new = [edge for edge in graph.edges if edge.end == name and edge.created_at == graph.iteration]
    told = [f"{edge.start} {edge.type}" for edge in new if edge.type != "CONFLICTS"]
    return ", ".join(told) or "nothing new"


def _tried(course: _Course, target: selection.Output) -> None:
    """A conflict that was looked at and still stands has been tried once more."""
    if target.conflict_with is None:
        return
    edge = conflict_between(course.graph, target.target_id or "", target.conflict_with)
    if edge is None:
        return
    if edge.resolved:
        _happened(course, "RESOLVED", f"{edge.start} and {edge.end}: {edge.resolution}")
        return
    tried = replace(edge, tries=edge.tries + 1, last_tried=course.graph.iteration)
    edges: tuple[Edge, ...] = tuple([tried if one is edge else one for one in course.graph.edges])
    course.graph = replace(course.graph, edges=edges)


def _verify(course: _Course, target: selection.Output) -> None:
    """The target by the whole ladder; others may only lose that they were verified."""
    graph, numbers = course.graph, course.book.verification
    strong = {e.end for e in graph.edges if e.type == "CONTRADICTS" and e.weight >= numbers.strong}
    changed = dict(graph.hypotheses)
    for name in sorted(graph.hypotheses, key=natural):
        one = graph.hypotheses[name]
        is_target = target.target_type == "hypothesis" and name == target.target_id
        case = verification.Input(one.status, one.visit_count, one.strength, name in strong, is_target)
        decided = verification.verify(case, numbers)
        if is_target or decided.status != one.status:
            ruling = Ruling(decided.status, decided.row)
            on = (f"strength {one.strength}", f"visits {one.visit_count}", "strong contradiction" * (name in strong))
            item = f"{course.round}:{name}"
            course.path.append(Step(verification.TABLE.edition, item, ruling, tuple([part for part in on if part])))
        if decided.status != one.status:
            told = Happened(graph.iteration, "STATUS", f"{one.status} → {decided.status} (row {decided.row})")
            changed[name] = replace(one, status=decided.status, history=(*one.history, told))
    course.graph = replace(graph, hypotheses=changed)


def _consume(course: _Course, target: selection.Output) -> None:
    """A keyword is followed once; the lenses go in turn."""
    graph = course.graph
    if target.target_type == "6lens":
        course.graph = replace(graph, lens_index=graph.lens_index + 1)
    if target.target_type == "unexplored":
        place = next(
            no for no, lead in enumerate(graph.unexplored) if lead.keyword == target.target_id and not lead.used
        )
        used = replace(graph.unexplored[place], used=True)
        leads = (*graph.unexplored[:place], used, *graph.unexplored[place + 1 :])
        course.graph = replace(graph, unexplored=leads)


def _checked(course: _Course) -> None:
    """Every fifth iteration the health of the whole is looked at."""
    graph = course.graph
    if graph.iteration % 5:
        return
    issues = health.issues(graph)
    course.path.append(
        Step(health.TABLE.edition, f"{graph.iteration}:", Ruling(", ".join(issues) or "sound", _rows(issues)))
    )
    course.graph = replace(graph, health=replace(graph.health, last_check=graph.iteration, issues=issues))
    if "DATA_EXPLOSION" in issues:
        course.graph, gone = growing.pruned(course.graph)
        _happened(course, "PRUNED", ", ".join(gone) or "none")


def _rows(issues: Sequence[str]) -> str:
    order = ("LOW_QUALITY", "ALL_WEAK", "STALEMATE", "DATA_EXPLOSION", "SATURATED")
    return ",".join(str(order.index(issue) + 1) for issue in issues)


# --- what it came to ---------------------------------------------------------------------------


def _verdict(course: _Course) -> Verdict:
    graph = course.graph
    concluded = thesis.conclude(graph, course.book.thesis)
    path = [*course.path, *[_in_core(name, graph) for name in concluded.core]]
    result: dict[str, Json] = {
        "id": course.session.id,
        "question": graph.question,
        "iterations": graph.iteration,
        "conclusion": "thesis" if concluded.core else "inconclusive",
        "thesis": form.write(concluded),
        "graph_hash": form.digest(form.dumps(graph)),
        "skipped": [{"role": role, "why": why} for role, why in course.skipped],
    }
    return Verdict(result, tuple(path))


def _in_core(name: str, graph: Graph) -> Step:
    one = graph.hypotheses[name]
    row = "1" if one.status == "verified" else "2"
    return Step(thesis.TABLE.edition, name, Ruling(one.status, row), (f"strength {one.strength}",))
