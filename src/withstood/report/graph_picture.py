"""The cognitive graph as a picture: SVG for pages, lines of text for terminals. Large graphs are shown in part, and it
says how much is left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from html import escape

from withstood.claims.graph import Edge, Graph, Hypothesis, Observation, natural
from withstood.report.cognigraph import edges_of
from withstood.report.inert import shortened, visible

MOST_HYPOTHESES = 24
MOST_OBSERVATIONS = 48
ROW = 34
LEFT, RIGHT, WIDTH = 150, 560, 900
MOST_SIGNS = 52
BAR = 10
MARKS = {"verified": "●", "tested": "◐", "unvisited": "○", "rejected": "✕"}


@dataclass(frozen=True, slots=True)
class _Shown:
    """What there is room for, each with the height at which it stands."""

    observations: Mapping[str, int]
    hypotheses: Mapping[str, int]
    left_out: int


def svg(graph: Graph) -> str:
    """Observations on the left, hypotheses on the right, the edges between them; conflicts as arcs."""
    shown = _shown(graph)
    height = ROW * (1 + max(len(shown.observations), len(shown.hypotheses), 1))
    parts = [
        f'<svg class="graph" role="img" aria-label="{len(graph.observations)} observations, '
        f'{len(graph.hypotheses)} hypotheses, {len(graph.edges)} edges" viewBox="0 0 {WIDTH} {height}">',
        *[_line(edge, shown) for edge in graph.edges],
        *[_observation(name, graph.observations[name], y) for name, y in shown.observations.items()],
        *[_hypothesis(name, graph.hypotheses[name], y) for name, y in shown.hypotheses.items()],
        "</svg>",
    ]
    return "".join(parts)


def left_out(graph: Graph) -> int:
    """How many observations and hypotheses the picture has no room for."""
    return _shown(graph).left_out


def _shown(graph: Graph) -> _Shown:
    """The strongest hypotheses, and the observations that weigh on them."""
    ranked = sorted(graph.hypotheses, key=lambda name: _rank(name, graph.hypotheses[name]))[:MOST_HYPOTHESES]
    weighing = edges_of(graph)
    seen = dict.fromkeys(edge.start for name in ranked for edge in weighing.get(name, ()))
    chosen = sorted([*seen][:MOST_OBSERVATIONS], key=natural)
    rest = len(graph.hypotheses) - len(ranked) + len(graph.observations) - len(chosen)
    return _Shown(_placed(chosen), _placed(ranked), rest)


def _rank(name: str, one: Hypothesis) -> tuple[bool, Decimal, tuple[tuple[str, int], ...]]:
    return (not one.active, -one.strength, natural(name))


def _placed(names: Sequence[str]) -> Mapping[str, int]:
    return {name: ROW * (no + 1) for no, name in enumerate(names)}


def _line(edge: Edge, shown: _Shown) -> str:
    if edge.type == "CONFLICTS":
        if edge.start in shown.hypotheses and edge.end in shown.hypotheses:
            y, other = shown.hypotheses[edge.start], shown.hypotheses[edge.end]
            kind = "resolved" if edge.resolved else "conflicts"
            return f'<path class="{kind}" d="M{RIGHT + 8} {y} q 60 {(other - y) // 2} 0 {other - y}"/>'
        return ""
    if edge.start in shown.observations and edge.end in shown.hypotheses:
        y, other = shown.observations[edge.start], shown.hypotheses[edge.end]
        width = edge.weight * 4
        return (
            f'<path class="{edge.type.lower()}" stroke-width="{width}" '
            f'd="M{LEFT + 8} {y} C {LEFT + 160} {y} {RIGHT - 160} {other} {RIGHT - 8} {other}"/>'
        )
    return ""


def _observation(name: str, one: Observation, y: int) -> str:
    told = escape(visible(f"{name}: {one.summary}"))
    return (
        f'<g class="observation {escape(one.source_type)}"><title>{told}</title><circle cx="{LEFT}" cy="{y}" r="5"/>'
        f'<text x="{LEFT - 12}" y="{y + 4}" text-anchor="end">{escape(visible(name))} {one.authority}</text></g>'
    )


def _hypothesis(name: str, one: Hypothesis, y: int) -> str:
    told = escape(visible(f"{name}: {one.summary}"))
    short = escape(shortened(visible(one.summary), MOST_SIGNS))
    return (
        f'<g class="hypothesis {one.status}"><title>{told}</title><circle cx="{RIGHT}" cy="{y}" r="7"/>'
        f'<text x="{RIGHT + 14}" y="{y - 2}">{escape(visible(name))} {one.strength}</text>'
        f'<text class="soft" x="{RIGHT + 14}" y="{y + 11}">{short}</text></g>'
    )


# --- for terminals -----------------------------------------------------------------------------


def lines(graph: Graph, width: int = 100) -> Iterator[str]:
    """Each hypothesis with its strength as a bar, what weighs on it, and what it conflicts with."""
    weighing = edges_of(graph)
    ranked = sorted(graph.hypotheses, key=lambda name: (-graph.hypotheses[name].strength, natural(name)))
    for name in ranked[:MOST_HYPOTHESES]:
        one = graph.hypotheses[name]
        head = f"{MARKS[one.status]} {visible(name):<8} {_bar(one.strength)} {one.strength:.3f} "
        yield head + shortened(visible(one.summary), max(20, width - len(head)))
        for sign, kind in (("+", "SUPPORTS"), ("−", "CONTRADICTS")):
            names = [f"{edge.start} ({edge.weight})" for edge in weighing.get(name, []) if edge.type == kind]
            if names:
                yield shortened(f"      {sign} {', '.join(names)}", width)
        for edge in graph.edges:
            if edge.type == "CONFLICTS" and edge.start == name:
                state = "resolved" if edge.resolved else f"open, tried {edge.tries} times"
                yield f"      ⇄ {visible(edge.end)} ({state})"
    if len(ranked) > MOST_HYPOTHESES:
        yield f"  and {len(ranked) - MOST_HYPOTHESES} more"


def _bar(strength: Decimal) -> str:
    filled = int(strength * BAR)
    return f"[{'#' * filled}{'.' * (BAR - filled)}]"


# --- strengths over iterations -----------------------------------------------------------------


def course_svg(course: Mapping[str, Sequence[Decimal]], marks: Sequence[tuple[str, Decimal]]) -> str:
    """One line for each hypothesis over the iterations; `marks` are thresholds with their names."""
    width, height, pad = 860, 240, 34
    length = max([len(values) for values in course.values()], default=1)
    step = Decimal(width - 2 * pad) / max(1, length - 1)

    def y(value: Decimal) -> Decimal:
        return height - pad - value * (height - 2 * pad)

    parts = [f'<svg class="course" role="img" aria-label="strengths" viewBox="0 0 {width} {height}">']
    for name, value in marks:
        parts.append(
            f'<path class="mark" d="M{pad} {y(value):.1f} H{width - pad}"/>'
            f'<text class="soft" x="{pad}" y="{y(value) - 4:.1f}">{escape(name)} {value}</text>'
        )
    for name, values in course.items():
        first = length - len(values)
        points = " ".join(f"{pad + (first + no) * step:.1f},{y(value):.1f}" for no, value in enumerate(values))
        parts.append(f'<polyline points="{points}"><title>{escape(visible(name))}</title></polyline>')
        parts.append(f'<text x="{width - pad + 4}" y="{y(values[-1]) + 4:.1f}">{escape(visible(name))}</text>')
    return "".join([*parts, "</svg>"])
