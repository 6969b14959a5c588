"""The tables of research: authority, strength, verification, selection, health, thesis."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from itertools import product
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withstood import form
from withstood.claims.graph import LENSES, Edge, Graph, Health, Hypothesis, Lead, Observation, Status, check, natural
from withstood.form import Misfit
from withstood.rules import authorities, health, selection, strengths, thesis, verification
from withstood.rules.rulebook import AUTHORITIES, STRENGTHS
from withstood.rules.strengths import Weighed

SHARES = st.decimals(0, 1, places=3)
URLS = st.sampled_from(
    [None, "https://a.com/1", "https://a.com/1#x", "https://b.a.com/2", "https://c.co.kr/", "https://arxiv.org/abs/1"]
)
EDGES = st.lists(st.builds(Weighed, SHARES, SHARES, URLS), max_size=6)


# --- authority ---------------------------------------------------------------------------------

PLACES = [
    ("https://arxiv.org/abs/1", "paper", "paper"),
    ("https://dl.acm.org/docs/1", "paper", "paper"),
    ("https://scholar.google.com/x", "paper", "paper"),
    ("https://medium.com/docs/x", "blog", "blog"),
    ("https://www.reddit.com/r/x", "forum", "forum"),
    ("https://docs.python.org/3/", "official", "official"),
    ("https://docs.nobody.example/3/", "official", "unknown"),
    ("https://nobody.github.io/docs/a", "official", "unknown"),
    ("https://nobody.example/docsx", "unknown", "unknown"),
    ("https://arxiv.attacker.tld/abs/1", "unknown", "unknown"),
    ("https://notarxiv.org/abs/1", "unknown", "unknown"),
    ("arxiv.org", "unknown", "unknown"),
]


@pytest.mark.parametrize(("url", "first", "second"), PLACES)
def test_authority_comes_from_the_address_alone(url: str, first: str, second: str) -> None:
    for edition, wanted in (("1", first), ("2", second)):
        found = AUTHORITIES[edition](url, authorities.Numbers())
        assert (found.source_type, found.authority) == (wanted, authorities.WORTH[wanted])  # type: ignore[index]


def test_hosts_may_be_added() -> None:
    numbers = authorities.Numbers(paper="journal.example", official="vendor.example", forum="x.example y.example")
    kinds = [AUTHORITIES["2"](f"https://a.{host}/", numbers).source_type for host in
             ("journal.example", "vendor.example", "y.example", "z.example")]  # fmt: skip
    assert kinds == ["paper", "official", "forum", "unknown"]


# --- strength ----------------------------------------------------------------------------------

PAPER = Weighed(Decimal("0.9"), Decimal("0.8"), "https://arxiv.org/abs/1")
OFFICIAL = Weighed(Decimal("0.85"), Decimal("0.5"), "https://docs.python.org/")
AGAINST = Weighed(Decimal("0.9"), Decimal("0.8"), "https://doi.org/10.1/1")


@pytest.mark.parametrize("edition", STRENGTHS)
@pytest.mark.parametrize(
    ("supports", "contradicts", "wanted"),
    [
        ([], [], "0.5"),
        ([PAPER], [], "0.602"),
        ([PAPER, OFFICIAL], [], "0.6745"),
        ([PAPER, OFFICIAL], [AGAINST], "0.5665"),
    ],
)
def test_golden_values(edition: str, supports: list[Weighed], contradicts: list[Weighed], wanted: str) -> None:
    assert STRENGTHS[edition]("A", supports, contradicts, strengths.Numbers()) == Decimal(wanted)


@given(st.sampled_from(["1", "2"]), st.sampled_from(["A", "B"]), EDGES, EDGES, EDGES)
def test_laws_of_strength(edition: str, kind: Any, supports: Any, contradicts: Any, more: Any) -> None:
    strength, numbers = STRENGTHS[edition], strengths.Numbers()
    before = strength(kind, supports, contradicts, numbers)
    assert 0 <= before <= 1
    assert strength(kind, supports, contradicts + more, numbers) <= before  # a contradiction never strengthens
    assert strength(kind, supports + more, contradicts, numbers) >= before  # a support never weakens
    assert strength(kind, supports[::-1], contradicts[::-1], numbers) == before
    copies = [edge for edge in supports if edge.source_url]
    assert strength(kind, supports + copies * 3, contradicts, numbers) == before
    assert strength("B", supports, contradicts, numbers) <= strength("A", supports, contradicts, numbers)


@given(st.lists(st.builds(Weighed, SHARES, SHARES, st.just("https://one.example/a")), min_size=1, max_size=4), SHARES)
def test_a_second_page_of_one_origin_adds_nothing_in_edition_2(first: list[Weighed], weight: Decimal) -> None:
    strongest = max(edge.authority * edge.weight for edge in first)
    second = Weighed(Decimal(1), min(weight, strongest), "https://sub.one.example/b")
    numbers = strengths.Numbers()
    assert STRENGTHS["2"]("A", [*first, second], [], numbers) == STRENGTHS["2"]("A", first, [], numbers)


# --- verification ------------------------------------------------------------------------------


def as_published(case: verification.Input) -> str:
    """The design's own code for the target, written again as it stands there, with the points that were settled."""
    if case.status == "rejected" or case.explore_failed:
        return case.status
    demoted = case.status == "verified" and (case.strong_contradiction or case.strength < Decimal("0.65"))
    if not case.is_target:
        return "tested" if demoted else case.status
    if case.visit_count >= 2 and case.strength >= Decimal("0.65"):
        return "tested" if case.strong_contradiction else "verified"
    if case.strength < Decimal("0.25"):
        return "rejected"
    return "tested" if case.status == "unvisited" or demoted else case.status


def test_verification_over_all_inputs() -> None:
    strengths_tried = [Decimal(value) for value in ("0", "0.2499", "0.25", "0.5", "0.6499", "0.65", "1")]
    rows: set[str] = set()
    for status, visits, strength, *flags in product(get_args(Status), range(4), strengths_tried, *[(False, True)] * 3):
        case = verification.Input(status, visits, strength, *flags)
        found = verification.verify(case, verification.Numbers())
        rows.add(found.row)
        assert found.status == as_published(case), case
    assert rows == set(verification.TABLE.rows())


# --- selection ---------------------------------------------------------------------------------


def hypothesis(kind: Any = "A", **given: Any) -> Hypothesis:
    return Hypothesis(kind, **{"summary": "s", **given})


def conflict(start: str, end: str, **given: Any) -> Edge:
    return Edge("CONFLICTS", start, end, **given)


def target(graph: Graph) -> tuple[str | None, str | None, str]:
    found = selection.select(graph, selection.Numbers())
    return found.target_id or found.lens, found.conflict_with, found.row


FULL = Graph(
    iteration=20,
    hypotheses={
        "hyp_A10": hypothesis(created_at=1),
        "hyp_A2": hypothesis(created_at=1),
        "hyp_B1": hypothesis("B", created_at=9),
        "hyp_B2": hypothesis("B", created_at=8),
        "hyp_A3": hypothesis(status="tested", visit_count=2, last_visited=9, strength=Decimal("0.4")),
        "hyp_A4": hypothesis(status="tested", visit_count=1, last_visited=12, strength=Decimal("0.4")),
        "hyp_A5": hypothesis(status="tested", visit_count=1, last_visited=12, strength=Decimal("0.55")),
        "hyp_A6": hypothesis(status="rejected"),
    },
    edges=(
        conflict("hyp_A3", "hyp_A6", created_at=0),
        conflict("hyp_A3", "hyp_A4", created_at=3),
        conflict("hyp_A4", "hyp_A5", created_at=2),
        conflict("hyp_B1", "hyp_A5", created_at=1, resolved=True),
    ),
    unexplored=(Lead("used", used=True), Lead("first"), Lead("second")),
    lens_index=8,
)


def without(graph: Graph, *names: str) -> Graph:
    kept = {name: one for name, one in graph.hypotheses.items() if name not in names}
    return replace(graph, hypotheses=kept, edges=tuple(e for e in graph.edges if not e.ends & set(names)))


def test_classes_from_top_to_bottom() -> None:
    graph = FULL
    assert target(graph) == ("hyp_A4", "hyp_A5", "1")
    graph = replace(graph, edges=())
    for gone, wanted in (("hyp_B2", "2"), ("hyp_B1", "2"), ("hyp_A2", "3"), ("hyp_A10", "3")):
        assert target(graph) == (gone, None, wanted)
        graph = without(graph, gone)
    for gone in ("hyp_A5", "hyp_A4", "hyp_A3"):
        assert target(graph) == (gone, None, "4")
        graph = without(graph, gone)
    assert target(graph) == ("first", None, "5")
    assert target(replace(graph, unexplored=())) == (LENSES[2], None, "6")


def test_all_weak_looks_elsewhere_after_conflicts() -> None:
    weak = replace(FULL, health=Health(0, ("ALL_WEAK",)))
    assert target(weak) == ("hyp_A4", "hyp_A5", "1")
    assert target(replace(weak, edges=())) == ("first", None, "5")


@pytest.mark.parametrize(
    ("tries", "last", "due"), [(2, 19, True), (3, 15, False), (3, 14, True), (9, 15, False), (9, 14, True)]
)
def test_a_conflict_rests_after_three_tries(tries: int, last: int, due: bool) -> None:
    edges = (conflict("hyp_A4", "hyp_A5", tries=tries, last_tried=last),)
    assert (target(replace(FULL, edges=edges))[2] == "1") is due


def test_what_moves_no_more_yields() -> None:
    still = replace(FULL.hypotheses["hyp_A3"], moves=(Decimal("0.1"), Decimal("0.009"), Decimal("-0.009")))
    graph = Graph(hypotheses={"hyp_A3": still})
    assert target(graph)[2] == "6"
    for moves in ((), still.moves[:2], (*still.moves, Decimal("0.01"))):
        assert target(Graph(hypotheses={"hyp_A3": replace(still, moves=moves)}))[2] == "4"


def test_the_search_is_broad_while_little_is_there() -> None:
    for count, mode in ((4, "broad"), (5, "deep")):
        graph = Graph(hypotheses={f"hyp_A{no}": hypothesis() for no in range(count)})
        assert selection.select(graph, selection.Numbers()).search_mode == mode


def visited(graph: Graph) -> Graph:
    """What an iteration that finds nothing new leaves, as the protocol keeps it."""
    found = selection.select(graph, selection.Numbers())
    hypotheses, leads, edges = dict(graph.hypotheses), list(graph.unexplored), list(graph.edges)
    if found.target_type == "hypothesis":
        one = hypotheses[found.target_id or ""]
        case = verification.Input(one.status, one.visit_count + 1, one.strength)
        status = verification.verify(case, verification.Numbers()).status
        moves = (*one.moves, Decimal(0))
        hypotheses[found.target_id or ""] = replace(
            one, visit_count=one.visit_count + 1, last_visited=graph.iteration, status=status, moves=moves
        )
    for place, edge in enumerate(edges):
        if edge.type == "CONFLICTS" and (edge.start, edge.end) == (found.target_id, found.conflict_with):
            edges[place] = replace(edge, tries=edge.tries + 1, last_tried=graph.iteration)
    for place, lead in enumerate(leads):
        if found.target_type == "unexplored" and lead.keyword == found.target_id:
            leads[place] = replace(lead, used=True)
    return replace(
        graph,
        iteration=graph.iteration + 1,
        hypotheses=hypotheses,
        unexplored=tuple(leads),
        edges=tuple(edges),
        lens_index=graph.lens_index + (found.target_type == "6lens"),
    )


@given(st.data())
def test_nothing_starves(data: st.DataObject) -> None:
    """From any graph, whoever finds nothing new follows every lead and looks through every lens."""
    names = [f"hyp_A{no}" for no in range(data.draw(st.integers(0, 7)))]
    statuses = st.sampled_from(get_args(Status))
    one = st.builds(hypothesis, status=statuses, strength=SHARES, created_at=st.integers(0, 5))
    pairs = [(a, b) for place, a in enumerate(names) for b in names[place + 1 :]]
    ends = data.draw(st.lists(st.sampled_from(pairs), unique=True, max_size=12)) if pairs else []
    tried = st.integers(0, 8)
    graph = Graph(
        iteration=data.draw(st.integers(0, 9)),
        hypotheses={name: data.draw(one) for name in names},
        edges=tuple(conflict(*pair, tries=data.draw(tried), last_tried=data.draw(st.none() | tried)) for pair in ends),
        unexplored=tuple(Lead(f"k{no}") for no in range(data.draw(st.integers(0, 3)))),
        health=Health(0, data.draw(st.sampled_from([(), ("ALL_WEAK",), ("STALEMATE",)]))),
    )
    begun = graph.lens_index
    for _ in range(4 * len(ends) + 3 * len(names) + 8 * (len(graph.unexplored) + len(LENSES)) + 8):
        assert selection.select(graph, selection.Numbers()) == selection.select(graph, selection.Numbers())
        graph = visited(graph)
    assert all(lead.used for lead in graph.unexplored)
    assert graph.lens_index - begun >= len(LENSES)


# --- health and thesis -------------------------------------------------------------------------


def many(count: int, **given: Any) -> Mapping[str, Hypothesis]:
    return {f"hyp_A{no}": hypothesis(**given) for no in range(count)}


SOUND = {"obs_1": Observation(authority=Decimal("0.5"))}
PAIR = many(2)
ISSUES = [
    (Graph(), {"LOW_QUALITY"}),
    (Graph(observations=SOUND), set[str]()),
    (Graph(observations=SOUND | {"obs_2": Observation(authority=Decimal("0.499"))}), {"LOW_QUALITY"}),
    (Graph(observations=SOUND, hypotheses=many(3, strength=Decimal("0.349"))), {"ALL_WEAK"}),
    (Graph(observations=SOUND, hypotheses=many(3, strength=Decimal("0.35"))), set[str]()),
    (Graph(observations=SOUND, hypotheses=many(2, strength=Decimal("0.1"))), set[str]()),
    (Graph(observations=SOUND, hypotheses=PAIR, iteration=4, edges=(conflict("hyp_A0", "hyp_A1"),)), {"STALEMATE"}),
    (Graph(observations=SOUND, hypotheses=PAIR, iteration=3, edges=(conflict("hyp_A0", "hyp_A1"),)), set[str]()),
    (Graph(observations={f"obs_{no}": SOUND["obs_1"] for no in range(51)}), {"DATA_EXPLOSION"}),
    (Graph(observations=SOUND, hypotheses=many(26)), {"DATA_EXPLOSION"}),
    (Graph(observations=SOUND, hypotheses=many(25)), set[str]()),
    (Graph(observations=SOUND, hypotheses=many(3, status="verified"), iteration=15), {"SATURATED"}),
    (Graph(observations=SOUND, hypotheses=many(3, status="verified"), iteration=14), set[str]()),
]


@pytest.mark.parametrize(("graph", "wanted"), ISSUES)
def test_issues(graph: Graph, wanted: set[str]) -> None:
    assert set(health.issues(graph)) == wanted


def test_the_thesis_stands_on_what_withstood() -> None:
    graph = Graph(
        observations={"obs_10": Observation(), "obs_2": Observation(), "obs_3": Observation()},
        hypotheses={
            "hyp_A10": hypothesis(status="tested", strength=Decimal("0.7")),
            "hyp_A2": hypothesis(status="verified", strength=Decimal("0.7")),
            "hyp_A3": hypothesis(status="tested", strength=Decimal("0.549")),
            "hyp_A4": hypothesis(status="rejected", strength=Decimal("0.18")),
            "hyp_B1": hypothesis("B"),
            "hyp_B2": hypothesis("B", status="tested", strength=Decimal("0.9")),
        },
        edges=(
            Edge("SUPPORTS", "obs_10", "hyp_A2"),
            Edge("SUPPORTS", "obs_2", "hyp_B2"),
            Edge("SUPPORTS", "obs_3", "hyp_A3"),
            Edge("CONTRADICTS", "obs_3", "hyp_A4"),
            conflict("hyp_A2", "hyp_A3"),
            conflict("hyp_A2", "hyp_A4"),
        ),
        unexplored=(Lead("open"), Lead("done", used=True)),
    )
    found = thesis.conclude(graph, thesis.Numbers())
    assert found.core == ("hyp_B2", "hyp_A2", "hyp_A10")
    assert found.observations == ("obs_2", "obs_10")
    assert found.rejected == (thesis.Rejected("hyp_A4", "strength 0.18, contradicted by obs_3"),)
    assert found.unresolved == thesis.Unresolved(("hyp_A3", "hyp_B1"), (("hyp_A2", "hyp_A3"),), ("open",))


# --- the graph ---------------------------------------------------------------------------------


def test_natural_order() -> None:
    names = ["hyp_B2", "hyp_A10", "obs_3", "hyp_A2", "hyp", "hyp_A"]
    assert sorted(names, key=natural) == ["hyp", "hyp_A", "hyp_A2", "hyp_A10", "hyp_B2", "obs_3"]


def test_unknown_fields_are_kept_as_they_were() -> None:
    said: Any = {
        "question": "q",
        "mine": {"a": [1, "2"]},
        "hypotheses": {"hyp_1": {"type": "A", "colour": "red"}},
        "edges": [{"from": "obs_1", "to": "hyp_1", "type": "SUPPORTS", "note": None}],
        "observations": {"obs_1": {"summary": "s", "page": 3}},
        "unexplored": [{"keyword": "k", "from": "hyp_1", "why": "w"}],
    }
    graph = form.read(Graph, said)
    assert (graph.edges[0].start, graph.unexplored[0].source) == ("obs_1", "hyp_1")
    written = form.write(graph)
    assert written["mine"] == {"a": [1, "2"]}
    assert written["hypotheses"]["hyp_1"]["colour"] == "red"
    assert written["edges"][0] | {"note": None, "from": "obs_1"} == written["edges"][0]
    assert form.read(Graph, written) == graph


@pytest.mark.parametrize(
    ("edge", "place"),
    [
        (Edge("SUPPORTS", "obs_9", "hyp_A0"), r"edges\[0\].from"),
        (Edge("SUPPORTS", "hyp_A1", "hyp_A0"), r"edges\[0\].from"),
        (Edge("SUPPORTS", "obs_1", "obs_1"), r"edges\[0\].to"),
        (Edge("CONFLICTS", "obs_1", "hyp_A0"), r"edges\[0\].from"),
        (Edge("CONFLICTS", "hyp_A0", "hyp_A0"), r"edges\[0\].to"),
    ],
)
def test_an_edge_joins_what_exists(edge: Edge, place: str) -> None:
    graph = Graph(observations=SOUND, hypotheses=PAIR, edges=(edge,))
    with pytest.raises(Misfit, match=place):
        check(graph)
