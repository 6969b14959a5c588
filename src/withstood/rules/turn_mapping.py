"""Turn mapping: which aspects a turn of the debate speaks of, and how much it weighs. First match decides.

| row | when | then |
|---|---|---|
| 1 | the message or a key point has the key of an aspect or of one of its synonyms in it | direct: every such aspect |
| 2 | the hint is neutral, and the sentiments of stage 1 are on exactly one term | fallback: that term |
| 3 | the hint is not neutral, and a sentiment of stage 1 has its polarity and a term | fallback: the term of the surest of these |
| 4 | the hint is not neutral, and a sentiment of stage 1 has a term | fallback: the term of the surest of all |
| 5 | there are no aspects | none (no_aspects) |
| 6 | the hint is neutral | none (neutral_stance) |
| 7 | otherwise | none (no_match) |

| stance | weight | hint |
|---|---|---|
| pro | 1.0 | positive |
| con | 1.0 | negative |
| neutral | 0.6 | neutral |
| any other | 0.8 | neutral |

A key is a word without its particle, in lower case, with letters, digits and underscores only. The first aspect that
has a key keeps it. Of equally sure sentiments the first counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal, TypeAlias

from withstood.claims.debate import Patterns
from withstood.claims.opinion import Confidence
from withstood.rules.table import NoNumbers, Table

Outcome: TypeAlias = Literal["direct", "fallback", "none"]
Reason: TypeAlias = Literal["", "fallback_used", "no_aspects", "neutral_stance", "no_match"]
Hint: TypeAlias = Literal["positive", "negative", "neutral"]

WEIGHTS: Mapping[str, Decimal] = {"neutral": Decimal("0.6"), "pro": Decimal("1.0"), "con": Decimal("1.0")}
OTHER_WEIGHT = Decimal("0.8")
HINTS: Mapping[str, Hint] = {"pro": "positive", "con": "negative"}


@dataclass(frozen=True, slots=True)
class Said:
    """A sentiment of stage 1."""

    term: str
    polarity: str | None
    confidence: Confidence


@dataclass(frozen=True, slots=True)
class Mapped:
    """What a turn comes to."""

    outcome: Outcome
    terms: tuple[str, ...]
    fail_reason: Reason
    weight: Decimal
    polarity_hint: Hint
    row: str


def synonyms(term: str, patterns: Patterns) -> tuple[str, ...]:
    """What else an aspect may be called: the lists whose key it contains or is contained in, then the groups one of
    whose triggers it has in it."""
    low = term.lower()
    found = [
        word for key, words in patterns.synonyms.items() if key.lower() in low or low in key.lower() for word in words
    ]
    for group in patterns.groups:
        if any(trigger.lower() in low for trigger in group.triggers):
            found += [*group.triggers, *group.also]
    return tuple(dict.fromkeys(found))


def keys(terms: Sequence[str], synonym_hints: Mapping[str, Sequence[str]], particles: Sequence[str]) -> dict[str, str]:
    """Key to aspect, over each aspect and its synonyms in order; the first writer wins."""
    found: dict[str, str] = {}
    for term in terms:
        for word in (term, *synonym_hints.get(term, ())):
            if key := _key(_bare(word, particles)):
                found.setdefault(key, term)
    return found


def weight(stance: str) -> Decimal:
    return WEIGHTS.get(stance.strip().lower(), OTHER_WEIGHT)


def hint(stance: str) -> Hint:
    return HINTS.get(stance.strip().lower(), "neutral")


def mapped(
    stance: str, said: Sequence[str], known: Mapping[str, str], terms: Sequence[str], sentiments: Sequence[Said]
) -> Mapped:
    """`said` are the message and the key points; `known` the keys."""
    blob, points_to = _key(" ".join(said)), hint(stance)
    hit = {term for key, term in known.items() if key in blob}
    found = tuple([term for term in terms if term in hit])
    outcome, on, reason, row = _row(found, points_to, terms, [one for one in sentiments if one.term])
    return Mapped(outcome, on, reason, weight(stance), points_to, row)


def _row(
    direct: tuple[str, ...], points_to: Hint, terms: Sequence[str], sentiments: Sequence[Said]
) -> tuple[Outcome, tuple[str, ...], Reason, str]:
    if direct:
        return "direct", direct, "", "1"
    if points_to == "neutral":
        distinct = tuple(dict.fromkeys(one.term for one in sentiments))
        if len(distinct) == 1:
            return "fallback", distinct, "fallback_used", "2"
    else:
        agreeing = [one for one in sentiments if one.polarity == points_to]
        if agreeing or sentiments:
            return "fallback", (_surest(agreeing or sentiments),), "fallback_used", "3" if agreeing else "4"
    if not terms:
        return "none", (), "no_aspects", "5"
    return ("none", (), "neutral_stance", "6") if points_to == "neutral" else ("none", (), "no_match", "7")


def _surest(sentiments: Sequence[Said]) -> str:
    return max(sentiments, key=lambda one: one.confidence).term


def _bare(word: str, particles: Sequence[str]) -> str:
    ends = sorted((one for one in particles if word.endswith(one) and len(word) > len(one)), key=len)
    return word[: len(word) - len(ends[-1])] if ends else word


def _key(words: str) -> str:
    return re.sub(r"[\W]", "", words.lower())


@dataclass(frozen=True, slots=True)
class Spoken:
    stance: str
    message: str = ""
    key_points: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Input:
    turns: tuple[Spoken, ...]
    aspect_terms: tuple[str, ...] = ()
    sentiments: tuple[Said, ...] = ()
    patterns: Patterns = field(default_factory=Patterns)


@dataclass(frozen=True, slots=True)
class Output:
    turns: tuple[Mapped, ...]
    synonym_hints: Mapping[str, tuple[str, ...]]
    mapping_stats: Mapping[str, int]
    mapping_fail_reasons: Mapping[str, int]


def _decide(case: Input, numbers: NoNumbers) -> Output:
    hints = {term: synonyms(term, case.patterns) for term in case.aspect_terms}
    known = keys(case.aspect_terms, hints, case.patterns.particles)
    found = [
        mapped(turn.stance, (turn.message, *turn.key_points), known, case.aspect_terms, case.sentiments)
        for turn in case.turns
    ]
    return Output(tuple(found), hints, stats(found), dict(fail_reasons(found)))


def stats(found: Sequence[Mapped]) -> dict[str, int]:
    outcomes = [one.outcome for one in found]
    return {name: outcomes.count(name) for name in ("direct", "fallback", "none")}


def fail_reasons(found: Sequence[Mapped]) -> Iterator[tuple[str, int]]:
    reasons = [one.fail_reason for one in found]
    for name in ("no_aspects", "no_match", "neutral_stance", "fallback_used"):
        yield name, reasons.count(name)


TABLE = Table("turn-mapping-1", __doc__, Input, Output, _decide, section="none", aliases=("turn-mapping",))
