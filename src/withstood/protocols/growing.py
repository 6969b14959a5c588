"""How the graph grows by one iteration: what was explored comes in by published tables, and the strengths follow.

Every function takes a graph and gives another one; ids are the graph's, whatever an agent called its things.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from withstood.claims import address, quote
from withstood.claims.graph import Edge, Graph, Happened, Hypothesis, Lead, Observation, natural
from withstood.claims.research import Claimed, Drawn, Exploration, Idea, Observed, Seen, conflict_between
from withstood.form import EXACT
from withstood.rules import admission, drawing, health, resolution
from withstood.rules.drawing import End
from withstood.rules.rulebook import AUTHORITIES, STRENGTHS, Rulebook
from withstood.rules.strengths import Weighed
from withstood.verdict import Ruling, Step


@dataclass(slots=True)
class Growth:
    """A graph on its way, with what was decided. `names` leads from what an agent called a thing to its id here,
    `touched` holds the hypotheses that new evidence has reached."""

    graph: Graph
    steps: list[Step] = field(default_factory=list[Step])
    names: dict[str, str] = field(default_factory=dict[str, str])
    touched: set[str] = field(default_factory=set[str])

    def id(self, name: str) -> str:
        return self.names.get(name, name)

    def note(self, table: str, item: str, ruling: Ruling, *on: str) -> None:
        self.steps.append(Step(table, item, ruling, on))


def next_id(names: Sequence[str] | Mapping[str, object], prefix: str) -> int:
    """One more than the largest number behind the prefix."""
    numbers = [int(name[len(prefix) :]) for name in names if name.startswith(prefix) and name[len(prefix) :].isdigit()]
    return max(numbers, default=0) + 1


def explored(graph: Graph, found: Exploration, seen: Sequence[Seen], target: tuple[str, ...], book: Rulebook) -> Growth:
    """What an exploration brought. `target` are the hypotheses that it was about: the target, then its conflict's
    other end."""
    growth = Growth(graph)
    by_name = {one.id: one for one in seen}
    for observed in found.observations:
        _observe(growth, observed, by_name.get(observed.id, Seen(observed.id, None)), book)
    for claimed in found.type_a_hypotheses:
        _claim(growth, claimed)
    for drawn in found.edges:
        _draw(growth, drawn)
    _resolve(growth, found, frozenset(target))
    _freshen(growth, target[:1])
    growth.graph = strengthened(growth.graph, book)
    return growth


# --- observations ------------------------------------------------------------------------------


def _observe(growth: Growth, observed: Observed, seen: Seen, book: Rulebook) -> None:
    graph = growth.graph
    url = seen.url or observed.source_url
    first = admission.copied(observed.words, {name: one.words for name, one in graph.observations.items()})
    place = None if first is None else _same_page(graph.observations[first], url)
    decided = admission.admit(admission.Input(seen.found, place), book.research)
    ruling = Ruling(decided.outcome, decided.row, decided.reason)
    if decided.outcome == "dropped" or (decided.outcome == "merged" and first is not None):
        growth.names[observed.id] = first or ""
        growth.note(admission.TABLE.edition, observed.id, ruling, observed.words, seen.why)
        return
    name = f"obs_{next_id(graph.observations, 'obs_')}"
    growth.names[observed.id] = name
    new = _observation(observed, seen, url, graph.root(first) if first else None, graph.iteration, book)
    growth.graph = replace(graph, observations={**graph.observations, name: new})
    growth.note(admission.TABLE.edition, name, ruling, observed.words, url or "")


def _same_page(known: Observation, url: str | None) -> admission.Place:
    same = address.page(known.source_url) == address.page(url)
    return "same_page" if same else "other_page"


def _observation(
    observed: Observed, seen: Seen, url: str | None, first: str | None, iteration: int, book: Rulebook
) -> Observation:
    judged = AUTHORITIES[book.authority.edition](url or "", book.authority)
    return Observation(
        summary=observed.summary,
        authority=judged.authority,
        source_url=url,
        source_type=judged.source_type,
        created_at=iteration,
        quote=observed.quote,
        sha256=seen.sha256,
        checked=seen.found is True,
        copy_of=first,
        retrieved=seen.retrieved,
        first_url=seen.copy_of or None,
        file=seen.file or None,
        title=seen.title,
    )


# --- claims, ideas, leads ----------------------------------------------------------------------


def _claim(growth: Growth, claimed: Claimed) -> None:
    """A claim that stands already is that one."""
    graph = growth.graph
    known = admission.copied(claimed.summary, {name: one.summary for name, one in graph.hypotheses.items()})
    if known is not None:
        growth.names[claimed.id] = known
        growth.note(admission.TABLE.edition, claimed.id, Ruling("merged", "3", "KNOWN"), claimed.summary, known)
        return
    name = f"hyp_A{next_id(graph.hypotheses, 'hyp_A')}"
    growth.names[claimed.id] = name
    new = Hypothesis("A", claimed.summary, created_at=graph.iteration, verify_keywords=claimed.verify_keywords)
    growth.graph = _with_leads(_with(graph, {name: new}), name, claimed.verify_keywords)


def known(graph: Graph, idea: Idea) -> str | None:
    """The hypothesis of the same words as an idea; rejected ones are known too."""
    said = quote.normal(idea.summary).casefold()
    same = (name for name, one in graph.hypotheses.items() if quote.normal(one.summary).casefold() == said)
    return next(same, None)


def imagined(graph: Graph, idea: Idea, book: Rulebook) -> tuple[Graph, str]:
    """A hypothesis of type B comes in, and its keywords with it."""
    name = f"hyp_B{next_id(graph.hypotheses, 'hyp_B')}"
    new = Hypothesis(
        "B",
        idea.summary,
        strength=book.strength.base_b,
        created_at=graph.iteration,
        reasoning_tool=idea.reasoning_tool or None,
        verify_keywords=idea.verify_keywords,
        history=(Happened(graph.iteration, "IDEATE", ", ".join(idea.derived_from)),),
    )
    return _with_leads(_with(graph, {name: new}), name, idea.verify_keywords), name


def _with(graph: Graph, hypotheses: Mapping[str, Hypothesis]) -> Graph:
    return replace(graph, hypotheses={**graph.hypotheses, **hypotheses})


def _with_leads(graph: Graph, source: str, keywords: Sequence[str]) -> Graph:
    known = {lead.keyword for lead in graph.unexplored}
    fresh = [Lead(word, source) for word in dict.fromkeys(keywords) if word.strip() and word not in known]
    return replace(graph, unexplored=(*graph.unexplored, *fresh))


# --- edges and conflicts -----------------------------------------------------------------------


def _draw(growth: Growth, drawn: Drawn) -> None:
    graph, start, end = growth.graph, growth.id(drawn.start), growth.id(drawn.end)
    known = any(edge.type == drawn.type and _joins(edge, start, end) for edge in graph.edges)
    case = drawing.Input(drawn.type, _end(graph, start), _end(graph, end), drawn.weight, start == end, known)
    decided = drawing.draw(case)
    ruling = Ruling(decided.outcome, decided.row, decided.reason)
    growth.note(drawing.TABLE.edition, f"{start},{end}", ruling, f"{drawn.type} {drawn.weight}")
    if decided.weight is not None:
        edge = Edge(drawn.type, start, end, decided.weight, graph.iteration)
        growth.graph = replace(graph, edges=(*graph.edges, edge))
        growth.touched |= set[str]() if drawn.type == "CONFLICTS" else {end}


def _joins(edge: Edge, start: str, end: str) -> bool:
    """A conflict joins its hypotheses in either direction."""
    return (edge.start, edge.end) == (start, end) or (
        edge.type == "CONFLICTS" and (edge.end, edge.start) == (start, end)
    )


def _end(graph: Graph, name: str) -> End:
    if name in graph.hypotheses:
        return "hypothesis"
    return "observation" if name in graph.observations else "none"


def _resolve(growth: Growth, found: Exploration, target: frozenset[str]) -> None:
    said = found.conflict_resolution
    if said is None:
        return
    graph = growth.graph
    one, other = growth.id(said.conflict_edge.start), growth.id(said.conflict_edge.end)
    edge = conflict_between(graph, one, other)
    sides = sum(_has_evidence(graph, name, said.resolution_type == "one_rejected") for name in (one, other))
    is_open = edge is not None and not edge.resolved
    decided = resolution.resolve(resolution.Input(is_open, frozenset((one, other)) == target, sides))
    ruling = Ruling(decided.outcome, decided.row, decided.reason)
    growth.note(resolution.TABLE.edition, f"{one},{other}", ruling, said.resolution_type)
    if decided.outcome == "resolved" and edge is not None:
        told = f"{said.resolution_type}: {said.description}"
        growth.graph = _with_edge(graph, edge, replace(edge, resolved=True, resolution=told))


def _has_evidence(graph: Graph, name: str, against_too: bool) -> bool:
    kinds = ("SUPPORTS", "CONTRADICTS") if against_too else ("SUPPORTS",)
    return any(edge.end == name and edge.type in kinds for edge in graph.edges)


def _with_edge(graph: Graph, before: Edge, after: Edge) -> Graph:
    return replace(graph, edges=tuple([after if edge is before else edge for edge in graph.edges]))


def _freshen(growth: Growth, target: tuple[str, ...]) -> None:
    """New evidence wakes what was set aside: a hypothesis that is not the target, a conflict at either end."""
    graph, touched = growth.graph, frozenset(growth.touched)
    woken = {
        name: replace(one, moves=())
        for name, one in graph.hypotheses.items()
        if name in touched and name not in target and one.active
    }
    edges = [replace(e, tries=0) if e.type == "CONFLICTS" and e.tries and e.ends & touched else e for e in graph.edges]
    growth.graph = replace(_with(graph, woken), edges=tuple(edges))


# --- strengths ---------------------------------------------------------------------------------


def strengthened(graph: Graph, book: Rulebook) -> Graph:
    """The strength of every hypothesis that is not rejected, from the edges that reach it."""
    supports: dict[str, list[Weighed]] = {}
    contradicts: dict[str, list[Weighed]] = {}
    for edge in graph.edges:
        if edge.type != "CONFLICTS":
            side = supports if edge.type == "SUPPORTS" else contradicts
            side.setdefault(edge.end, []).append(_weighed(graph, edge))
    strength = STRENGTHS[book.strength.edition]
    changed: dict[str, Hypothesis] = {}
    for name, one in graph.hypotheses.items():
        if one.active:
            now = strength(one.type, supports.get(name, ()), contradicts.get(name, ()), book.strength)
            if now != one.strength:
                changed[name] = replace(one, strength=now)
    return _with(graph, changed)


def courses(graph: Graph, book: Rulebook) -> Mapping[str, tuple[Decimal, ...]]:
    """The strength of every hypothesis after each iteration since it came: recomputed from the edges there were."""
    found: dict[str, list[Decimal]] = {}
    for iteration in range(graph.iteration):
        there = {
            name: replace(one, status="tested") for name, one in graph.hypotheses.items() if one.created_at <= iteration
        }
        edges = tuple([edge for edge in graph.edges if edge.created_at <= iteration and edge.end in there])
        then = strengthened(replace(graph, hypotheses=there, edges=edges), book)
        for name, one in then.hypotheses.items():
            found.setdefault(name, []).append(one.strength)
    return {name: tuple(values) for name, values in found.items()}


def _weighed(graph: Graph, edge: Edge) -> Weighed:
    """A copy weighs with the authority of its own page, as part of the page where its words, or all words of its page,
    stood first."""
    name = graph.root(edge.start)
    first = graph.observations[name]
    place = first.first_url or first.source_url or name
    return Weighed(graph.observations[edge.start].authority, edge.weight, place)


def pruned(graph: Graph) -> tuple[Graph, tuple[str, ...]]:
    """Under DATA_EXPLOSION the weakest are rejected, in natural order."""
    weak = [name for name, one in graph.active().items() if one.strength < health.SPARED]
    gone = tuple(sorted(weak, key=natural))
    return _with(graph, {name: replace(graph.hypotheses[name], status="rejected") for name in gone}), gone


def moved(before: Decimal, after: Decimal) -> Decimal:
    return EXACT.subtract(after, before)
