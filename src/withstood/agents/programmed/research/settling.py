"""Whether two claims that conflict both hold: each under a condition of its own, of another thing, or within a scope.

Nothing that a page says of a conflict counts. What counts are two sides with a sentence each that supports it, and marks
in these sentences; the table then looks for the evidence of both sides again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from withstood.agents.programmed.research import wording
from withstood.agents.programmed.research.reading import Sentence
from withstood.claims.research import Between, Drawn, Resolution, ResolutionType

Side = tuple[Sentence, ...]
_KINDS: tuple[tuple[ResolutionType, re.Pattern[str]], ...] = (
    ("scope_mismatch", wording.SCOPES),
    ("condition_difference", wording.CONDITIONS),
    ("definition_mismatch", wording.DEFINITIONS),
)
MOST_SIGNS = 160
UNNAMED = "in general"


def settled(
    one: str, other: str, held: Mapping[str, Sentence], observed: Mapping[str, Sentence], edges: Sequence[Drawn]
) -> Resolution | None:
    """None where one side has no evidence here, or where no mark tells the two apart."""
    sides = [_side(name, held, observed, edges) for name in (one, other)]
    if not all(sides):
        return None
    for kind, pattern in _KINDS:
        marks = [_mark(side, held[name], pattern) for name, side in zip((one, other), sides, strict=True)]
        if _tells_apart(kind, *marks):
            told = [mark or UNNAMED for mark in marks]
            return Resolution(Between(one, other), kind, f"{one}: {told[0]}; {other}: {told[1]}")
    return None


def _tells_apart(kind: ResolutionType, one: str, other: str) -> bool:
    """Two marks that differ; of a condition or a scope one is enough, the other claim is then meant in general."""
    if kind == "definition_mismatch" and not (one and other):
        return False
    return one.casefold() != other.casefold()


def _side(name: str, held: Mapping[str, Sentence], observed: Mapping[str, Sentence], edges: Sequence[Drawn]) -> Side:
    """The sentences that support it, here and now."""
    if name not in held:
        return ()
    return tuple([observed[drawn.start] for drawn in edges if drawn.end == name and drawn.type == "SUPPORTS"])


def _mark(side: Side, claim: Sentence, pattern: re.Pattern[str]) -> str:
    """The words of the claim itself, else of its evidence, that say under which condition it holds."""
    for sentence in (claim, *side):
        if found := pattern.search(sentence.text):
            return " ".join(found[0].split())[:MOST_SIGNS]
    return ""
