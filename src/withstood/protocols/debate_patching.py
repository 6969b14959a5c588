"""Stage 2: the reviews are asked for and applied in the published order, then the override, then the guard.

proposals of VALIDATOR1 ── ATE2 ── ATSA2 ── override, gate by gate ── guard ── adoption, where it is on
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from withstood.claims import quote
from withstood.claims.case import Case
from withstood.claims.sentiment import KeptAspect, Sentiment
from withstood.claims.staged import AspectReview, Revalidation, SentimentReview
from withstood.protocols.asks import Answers, Ask, Batch, Silent, put
from withstood.protocols.debate_briefs import ATE2, ATSA2, VALIDATOR2, AmendmentBrief, AspectHint, ReviewContext
from withstood.protocols.debate_opening import RISKS, Opening
from withstood.rules import adoption, aggregation, amendment, guarding, override, override_gates, polarity_names
from withstood.rules.rulebook import Rulebook
from withstood.verdict import Ruling, Step

PUBLISHED = ("applied", "skipped_low_signal", "skipped_conflict", "skipped_already_confident")
KEPT, TURNED = Decimal("0.2"), Decimal("0.8")


@dataclass(frozen=True, slots=True)
class Reviews:
    """The answers of stage 2; None where a seat is not there."""

    aspects: AspectReview | Silent | None = None
    sentiments: SentimentReview | Silent | None = None
    validation: Revalidation | Silent | None = None

    @property
    def asks(self) -> int:
        return sum(answer is not None for answer in (self.aspects, self.sentiments, self.validation))

    @property
    def remaining(self) -> tuple[str, ...] | None:
        """The published types among the risks that remain; None where nobody has looked again."""
        if not isinstance(self.validation, Revalidation):
            return None
        stated = [risk.strip().upper() for risk in self.validation.final_validation.remaining_risks]
        return tuple([risk for risk in stated if risk in RISKS])


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one sentiment, last of all: by whom, and by which row."""

    action: str
    reason: str
    row: str


@dataclass(frozen=True, slots=True)
class Patched:
    """What stage 2 came to. `executed`: it was held at all."""

    aspects: tuple[KeptAspect, ...]
    sentiments: tuple[Sentiment, ...]
    reviews: Reviews = Reviews()
    changes: Mapping[str, Change] | None = None
    override: Mapping[str, int] | None = None
    steps: tuple[Step, ...] = ()
    executed: bool = False
    adopted: bool = True

    def change(self, tuple_id: str) -> Change | None:
        return (self.changes or {}).get(tuple_id)


def unpatched(opening: Opening) -> Patched:
    return Patched(opening.aspects, opening.sentiments)


def stage2(
    case: Case, book: Rulebook, opening: Opening, context: ReviewContext | None, memory: str
) -> Generator[Batch, Answers, Reviews]:
    """Both reviews and the validator look at the same, each alone."""
    brief = AmendmentBrief(case.text, case.language, opening.table, context, memory)
    asks: list[Ask[Any]] = [Ask(ATE2, brief, AspectReview), Ask(ATSA2, brief, SentimentReview)]
    if book.debate.validator == "on":
        asks.append(Ask(VALIDATOR2, brief, Revalidation))
    answers = yield from put(asks)
    return Reviews(answers[0], answers[1], answers[2] if len(answers) > 2 else None)


def patch(case: Case, book: Rulebook, opening: Opening, context: ReviewContext | None, reviews: Reviews) -> Patched:
    draft = amendment.Draft(case.text, list(opening.aspects), list(opening.sentiments), _next_id(opening.sentiments))
    amendment.propose(draft, opening.proposals)
    if isinstance(reviews.aspects, AspectReview):
        amendment.amend_aspects(draft, reviews.aspects.aspect_review)
    if isinstance(reviews.sentiments, SentimentReview):
        stated = reviews.sentiments.sentiment_review
        amendment.amend_sentiments(
            draft,
            [replace(one, revised_polarity=polarity_names.polarity(one.revised_polarity)) for one in stated],
        )
    overridden = _Overriding(case, book, opening, draft)
    if context is not None and book.debate.override == "on":
        overridden.all(context.aspect_hints)
    guarded = guarding.guard(draft.aspects, draft.sentiments, _reviewed(reviews), draft.next_id)
    found = Patched(
        tuple(draft.aspects),
        guarded.sentiments,
        reviews,
        _changes(opening, draft, overridden, guarded),
        overridden.stats,
        (*map(_amended, draft.log), *overridden.steps, *map(_guarded, guarded.log)),
        executed=True,
    )
    return _adopted(book, opening, found, draft, overridden)


def _next_id(sentiments: Sequence[Sentiment]) -> int:
    return max([int(one.tuple_id[1:]) for one in sentiments], default=-1) + 1


def _reviewed(reviews: Reviews) -> bool:
    aspects, sentiments = reviews.aspects, reviews.sentiments
    named = isinstance(aspects, AspectReview) and aspects.aspect_review
    return bool(named or (isinstance(sentiments, SentimentReview) and sentiments.sentiment_review))


# --- the override ------------------------------------------------------------------------------


class _Overriding:
    """The override, aspect by aspect in the order of the hints, with the gates before and after its weights."""

    def __init__(self, case: Case, book: Rulebook, opening: Opening, draft: amendment.Draft) -> None:
        self._text, self._book, self._draft = case.text, book, draft
        self._risks = tuple([risk.type for risk in opening.risks])
        self.stats: dict[str, int] = dict.fromkeys(PUBLISHED, 0)
        self.changed: dict[str, Change] = {}
        self.steps: list[Step] = []

    def all(self, hints: Mapping[str, Sequence[AspectHint]]) -> None:
        for term, given in hints.items():
            asked = self._asked(term, given)
            stopped = override_gates.before(asked, self._book.gates)
            if stopped.outcome == override_gates.PASSED:
                self._weigh(term, given, asked)
            else:
                self._gated(term, stopped)

    def _asked(self, term: str, given: Sequence[AspectHint]) -> override_gates.Input:
        there = [self._draft.sentiments[place] for place in self._draft.of(term)]
        evidence = there[0].evidence if there else None
        return override_gates.Input(
            applied_before=self.stats["applied"],
            hints=tuple([hint.polarity_hint for hint in given]),
            evidence=evidence,
            evidence_found=quote.occurs(evidence, self._text) if evidence else None,
            risks=self._risks,
            implicit=any(one.implicit for one in there),
        )

    def _weigh(self, term: str, given: Sequence[AspectHint], asked: override_gates.Input) -> None:
        places = self._draft.of(term)
        held = [self._draft.sentiments[place] for place in places]
        hints = [override.Hint(hint.weight, hint.polarity_hint, hint.speaker, hint.stance) for hint in given]
        before = [override.Sentiment(one.term, one.polarity or "", one.confidence) for one in held]
        without = self._book.without(override.TABLE.edition)
        out = override.override({term: hints}, before, self._book.override, without)
        carried = out.log[0].outcome not in ("skipped_low_signal", "skipped_conflict")
        stopped = override_gates.after(asked, self._book.gates) if carried else None
        if stopped is not None and stopped.outcome != override_gates.PASSED:
            return self._gated(term, stopped)
        for no, entry in enumerate(out.log):
            touched = self._apply(term, places, no, out.sentiments) if entry.outcome == "applied" else ""
            self._note(entry, touched or (held[no].tuple_id if carried and held else ""), len(hints))
        return None

    def _apply(self, term: str, places: Sequence[int], no: int, after: Sequence[override.Sentiment]) -> str:
        said = after[no]
        if not places:
            tuple_id = self._draft.add(term, said.polarity, "override")
            added = self._draft.sentiments[-1]
            spread = {said.polarity: TURNED}
            self._draft.sentiments[-1] = replace(
                added, confidence=said.confidence, evidence="debate_override", distribution=spread
            )
            return tuple_id
        old = self._draft.sentiments[places[no]].polarity
        spread = {said.polarity: TURNED, **({old: KEPT} if old and old != said.polarity else {})}
        return self._draft.turn(places[no], said.polarity, confidence=said.confidence, distribution=spread)

    def _gated(self, term: str, ruling: Ruling) -> None:
        self.stats[ruling.outcome] = self.stats.get(ruling.outcome, 0) + 1
        if ruling.outcome == "skipped_neutral_only":
            self.stats["skipped_low_signal"] += 1
        self.steps.append(Step(override_gates.TABLE.edition, "", ruling, (f"DEBATE_OVERRIDE: {term}",)))

    def _note(self, entry: override.Entry, tuple_id: str, hints: int) -> None:
        self.stats[entry.outcome] += 1
        row = ROWS[entry.reason] if entry.reason in ROWS else ROWS.get(entry.outcome, "5")
        ruling = Ruling(entry.outcome, row, entry.reason)
        told = f"DEBATE_OVERRIDE: {entry.term}, {hints} hints"
        self.steps.append(Step(override.TABLE.edition, tuple_id, ruling, (told,)))
        if entry.outcome == "applied":
            action = "ADD" if entry.reason == "debate_override_add" else "FLIP"
            self.changed[tuple_id] = Change(action, "DEBATE_OVERRIDE", row)


ROWS: Mapping[str, str] = {
    "skipped_low_signal": "1",
    "skipped_conflict": "2",
    "debate_override_add": "3",
    "skipped_already_confident": "4",
}


# --- what was changed --------------------------------------------------------------------------

ACTIONS: Mapping[str, str] = {"flipped": "FLIP", "removed": "DROP", "added": "ADD", "dropped": "DROP"}


def _changes(
    opening: Opening, draft: amendment.Draft, overridden: _Overriding, guarded: guarding.Output
) -> dict[str, Change]:
    changes: dict[str, Change] = {}
    for entry in draft.log:
        if entry.ruling.outcome in ACTIONS:
            change = Change(ACTIONS[entry.ruling.outcome], entry.action, entry.ruling.row)
            changes |= dict.fromkeys(entry.touched, change)
    changes |= overridden.changed
    for one in guarded.log:
        action = {"dropped": "DROP", "placeholder": "ADD"}.get(one.ruling.outcome)
        if action:
            changes[one.tuple_id] = Change(action, one.ruling.because or "PLACEHOLDER", one.ruling.row)
    return {tuple_id: _net(tuple_id, change, opening, guarded) for tuple_id, change in changes.items()}


def _net(tuple_id: str, change: Change, opening: Opening, guarded: guarding.Output) -> Change:
    """What was turned and turned back, or only made surer, was kept."""
    before = [one.polarity for one in opening.sentiments if one.tuple_id == tuple_id]
    after = [one.polarity for one in guarded.sentiments if one.tuple_id == tuple_id]
    return replace(change, action="KEEP") if change.action == "FLIP" and before == after else change


def _amended(entry: amendment.Entry) -> Step:
    told = f"{entry.source}: {entry.action} {entry.term}"
    return Step(amendment.TABLE.edition, ",".join(entry.touched), entry.ruling, (told,))


def _guarded(entry: guarding.Entry) -> Step:
    return Step(guarding.TABLE.edition, entry.tuple_id, entry.ruling)


# --- adoption ----------------------------------------------------------------------------------


def _adopted(
    book: Rulebook, opening: Opening, found: Patched, draft: amendment.Draft, overridden: _Overriding
) -> Patched:
    """What stage 2 came to, or stage 1 where the adoption is on and too little speaks for a change."""
    if book.gates.adoption == "off":
        return found
    touched = list(_sources(draft))
    asked = adoption.Input(
        debate_edit=bool(overridden.changed) or ATE2 in touched or ATSA2 in touched,
        validator_fix="VALIDATOR1" in touched,
        explicit_gained=not _explicit(opening.sentiments) and _explicit(found.sentiments),
        mean_before=_mean(opening.sentiments),
        mean_after=_mean(found.sentiments),
    )
    ruled = adoption.adopt(asked, book.gates.ev_threshold)
    step = Step(adoption.TABLE.edition, "", Ruling(ruled.outcome, ruled.row, ruled.because), (f"ev {ruled.ev}",))
    if ruled.outcome == "adopted":
        return replace(found, steps=(*found.steps, step))
    return replace(
        found,
        aspects=opening.aspects,
        sentiments=opening.sentiments,
        changes={},
        steps=(*found.steps, step),
        adopted=False,
    )


def _sources(draft: amendment.Draft) -> Iterator[str]:
    """Who changed something."""
    for entry in draft.log:
        if entry.ruling.outcome in ("flipped", "removed", "added", "revised"):
            yield entry.source


def _explicit(sentiments: Sequence[Sentiment]) -> bool:
    return any(not one.implicit and not one.backfilled for one in sentiments)


def _mean(sentiments: Sequence[Sentiment]) -> Decimal:
    return aggregation.mean([one.confidence for one in sentiments])
