"""Amendment: what the reviews of stage 2 do to aspects and sentiments. The validator's proposals come first, then the
aspect review, then the sentiment review; within each, one after the other, first match decides.

| row | what | then |
|---|---|---|
| V1 | FLIP_POLARITY, a sentiment has this term | the first one: positive and negative change places, anything else is neutral; confidence at least 0.9 |
| V2 | FLIP_POLARITY, none has it | no change |
| V3 | DROP_ASPECT | the aspect and its sentiments are removed |
| V4 | REVISE_SPAN with a span that words of the text stand in | the aspect is those words, there |
| V5 | REVISE_SPAN otherwise, CHECK_SPAN | no change |
| V6 | any other proposal | refused |
| E1 | keep, maintain | no change |
| E2 | revise_span, revise, with a span that words of the text stand in | the aspect is those words, there |
| E3 | revise_span, revise, otherwise | no change |
| E4 | remove, drop | the aspect and its sentiments are removed |
| E5 | add, with a span, and the term stands in the text | the aspect is added, confidence 0.8 |
| E6 | add, otherwise | no change |
| E7 | anything else | refused |
| S1 | maintain, keep, reduce_confidence | no change |
| S2 | drop, remove | the sentiments of this term are removed |
| S3 | add, no sentiment has this term, a polarity is given | it is added, confidence 0.9 |
| S4 | add, otherwise | no change |
| S5 | flip_polarity, sentiments have this term | all of them: the polarity that is given; else positive is negative, negative is positive, anything else negative |
| S6 | flip_polarity, none has it | no change |
| S7 | anything else | refused |

Actions are read in any case. A sentiment keeps its term where its aspect is revised: the guard brings them together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from withstood.claims import quote
from withstood.claims.opinion import Span
from withstood.claims.sentiment import KeptAspect, Sentiment
from withstood.claims.staged import AspectAmendment, Proposal, SentimentAmendment
from withstood.rules.table import NoNumbers, Table
from withstood.verdict import Ruling

PROPOSED, ASPECT_ADDED, SENTIMENT_ADDED = Decimal("0.9"), Decimal("0.8"), Decimal("0.9")
NEW, OLD = Decimal("0.9"), Decimal("0.1")
WHOLE = Decimal(1)
TURNED: Mapping[str | None, str] = {"positive": "negative", "negative": "positive"}


@dataclass(frozen=True, slots=True)
class Entry:
    """One amendment: who made it, on which term, what came of it, and the sentiments that it touched."""

    source: str
    term: str
    action: str
    ruling: Ruling
    touched: tuple[str, ...] = ()


@dataclass(slots=True)
class Draft:
    """What is amended. Added sentiments are numbered on from `next_id`."""

    text: str
    aspects: list[KeptAspect]
    sentiments: list[Sentiment]
    next_id: int
    log: list[Entry] = field(default_factory=list[Entry])

    def of(self, term: str) -> list[int]:
        return [place for place, one in enumerate(self.sentiments) if one.term == term]

    def remove(self, term: str) -> tuple[str, ...]:
        gone = tuple([self.sentiments[place].tuple_id for place in self.of(term)])
        self.sentiments[:] = [one for one in self.sentiments if one.tuple_id not in gone]
        return gone

    def remove_aspect(self, term: str) -> tuple[str, ...]:
        self.aspects[:] = [one for one in self.aspects if one.term != term]
        return self.remove(term)

    def turn(self, place: int, polarity: str, **more: Decimal | Mapping[str, Decimal]) -> str:
        self.sentiments[place] = replace(self.sentiments[place], polarity=polarity, **more)
        return self.sentiments[place].tuple_id

    def add(self, term: str, polarity: str, origin: str) -> str:
        place = quote.place(term, self.text) if term else None
        begin, end = (place.start, place.end) if place else (0, 0)
        tuple_id = f"t{self.next_id}"
        self.next_id += 1
        self.sentiments.append(
            Sentiment(
                tuple_id, term, begin, end, polarity, SENTIMENT_ADDED, distribution={polarity: WHOLE}, origin=origin
            )
        )
        return tuple_id

    def revise(self, term: str, span: Span | None) -> bool:
        """Whether an aspect of this term is now what stands at the span."""
        words = self.text[span.start : span.end] if span and 0 <= span.start < span.end <= len(self.text) else ""
        if span is None or not words.strip() or all(one.term != term for one in self.aspects):
            return False
        revised = {"term": words, "begin": span.start, "end": span.end}
        self.aspects[:] = [replace(one, **revised) if one.term == term else one for one in self.aspects]
        return True

    def note(self, source: str, term: str, action: str, ruling: Ruling, *touched: str) -> None:
        self.log.append(Entry(source, term, action, ruling, touched))


def propose(draft: Draft, proposals: Sequence[Proposal]) -> None:
    for one in proposals:
        action = one.proposal_type.strip().upper()
        ruling, touched = _PROPOSALS.get(action, _refused("V6"))(draft, one)
        draft.note("VALIDATOR1", one.target_aspect, action, ruling, *touched)


def amend_aspects(draft: Draft, amendments: Sequence[AspectAmendment]) -> None:
    for one in amendments:
        action = one.action.strip().lower()
        ruling, touched = _ASPECTS.get(action, _refused("E7"))(draft, one)
        draft.note("ATE2", one.term, action, ruling, *touched)


def amend_sentiments(draft: Draft, amendments: Sequence[SentimentAmendment]) -> None:
    """The revised polarities are closed words already: positive, negative, neutral or None."""
    for one in amendments:
        action = one.action.strip().lower()
        ruling, touched = _SENTIMENTS.get(action, _refused("S7"))(draft, one)
        draft.note("ATSA2", one.aspect_term, action, ruling, *touched)


Came = tuple[Ruling, tuple[str, ...]]


def _unchanged(row: str) -> Came:
    return Ruling("unchanged", row), ()


def _refused(row: str) -> Callable[[Draft, object], Came]:
    return lambda draft, one: (Ruling("refused", row, "UNKNOWN_ACTION"), ())


def _left(row: str) -> Callable[[Draft, object], Came]:
    return lambda draft, one: _unchanged(row)


def _flip_first(draft: Draft, one: Proposal) -> Came:
    places = draft.of(one.target_aspect)
    if not places:
        return _unchanged("V2")
    before = draft.sentiments[places[0]]
    after = TURNED.get(before.polarity, "neutral")
    spread = {after: NEW, before.polarity: OLD} if before.polarity not in (None, after) else {after: NEW}
    surer = max(before.confidence, PROPOSED)
    touched = draft.turn(
        places[0], after, confidence=surer, distribution={name: part for name, part in spread.items() if name}
    )
    return Ruling("flipped", "V1", f"{before.polarity or 'none'}->{after}"), (touched,)


def _drop_proposed(draft: Draft, one: Proposal) -> Came:
    return Ruling("removed", "V3"), draft.remove_aspect(one.target_aspect)


def _revise_proposed(draft: Draft, one: Proposal) -> Came:
    done = draft.revise(one.target_aspect, one.revised_span)
    return (Ruling("revised", "V4"), ()) if done else _unchanged("V5")


def _revise(draft: Draft, one: AspectAmendment) -> Came:
    return (Ruling("revised", "E2"), ()) if draft.revise(one.term, one.revised_span) else _unchanged("E3")


def _remove(draft: Draft, one: AspectAmendment) -> Came:
    return Ruling("removed", "E4"), draft.remove_aspect(one.term)


def _add_aspect(draft: Draft, one: AspectAmendment) -> Came:
    place = quote.place(one.term, draft.text, one.revised_span) if one.revised_span and one.term.strip() else None
    if place is None:
        return _unchanged("E6")
    draft.aspects.append(KeptAspect(one.term, place.start, place.end, ASPECT_ADDED))
    return Ruling("added", "E5"), ()


def _drop(draft: Draft, one: SentimentAmendment) -> Came:
    return Ruling("removed", "S2"), draft.remove(one.aspect_term)


def _add(draft: Draft, one: SentimentAmendment) -> Came:
    if draft.of(one.aspect_term) or one.revised_polarity is None or not one.aspect_term.strip():
        return _unchanged("S4")
    return Ruling("added", "S3", one.revised_polarity), (draft.add(one.aspect_term, one.revised_polarity, "ATSA2"),)


def _flip(draft: Draft, one: SentimentAmendment) -> Came:
    places = draft.of(one.aspect_term)
    if not places:
        return _unchanged("S6")
    touched = [_flip_one(draft, place, one.revised_polarity) for place in places]
    return Ruling("flipped", "S5", one.revised_polarity or "turned"), tuple(touched)


def _flip_one(draft: Draft, place: int, given: str | None) -> str:
    after = given or TURNED.get(draft.sentiments[place].polarity, "negative")
    return draft.turn(place, after, distribution={after: WHOLE})


_PROPOSALS: Mapping[str, Callable[[Draft, Proposal], Came]] = {
    "FLIP_POLARITY": _flip_first,
    "DROP_ASPECT": _drop_proposed,
    "REVISE_SPAN": _revise_proposed,
    "CHECK_SPAN": _left("V5"),
}
_ASPECTS: Mapping[str, Callable[[Draft, AspectAmendment], Came]] = {
    "keep": _left("E1"),
    "maintain": _left("E1"),
    "revise_span": _revise,
    "revise": _revise,
    "remove": _remove,
    "drop": _remove,
    "add": _add_aspect,
}
_SENTIMENTS: Mapping[str, Callable[[Draft, SentimentAmendment], Came]] = {
    "maintain": _left("S1"),
    "keep": _left("S1"),
    "reduce_confidence": _left("S1"),
    "drop": _drop,
    "remove": _drop,
    "add": _add,
    "flip_polarity": _flip,
}


@dataclass(frozen=True, slots=True)
class Input:
    text: str
    aspects: tuple[KeptAspect, ...] = ()
    sentiments: tuple[Sentiment, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    aspect_review: tuple[AspectAmendment, ...] = ()
    sentiment_review: tuple[SentimentAmendment, ...] = ()


@dataclass(frozen=True, slots=True)
class Output:
    aspects: tuple[KeptAspect, ...]
    sentiments: tuple[Sentiment, ...]
    log: tuple[Entry, ...]


def _decide(case: Input, numbers: NoNumbers) -> Output:
    draft = Draft(case.text, list(case.aspects), list(case.sentiments), len(case.sentiments))
    propose(draft, case.proposals)
    amend_aspects(draft, case.aspect_review)
    amend_sentiments(draft, case.sentiment_review)
    return Output(tuple(draft.aspects), tuple(draft.sentiments), tuple(draft.log))


TABLE = Table("amendment-1", __doc__, Input, Output, _decide, section="none", aliases=("amendment",))
