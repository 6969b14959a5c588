"""IDEATE by program: six thinking tools as patterns over the graph. Each idea says that it was made mechanically.

| tool | pattern |
|---|---|
| pattern | two words that observations of most sources have in common |
| analogy | two hypotheses with the same predicate and different subjects: what holds of one may hold of the other |
| first_principles | the word that the strongest hypothesis and what supports it both rest on: does it hold without it? |
| causal_chain | two hypotheses with one word in common: the end of one is the beginning of the other |
| scamper | the two sides of a conflict, else the two strongest hypotheses, put together |
| inversion | the strongest hypothesis denied |

Of what they propose the one is chosen that could change the answer most: it denies or joins what is strong, shares words
with the question, and can be searched for.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TypeVar, cast

from withstood.agents.port import Line
from withstood.agents.programmed.program import Program
from withstood.agents.programmed.research import reading
from withstood.claims.graph import natural
from withstood.claims.research import TOOLS, Idea, Ideas
from withstood.protocols.asks import Ask, Silent
from withstood.protocols.research_briefs import IdeateBrief

Answer = TypeVar("Answer")

MECHANICAL = {"en": "mechanical", "ko": "기계적"}
SAID: Mapping[str, Mapping[str, str]] = {
    "en": {
        "pattern": "{a} and {b} go together.",
        "analogy": "What is said of {a} also holds of {b}: {said}",
        "first_principles": "It rests on {a}; without {a} this does not hold: {said}",
        "causal_chain": "By way of {a} one leads to the other: {said} Then: {other}",
        "scamper": "Both hold, each in its place: {said} And: {other}",
        "inversion": "It is not so that {said}",
    },
    "ko": {
        "pattern": "{a}와(과) {b}은(는) 함께 나타난다.",
        "analogy": "{a}에 대한 다음 말은 {b}에도 성립한다: {said}",
        "first_principles": "{a}에 기대고 있어 {a} 없이는 성립하지 않는다: {said}",
        "causal_chain": "{a}을(를) 거쳐 앞의 것이 뒤의 것으로 이어진다: {said} 그러면 {other}",
        "scamper": "둘 다 각자의 자리에서 성립한다: {said} 그리고 {other}",
        "inversion": "다음은 사실이 아니다 — {said}",
    },
}
MOST_KEYWORDS = 2
_UNITES = {"inversion": 3, "scamper": 3, "first_principles": 2, "causal_chain": 2, "analogy": 2, "pattern": 1}


class Thinker(Program):
    name = "programmed:thinker@1"

    async def answer(self, ask: Ask[Answer], line: Line) -> Answer | Silent:
        if not isinstance(ask.brief, IdeateBrief):
            return Silent(f"wanted an IdeateBrief for {self.name}, found a {type(ask.brief).__name__}")
        return cast("Answer", ideas(ask.brief))


def ideas(brief: IdeateBrief) -> Ideas:
    """What the tools propose, as far as it is new; the choice among them."""
    scene = _Scene(brief)
    found = [idea for tool in TOOLS for idea in (_TOOLS[tool](scene),) if idea is not None]
    fresh = [idea for idea in found if not scene.was_had(idea.summary)]
    ranked = sorted(fresh, key=lambda idea: (-_promise(idea, scene), TOOLS.index(_tool_of(idea))))
    return Ideas(ranked[0] if ranked else None, tuple(found))


def _promise(idea: Idea, scene: _Scene) -> int:
    """Could change the answer, joins or overturns, can be verified. A tool that was used last waits a little."""
    words = frozenset(reading.words(idea.summary))
    asked = frozenset(reading.words(scene.brief.question))
    tool = _tool_of(idea)
    stale = 2 * scene.used.get(tool, 0)
    stuck = 2 if tool == "scamper" and "STALEMATE" in scene.brief.health_issues else 0
    return (
        len(words & asked) + _UNITES[tool] + len(idea.derived_from[:3]) + stuck - stale - (2 if len(words) < 3 else 0)
    )


def _tool_of(idea: Idea) -> str:
    return idea.reasoning_tool.partition(" ")[0]


@dataclass
class _Scene:
    """The graph as an ideation is told of it."""

    brief: IdeateBrief
    language: str = field(init=False)
    held: dict[str, str] = field(init=False)
    ranked: list[str] = field(init=False)
    used: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self.language = "ko" if self.brief.language == "ko" else "en"
        self.held = {name: _summary(told) for name, told in self.brief.hypotheses.items()}
        strengths = {name: _strength(told) for name, told in self.brief.hypotheses.items()}
        claims = [name for name in self.held if name.startswith("hyp_A")] or [*self.held]
        self.ranked = sorted(claims, key=lambda name: (-strengths[name], natural(name)))
        self.used = {tool: sum(self._is_by(name, tool) for name in self.held) for tool in TOOLS}

    def was_had(self, summary: str) -> bool:
        return summary in self.held.values() or summary in self.brief.rejected

    def _is_by(self, name: str, tool: str) -> bool:
        beginning = SAID[self.language][tool].partition("{")[0]
        return name.startswith("hyp_B") and bool(beginning) and self.held[name].startswith(beginning)

    @functools.cached_property
    def concepts(self) -> frozenset[str]:
        """Words that two observations or more have, and that are no end of an axis: what the research is about."""
        counts: dict[str, int] = {}
        for name in self.brief.observations:
            for stem, word in self.words(name).items():
                counts[stem] = counts.get(stem, 0) + (not reading.is_axis(word))
        return frozenset(stem for stem, count in counts.items() if count >= 2)

    def words(self, name: str) -> dict[str, str]:
        return reading.words(self.held[name] if name in self.held else self.brief.observations[name])

    def supporting(self, name: str) -> list[str]:
        return [link.start for link in self.brief.edges if link.end == name and link.type == "SUPPORTS"]

    def told(self, tool: str, derived: Sequence[str], **parts: str) -> Idea:
        summary = SAID[self.language][tool].format(**parts)
        found = reading.words(" ".join(parts.values()))
        keywords = " ".join([reading.surface(stem, word) for stem, word in found.items()][: 3 * MOST_KEYWORDS])
        return Idea(
            summary, "", f"{tool} ({MECHANICAL[self.language]})", tuple(derived), (keywords,) if keywords else ()
        )


def _summary(told: str) -> str:
    """Hypotheses are told as `[type|status|strength] summary`."""
    return told.partition("] ")[2] or told


def _strength(told: str) -> float:
    number = told.partition("]")[0].rpartition("|")[2]
    return float(number) if number.replace(".", "", 1).isdigit() else 0.0


# --- the tools ---------------------------------------------------------------------------------


def _pattern(scene: _Scene) -> Idea | None:
    """The pair of words in most observations."""
    by_word: dict[str, list[str]] = {}
    surfaces: dict[str, str] = {}
    for name in scene.brief.observations:
        for stem, word in scene.words(name).items():
            by_word.setdefault(stem, []).append(name)
            surfaces.setdefault(stem, reading.surface(stem, word))
    by_word = {stem: names for stem, names in by_word.items() if stem in scene.concepts}
    asked = frozenset(reading.words(scene.brief.question))
    often = sorted(by_word, key=lambda stem: (-len(by_word[stem]), stem))[:24]
    order = {name: [*scene.words(name)] for name in scene.brief.observations}
    best = max(_pairs(often, by_word, asked, order), default=None)
    if best is None:
        return None
    _, a, b, names = best
    return scene.told("pattern", names[:4], a=surfaces[a], b=surfaces[b])


def _pairs(
    often: Sequence[str], by_word: Mapping[str, Sequence[str]], asked: frozenset[str], order: Mapping[str, list[str]]
) -> Iterator[tuple[int, str, str, list[str]]]:
    """Words of the question alone are in everything, so one of the two must not be its own."""
    for a, b in combinations(often, 2):
        together = [name for name in by_word[a] if name in by_word[b]]
        if len(together) >= 2 and not {a, b} <= asked and not _side_by_side(a, b, together, order):
            yield len(together), a, b, together


def _side_by_side(a: str, b: str, names: Sequence[str], order: Mapping[str, list[str]]) -> bool:
    """Response and time are one name, not two things that go together."""
    near = [abs(order[name].index(a) - order[name].index(b)) == 1 for name in names]
    return 2 * sum(near) >= len(near)


def _analogy(scene: _Scene) -> Idea | None:
    for one, other in combinations(scene.ranked[:12], 2):
        mine, theirs = scene.words(one), scene.words(other)
        shared = mine.keys() & theirs.keys()
        first = next((stem for stem in mine if stem not in theirs and stem in scene.concepts), None)
        second = next((stem for stem in theirs if stem not in mine and stem in scene.concepts), None)
        if len(shared) >= 2 and first and second:
            a, b = reading.surface(first, mine[first]), reading.surface(second, theirs[second])
            return scene.told("analogy", (one, other), a=a, b=b, said=scene.held[one])
    return None


def _first_principles(scene: _Scene) -> Idea | None:
    """The word that most of what supports it also names."""
    for name in scene.ranked:
        grounds, asked = scene.supporting(name), reading.words(scene.brief.question)
        found = {
            stem: word for stem, word in scene.words(name).items() if not reading.is_axis(word) and stem not in asked
        }
        counts = {stem: sum(stem in scene.words(one) for one in grounds) for stem in found}
        if grounds and max(counts.values(), default=0):
            stem = max(counts, key=lambda one: (counts[one], len(one), one))
            said = scene.held[name]
            return scene.told("first_principles", (name, *grounds[:3]), a=reading.surface(stem, found[stem]), said=said)
    return None


def _causal_chain(scene: _Scene) -> Idea | None:
    for one, other in combinations(scene.ranked[:12], 2):
        mine, theirs = scene.words(one), scene.words(other)
        shared = [stem for stem in mine if stem in theirs and stem in scene.concepts]
        begins = [stem for stem in mine if stem not in theirs and stem in scene.concepts]
        ends = [stem for stem in theirs if stem not in mine and stem in scene.concepts]
        if shared and begins and ends:
            link = reading.surface(shared[-1], mine[shared[-1]])
            return scene.told("causal_chain", (one, other), a=link, said=scene.held[one], other=scene.held[other])
    return None


def _scamper(scene: _Scene) -> Idea | None:
    pairs = [pair for pair in scene.brief.conflicts if all(name in scene.held for name in pair)]
    pairs += list(combinations(scene.ranked[:2], 2))
    if not pairs:
        return None
    one, other = pairs[0]
    return scene.told("scamper", (one, other), said=scene.held[one], other=scene.held[other])


def _inversion(scene: _Scene) -> Idea | None:
    """The strongest that was not denied before."""
    for name in scene.ranked:
        idea = scene.told("inversion", (name,), said=scene.held[name])
        if not scene.was_had(idea.summary):
            return idea
    return None


_TOOLS: Mapping[str, Callable[[_Scene], Idea | None]] = {
    "pattern": _pattern,
    "analogy": _analogy,
    "first_principles": _first_principles,
    "causal_chain": _causal_chain,
    "scamper": _scamper,
    "inversion": _inversion,
}
