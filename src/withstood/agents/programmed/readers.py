"""The four reading seats: each takes from the same analysis what its role is to bring.

P-LIT   opinion words tied to a stated target; a denial counts only right beside the opinion word
P-NEG   the same, under the scope of every denial in the clause, and both sides of a contrast
P-IMP   cues and praise that name no target: an empty term, and the ref that the cue implies
S0      the three in one pass
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from withstood.agents.programmed.analysis import Analysis, Sighting
from withstood.agents.programmed.sight import Sight
from withstood.claims.opinion import Reading, Span, Triplet
from withstood.lexicons.lexicon import Polarity
from withstood.protocols.asks import Silent
from withstood.protocols.briefs import ReadingBrief

Lens = Callable[[Analysis], Iterable[tuple[Sighting, Polarity, bool]]]

NO_READER = "no programmed reader for this language: found other, wanted ko or en"


def read(sight: Sight, lens: Lens, brief: ReadingBrief) -> Reading | Silent:
    """The triplets that one lens brings, each once."""
    analysis = sight.look(brief.text, brief.language)
    if analysis is None:
        return Silent(NO_READER)
    found = (
        _triplet(analysis.text, sighting, polarity, named, sight.ref(sighting, brief.language, brief.refs))
        for sighting, polarity, named in lens(analysis)
    )
    return Reading(tuple(_once(found)))


def explicit(analysis: Analysis) -> Iterator[tuple[Sighting, Polarity, bool]]:
    for sighting in _settled(analysis):
        if sighting.term is not None and sighting.basis != "cue":
            yield sighting, sighting.near, True


def scoped(analysis: Analysis) -> Iterator[tuple[Sighting, Polarity, bool]]:
    for sighting in _settled(analysis):
        if sighting.basis != "cue" and (sighting.term is not None or sighting.marker):
            yield sighting, sighting.far, True


def implicit(analysis: Analysis) -> Iterator[tuple[Sighting, Polarity, bool]]:
    for sighting in _settled(analysis):
        if sighting.term is None or sighting.basis == "cue":
            yield sighting, sighting.far, False


def united(analysis: Analysis) -> Iterator[tuple[Sighting, Polarity, bool]]:
    yield from scoped(analysis)
    yield from implicit(analysis)


LENSES: Mapping[str, tuple[str, Lens]] = {
    "P-NEG": ("programmed:scope@1", scoped),
    "P-IMP": ("programmed:implicit@1", implicit),
    "P-LIT": ("programmed:explicit@1", explicit),
    "S0": ("programmed:united@1", united),
}


def _settled(analysis: Analysis) -> list[Sighting]:
    """Without cues where an opinion of that polarity is stated, and without bare praise where an aspect is praised."""
    seen = analysis.sightings
    stated = {sighting.far for sighting in seen if sighting.basis != "cue"}
    seen = [s for s in seen if s.basis != "cue" or s.far not in stated]
    aspects = {sighting.far for sighting in seen if _is_of_aspect(sighting)}
    return [s for s in seen if _is_of_aspect(s) or s.far not in aspects]


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
