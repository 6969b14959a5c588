"""Levers: what may have been otherwise in an answer. Each has options; the first of a lever that can be struck is that
it is struck.

| answer | lever | struck | turned |
|---|---|---|---|
| a review | a reviewer's vote on a tuple | no action is named | KEEP, DROP, FLAG, a FLIP that was named |
| a reading | an opinion's polarity | | positive, negative, neutral |
| an inspection | a citation that was found | it is not there | |
| a counter-review | a challenge | UPHELD | WEAKENED, REFUTED |
| what was seen of observations | words that were found | they are not there | |
| an exploration | an edge | it is not drawn | SUPPORTS for CONTRADICTS, and the other way round |
| the answer of an archive or of a memory | none | | |
| any other answer that somebody gave | the answer as a whole | nobody answered | |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from withstood.claims.ballot import Action, Review, ReviewAction
from withstood.claims.episode import Recalled
from withstood.claims.finding import Challenge, CounterReview, Outcome
from withstood.claims.inspection import Inspection
from withstood.claims.opinion import Reading
from withstood.claims.research import Drawn, Exploration, Inspected, Saved
from withstood.protocols.asks import Ask, Silent
from withstood.protocols.briefs import ReviewBrief

Change: TypeAlias = Callable[[Any], Any]
Sort: TypeAlias = Literal["vote", "evidence", "answer"]

POLARITIES = ("positive", "negative", "neutral")
OUTCOMES: tuple[Outcome, ...] = ("UPHELD", "WEAKENED", "REFUTED")


@dataclass(frozen=True, slots=True)
class Option:
    """What it would have been. `change` makes an answer of the one that was given; None: nobody answered at all."""

    told: str
    change: Change | None
    strikes: bool = False


@dataclass(frozen=True, slots=True)
class Lever:
    """`was` is what stands in the record."""

    name: str
    sort: Sort
    seat: tuple[str, int]
    was: str
    options: tuple[Option, ...]


def levers(given: Sequence[tuple[Ask[Any], Any]]) -> tuple[Lever, ...]:
    """All levers of what was asked and answered, in order."""
    flips = list(_flips(given))
    found: list[Lever] = []
    for ask, value in given:
        if isinstance(value, Review) and isinstance(ask.brief, ReviewBrief):
            found += _of_review(ask, ask.brief, value, flips)
        elif isinstance(value, Silent | Saved | Recalled):
            continue
        elif type(value) in _BY_TYPE:
            found += _BY_TYPE[type(value)](ask, value)
        else:
            found.append(_of_answer(ask))
    return tuple(found)


def _of_answer(ask: Ask[Any]) -> Lever:
    told = f"{ask.role}, round {ask.round}" if ask.round > 1 else ask.role
    return Lever(f"answer of {told}", "answer", ask.seat, "answered", (Option("no answer", None, strikes=True),))


# --- reviews -----------------------------------------------------------------------------------


def _flips(given: Sequence[tuple[Ask[Any], Any]]) -> Iterator[ReviewAction]:
    for _, value in given:
        if isinstance(value, Review):
            yield from (one for one in value.review_actions if one.action_type is Action.FLIP and one.new_value)


def _of_review(ask: Ask[Any], brief: ReviewBrief, review: Review, flips: Sequence[ReviewAction]) -> Iterator[Lever]:
    """One lever for each tuple that a flag names or an action is about."""
    named = {target: action for action in review.review_actions for target in action.target_tuple_ids}
    flagged = {tuple_id for flag in brief.flags for tuple_id in flag.tuple_ids}
    for shown in brief.candidates:
        target = shown.tuple_id
        if target in named or target in flagged:
            was = named.get(target)
            told = was.action_type.value if was else "no action"
            options = tuple(_votes(target, was, flips))
            yield Lever(f"{ask.role} on {target}", "vote", ask.seat, told, options)


def _votes(target: str, was: ReviewAction | None, flips: Sequence[ReviewAction]) -> Iterator[Option]:
    if was is not None:
        yield Option("no action", lambda review: _without(review, target), strikes=True)
    for action in (Action.KEEP, Action.DROP, Action.FLAG):
        if was is None or action is not was.action_type:
            yield Option(action.value, _voting(target, ReviewAction(action, (target,))))
    for flip in flips:
        if target in flip.target_tuple_ids and (was is None or was.action_type is not Action.FLIP):
            one = replace(flip, target_tuple_ids=(target,))
            yield Option(f"FLIP to {(flip.new_value or {}).get('polarity')}", _voting(target, one))
            return


def _voting(target: str, action: ReviewAction) -> Change:
    def change(review: Review) -> Review:
        left = _without(review, target)
        return replace(left, review_actions=(*left.review_actions, action))

    return change


def _without(review: Review, target: str) -> Review:
    kept = [
        replace(action, target_tuple_ids=tuple([one for one in action.target_tuple_ids if one != target]))
        for action in review.review_actions
    ]
    return replace(review, review_actions=tuple(kept))


# --- readings ----------------------------------------------------------------------------------


def _of_reading(ask: Ask[Any], reading: Reading) -> Iterator[Lever]:
    for no, triplet in enumerate(reading.triplets):
        options = [Option(one, _polarity(no, one)) for one in POLARITIES if one != triplet.polarity]
        name = f"{ask.role} on {triplet.aspect_term or triplet.aspect_ref or 'the text'}"
        yield Lever(name, "vote", ask.seat, triplet.polarity, tuple(options))


def _polarity(no: int, polarity: str) -> Change:
    def change(reading: Reading) -> Reading:
        changed = replace(reading.triplets[no], polarity=polarity)
        return Reading((*reading.triplets[:no], changed, *reading.triplets[no + 1 :]))

    return change


# --- investigations ----------------------------------------------------------------------------


def _of_inspection(ask: Ask[Any], inspection: Inspection) -> Iterator[Lever]:
    for no, piece in enumerate(inspection.pieces):
        if piece.seen == "there":
            where = f" ({piece.path}:{piece.line})" if piece.path else ""
            gone = Option("not there", _gone(no), strikes=True)
            yield Lever(f"evidence {piece.id}{where}", "evidence", ask.seat, "there", (gone,))


def _gone(no: int) -> Change:
    def change(inspection: Inspection) -> Inspection:
        pieces = inspection.pieces
        return Inspection((*pieces[:no], replace(pieces[no], seen="not-there"), *pieces[no + 1 :]))

    return change


def _of_challenges(ask: Ask[Any], said: CounterReview) -> Iterator[Lever]:
    for no, challenge in enumerate(said.challenges):
        options = [Option(one, _outcome(no, one), one == "UPHELD") for one in OUTCOMES if one != challenge.verdict]
        yield Lever(f"{ask.role} on {challenge.item}", "vote", ask.seat, challenge.verdict, tuple(options))


def _outcome(no: int, outcome: Outcome) -> Change:
    def change(said: CounterReview) -> CounterReview:
        turned: Challenge = replace(said.challenges[no], verdict=outcome)
        return replace(said, challenges=(*said.challenges[:no], turned, *said.challenges[no + 1 :]))

    return change


# --- research ----------------------------------------------------------------------------------


def _of_inspected(ask: Ask[Any], inspected: Inspected) -> Iterator[Lever]:
    for no, seen in enumerate(inspected.seen):
        if seen.found:
            lost = Option("not there", _lost(no), strikes=True)
            yield Lever(f"words of {seen.id}, iteration {ask.round}", "evidence", ask.seat, "found", (lost,))


def _lost(no: int) -> Change:
    def change(inspected: Inspected) -> Inspected:
        seen = inspected.seen
        return Inspected((*seen[:no], replace(seen[no], found=False), *seen[no + 1 :]))

    return change


def _of_exploration(ask: Ask[Any], explored: Exploration) -> Iterator[Lever]:
    """Edges are told apart by what they are, so that one that is gone moves no other."""
    for edge in dict.fromkeys(explored.edges):
        options = [Option("not drawn", _edge(edge, None), strikes=True)]
        if edge.type != "CONFLICTS":
            other = replace(edge, type="CONTRADICTS" if edge.type == "SUPPORTS" else "SUPPORTS")
            options.append(Option(other.type, _edge(edge, other)))
        name = f"edge {edge.start} → {edge.end}, iteration {ask.round}"
        yield Lever(name, "evidence", ask.seat, edge.type, tuple(options))


def _edge(was: Drawn, now: Drawn | None) -> Change:
    def change(explored: Exploration) -> Exploration:
        edges = [now if edge == was else edge for edge in explored.edges]
        return replace(explored, edges=tuple([edge for edge in edges if edge is not None]))

    return change


_BY_TYPE: dict[type[Any], Callable[[Ask[Any], Any], Iterator[Lever]]] = {
    Reading: _of_reading,
    Inspection: _of_inspection,
    CounterReview: _of_challenges,
    Inspected: _of_inspected,
    Exploration: _of_exploration,
}
