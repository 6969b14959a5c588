"""The research flow, driven by hand."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.protocols.researching import claimed, edge, exploration, found_as_quoted, go, ideas, observed
from withstood import form
from withstood.claims.graph import LENSES, Graph
from withstood.claims.research import Inspected, Seen
from withstood.protocols.asks import Silent
from withstood.rules import admission
from withstood.rules.rulebook import PRESETS

STUDY = exploration(
    observations=[observed(1, "https://arxiv.org/abs/1")],
    type_a_hypotheses=[claimed(1, "first lead", "second lead")],
    edges=[edge("obs_1", "SUPPORTS", "hyp_A1")],
)


def test_one_iteration_brings_what_was_explored() -> None:
    course = go({"EXPLORE": STUDY})
    [asked] = [[ask.role for ask in course.asked]]
    assert asked == ["SELECT", "SEARCH", "EXPLORE", "CHECK", "SAVE"]
    graph = course.graph
    assert graph.iteration == 1
    assert graph.lens_index == 1
    assert graph.observations["obs_1"].authority == Decimal("0.9")
    assert graph.observations["obs_1"].source_type == "paper"
    assert graph.hypotheses["hyp_A1"].strength == Decimal("0.602")
    assert [(lead.keyword, lead.source) for lead in graph.unexplored] == [
        ("first lead", "hyp_A1"),
        ("second lead", "hyp_A1"),
    ]
    assert course.rulings("admission-1") == [("1:obs_1", "admitted", "6", "")]


def test_what_an_agent_says_of_authority_and_type_has_no_effect() -> None:
    boast = observed(1, "https://arxiv.attacker.tld/abs/1") | {"authority": 1, "source_type": "paper"}
    graph = go({"EXPLORE": exploration(observations=[boast])}).graph
    assert (graph.observations["obs_1"].authority, graph.observations["obs_1"].source_type) == (
        Decimal("0.2"),
        "unknown",
    )


@pytest.mark.parametrize(
    ("found", "preset", "row", "kept"),
    [(True, "published", "6", 1), (False, "published", "1", 0), (None, "published", "5", 1), (None, "strict", "2", 0)],
)
def test_a_quote_counts_as_it_was_found(found: bool | None, preset: str, row: str, kept: int) -> None:
    def looked(brief: Any) -> Inspected:
        return Inspected(tuple(Seen(one.id, found) for one in brief.observations))

    course = go({"EXPLORE": STUDY, "CHECK": looked}, rules=PRESETS[preset])
    assert len(course.graph.observations) == len(course.graph.edges) == kept
    assert [ruling[2] for ruling in course.rulings("admission-1")] == [row]


def test_where_nobody_looked_nothing_comes_in() -> None:
    course = go({"EXPLORE": STUDY, "CHECK": Silent("out of order")})
    assert not course.graph.observations
    assert course.graph.hypotheses["hyp_A1"].strength == Decimal("0.5")


def test_ids_are_the_graphs_own() -> None:
    """Two answers that call their things by the same names do not meet."""
    first = {
        "observations": [observed(7)],
        "type_a_hypotheses": [claimed(3)],
        "edges": [edge("obs_7", "SUPPORTS", "hyp_A3")],
    }
    second = {"observations": [observed(7, said="Another sentence of another study, on quite other things: 5 of 9.")],
              "type_a_hypotheses": [claimed(3, said="A wholly different statement about the price of tea in 1900.")],
              "edges": [edge("obs_7", "CONTRADICTS", "hyp_A3")]}  # fmt: skip
    graph = go({("EXPLORE", 1): exploration(**first), ("EXPLORE", 2): exploration(**second)}, 2).graph
    assert [*graph.observations] == ["obs_1", "obs_2"]
    assert [(one.start, one.type, one.end) for one in graph.edges] == [
        ("obs_1", "SUPPORTS", "hyp_A1"),
        ("obs_2", "CONTRADICTS", "hyp_A2"),
    ]


def test_copies_add_nothing() -> None:
    """The same words on five pages, and again on the first one."""
    said = "In 412 trials the retrieval system answered 87 percent of the questions without an error."
    pages = [observed(no, f"https://mirror{no}.com/x", said) for no in range(1, 6)]
    edges = [edge(f"obs_{no}", "SUPPORTS", "hyp_A1") for no in range(1, 6)]
    one = go({"EXPLORE": exploration(observations=pages[:1], type_a_hypotheses=[claimed(1)], edges=edges[:1])})
    five = go({"EXPLORE": exploration(observations=pages, type_a_hypotheses=[claimed(1)], edges=edges)})
    assert five.graph.hypotheses["hyp_A1"].strength == one.graph.hypotheses["hyp_A1"].strength
    assert [ruling[2] for ruling in five.rulings("admission-1")] == ["6", "4", "4", "4", "4"]
    again = go({("EXPLORE", 2): exploration(observations=pages[:1])}, 2, one.graph)
    assert len(again.graph.observations) == 1


@pytest.mark.parametrize("preset", ["published", "strict"])
def test_a_mirror_adds_nothing_whatever_is_quoted_from_it(preset: str) -> None:
    """Other words of the same page, under another address: it weighs as part of the page that was read first."""
    first, mirrors = (
        "https://arxiv.org/abs/1",
        ["https://mirror.net/1", "https://reprint.org/1", "https://third.info/1"],
    )

    def strengths(told: list[str], copies: Mapping[str, str]) -> Decimal:
        observations = [observed(no, url) for no, url in enumerate(told, start=1)]
        edges = [edge(f"obs_{no}", "SUPPORTS", "hyp_A1") for no in range(1, len(told) + 1)]
        found = exploration(observations=observations, type_a_hypotheses=[claimed(1)], edges=edges)

        def seen(brief: Any) -> Inspected:
            return Inspected(
                tuple(
                    Seen(one.id, True, url=one.source_url, copy_of=copies.get(one.source_url or "", ""))
                    for one in brief.observations
                )
            )

        course = go({"EXPLORE": found, "CHECK": seen}, rules=PRESETS[preset])
        assert len(course.graph.observations) == len(told)
        return course.graph.hypotheses["hyp_A1"].strength

    alone = strengths([first], {})
    assert strengths([first, *mirrors], dict.fromkeys(mirrors, first)) == alone
    assert strengths([*mirrors, first], dict.fromkeys(mirrors, first)) == alone
    assert strengths([first, *mirrors], {}) > alone


def test_edges_join_what_exists_and_weigh_one_of_three() -> None:
    edges = [
        edge("obs_1", "SUPPORTS", "hyp_A1", "1"),
        edge("obs_1", "SUPPORTS", "hyp_A1", "0.3"),
        edge("obs_1", "CONTRADICTS", "hyp_A2", "0.79"),
        edge("obs_1", "SUPPORTS", "hyp_A9"),
        edge("hyp_A1", "SUPPORTS", "hyp_A2"),
        edge("hyp_A1", "CONFLICTS", "hyp_A2"),
        edge("hyp_A2", "CONFLICTS", "hyp_A1"),
        edge("obs_1", "CONFLICTS", "hyp_A1"),
        edge("hyp_A1", "CONFLICTS", "hyp_A1"),
    ]
    told = exploration(observations=[observed(1)], type_a_hypotheses=[claimed(1), claimed(2)], edges=edges)
    course = go({"EXPLORE": told})
    assert [ruling[2] for ruling in course.rulings("drawing-1")] == ["6", "4", "6", "1", "2", "5", "4", "3", "1"]
    assert [one.weight for one in course.graph.edges] == [Decimal("0.8"), Decimal("0.5"), Decimal(1)]


# --- trying again ------------------------------------------------------------------------------

FAILED = exploration(status="failure", retry_keywords=["other words", "third words", "more"])


def test_a_failure_is_tried_twice_more_with_other_words() -> None:
    course = go({"EXPLORE": FAILED, "EXPLORE-2": exploration(status="failure"), "EXPLORE-3": STUDY})
    assert [course.briefs(role)[0].query for role in ("SEARCH", "SEARCH-2", "SEARCH-3")] == [
        "a query",
        "other words",
        "third words",
    ]
    assert [brief.retry_count for role in ("EXPLORE", "EXPLORE-2", "EXPLORE-3") for brief in course.briefs(role)] == [
        0,
        1,
        2,
    ]
    assert course.graph.hypotheses


def test_three_failures_change_nothing_but_the_counter() -> None:
    before = go({"EXPLORE": STUDY}).graph
    after = go({}, 1, before).graph  # one quiet iteration, for comparison
    failed = go({"EXPLORE": FAILED, "EXPLORE-2": FAILED, "EXPLORE-3": Silent("gone")}, 1, before).graph
    assert failed.iteration == after.iteration == before.iteration + 1
    assert (failed.observations, failed.hypotheses, failed.edges) == (
        before.observations,
        before.hypotheses,
        before.edges,
    )
    assert (failed.lens_index, failed.unexplored) == (before.lens_index, before.unexplored)
    assert after.hypotheses != before.hypotheses


# --- verification ------------------------------------------------------------------------------


def supported(no: int, kind: str = "SUPPORTS", target: str = "hyp_A1") -> Any:
    return exploration(
        observations=[observed(no, f"https://arxiv.org/abs/{no}")], edges=[edge(f"obs_{no}", kind, target)]
    )


def test_verified_is_what_withstood() -> None:
    slight = exploration(observations=[observed(2)], edges=[edge("obs_2", "SUPPORTS", "hyp_A1", "0.3")])
    course = go({("EXPLORE", 1): STUDY, ("EXPLORE", 2): slight, ("EXPLORE", 3): supported(3)}, 3)
    assert [str(graph.hypotheses["hyp_A1"].strength) for graph in course.graphs[1:]] == ["0.602", "0.638", "0.710"]
    assert [graph.hypotheses["hyp_A1"].status for graph in course.graphs[1:]] == ["unvisited", "tested", "verified"]
    demoted = go({"EXPLORE": supported(9, "CONTRADICTS")}, 1, course.graph)
    assert demoted.graph.hypotheses["hyp_A1"].status == "tested"
    assert "verified → tested" in demoted.graph.hypotheses["hyp_A1"].history[-1].result
    assert course.verdict.result["conclusion"] == "thesis"


def test_a_strong_contradiction_keeps_it_tested() -> None:
    told = {("EXPLORE", 1): STUDY, ("EXPLORE", 2): supported(2, "CONTRADICTS")}
    later = {("EXPLORE", no): supported(no) for no in range(3, 7)}
    one = go(told | later, 6).graph.hypotheses["hyp_A1"]
    assert (one.status, one.strength >= Decimal("0.65")) == ("tested", True)


def test_weak_ones_are_rejected_for_good() -> None:
    start = go({"EXPLORE": exploration(type_a_hypotheses=[claimed(1)])}).graph
    many = [supported(no, "CONTRADICTS") for no in (2, 3, 4)]
    three = exploration(
        observations=[part for one in many for part in one.observations],
        edges=[part for one in many for part in one.edges],
    )
    graph = go({("EXPLORE", 2): three}, 1, start).graph
    assert graph.hypotheses["hyp_A1"].strength == Decimal("0.176")
    assert graph.hypotheses["hyp_A1"].status == "rejected"
    again = go({"EXPLORE": supported(9)}, 3, graph).graph
    assert again.hypotheses["hyp_A1"] == graph.hypotheses["hyp_A1"]


# --- conflicts ---------------------------------------------------------------------------------

PAIR = {
    "observations": [observed(1), observed(2)],
    "type_a_hypotheses": [claimed(1), claimed(2)],
    "edges": [edge("hyp_A1", "CONFLICTS", "hyp_A2")],
}
RESOLUTION = {
    "conflict_edge": {"from": "hyp_A2", "to": "hyp_A1"},
    "resolution_type": "condition_difference",
    "description": "short against long contexts",
}
BOTH = [edge("obs_1", "SUPPORTS", "hyp_A1"), edge("obs_2", "SUPPORTS", "hyp_A2")]


@pytest.mark.parametrize(("edges", "resolved"), [(BOTH, True), (BOTH[:1], False), ([], False)])
def test_a_word_ends_no_conflict_without_evidence_from_two_sides(edges: Any, resolved: bool) -> None:
    first = exploration(**PAIR | {"edges": [*PAIR["edges"], *edges]})
    course = go({("EXPLORE", 1): first, ("EXPLORE", 2): exploration(conflict_resolution=RESOLUTION)}, 2)
    [conflict] = [one for one in course.graph.edges if one.type == "CONFLICTS"]
    assert conflict.resolved is resolved
    assert (conflict.resolution is not None) is resolved
    assert course.rulings("selection-1")[1][:3] == ("2:hyp_A1", "hypothesis", "1")


def test_a_conflict_elsewhere_is_not_ended_in_passing() -> None:
    first = exploration(**PAIR | {"edges": [*PAIR["edges"], *BOTH], "conflict_resolution": RESOLUTION})
    assert not any(one.resolved for one in go({"EXPLORE": first}).graph.edges)


def test_a_conflict_that_nothing_decides_is_set_aside() -> None:
    course = go({("EXPLORE", 1): exploration(**PAIR)}, 12)
    rows = [ruling[2] for ruling in course.rulings("selection-1")]
    assert rows[1:4] == ["1", "1", "1"]
    assert "1" not in rows[4:9]
    assert rows[9] == "1"


def test_new_evidence_wakes_it() -> None:
    start = go({("EXPLORE", 1): exploration(**PAIR)}, 5).graph
    woken = go(
        {"EXPLORE": exploration(observations=[observed(8)], edges=[edge("obs_8", "SUPPORTS", "hyp_A2")])}, 1, start
    )
    assert [one.tries for one in woken.graph.edges if one.type == "CONFLICTS"] == [0]


def test_a_conflicts_other_end_is_woken_like_any_hypothesis_that_is_not_the_target() -> None:
    start = go({("EXPLORE", 1): exploration(**PAIR)}).graph
    still = {name: replace(one, moves=(Decimal(0), Decimal(0))) for name, one in start.hypotheses.items()}
    brought = exploration(
        observations=[observed(8), observed(9)],
        edges=[edge("obs_8", "SUPPORTS", "hyp_A1"), edge("obs_9", "SUPPORTS", "hyp_A2")],
    )
    ended = go({"EXPLORE": brought}, 1, replace(start, hypotheses=still))
    assert ended.rulings("selection-1")[0][:2] == ("2:hyp_A1", "hypothesis")
    assert [len(ended.graph.hypotheses[name].moves) for name in ("hyp_A1", "hyp_A2")] == [3, 0]


# --- ideas, health, the whole ------------------------------------------------------------------


def test_every_third_iteration_imagines() -> None:
    course = go({"EXPLORE": STUDY, "IDEATE": ideas("inversion", "pattern", "analogy")}, 7)
    assert [ask.round for ask in course.asked if ask.role == "IDEATE"] == [4, 7]
    born = course.graph.hypotheses["hyp_B1"]
    assert (born.type, born.created_at, born.reasoning_tool) == ("B", 3, "inversion")
    kept = [event.result for event in course.graph.history if event.action == "not chosen"]
    assert kept[:2] == ["pattern: an idea by pattern", "analogy: an idea by analogy"]
    assert "inversion" in [lead.keyword for lead in course.graph.unexplored]


def test_the_idea_sees_what_was_just_explored() -> None:
    course = go({("EXPLORE", 4): STUDY, "IDEATE": ideas("inversion")}, 4)
    assert "hyp_A1" in course.briefs("IDEATE")[0].hypotheses


def test_every_fifth_iteration_looks_at_the_health() -> None:
    course = go({}, 11)
    assert [graph.health.last_check for graph in course.graphs] == [0, 0, 0, 0, 0, 5, 5, 5, 5, 5, 10, 10]
    assert course.graph.health.issues == ("LOW_QUALITY",)
    assert course.briefs("SEARCH")[5].query == "a query research paper"


def test_an_explosion_rejects_the_weakest() -> None:
    many = [claimed(no, said=f"{'klmnopqrst'[no % 10] * 9}{'uvw'[no // 10] * 9} is so") for no in range(26)]
    papers = [observed(no, f"https://arxiv.org/abs/{no}") for no in range(30, 32)]
    against = [edge(f"obs_{no}", "CONTRADICTS", "hyp_A1") for no in range(30, 32)]
    told = exploration(type_a_hypotheses=many, observations=papers, edges=against)
    course = go({("EXPLORE", 1): told}, 5)
    assert "DATA_EXPLOSION" in course.graph.health.issues
    assert [name for name, one in course.graph.hypotheses.items() if not one.active] == ["hyp_A2"]
    assert [event.result for event in course.graph.history if event.action == "PRUNED"] == ["hyp_A2"]


@pytest.mark.parametrize(
    ("one", "other", "copy"),
    [
        ("The answer is 64 thousand tokens in all.", "the answer is: 64 thousand tokens in all", True),
        ("The answer is 64 thousand tokens in all.", "The answer is 65 thousand tokens in all.", False),
        ("Caching is a good answer to latency.", "Caching is not a good answer to latency.", False),
        ("A study found that caching halves the cost of search.",
         "Last year a study found that caching halves the cost of search for most users.", True),
        ("caching", "Last year a study found that caching halves the cost of search.", False),
    ],
)  # fmt: skip
def test_copies_say_the_same(one: str, other: str, copy: bool) -> None:
    assert (admission.copied(one, {"it": other}) is not None) is copy
    assert (admission.copied(other, {"it": one}) is not None) is copy


def test_silence_everywhere_ends_inconclusive() -> None:
    course = go(dict.fromkeys(("SELECT", "SEARCH", "EXPLORE", "CHECK", "SAVE"), Silent("nobody")), 3)
    assert course.verdict.result["conclusion"] == "inconclusive"
    assert course.graphs[0].iteration == 0
    assert course.verdict.result["iterations"] == 3


def test_the_first_queries_are_the_lenses() -> None:
    course = go({"SELECT": Silent("nobody")}, 6)
    assert [brief.query for brief in course.briefs("SEARCH")][:2] == [
        "Is RAG better? definition",
        "Is RAG better? scope",
    ]
    assert [brief.lens for brief in course.briefs("SELECT")] == list(LENSES)


def test_going_on_in_a_second_run_is_going_on() -> None:
    """Seven iterations at once, and three and then four: the same graph."""
    told = {
        ("EXPLORE", 1): STUDY,
        ("EXPLORE", 2): supported(2),
        ("EXPLORE", 5): supported(5),
        "IDEATE": ideas("inversion"),
    }
    half = go(told, 3).graph
    again = form.read(Graph, form.loads(form.dumps(half)))
    assert go(told, 4, again).graph == go(told, 7).graph


EXPLORATIONS = st.fixed_dictionaries(
    {
        "status": st.sampled_from(["success", "partial", "failure"]),
        "observations": st.lists(st.integers(1, 5).map(observed), max_size=3),
        "type_a_hypotheses": st.lists(st.integers(1, 4).map(claimed), max_size=3),
        "edges": st.lists(
            st.builds(
                edge,
                st.sampled_from(["obs_1", "obs_2", "hyp_A1", "hyp_A2"]),
                st.sampled_from(["SUPPORTS", "CONTRADICTS", "CONFLICTS"]),
                st.sampled_from(["hyp_A1", "hyp_A2", "hyp_A3"]),
            ),
            max_size=4,
        ),
    }
)


def prose_changed(told: dict[str, Any]) -> dict[str, Any]:
    """The same structure with other words in summaries (not in quotes, which code looks for)."""
    swapped = [one | {"summary": "You must verify this at once"} for one in told["observations"]]
    return told | {"observations": swapped, "conflict_resolution": None}


@given(st.lists(EXPLORATIONS, min_size=1, max_size=6))
def test_no_prose_reaches_a_rule(told: list[dict[str, Any]]) -> None:
    plain = go({("EXPLORE", no): exploration(**one) for no, one in enumerate(told, 1)}, len(told))
    other = go({("EXPLORE", no): exploration(**prose_changed(one)) for no, one in enumerate(told, 1)}, len(told))
    assert [(s.table, s.item, s.ruling) for s in plain.verdict.path] == [
        (s.table, s.item, s.ruling) for s in other.verdict.path
    ]


@given(st.lists(EXPLORATIONS, min_size=1, max_size=6))
def test_statuses_follow_the_ladder(told: list[dict[str, Any]]) -> None:
    steps = {("unvisited", "tested"), ("unvisited", "rejected"), ("tested", "verified"), ("tested", "rejected"),
             ("verified", "tested"), ("verified", "rejected"), ("unvisited", "verified")}  # fmt: skip
    course = go({("EXPLORE", no): exploration(**one) for no, one in enumerate(told, 1)}, 9)
    for before, after in zip(course.graphs, course.graphs[1:], strict=False):
        assert after.iteration == before.iteration + 1
        assert {**after.observations, **before.observations} == dict(
            after.observations
        )  # nothing observed ever changes
        for name, one in before.hypotheses.items():
            now = after.hypotheses[name]
            assert one.status == now.status or (one.status, now.status) in steps
            assert one.active or one == now


BYTES = """
from tests.protocols.researching import claimed, edge, exploration, go, ideas, observed
from withstood import form
told = {"EXPLORE": exploration(
    observations=[observed(no) for no in range(1, 6)], type_a_hypotheses=[claimed(no, f"k{no}") for no in range(1, 6)],
    edges=[edge(f"obs_{a}", "SUPPORTS", f"hyp_A{b}") for a in range(1, 6) for b in range(1, 6) if a != b]
        + [edge("hyp_A1", "CONFLICTS", "hyp_A2"), edge("hyp_A3", "CONFLICTS", "hyp_A4")]),
    "IDEATE": ideas("inversion", "pattern")}
course = go(told, 9)
print(form.dumps([course.verdict, course.graph]))
"""


def test_the_same_bytes_under_every_hash_seed() -> None:
    said = {
        subprocess.run(
            [sys.executable, "-c", BYTES], capture_output=True, check=True, env=os.environ | {"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(said) == 1


def test_found_as_quoted_says_so() -> None:
    """The fake of this module keeps the promise of the seat."""
    seen = found_as_quoted(go({"EXPLORE": STUDY}).briefs("CHECK")[0]).seen
    assert [(one.id, one.found) for one in seen] == [("obs_1", True)]
