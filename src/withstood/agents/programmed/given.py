"""What a text says of a target that is given: a term in its place, a ref, or both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from withstood.agents.programmed.analysis import Analysis, Sighting
from withstood.claims.case import Target
from withstood.lexicons.lexicon import Polarity

RefOf = Callable[[Sighting], str | None]

_BESIDE = 20


@dataclass(frozen=True, slots=True)
class Told:
    """The sightings that are tied to a target, and where there are none, those that may still concern it."""

    tied: tuple[Sighting, ...]
    loose: tuple[Sighting, ...]


def told(analysis: Analysis, target: Target, given: Sequence[Target], ref_of: RefOf) -> Told:
    """A target that is given alone is what the whole text is about; one of several is told of right beside it."""
    tied = tuple(sighting for sighting in analysis.sightings if _is_tied(sighting, target, ref_of))
    if tied:
        return Told(tied, ())
    if len(given) == 1 or target.begin is None or not target.aspect_term:
        return Told((), analysis.sightings)
    return Told((), tuple(s for s in analysis.sightings if s.term is None and _is_beside(s, analysis, target)))


def clause_of(analysis: Analysis, target: Target) -> tuple[int, int] | None:
    """The clause that the target's term stands in."""
    place = target.begin
    if place is None or not target.aspect_term:
        return None
    return next((clause for clause in analysis.clauses if clause[0] <= place < clause[1]), None)


def near(said: Sequence[Sighting]) -> Polarity:
    return balance([sighting.near for sighting in said])


def far(said: Sequence[Sighting]) -> Polarity:
    return balance([sighting.far for sighting in said])


def closest(tied: Sequence[Sighting]) -> Sighting:
    """The one that stands nearest to the target, in a clause with it where there is such a one."""
    return min(tied, key=lambda sighting: (sighting.stands_apart, sighting.gap, sighting.begin))


def settled(tied: Sequence[Sighting]) -> Polarity:
    """By all of them; where they hold each other, by the nearest."""
    return closest(tied).far if far(tied) == "neutral" else far(tied)


def balance(polarities: Sequence[Polarity]) -> Polarity:
    """Neutral where nothing is said, or as much against as for."""
    for_it, against = polarities.count("positive"), polarities.count("negative")
    return "positive" if for_it > against else "negative" if against > for_it else "neutral"


def _is_tied(sighting: Sighting, target: Target, ref_of: RefOf) -> bool:
    if not target.aspect_term:
        return ref_of(sighting) == target.aspect_ref
    if target.begin is None or target.end is None or sighting.term is None or sighting.basis == "setting":
        return False
    return sighting.term[0] < target.end and target.begin < sighting.term[1]


def _is_beside(sighting: Sighting, analysis: Analysis, target: Target) -> bool:
    if target.begin is None or target.end is None or sighting.clause != clause_of(analysis, target):
        return False
    return min(abs(sighting.begin - target.end), abs(target.begin - sighting.end)) < _BESIDE
