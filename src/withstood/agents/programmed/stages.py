"""The seats before and after a debate, by code: what is named, what is said of it, what its structure puts at risk.

ATE1         every term that an opinion word is tied to
ATSA1        each given aspect by what stands right beside the opinion word; praise that names nothing as implicit
VALIDATOR1   the same under the scope of the whole clause: where that says otherwise, a risk and a flip
ATE2         removes an aspect of which the text says nothing
ATSA2        holds each sentiment against the scope of the whole clause
VALIDATOR2   a risk is resolved where a flip was proposed for it, or where both sides of a contrast are told
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from withstood.agents.programmed import given
from withstood.agents.programmed.analysis import Analysis, Sighting
from withstood.agents.programmed.readers import LENSES, NO_READER, read
from withstood.agents.programmed.sight import Sight
from withstood.claims.case import Target
from withstood.claims.opinion import Reading, Span
from withstood.claims.staged import (
    Aspect,
    AspectAmendment,
    AspectReview,
    AspectSentiment,
    Extraction,
    FinalValidation,
    Named,
    Proposal,
    Revalidation,
    Risk,
    SentimentAmendment,
    SentimentReview,
    Sentiments,
    Validation,
)
from withstood.lexicons.lexicon import Polarity
from withstood.protocols.asks import Silent
from withstood.protocols.briefs import ReadingBrief
from withstood.protocols.debate_briefs import (
    AmendmentBrief,
    ExtractionBrief,
    SentimentBrief,
    ShownAspect,
    ShownSentiment,
    Table,
    ValidationBrief,
)

_ROUND = Decimal("0.01")
_TYPE = {"negation": "NEGATION", "contrast": "CONTRAST"}


@dataclass(frozen=True, slots=True)
class Heard:
    """What the text says where an aspect stands, by the whole of the clause."""

    aspect: ShownAspect
    tied: tuple[Sighting, ...]

    @property
    def far(self) -> Polarity:
        return given.far(self.tied)


def hear(analysis: Analysis, aspects: Sequence[ShownAspect]) -> list[Heard]:
    targets = [Target(one.term, "", one.span.start, one.span.end) for one in aspects]
    return [
        Heard(one, given.told(analysis, target, targets, lambda sighting: None).tied)
        for one, target in zip(aspects, targets, strict=True)
    ]


def extract(sight: Sight, brief: ExtractionBrief) -> Extraction | Silent:
    seen = read(sight, LENSES["S0"][1], ReadingBrief(brief.text, brief.language, ()))
    if isinstance(seen, Silent):
        return seen
    named = {one.span: one for one in reversed(seen.triplets) if one.span and one.aspect_term}
    return Extraction(
        tuple([Aspect(one.aspect_term, span, None, None, one.confidence) for span, one in _ordered(named)])
    )


def _ordered(named: Mapping[Span, Any]) -> list[tuple[Span, Any]]:
    return sorted(named.items(), key=lambda one: (one[0].start, one[0].end))


def judge(sight: Sight, brief: SentimentBrief) -> Sentiments | Silent:
    analysis = sight.look(brief.text, brief.language)
    if analysis is None:
        return Silent(NO_READER)
    told = [_judged(sight, brief, analysis, heard) for heard in hear(analysis, brief.aspects) if heard.tied]
    implied = read(sight, LENSES["P-IMP"][1], ReadingBrief(brief.text, brief.language, brief.refs))
    return Sentiments((*told, *(_implied(implied) if isinstance(implied, Reading) else ())))


def _judged(sight: Sight, brief: SentimentBrief, analysis: Analysis, heard: Heard) -> AspectSentiment:
    polarity = given.near(heard.tied)
    for_it = next((one for one in heard.tied if one.near == polarity), heard.tied[0])
    return AspectSentiment(
        aspect_term=Named(heard.aspect.term, heard.aspect.span),
        polarity=polarity,
        evidence=analysis.text[slice(*for_it.clause)],
        confidence=for_it.sure,
        neutral_reason="as much for it as against it" if polarity == "neutral" else None,
        aspect_ref=sight.ref(for_it, brief.language, brief.refs),
        opinion_term=analysis.text[for_it.begin : for_it.end],
    )


def _implied(found: Reading) -> Iterator[AspectSentiment]:
    for one in found.triplets:
        yield AspectSentiment(
            polarity=one.polarity,
            evidence=one.evidence,
            confidence=one.confidence,
            is_implicit=True,
            aspect_ref=one.aspect_ref,
            opinion_term=one.opinion_term,
        )


def validate(sight: Sight, brief: ValidationBrief) -> Validation | Silent:
    analysis = sight.look(brief.text, brief.language)
    if analysis is None:
        return Silent(NO_READER)
    heard = _by_term(analysis, brief.stage1)
    pairs = [(one, heard[one.aspect_term]) for one in brief.stage1.aspect_sentiments if heard.get(one.aspect_term)]
    opposed = [(one, there) for one, there in pairs if _is_opposed(one, there)]
    risks = {risk.type + str(risk.scope): risk for one, there in pairs for risk in _risks(one, there)}
    proposals = [
        Proposal(one.aspect_term, "FLIP_POLARITY", "a denial reaches this opinion")
        for one, there in opposed
        if any(sighting.marker == "negation" for each in there for sighting in each.tied)
    ]
    agreeing = Decimal(len(pairs) - len(opposed))
    sure = (agreeing / len(pairs)).quantize(_ROUND) if pairs else Decimal(1)
    return Validation(tuple(risks.values()), sure, tuple(proposals))


def _by_term(analysis: Analysis, table: Table) -> dict[str, list[Heard]]:
    """What is said of each term, wherever it stands; terms of which nothing is said are left out."""
    found: dict[str, list[Heard]] = {}
    for heard in hear(analysis, table.aspects):
        if heard.tied:
            found.setdefault(heard.aspect.term, []).append(heard)
    return found


def _is_opposed(one: ShownSentiment, there: Sequence[Heard]) -> bool:
    said = {heard.far for heard in there}
    return one.polarity not in said and len(said) == 1 and "neutral" not in said


def _risks(one: ShownSentiment, there: Sequence[Heard]) -> Iterator[Risk]:
    opposed = _is_opposed(one, there)
    for sighting in (sighting for heard in there for sighting in heard.tied if sighting.marker):
        severity = "high" if opposed and sighting.marker == "negation" else "low"
        yield Risk(_TYPE[sighting.marker], Span(*sighting.clause), severity, f"{sighting.marker} in the clause")


# --- after the debate --------------------------------------------------------------------------


def amend_aspects(sight: Sight, brief: AmendmentBrief) -> AspectReview | Silent:
    analysis = sight.look(brief.text, brief.language)
    if analysis is None:
        return Silent(NO_READER)
    heard = _by_term(analysis, brief.stage1)
    return AspectReview(
        tuple(
            [
                AspectAmendment(term, "keep", reason="an opinion is tied to it")
                if term in heard
                else AspectAmendment(term, "remove", reason="the text says nothing of it")
                for term in dict.fromkeys(aspect.term for aspect in brief.stage1.aspects)
            ]
        )
    )


def amend_sentiments(sight: Sight, brief: AmendmentBrief) -> SentimentReview | Silent:
    analysis = sight.look(brief.text, brief.language)
    if analysis is None:
        return Silent(NO_READER)
    heard = _by_term(analysis, brief.stage1)
    explicit = [one for one in brief.stage1.aspect_sentiments if not one.is_implicit]
    first = {one.aspect_term: one for one in reversed(explicit)}
    return SentimentReview(tuple([_held(one, heard.get(one.aspect_term, [])) for one in reversed(first.values())]))


def _held(one: ShownSentiment, there: Sequence[Heard]) -> SentimentAmendment:
    if not _is_opposed(one, there):
        return SentimentAmendment(one.aspect_term, "maintain", reason="the clause says the same, or nothing else")
    return SentimentAmendment(one.aspect_term, "flip_polarity", there[0].far, "the whole clause says otherwise")


def revalidate(sight: Sight, brief: AmendmentBrief) -> Revalidation | Silent:
    if sight.look(brief.text, brief.language) is None:
        return Silent(NO_READER)
    table = brief.stage1
    kinds = list(dict.fromkeys(risk.type for risk in table.structural_risks))
    resolved = [kind for kind in kinds if _RESOLVED.get(kind, _never)(table)]
    remaining = [kind for kind in kinds if kind not in resolved]
    sure = (Decimal(len(resolved)) / len(kinds)).quantize(_ROUND) if kinds else Decimal(1)
    return Revalidation(FinalValidation(tuple(resolved), tuple(remaining), sure))


def _negation_is_told(table: Table) -> bool:
    flipped = any(one.proposal_type == "FLIP_POLARITY" for one in table.correction_proposals)
    return flipped or all(one.severity == "low" for one in table.structural_risks if one.type == "NEGATION")


def _both_sides_are_told(table: Table) -> bool:
    return len({one.polarity for one in table.aspect_sentiments if not one.is_backfilled}) > 1


def _never(table: Table) -> bool:
    return False


_RESOLVED: Mapping[str, Callable[[Table], bool]] = {
    "NEGATION": _negation_is_told,
    "CONTRAST": _both_sides_are_told,
}

SEATS: Mapping[str, tuple[str, type, Callable[[Sight, Any], object]]] = {
    "ATE1": ("programmed:extraction@2", ExtractionBrief, extract),
    "ATSA1": ("programmed:sentiments@2", SentimentBrief, judge),
    "VALIDATOR1": ("programmed:validation@2", ValidationBrief, validate),
    "ATE2": ("programmed:aspect-review@2", AmendmentBrief, amend_aspects),
    "ATSA2": ("programmed:sentiment-review@2", AmendmentBrief, amend_sentiments),
    "VALIDATOR2": ("programmed:revalidation@1", AmendmentBrief, revalidate),
}
