"""The files and pages of a research: the graph comes back as it was, the thesis invents nothing, text stays text."""

from __future__ import annotations

import json
from decimal import Decimal
from html.parser import HTMLParser
from typing import Any

import pytest

from tests.protocols.researching import claimed, edge, exploration, go, ideas, observed
from withstood.claims.graph import Graph
from withstood.errors import Misfit
from withstood.protocols import growing
from withstood.report import cognigraph, graph_picture, thesis, thesis_page
from withstood.report.thesis import Matter
from withstood.rules import thesis as rule
from withstood.rules.rulebook import Rulebook

BOOK = Rulebook()
NASTY = "<script>alert(1)</script> | [x](javascript:1) `=cmd` \x1b[31m\u202e"


def grown(**said: str) -> Graph:
    """Ten iterations: one hypothesis verified, one rejected, a conflict, an idea, a copy."""
    first = exploration(
        observations=[observed(1, "https://arxiv.org/abs/1"), observed(2),
                      observed(3, "https://mirror.com/", observed(2)["quote"])],
        type_a_hypotheses=[claimed(1, "lead one", "lead two", "lead three", said=said.get("claim")), claimed(2)],
        edges=[edge("obs_1", "SUPPORTS", "hyp_A1"), edge("hyp_A1", "CONFLICTS", "hyp_A2"),
               edge("obs_2", "SUPPORTS", "hyp_A1", "0.3")],
    )  # fmt: skip
    second = exploration(
        observations=[observed(no, f"https://arxiv.org/abs/{no}") for no in (4, 5, 6)],
        edges=[edge(f"obs_{no}", "CONTRADICTS", "hyp_A2") for no in (4, 5, 6)],
    )
    third = exploration(observations=[observed(7, "https://doi.org/7")], edges=[edge("obs_7", "SUPPORTS", "hyp_A1")])
    told = {
        ("EXPLORE", 1): first,
        ("EXPLORE", 2): second,
        ("EXPLORE", 3): third,
        "IDEATE": ideas("inversion", "pattern"),
    }
    return go(told, 10).graph


def matter(graph: Graph, language: str = "en") -> Matter:
    concluded = rule.conclude(graph, BOOK.thesis)
    return Matter(graph, concluded, BOOK.verification.visits, BOOK.verification.verify_at, language)


def page(graph: Graph, language: str = "en") -> str:
    marks = (BOOK.verification.verify_at, BOOK.verification.reject_under)
    return thesis_page.render(matter(graph, language), growing.courses(graph, BOOK), marks)


# --- the file ----------------------------------------------------------------------------------


def test_the_graph_comes_back_as_it_was() -> None:
    graph = grown()
    assert cognigraph.read(cognigraph.text(graph)) == graph
    assert cognigraph.read(cognigraph.text(Graph())) == Graph()


def test_the_file_is_as_published() -> None:
    told = json.loads(cognigraph.text(grown()))
    assert [*told][:7] == ["question", "iteration", "observations", "hypotheses", "edges", "lens_index", "unexplored"]
    assert told["observations"]["obs_1"]["authority"] == 0.9
    assert isinstance(told["hypotheses"]["hyp_A1"]["strength"], float)
    assert told["edges"][0].keys() >= {"from", "to", "type", "weight", "created_at", "resolved", "resolution"}
    assert told["unexplored"][0] == {"keyword": "lead one", "from": "hyp_A1", "used": told["unexplored"][0]["used"]}
    assert told["health"].keys() == {"last_check", "issues"}


def test_a_file_of_somebody_else_survives() -> None:
    theirs: dict[str, Any] = {
        "question": "q", "iteration": 4,
        "observations": {"obs_1": {"summary": "s", "authority": 0.5, "tags": ["x", 1.5]}},
        "hypotheses": {"hyp_1": {"type": "A", "strength": 0.123456789, "status": "tested", "mood": None}},
        "edges": [{"from": "obs_1", "to": "hyp_1", "type": "SUPPORTS", "weight": 0.8, "by": {"who": "me"}}],
        "lens_index": 2, "unexplored": [{"keyword": "k", "from": None, "used": False, "rank": 3}],
        "health": {"last_check": 0, "issues": [], "by": "them"}, "extra": {"a": [True, None]},
    }  # fmt: skip
    again = json.loads(cognigraph.text(cognigraph.read(json.dumps(theirs))))
    for name, part in theirs.items():
        _within(part, again[name])


def _within(part: Any, whole: Any) -> None:
    """Everything of the part stands in the whole, under the same names."""
    if isinstance(part, dict):
        for name, inner in part.items():
            _within(inner, whole[name])
    elif isinstance(part, list):
        assert len(part) == len(whole)
        for inner, other in zip(part, whole, strict=True):
            _within(inner, other)
    else:
        assert part == whole


@pytest.mark.parametrize(
    ("broken", "place"),
    [
        ('{"edges":[{"from":"obs_1","to":"hyp_1","type":"SUPPORTS"}]}', r"edges\[0\].from"),
        ('{"hypotheses":{"hyp_1":{"type":"C"}}}', r"hypotheses.hyp_1.type"),
        ('{"hypotheses":{"hyp_1":{"type":"A","strength":2}}}', r"hypotheses.hyp_1.strength"),
        ('{"iteration":-1}', "iteration"),
        ('{"question":"q",', "JSON"),
    ],
)
def test_a_broken_graph_is_refused_with_the_place(broken: str, place: str) -> None:
    with pytest.raises(Misfit, match=place):
        cognigraph.read(broken)


def test_every_thing_has_its_page() -> None:
    graph = grown(claim=NASTY)
    found = {path: cognigraph.page(path, thing) for path, thing in cognigraph.things(graph)}
    assert {path.split("/")[1] for path in found} == {f"{name}.md" for name in (*graph.observations, *graph.hypotheses)}
    assert "| 5 | EXPLORE |" in "".join(found.values()) or "| EXPLORE |" in found["hypotheses/hyp_A1.md"]
    assert "<script>" not in "".join(found.values())
    assert "\x1b" not in "".join(found.values())


# --- the thesis --------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_sentence_names_its_hypotheses(language: str) -> None:
    graph = grown()
    found = thesis.conclusion(matter(graph, language))
    assert found[0].names == ("hyp_A1",)
    assert all(sentence.names and sentence.text == graph.hypotheses[sentence.names[0]].summary for sentence in found)
    text = thesis.render(matter(graph, language))
    for sentence in found:
        assert thesis.conclusion_line(sentence) in text
        assert sentence.names[0] in thesis.conclusion_line(sentence)


def test_the_sections_say_what_there_is() -> None:
    text = thesis.render(matter(grown()))
    for part in (
        "hyp_A2",
        "obs_4, obs_5, obs_6",
        "lead three",
        "B1 (inversion)",
        "an idea by pattern",
    ):
        assert part in text
    assert text.index("arxiv.org") < text.index("mirror.com")


@pytest.mark.parametrize(("language", "said"), [("en", "Inconclusive"), ("ko", "결론 없음")])
def test_without_anything_qualified_it_is_inconclusive(language: str, said: str) -> None:
    for graph in (Graph(question="q"), go({"EXPLORE": exploration(type_a_hypotheses=[claimed(1)])}).graph):
        assert not thesis.conclusion(matter(graph, language))
        assert said in thesis.render(matter(graph, language))
        assert said in page(graph, language)
        assert thesis.WORDS[language]["nothing"] in thesis.render(matter(graph, language))


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src", "onload", "onclick")]


@pytest.mark.parametrize("language", ["en", "ko"])
def test_text_stays_text(language: str) -> None:
    parsed = _Page()
    html = page(grown(claim=NASTY), language)
    parsed.feed(html)
    assert not {"script", "a", "img", "iframe", "link"} & set(parsed.tags)
    assert not parsed.links
    assert "\x1b" not in html
    assert "\u202e" not in html
    assert "\\<script\\>" in thesis.render(matter(grown(claim=NASTY), language))


# --- pictures ----------------------------------------------------------------------------------


def test_the_picture_shows_what_fits_and_says_what_does_not() -> None:
    graph = grown()
    assert graph_picture.left_out(graph) == sum(one.copy_of is not None for one in graph.observations.values())
    svg = graph_picture.svg(graph)
    assert all(name in svg for name in graph.hypotheses)
    many = go(
        {"EXPLORE": exploration(type_a_hypotheses=[claimed(no, said=f"{chr(97 + no) * 9} is so") for no in range(26)])}
    )
    assert graph_picture.left_out(many.graph) == 26 - graph_picture.MOST_HYPOTHESES


def test_the_lines_for_a_terminal() -> None:
    told = "\n".join(graph_picture.lines(grown(claim=NASTY), 80))
    assert "● hyp_A1" in told
    assert "✕ hyp_A2" in told
    assert "⇄ hyp_A2" in told
    assert "\x1b" not in told
    assert max(map(len, told.splitlines())) <= 80


def test_courses_end_at_the_strengths_of_now() -> None:
    graph = grown()
    courses = growing.courses(graph, BOOK)
    for name, one in graph.active().items():
        assert courses[name][-1] == one.strength
        assert len(courses[name]) == graph.iteration - one.created_at
    assert courses["hyp_A1"][0] < courses["hyp_A1"][2] == Decimal("0.740")
