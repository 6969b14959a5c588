"""Which edges a programmed explorer draws: from what was observed to what is held, and between what is held."""

from __future__ import annotations

from decimal import Decimal

from withstood.agents.programmed.research import reading
from withstood.agents.programmed.research.reading import Sentence, Weights
from withstood.claims.graph import EdgeType
from withstood.claims.research import Drawn
from withstood.rules import admission

STRONG, MEDIUM, WEAK = Decimal("0.8"), Decimal("0.5"), Decimal("0.3")
_ABOUT_THE_SAME, _PART = 0.7, 0.2


def edge(observed: str, one: Sentence, held: str, other: Sentence, weights: Weights) -> Drawn | None:
    """Whether a sentence supports or contradicts what is held. Its own words again are no evidence for it,
    and what holds under a condition is weak evidence on what is held without it, as is the other way round."""
    if admission.copied(one.text, {held: other.text}) is not None:
        return None
    found = reading.bearing(one, other, weights)
    if found.sign == 0:
        return (
            Drawn("SUPPORTS", observed, held, WEAK) if found.cover >= _ABOUT_THE_SAME and _plain(one, other) else None
        )
    kind: EdgeType = "SUPPORTS" if found.sign > 0 else "CONTRADICTS"
    narrowed = _is_elsewhere(one, other) or _is_elsewhere(other, one)
    return Drawn(kind, observed, held, WEAK if narrowed else _weight(one, found.cover))


def _is_elsewhere(one: Sentence, other: Sentence) -> bool:
    """Whether one holds under a condition of which the other does not speak, or only in passing."""
    return one.conditional and 2 * len(one.condition & other.terms) <= len(one.condition)


def _plain(one: Sentence, other: Sentence) -> bool:
    """Neither says which way: what shares nearly all words may be an example of it, by a leap."""
    return not any(clause.axes or clause.negated for clause in (*one.clauses, *other.clauses))


def _weight(one: Sentence, cover: float) -> Decimal:
    """Only facts are direct evidence; what somebody else says of it too is not."""
    if one.kind != "fact":
        return MEDIUM if cover >= reading.CLOSE else WEAK
    return STRONG if cover >= reading.CLOSE else MEDIUM if cover >= (reading.NEAR + reading.CLOSE) / 2 else WEAK


def conflict(name: str, one: Sentence, held: str, other: Sentence, weights: Weights) -> Drawn | None:
    """Two claims conflict where one covers the other, that one a part of it, and they point to opposite ends."""
    there, back = (reading.bearing(*pair, weights, _PART) for pair in ((one, other), (other, one)))
    if there.sign < 0 and back.sign < 0 and max(there.cover, back.cover) >= reading.CLOSE:
        return Drawn("CONFLICTS", name, held, Decimal(1))
    return None
