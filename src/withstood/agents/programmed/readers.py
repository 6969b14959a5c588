"""The four reading seats: each takes from the same analysis what its role is to bring.

P-LIT   opinion words tied to a stated target; a denial counts only right beside the opinion word
P-NEG   the same, under the scope of every denial in the clause, and both sides of a contrast
P-IMP   cues and praise that name no target: an empty term, and the ref that the cue implies
S0      the three in one pass

Where targets are given, P-LIT and P-NEG tell of those that an opinion is tied to, P-IMP of the others. P-LIT goes by
the nearest opinion, P-NEG by all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from withstood.agents.programmed import given
from withstood.agents.programmed.analysis import Analysis, Sighting
from withstood.agents.programmed.sight import Sight
from withstood.claims.case import Target
from withstood.claims.opinion import Reading, Span, Triplet
from withstood.lexicons.lexicon import Polarity
from withstood.protocols.asks import Silent
from withstood.protocols.briefs import ReadingBrief

Seen = tuple[Sighting, Polarity, bool]

NO_READER = "no programmed reader for this language: found other, wanted ko or en"
_NOTHING_SAID = Decimal("0.3")


@dataclass(frozen=True, slots=True)
class Lens:
    """What a seat brings: `find` in a text at large, `judge` of a target that is given (None: nothing)."""

    find: Callable[[Analysis], Iterable[Seen]]
    judge: Callable[[given.Told], Polarity | None]


def read(sight: Sight, lens: Lens, brief: ReadingBrief) -> Reading | Silent:
    """The triplets that one lens brings, each once; where targets are given, one for each that it tells of."""
    analysis = sight.look(brief.text, brief.language)
    if analysis is None:
        return Silent(NO_READER)
    if brief.given:
        return Reading(tuple(_of_given(sight, lens, brief, analysis)))
    found = (
        _triplet(analysis.text, sighting, polarity, named, sight.ref(sighting, brief.language, brief.refs))
        for sighting, polarity, named in lens.find(analysis)
    )
    return Reading(tuple(_once(found)))


def explicit(analysis: Analysis) -> Iterator[Seen]:
    for sighting in _settled(analysis):
        if sighting.term is not None and sighting.basis != "cue":
            yield sighting, sighting.near, True


def scoped(analysis: Analysis) -> Iterator[Seen]:
    for sighting in _settled(analysis):
        if sighting.basis != "cue" and (sighting.term is not None or sighting.marker):
            yield sighting, sighting.far, True


def implicit(analysis: Analysis) -> Iterator[Seen]:
    for sighting in _settled(analysis):
        if sighting.term is None or sighting.basis == "cue":
            yield sighting, sighting.far, False


def united(analysis: Analysis) -> Iterator[Seen]:
    yield from scoped(analysis)
    yield from implicit(analysis)


LENSES: Mapping[str, tuple[str, Lens]] = {
    "P-NEG": ("programmed:scope@3", Lens(scoped, lambda told: given.far(told.tied) if told.tied else None)),
    "P-IMP": ("programmed:implicit@3", Lens(implicit, lambda told: None if told.tied else given.far(told.loose))),
    "P-LIT": (
        "programmed:explicit@3",
        Lens(explicit, lambda told: given.closest(told.tied).near if told.tied else None),
    ),
    "S0": (
        "programmed:united@3",
        Lens(united, lambda told: given.settled(told.tied) if told.tied else given.far(told.loose)),
    ),
}


def _of_given(sight: Sight, lens: Lens, brief: ReadingBrief, analysis: Analysis) -> Iterator[Triplet]:
    for target in brief.given:
        told = given.told(analysis, target, brief.given, lambda s: sight.ref(s, brief.language, brief.refs))
        polarity = lens.judge(told)
        if polarity is not None:
            yield _judged(analysis, target, polarity, told.tied or told.loose)


def _judged(analysis: Analysis, target: Target, polarity: Polarity, said: Sequence[Sighting]) -> Triplet:
    """The target as it was given, with the opinion that speaks for this polarity."""
    for_it = next((sighting for sighting in said if sighting.far == polarity), None)
    clause = for_it.clause if for_it else given.clause_of(analysis, target)
    placed = target.aspect_term and target.begin is not None and target.end is not None
    return Triplet(
        aspect_term=target.aspect_term,
        aspect_ref=target.aspect_ref or None,
        polarity=polarity,
        opinion_term=analysis.text[for_it.begin : for_it.end] if for_it else None,
        evidence=analysis.text[slice(*clause)] if clause else None,
        span=Span(target.begin or 0, target.end or 0) if placed else None,
        confidence=for_it.sure if for_it else _NOTHING_SAID,
        rationale=_RATIONALES[for_it.marker] if for_it else None,
    )


def _settled(analysis: Analysis) -> list[Sighting]:
    """Without cues where an opinion of that polarity is stated, and without bare praise where an aspect or a named
    target is praised, or a target is named in the same sentence."""
    seen = [sighting for sighting in analysis.sightings if sighting.basis != "passing"]
    stated = {sighting.far for sighting in seen if sighting.basis != "cue"}
    seen = [s for s in seen if s.basis != "cue" or s.far not in stated]
    aspects = {sighting.far for sighting in seen if _is_of_aspect(sighting)}
    named = [sighting for sighting in seen if sighting.term]
    return [
        s for s in seen if _is_of_aspect(s) or (s.far not in aspects and (s.term or _stands_alone(analysis, s, named)))
    ]


def _stands_alone(analysis: Analysis, sighting: Sighting, named: Sequence[Sighting]) -> bool:
    return not any(
        other.far == sighting.far or analysis.in_one_sentence(other.begin, sighting.begin) for other in named
    )


def _is_of_aspect(sighting: Sighting) -> bool:
    return sighting.about != "general" or sighting.kind not in ("none", "product")


def _triplet(text: str, sighting: Sighting, polarity: Polarity, named: bool, ref: str | None) -> Triplet:
    term = sighting.term if named else None
    return Triplet(
        aspect_term=text[slice(*term)] if term else "",
        aspect_ref=ref,
        polarity=polarity,
        opinion_term=text[sighting.begin : sighting.end],
        evidence=text[slice(*sighting.clause)],
        span=Span(*term) if term else None,
        confidence=sighting.sure,
        rationale=_RATIONALES[sighting.marker],
    )


_RATIONALES: Mapping[str, str | None] = {
    "": None,
    "negation": "a denial in the clause",
    "contrast": "one side of a contrast",
}


def _once(triplets: Iterable[Triplet]) -> Iterator[Triplet]:
    seen: set[tuple[object, ...]] = set()
    for triplet in triplets:
        key = (triplet.aspect_term, triplet.span, triplet.aspect_ref, triplet.polarity)
        if key not in seen:
            seen.add(key)
            yield triplet
