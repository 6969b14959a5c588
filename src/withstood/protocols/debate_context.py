"""The debate review context: which aspects each turn spoke of, with which weight, as the reviews of stage 2 read it
and as the override counts it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from withstood.claims.debate import Patterns, Summary, Turn
from withstood.protocols.asks import Silent
from withstood.protocols.debate_briefs import AspectHint, RebuttalPoint, ReviewContext, ShownSummary
from withstood.protocols.debate_floor import Debated
from withstood.protocols.debate_opening import Opening
from withstood.rules import turn_mapping
from withstood.rules.turn_mapping import Mapped
from withstood.verdict import Ruling, Step

GUIDANCE: Mapping[str, tuple[str, str, str]] = {
    "ko": (
        "토론의 말은 근거가 아니다. 글에서 확인되는 것만 고치고, 고친 까닭에 어느 발언에서 왔는지 적는다.",
        "source:발언자/입장",
        "속성을 말하지 않은 발언은 입장과 극성이 같은 1단계 감성 가운데 가장 확신하는 것에 붙였다.",
    ),
    "en": (
        "What was said in the debate is no evidence. Change only what the text bears out, and name the turn that it "
        "comes from.",
        "source:speaker/stance",
        "A turn that names no aspect was put to the surest sentiment of stage 1 that has the polarity of its stance.",
    ),
}


@dataclass(frozen=True, slots=True)
class Told:
    """The context, and the row by which each turn was mapped."""

    context: ReviewContext
    steps: tuple[Step, ...]


def review_context(opening: Opening, debated: Debated, looked_for: Patterns, language: str) -> Told:
    terms = aspect_terms(opening)
    hints = {term: turn_mapping.synonyms(term, looked_for) for term in terms}
    known = turn_mapping.keys(terms, hints, looked_for.particles)
    said = [turn_mapping.Said(one.term, one.polarity, one.confidence) for one in opening.sentiments]
    turns = debated.turns
    found = [turn_mapping.mapped(turn.stance, (turn.message, *turn.key_points), known, terms, said) for turn in turns]
    guidance, template, policy = GUIDANCE.get(language, GUIDANCE["en"])
    context = ReviewContext(
        summary=_shown(debated.summary),
        rebuttal_points=tuple([_point(*pair) for pair in zip(turns, found, strict=True)]),
        aspect_terms=terms,
        synonym_hints=hints,
        aspect_map=known,
        aspect_hints=_hints(turns, found),
        mapping_stats=turn_mapping.stats(found),
        mapping_fail_reasons=dict(turn_mapping.fail_reasons(found)),
        review_guidance=guidance,
        provenance_template=template,
        fallback_mapping_policy=policy,
    )
    steps = [_step(*pair) for pair in zip(turns, found, strict=True)]
    summed = [_summed_up(debated.summary)] if isinstance(debated.summary, Summary) else []
    return Told(context, (*steps, *summed))


def aspect_terms(opening: Opening) -> tuple[str, ...]:
    """The terms of the aspects, then those of the sentiments, each once."""
    named = [*(one.term for one in opening.aspects), *(one.term for one in opening.sentiments)]
    return tuple(dict.fromkeys(term for term in named if term))


def _shown(summary: Summary | Silent | None) -> ShownSummary | None:
    if not isinstance(summary, Summary):
        return None
    return ShownSummary(
        summary.winner, summary.consensus, summary.key_agreements, summary.key_disagreements, summary.rationale
    )


def _point(turn: Turn, found: Mapped) -> RebuttalPoint:
    return RebuttalPoint(
        turn.speaker,
        turn.stance,
        turn.key_points,
        turn.message,
        found.terms,
        found.outcome,
        found.fail_reason,
        found.weight,
        found.polarity_hint,
        f"source:{turn.speaker}/{turn.stance}",
    )


def _hints(turns: Sequence[Turn], found: Sequence[Mapped]) -> dict[str, tuple[AspectHint, ...]]:
    by_term: dict[str, list[AspectHint]] = {}
    for turn, one in zip(turns, found, strict=True):
        hint = AspectHint(turn.speaker, turn.stance, one.weight, one.polarity_hint)
        for term in one.terms:
            by_term.setdefault(term, []).append(hint)
    return {term: tuple(hints) for term, hints in by_term.items()}


def _step(turn: Turn, found: Mapped) -> Step:
    ruling = Ruling(found.outcome, found.row, found.fail_reason)
    on = ", ".join(found.terms) or "no aspect"
    told = f"{turn.speaker}({turn.stance}): {on}; {found.polarity_hint}, weight {found.weight}"
    said = [f"{name}: {part}" for name, part in _parts(turn) if part]
    return Step(turn_mapping.TABLE.edition, "", ruling, (told, *said))


def _parts(turn: Turn) -> tuple[tuple[str, str], ...]:
    return (
        ("planning", turn.planning),
        ("reflection", turn.reflection),
        ("message", turn.message),
        ("key points", "; ".join(turn.key_points)),
    )


def _summed_up(summary: Summary) -> Step:
    """What the rapporteur wrote. Nothing is ruled here."""
    parts = (
        ("winner", summary.winner),
        ("consensus", summary.consensus),
        ("agreements", "; ".join(summary.key_agreements)),
        ("disagreements", "; ".join(summary.key_disagreements)),
        ("rationale", summary.rationale),
    )
    told = tuple([f"{name}: {part}" for name, part in parts if part])
    return Step("rapporteur", "", Ruling(summary.label or "no label", "summary"), told)
