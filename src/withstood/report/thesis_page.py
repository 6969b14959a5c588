"""The thesis of a research as one HTML file that needs nothing else: no script, no remote load, no font."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from markupsafe import Markup

from withstood.claims.graph import Edge, Observation
from withstood.report import graph_picture, thesis
from withstood.report.cognigraph import edges_of
from withstood.report.page import template
from withstood.report.thesis import KINDS, Matter

MOST_COURSES = 12
_TABLE: tuple[tuple[str, str, str], ...] = (
    ("picture", "The graph", "인지 그래프"),
    ("picture_how", "Observations on the left, hypotheses on the right. {left_out} are not shown.",
     "왼쪽은 관찰, 오른쪽은 가설입니다. {left_out}개는 생략했습니다."),
    ("course", "Strength over the iterations", "iteration별 신뢰도"),
    ("kind", "Kind", "종류"),
    ("address", "Address", "주소"),
    ("authority", "Authority", "권위"),
    ("verify_at", "verified from", "검증 기준"),
    ("reject_under", "rejected under", "기각 기준"),
    ("checked", "quote found in the kept text", "인용이 보관된 본문에 있음"),
    ("not_checked", "not checked", "대조하지 못함"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ground:
    """An edge with the observation that it comes from."""

    edge: Edge
    observation: Observation


def render(matter: Matter, courses: Mapping[str, Sequence[Decimal]], marks: tuple[Decimal, Decimal]) -> str:
    """`courses` are the strengths over the iterations; `marks` from where a hypothesis is verified, and under where
    it is rejected."""
    korean = matter.language == "ko"
    say = {**matter.say, **{name: ko if korean else en for name, en, ko in _TABLE}}
    weighing = edges_of(matter.graph)
    return template("thesis.html.j2").render(
        say=say,
        language="ko" if korean else "en",
        graph=matter.graph,
        title=thesis.title_words(matter),
        figures=thesis.figures(matter),
        conclusion=thesis.conclusion(matter),
        missing=thesis.missing(matter) if not matter.concluded.core else (),
        findings=[(name, matter.graph.hypotheses[name], _grounds(matter, weighing.get(name, []))) for name in
                  matter.concluded.core],
        conditions=thesis.conditions(matter),
        rejected=[(one, matter.graph.hypotheses[one.id]) for one in matter.concluded.rejected],
        unresolved=thesis.open_ends(matter),
        events=thesis.events(matter.graph),
        sources=thesis.sources(matter.graph),
        about=thesis.about(matter),
        kinds=KINDS["ko" if korean else "en"],
        picture=Markup(graph_picture.svg(matter.graph)),  # noqa: S704 - drawn here, every text in it escaped
        left_out=graph_picture.left_out(matter.graph),
        course=Markup(_course(matter, courses, say, marks)),  # noqa: S704 - drawn here, every text in it escaped
    )  # fmt: skip


def _grounds(matter: Matter, edges: Sequence[Edge]) -> list[Ground]:
    return [Ground(edge, matter.graph.observations[edge.start]) for edge in edges]


def _course(
    matter: Matter, courses: Mapping[str, Sequence[Decimal]], say: Mapping[str, str], marks: tuple[Decimal, Decimal]
) -> str:
    """The hypotheses of the core first, then the other ones, as many as can be told apart."""
    order = dict.fromkeys([*matter.concluded.core, *sorted(courses, key=lambda name: -courses[name][-1])])
    shown = {name: courses[name] for name in [*order][:MOST_COURSES] if name in courses}
    return graph_picture.course_svg(shown, ((say["verify_at"], marks[0]), (say["reject_under"], marks[1])))
