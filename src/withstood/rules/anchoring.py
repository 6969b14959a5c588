"""Anchoring: what code makes of the answers of stage 1 before anybody debates them. Every row that applies fires, in
this order.

| row | when | then |
|---|---|---|
| 1 | an aspect's term ends in a particle of the language, and more than the particle | the longest such particle is taken off, and its place ends there |
| 2 | the text has a contrast marker, and fewer than two aspects are stated | the first token after the first marker of the list that occurs is added, confidence 0.5, unless it is a term already |
| 3a | an aspect's term does not stand in the text | the aspect is dropped |
| 3b | a sentiment's term is not that of a kept aspect, and it is not implicit | the sentiment is dropped |
| 4 | a kept aspect has no sentiment, and somebody judged sentiments | neutral, confidence 0.5, evidence the text: backfilled |
| 5a | the text has no negation marker, and a risk is of type NEGATION | the risk is removed |
| 5b | the text has no negation marker, and a proposal is FLIP_POLARITY | the proposal is removed |
| 6 | the text has a contrast marker, and fewer than two aspects are kept | a risk MISSING_SECOND_ASPECT is added, high, over the whole text |
| 7 | nobody stated aspects, and somebody judged sentiments | the terms of the sentiments are the aspects |

Markers are looked for in the lower-cased text with a space before and after it; the patterns are those of the text's
language. A term counts as astray where it is not what stands at its stated place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from withstood.claims import quote
from withstood.claims.debate import Patterns
from withstood.claims.opinion import Span
from withstood.claims.sentiment import KeptAspect, Sentiment
from withstood.claims.staged import Aspect, Proposal, Risk
from withstood.rules.table import NoNumbers, Table
from withstood.verdict import Ruling

GUESSED = BACKFILLED = Decimal("0.5")
WHOLE = Decimal(1)
MISSING = "MISSING_SECOND_ASPECT"
ENOUGH = 2


@dataclass(frozen=True, slots=True)
class Entry:
    """A row that fired, and the term or the type of risk that it fired on."""

    item: str
    ruling: Ruling


@dataclass(frozen=True, slots=True)
class Anchored:
    """The aspects that are kept, and how many terms were astray: kept ones, dropped ones, all that were dropped."""

    aspects: tuple[KeptAspect, ...] = ()
    entries: tuple[Entry, ...] = ()
    astray: int = 0
    dropped: int = 0
    dropped_astray: int = 0


@dataclass(frozen=True, slots=True)
class Checked:
    """The validator's risks and proposals that stand."""

    risks: tuple[Risk, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    entries: tuple[Entry, ...] = ()


def aspects(text: str, stated: Sequence[Aspect], patterns: Patterns) -> Anchored:
    entries: list[Entry] = []
    bare = [_bare(aspect, patterns, entries) for aspect in stated]
    guess = _guess(text, bare, patterns)
    if guess is not None:
        entries.append(Entry(guess.term, Ruling("added", "2", "CONTRAST")))
    kept = [found for aspect in bare if (found := _kept(text, aspect))]
    lost = [aspect for aspect in bare if not _stands(text, aspect.term)]
    entries += [Entry(aspect.term, Ruling("dropped", "3a", "NOT_IN_TEXT")) for aspect in lost]
    return Anchored(
        (*kept, *((guess,) if guess else ())),
        tuple(entries),
        sum(_is_astray(text, aspect) for aspect in bare if _stands(text, aspect.term)),
        len(lost),
        sum(bool(aspect.term.strip()) for aspect in lost),
    )


def from_sentiments(text: str, stated: Sequence[Sentiment]) -> Anchored:
    """Where nobody stated aspects: the terms that sentiments are on."""
    first = {one.term: one for one in reversed(stated) if _stands(text, one.term) and not one.implicit}
    kept = [KeptAspect(one.term, one.begin, one.end, one.confidence) for one in reversed(first.values())]
    return Anchored(tuple(kept), tuple([Entry(one.term, Ruling("added", "7")) for one in kept]))


def sentiments(
    text: str, stated: Sequence[Sentiment], kept: Sequence[KeptAspect], judged: bool
) -> tuple[tuple[Sentiment, ...], tuple[Entry, ...]]:
    """Those on kept aspects and implicit ones; then, where somebody judged at all, what is missing. Ids stay."""
    terms = [aspect.term for aspect in kept]
    held = [one for one in stated if one.implicit or one.term in terms]
    entries = [
        Entry(one.term, Ruling("dropped", "3b", "NO_ASPECT"))
        for one in stated
        if not one.implicit and one.term not in terms
    ]
    if not judged:
        return tuple(held), tuple(entries)
    missing = {one.term: one for one in reversed(kept) if one.term not in [said.term for said in held]}
    filled = [_backfilled(text, aspect) for aspect in reversed(missing.values())]
    entries += [Entry(one.term, Ruling("backfilled", "4")) for one in filled]
    return (*held, *filled), tuple(entries)


def validation(
    text: str, risks: Sequence[Risk], proposals: Sequence[Proposal], kept: Sequence[KeptAspect], patterns: Patterns
) -> Checked:
    negated = _marker(text, patterns.negation) is not None
    entries: list[Entry] = []
    if not negated:
        entries += [Entry(one.type, Ruling("removed", "5a")) for one in risks if _is(one.type, "NEGATION")]
        flips = [one for one in proposals if _is(one.proposal_type, "FLIP_POLARITY")]
        entries += [Entry(one.target_aspect, Ruling("removed", "5b")) for one in flips]
        risks = [one for one in risks if not _is(one.type, "NEGATION")]
        proposals = [one for one in proposals if not _is(one.proposal_type, "FLIP_POLARITY")]
    if _marker(text, patterns.contrast) is not None and len(kept) < ENOUGH:
        risks = (*risks, Risk(MISSING, Span(0, len(text)), "high", "a contrast with one side"))
        entries.append(Entry(MISSING, Ruling("added", "6")))
    return Checked(tuple(risks), tuple(proposals), tuple(entries))


def bare(term: str, particles: Sequence[str]) -> str:
    """The term without the longest particle that it ends in, never empty."""
    found = [particle for particle in particles if term.endswith(particle) and len(term) > len(particle)]
    return term[: len(term) - max(map(len, found))] if found else term


def _is(said: str, name: str) -> bool:
    return said.strip().upper() == name


def _bare(aspect: Aspect, patterns: Patterns, entries: list[Entry]) -> Aspect:
    term = bare(aspect.term, patterns.particles)
    if term == aspect.term:
        return aspect
    entries.append(Entry(aspect.term, Ruling("stripped", "1", term)))
    shorter = len(aspect.term) - len(term)
    span = aspect.span and Span(aspect.span.start, max(aspect.span.start, aspect.span.end - shorter))
    return replace(aspect, term=term, span=span)


def _marker(text: str, markers: Sequence[str]) -> tuple[int, int] | None:
    """Where the first marker of the list that occurs stands in the text."""
    padded = f" {_lowered(text)} "
    for marker in markers:
        place = padded.find(marker)
        if marker and place >= 0:
            return max(0, place - 1), min(len(text), place - 1 + len(marker))
    return None


def _lowered(text: str) -> str:
    """In lower case where that leaves every sign at its place."""
    low = text.lower()
    return low if len(low) == len(text) else text


def _guess(text: str, stated: Sequence[Aspect], patterns: Patterns) -> KeptAspect | None:
    place = _marker(text, patterns.contrast)
    if place is None or len(stated) >= ENOUGH or not patterns.token:
        return None
    found = re.search(patterns.token, _lowered(text)[place[1] :])
    if found is None:
        return None
    begin = place[1] + found.start()
    term = bare(text[begin : begin + len(found.group())], patterns.particles)
    if not term or term in [aspect.term for aspect in stated]:
        return None
    return KeptAspect(term, begin, begin + len(term), GUESSED, guessed=True)


def _stands(text: str, term: str) -> bool:
    return bool(term.strip()) and term in text


def _is_astray(text: str, aspect: Aspect) -> bool:
    return aspect.span is not None and text[aspect.span.start : aspect.span.end] != aspect.term


def _kept(text: str, aspect: Aspect) -> KeptAspect | None:
    place = quote.place(aspect.term, text, aspect.span) if _stands(text, aspect.term) else None
    return KeptAspect(aspect.term, place.start, place.end, aspect.confidence) if place else None


def _backfilled(text: str, aspect: KeptAspect) -> Sentiment:
    return Sentiment(
        tuple_id="",
        term=aspect.term,
        begin=aspect.begin,
        end=aspect.end,
        polarity="neutral",
        confidence=BACKFILLED,
        evidence=text,
        distribution={"neutral": WHOLE},
        backfilled=True,
    )


@dataclass(frozen=True, slots=True)
class Said:
    """A sentiment as the table needs it."""

    term: str = ""
    polarity: str | None = None
    confidence: Decimal = Decimal(0)


@dataclass(frozen=True, slots=True)
class Input:
    """`patterns` are those of the text's language. None: nobody answered."""

    text: str
    patterns: Patterns
    aspects: tuple[Aspect, ...] | None = ()
    sentiments: tuple[Said, ...] | None = ()
    risks: tuple[Risk, ...] = ()
    proposals: tuple[Proposal, ...] = ()


@dataclass(frozen=True, slots=True)
class Output:
    aspects: tuple[KeptAspect, ...]
    sentiments: tuple[Said, ...]
    risks: tuple[Risk, ...]
    proposals: tuple[Proposal, ...]
    log: tuple[Entry, ...]


def _decide(case: Input, numbers: NoNumbers) -> Output:
    stated = [_held(case.text, one) for one in case.sentiments or ()]
    kept = (
        from_sentiments(case.text, stated) if case.aspects is None else aspects(case.text, case.aspects, case.patterns)
    )
    held, log = sentiments(case.text, stated, kept.aspects, case.sentiments is not None)
    checked = validation(case.text, case.risks, case.proposals, kept.aspects, case.patterns)
    said = tuple([Said(one.term, one.polarity, one.confidence) for one in held])
    return Output(kept.aspects, said, checked.risks, checked.proposals, (*kept.entries, *log, *checked.entries))


def _held(text: str, one: Said) -> Sentiment:
    place = quote.place(one.term, text) if one.term else None
    begin, end = (place.start, place.end) if place else (0, 0)
    return Sentiment("", one.term, begin, end, one.polarity, one.confidence, implicit=not one.term)


TABLE = Table("anchoring-1", __doc__, Input, Output, _decide, section="none", aliases=("anchoring",))
