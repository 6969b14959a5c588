"""Speakers by code: each argues for its stance from what stands in the text, and is silent where nothing does. The
rapporteur counts who spoke of what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from withstood.agents.programmed.analysis import Analysis
from withstood.agents.programmed.readers import NO_READER
from withstood.agents.programmed.sight import Sight
from withstood.agents.programmed.stages import Heard, hear
from withstood.claims.debate import Summary, Turn
from withstood.lexicons.lexicon import Polarity
from withstood.protocols.asks import Silent
from withstood.protocols.debate_briefs import ShownTurn, SummaryBrief, TurnBrief

NOTHING_FOR_IT = "the text has no evidence for this side"
_SIDES: Mapping[str, Polarity] = {"pro": "positive", "con": "negative"}
_MOST_POINTS = 20

_WORDS: Mapping[str, Mapping[str, str]] = {
    "ko": {
        "plan": "근거가 있는 속성: {terms}.",
        "heard": "앞에서 나온 말을 듣고도 근거는 그대로다. 반대쪽 근거가 있는 속성: {against}.",
        "alone": "반대쪽 근거가 있는 속성: {against}.",
        "point": "{term}: 글에 “{quote}”라고 적혀 있다.",
        "none": "없음",
        "positive": "긍정",
        "negative": "부정",
        "mixed": "혼합",
        "neutral": "중립",
        "consensus": "남은 논점은 {label}이다.",
        "both": "양쪽이 모두 말한 속성: {term}",
        "one": "한쪽만 말한 속성: {term}",
        "rationale": "발언 {turns}번, 지지 {pro}번, 반대 {con}번.",
    },
    "en": {
        "plan": "Aspects with evidence: {terms}.",
        "heard": "What was said before leaves the evidence as it is. Evidence on the other side: {against}.",
        "alone": "Evidence on the other side: {against}.",
        "point": '{term}: the text says "{quote}".',
        "none": "none",
        "positive": "positive",
        "negative": "negative",
        "mixed": "mixed",
        "neutral": "neutral",
        "consensus": "The points that stand are {label}.",
        "both": "Both sides spoke of: {term}",
        "one": "One side alone spoke of: {term}",
        "rationale": "Turns: {turns}; for: {pro}, against: {con}.",
    },
}


def speak(sight: Sight, brief: TurnBrief) -> Turn | Silent:
    analysis = sight.look(brief.text, brief.language)
    if analysis is None:
        return Silent(NO_READER)
    side = _SIDES.get(brief.persona.stance.strip().lower())
    heard = [one for one in hear(analysis, brief.stage1.aspects) if one.tied]
    mine = [one for one in heard if side is None or _says(one, side)][:_MOST_POINTS]
    if not mine:
        return Silent(NOTHING_FOR_IT)
    say = _WORDS["ko" if brief.language == "ko" else "en"]
    others = [one.aspect.term for one in heard if side is not None and any(each.far != side for each in one.tied)]
    points = list(dict.fromkeys(_point(one, side, analysis, say) for one in mine))
    return Turn(
        speaker=brief.persona.name,
        stance=brief.persona.stance,
        planning=say["plan"].format(terms=", ".join(dict.fromkeys(one.aspect.term for one in mine))),
        reflection=say["heard" if brief.history.startswith("- ") else "alone"].format(
            against=", ".join(dict.fromkeys(others)) or say["none"]
        ),
        message=" ".join(points),
        key_points=tuple(dict.fromkeys(one.aspect.term for one in mine)),
    )


def _says(heard: Heard, side: Polarity) -> bool:
    return any(sighting.far == side for sighting in heard.tied)


def _point(heard: Heard, side: Polarity | None, analysis: Analysis, say: Mapping[str, str]) -> str:
    """From the term to the opinion word and no further: the clause may name other aspects."""
    for_it = next((one for one in heard.tied if side is None or one.far == side), heard.tied[0])
    begin, end = for_it.term or (for_it.begin, for_it.end)
    quote = analysis.text[min(begin, for_it.begin) : max(end, for_it.end)]
    return say["point"].format(term=heard.aspect.term, quote=quote)


def sum_up(sight: Sight, brief: SummaryBrief) -> Summary | Silent:
    """Who spoke of which aspect; the label is what the sides that spoke come to together."""
    say = _WORDS["ko" if brief.language == "ko" else "en"]
    by_side = {side: [turn for turn in brief.turns if _side(turn) == side] for side in ("positive", "negative")}
    terms = list(dict.fromkeys(aspect.term for aspect in brief.stage1.aspects))
    named = {side: [term for term in terms if _is_named(term, turns)] for side, turns in by_side.items()}
    both = [term for term in terms if all(term in found for found in named.values())]
    one = [term for term in terms if sum(term in found for found in named.values()) == 1]
    label = _label(named)
    return Summary(
        winner=_winner(by_side, named),
        consensus=say["consensus"].format(label=say[label]) if label else None,
        key_agreements=tuple([say["one"].format(term=term) for term in one]),
        key_disagreements=tuple([say["both"].format(term=term) for term in both]),
        rationale=say["rationale"].format(
            turns=len(brief.turns), pro=len(by_side["positive"]), con=len(by_side["negative"])
        ),
        label=label,
    )


def _side(turn: ShownTurn) -> Polarity | None:
    return _SIDES.get(turn.stance.strip().lower())


def _is_named(term: str, turns: Sequence[ShownTurn]) -> bool:
    return any(term in (turn.message, *turn.key_points) or term in turn.message for turn in turns)


def _label(named: Mapping[str, Sequence[str]]) -> str | None:
    sides = [side for side, terms in named.items() if terms]
    return "mixed" if len(sides) > 1 else sides[0] if sides else None


def _winner(by_side: Mapping[str, Sequence[ShownTurn]], named: Mapping[str, Sequence[str]]) -> str | None:
    """Who spoke of more aspects than the other side."""
    counts = sorted(((len(terms), side) for side, terms in named.items()), reverse=True)
    if counts[0][0] == counts[1][0] or not by_side[counts[0][1]]:
        return None
    return by_side[counts[0][1]][0].speaker
