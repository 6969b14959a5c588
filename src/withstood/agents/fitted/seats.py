"""The seats of a fitted reader. Readers bring what the model finds, reviewers say what it makes of a conflict.

P-LIT   targets that stand in the text, with the polarity that the text as a whole gives them
P-NEG   the same targets, with the polarity that their own clause gives them
P-IMP   categories that no word of the text names
S0      the three in one, both ways of looking weighed alike

Where targets are given, P-LIT and P-NEG tell of those with a place, P-IMP of the others.

A reviewer picks, of the polarities that stand on the table for one target, the likeliest: A by the clause, B by the
text as a whole, C by both.

    the tuple has that polarity                                    KEEP
    another tuple has it, and the target is a term                 DROP WEAK_EVIDENCE
    another tuple has it, and the target is a category alone       DROP WEAK_INFERENCE
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal

from withstood.agents.fitted.reading import Found, Reading, Shares
from withstood.agents.programmed.seats import ProgrammedAgent
from withstood.claims.ballot import Action, Review, ReviewAction
from withstood.claims.case import Target
from withstood.claims.opinion import Reading as Answer
from withstood.claims.opinion import Span, Triplet
from withstood.protocols.briefs import ReadingBrief, ReviewBrief, TableTuple

By = Callable[[Found], Shares]
Brings = Callable[[Found], bool]


def _whole(found: Found) -> Shares:
    return found.whole


def _narrow(found: Found) -> Shares:
    return found.narrow


def _both(found: Found) -> Shares:
    return found.both


def _placed(found: Found) -> bool:
    return bool(found.target.aspect_term)


def _unplaced(found: Found) -> bool:
    return not found.target.aspect_term


def _any(found: Found) -> bool:
    return True


LENSES: Mapping[str, tuple[str, Brings, By]] = {
    "P-NEG": ("clause", _placed, _narrow),
    "P-IMP": ("implicit", _unplaced, _whole),
    "P-LIT": ("explicit", _placed, _whole),
    "S0": ("united", _any, _both),
}
CONCERNS: Mapping[str, tuple[str, By]] = {"A": ("clause", _narrow), "B": ("whole", _whole), "C": ("both", _both)}


def seats(reading: Reading, model: str) -> Mapping[str, ProgrammedAgent]:
    """An agent for each seat. `model` names the model in the journal."""
    reads = {
        role: ProgrammedAgent(f"fitted:{name}@1:{model}", ReadingBrief, _Reads(reading, brings, by).answer)
        for role, (name, brings, by) in LENSES.items()
    }
    reviews = {
        role: ProgrammedAgent(f"fitted:review-{name}@1:{model}", ReviewBrief, _Reviews(reading, by).answer)
        for role, (name, by) in CONCERNS.items()
    }
    return {**reads, **reviews}


class _Reads:
    def __init__(self, reading: Reading, brings: Brings, by: By) -> None:
        self._reading, self._brings, self._by = reading, brings, by

    def answer(self, brief: ReadingBrief) -> Answer:
        if brief.given:
            found = self._reading.judge(brief.text, brief.language, brief.given)
        else:
            found = self._reading.find(brief.text, brief.language)
        return Answer(tuple([_triplet(one, self._by(one)) for one in found if self._brings(one)]))


def _triplet(found: Found, shares: Shares) -> Triplet:
    target, polarity = found.target, likeliest(shares)
    placed = target.aspect_term and target.begin is not None and target.end is not None
    return Triplet(
        aspect_term=target.aspect_term,
        aspect_ref=target.aspect_ref or None,
        polarity=polarity,
        opinion_term=found.opinion_term,
        evidence=found.clause,
        span=Span(target.begin or 0, target.end or 0) if placed else None,
        confidence=Decimal(round(shares[polarity] * 100)) / 100,
    )


def likeliest(shares: Shares) -> str:
    return max(shares, key=lambda name: (shares[name], name))


class _Reviews:
    def __init__(self, reading: Reading, by: By) -> None:
        self._reading, self._by = reading, by

    def answer(self, brief: ReviewBrief) -> Review:
        targets = tuple(dict.fromkeys(map(_target, brief.candidates)))
        found = {one.target: one for one in self._reading.judge(brief.text, brief.language, targets)}
        named = {tuple_id for flag in brief.flags for tuple_id in flag.tuple_ids}
        return Review(tuple(self._actions(brief, found, named)))

    def _actions(self, brief: ReviewBrief, found: Mapping[Target, Found], named: set[str]) -> Iterator[ReviewAction]:
        on_table: dict[Target, dict[str, None]] = {}
        for item in brief.candidates:
            on_table.setdefault(_target(item), {})[item.polarity] = None
        for item in brief.candidates:
            if item.tuple_id in named:
                yield self._action(item, found.get(_target(item)), on_table[_target(item)])

    def _action(self, item: TableTuple, found: Found | None, polarities: Mapping[str, None]) -> ReviewAction:
        shares = self._by(found) if found else {}
        best = max(polarities, key=lambda name: (shares.get(name, 0.0), name))
        if found is None or best == item.polarity:
            return ReviewAction(Action.KEEP, (item.tuple_id,), None, "")
        reason = "WEAK_EVIDENCE" if item.aspect_term.strip() else "WEAK_INFERENCE"
        return ReviewAction(Action.DROP, (item.tuple_id,), None, reason)


def _target(item: TableTuple) -> Target:
    implicit = not item.aspect_term.strip()
    return Target(
        "" if implicit else item.aspect_term,
        item.aspect_ref,
        None if implicit else item.begin,
        None if implicit else item.end,
    )
