"""Agreement between the reviewers of one run: how alike A, B and C act on the tuples of a text.

A slot without an action counts as KEEP. Texts without a review, or with a reviewer absent, are left out.

| labels | KEEP | FLIP | DROP | MERGE | FLAG |
|---|---|---|---|---|---|
| process | KEEP | FLIP_POS, FLIP_NEG, else FLIP | DROP | MERGE | OTHER |
| measured | the tuple's polarity | the new polarity, else NEU | DROP | DROP | DROP, as published, though the tuple is kept |
| measured, FLAG keeps | the tuple's polarity | the new polarity, else NEU | DROP | DROP | the tuple's polarity |

| measure | what |
|---|---|
| cohen | Cohen's kappa, the mean of the three pairs of reviewers; identical lists give 1 |
| fleiss | Fleiss' kappa of the three |
| perfect, majority, none | tuples on which three, two, none are alike / tuples |
| AAR | tuples on which two or more process labels are alike / tuples |

Each but AAR is per text, and then the mean of the texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from types import MappingProxyType
from typing import TypeAlias

from withstood.claims.ballot import Absent, Action, Ballot, Vote
from withstood.measures import normal
from withstood.measures.measure import ONE, Measure, Parts, ratio
from withstood.measures.sample import FINAL, Rated, Sample

Row: TypeAlias = tuple[str, ...]
Labelling: TypeAlias = Callable[[Rated, Vote | None], str]

_SHORT = {"positive": "POS", "negative": "NEG", "neutral": "NEU", "mixed": "NEU", "": "NEU"}
_ALIKE = {1: "perfect", 2: "majority", 3: "none"}


def process(rated: Rated, vote: Vote | None) -> str:
    if vote is None:
        return "KEEP"
    if vote.action_type is Action.FLIP:
        return {"POS": "FLIP_POS", "NEG": "FLIP_NEG"}.get(_new(vote), "FLIP")
    return "OTHER" if vote.action_type is Action.FLAG else vote.action_type.value


def measured(rated: Rated, vote: Vote | None) -> str:
    if vote is None or vote.action_type is Action.KEEP:
        return _SHORT[normal.polarity(rated.polarity)]
    return _new(vote) if vote.action_type is Action.FLIP else "DROP"


def measured_flag_keeps(rated: Rated, vote: Vote | None) -> str:
    return measured(rated, None if vote is not None and vote.action_type is Action.FLAG else vote)


def _new(vote: Vote) -> str:
    polarity = (vote.new_value or {}).get("polarity")
    return _SHORT[normal.polarity(polarity) if isinstance(polarity, str) else ""]


LABELLINGS: Mapping[str, Labelling] = MappingProxyType(
    {"process": process, "measured": measured, "measured, FLAG keeps": measured_flag_keeps}
)


# --- of one text -------------------------------------------------------------------------------


def rows(rated: Sequence[Rated], labelling: Labelling) -> list[Row]:
    """The labels of A, B and C, tuple by tuple; nothing where a reviewer is absent."""
    found: list[Row] = []
    for one in rated:
        votes = _votes(one.ballot)
        if votes is None:
            return []
        found.append(tuple([labelling(one, vote) for vote in votes]))
    return found


def _votes(ballot: Ballot) -> list[Vote | None] | None:
    slots = [slot for _, slot in ballot.slots() if not isinstance(slot, Absent)]
    return slots if len(slots) == len(ballot.slots()) else None


def cohen(found: Sequence[Row]) -> Fraction:
    pairs = list(combinations(zip(*found, strict=True), 2))
    return sum((_of_two(one, other) for one, other in pairs), Fraction(0)) / len(pairs)


def _of_two(one: Row, other: Row) -> Fraction:
    if one == other:
        return Fraction(1)
    alike = Fraction(sum(a == b for a, b in zip(one, other, strict=True)), len(one))
    ones, others = Counter(one), Counter(other)
    by_chance = Fraction(sum(count * others[name] for name, count in ones.items()), len(one) ** 2)
    return (alike - by_chance) / (1 - by_chance)


def fleiss(found: Sequence[Row]) -> Fraction:
    raters = len(found[0])
    alike = Fraction(sum(count * (count - 1) for row in found for count in Counter(row).values()))
    alike /= len(found) * raters * (raters - 1)
    spread = Counter(name for row in found for name in row)
    by_chance = Fraction(sum(count**2 for count in spread.values()), (len(found) * raters) ** 2)
    return Fraction(1) if by_chance == 1 else (alike - by_chance) / (1 - by_chance)


def alike(found: Sequence[Row], how: str) -> Fraction:
    """The share of tuples on which the labels are all the same, two the same, all different."""
    return Fraction(sum(_ALIKE[len(set(row))] == how for row in found), len(found))


# --- of a run ----------------------------------------------------------------------------------

_PER_TEXT: tuple[tuple[str, Callable[[Sequence[Row]], Fraction]], ...] = (
    ("cohen", cohen),
    ("fleiss", fleiss),
    *((how, lambda found, how=how: alike(found, how)) for how in _ALIKE.values()),
)


def measures() -> tuple[Measure, ...]:
    """One of each for each labelling, and AAR."""
    per_text = [
        Measure(f"{name} ({labels})", FINAL, 2, _shifted(labelling, value), _mean)
        for labels, labelling in LABELLINGS.items()
        for name, value in _PER_TEXT
    ]
    return (*per_text, Measure("AAR", FINAL, 2, _agreed, ratio))


def _shifted(labelling: Labelling, value: Callable[[Sequence[Row]], Fraction]) -> Callable[[Sample], Parts]:
    """A kappa is at least -1: what is summed is one more."""

    def measure(sample: Sample) -> Parts:
        found = rows(sample.held.rated or (), labelling)
        return (round((value(found) + 1) * ONE), 1) if found else (0, 0)

    return measure


def _mean(sums: Sequence[int]) -> float | None:
    shifted, samples = sums
    return (shifted - samples * ONE) / (samples * ONE) if samples else None


def _agreed(sample: Sample) -> Parts:
    found = rows(sample.held.rated or (), process)
    return sum(len(set(row)) < len(row) for row in found), len(found)
