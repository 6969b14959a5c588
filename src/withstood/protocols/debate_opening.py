"""The opening of a debate: three seats look at the text, one after the other, and code anchors what they say.

ATE1 ── aspects ── anchoring ── ATSA1 ── sentiments ── anchoring ── VALIDATOR1 ── risks, proposals ── anchoring
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from withstood.claims import quote
from withstood.claims.case import Case, Conventions
from withstood.claims.debate import Forum, Patterns
from withstood.claims.opinion import Span
from withstood.claims.sentiment import KeptAspect, Sentiment
from withstood.claims.staged import AspectSentiment, Extraction, Proposal, Risk, Sentiments, Validation
from withstood.protocols.asks import Answers, Ask, Batch, Silent, put
from withstood.protocols.debate_briefs import (
    ATE1,
    ATSA1,
    VALIDATOR1,
    ExtractionBrief,
    SentimentBrief,
    ShownAspect,
    ShownProposal,
    ShownRisk,
    ShownSentiment,
    Table,
    ValidationBrief,
)
from withstood.rules import anchoring, evidence, polarity_names
from withstood.rules.rulebook import Rulebook
from withstood.verdict import Ruling, Step

T = TypeVar("T")
RISKS = ("NEGATION", "CONTRAST", "IRONY", "MISSING_SECOND_ASPECT")
SEVERITIES = ("high", "medium", "low")
NOT_SEATED = "this debate has no validator"


@dataclass(frozen=True, slots=True)
class Opening:
    """What stage 1 came to. The risks are closed words; `answers` are those of the seats, in order."""

    answers: tuple[Extraction | Silent, Sentiments | Silent, Validation | Silent | None]
    anchored: anchoring.Anchored
    sentiments: tuple[Sentiment, ...]
    risks: tuple[Risk, ...]
    proposals: tuple[Proposal, ...]
    steps: tuple[Step, ...]

    @property
    def aspects(self) -> tuple[KeptAspect, ...]:
        return self.anchored.aspects

    @property
    def answered(self) -> bool:
        """Whether anybody has read the text at all."""
        return not (isinstance(self.answers[0], Silent) and isinstance(self.answers[1], Silent))

    @property
    def table(self) -> Table:
        return Table(
            shown_aspects(self.aspects),
            tuple([_shown(one) for one in self.sentiments]),
            tuple([ShownRisk(one.type, one.scope, one.severity) for one in self.risks]),
            tuple([ShownProposal(one.target_aspect, one.proposal_type, one.rationale) for one in self.proposals]),
        )


def patterns(case: Case, agreed: Conventions) -> Patterns:
    """Those of the text's language; none where nothing is agreed on for it."""
    return (agreed.forum or Forum()).patterns.get(case.language, Patterns())


def opening(case: Case, book: Rulebook, agreed: Conventions) -> Generator[Batch, Answers, Opening]:
    looked_for = patterns(case, agreed)
    extracted = yield from _ask(ATE1, ExtractionBrief(case.text, case.language), Extraction)
    stated = extracted.aspects if isinstance(extracted, Extraction) else ()
    anchored = anchoring.aspects(case.text, stated, looked_for)
    refs = agreed.refs.get(case.language, ())
    brief = SentimentBrief(case.text, case.language, refs, shown_aspects(anchored.aspects))
    judged = yield from _ask(ATSA1, brief, Sentiments)
    said = _stated(case.text, judged) if isinstance(judged, Sentiments) else []
    if isinstance(extracted, Silent):
        anchored = anchoring.from_sentiments(case.text, [one for one, _ in said])
    held, log = anchoring.sentiments(
        case.text, [one for one, _ in said], anchored.aspects, isinstance(judged, Sentiments)
    )
    sentiments = _numbered(held)
    steps = [*_entries(anchored.entries), *(step for _, each in said for step in each), *_entries(log)]
    validated, checked, refused = yield from _validated(case, book, looked_for, anchored, sentiments)
    return Opening(
        (extracted, judged, validated),
        anchored,
        sentiments,
        checked.risks,
        checked.proposals,
        (*steps, *refused, *_entries(checked.entries)),
    )


def shown_aspects(aspects: Sequence[KeptAspect]) -> tuple[ShownAspect, ...]:
    return tuple([ShownAspect(one.term, Span(one.begin, one.end), str(one.confidence)) for one in aspects])


def _ask(role: str, brief: Any, wants: type[T]) -> Generator[Batch, Answers, T | Silent]:
    (answer,) = yield from put([Ask(role, brief, wants)])
    return answer


def _validated(
    case: Case,
    book: Rulebook,
    looked_for: Patterns,
    anchored: anchoring.Anchored,
    sentiments: tuple[Sentiment, ...],
) -> Generator[Batch, Answers, tuple[Validation | Silent | None, anchoring.Checked, list[Step]]]:
    if book.debate.validator == "off":
        return None, anchoring.Checked(), []
    table = Table(shown_aspects(anchored.aspects), tuple([_shown(one) for one in sentiments]))
    answer = yield from _ask(VALIDATOR1, ValidationBrief(case.text, case.language, table), Validation)
    if isinstance(answer, Silent):
        return answer, anchoring.Checked(), []
    risks, refused = _closed(answer.structural_risks)
    proposals = answer.correction_proposals
    return answer, anchoring.validation(case.text, risks, proposals, anchored.aspects, looked_for), refused


def _closed(stated: Sequence[Risk]) -> tuple[list[Risk], list[Step]]:
    """The risks of a published type; the others are refused. A severity that is none counts as medium."""
    known = [one for one in stated if one.type.strip().upper() in RISKS]
    refused = [
        Step("validation", "", Ruling("refused", "unknown", "UNKNOWN_RISK"), (f"{VALIDATOR1}: {one.type}",))
        for one in stated
        if one not in known
    ]
    return [_closed_risk(one) for one in known], refused


def _closed_risk(one: Risk) -> Risk:
    level = one.severity.strip().lower()
    return Risk(one.type.strip().upper(), one.scope, level if level in SEVERITIES else "medium", one.description)


# --- sentiments --------------------------------------------------------------------------------


def _stated(text: str, answer: Sentiments) -> list[tuple[Sentiment, tuple[Step, ...]]]:
    return [_sentiment(text, no, said) for no, said in enumerate(answer.aspect_sentiments)]


def _sentiment(text: str, no: int, said: AspectSentiment) -> tuple[Sentiment, tuple[Step, ...]]:
    term = said.aspect_term.term if said.aspect_term else ""
    ruling = polarity_names.named(said.polarity)
    place = quote.place(term, text, said.aspect_term and said.aspect_term.span, said.evidence) if term else None
    spread = {name: part for name, part in (said.polarity_distribution or {}).items() if name in polarity_names.NAMES}
    held = Sentiment(
        tuple_id=f"t{no}",
        term=term,
        begin=place.start if place else 0,
        end=place.end if place else 0,
        polarity=None if ruling.outcome == polarity_names.NONE else ruling.outcome,
        confidence=said.confidence,
        evidence=said.evidence,
        distribution=spread,
        implicit=said.is_implicit or not term.strip(),
        ref=said.aspect_ref or "",
        opinion_term=said.opinion_term,
        origin=ATSA1,
        evidence_found=quote.stands(said.evidence, text) if said.evidence else None,
    )
    checked = evidence.ruling(held.evidence, held.evidence_found)
    return held, (
        Step(polarity_names.TABLE.edition, held.tuple_id, ruling, (f"{ATSA1}: {said.polarity}",)),
        Step(evidence.TABLE.edition, held.tuple_id, checked, (ATSA1, held.evidence or "")),
    )


def _numbered(held: Sequence[Sentiment]) -> tuple[Sentiment, ...]:
    """Backfilled ones are numbered on after those that were stated, dropped ones included."""
    highest = max([int(one.tuple_id[1:]) for one in held if one.tuple_id], default=-1)
    fresh = iter(range(highest + 1, highest + 1 + len(held)))
    return tuple([one if one.tuple_id else _with_id(one, next(fresh)) for one in held])


def _with_id(one: Sentiment, no: int) -> Sentiment:
    return Sentiment(
        f"t{no}",
        one.term,
        one.begin,
        one.end,
        one.polarity,
        one.confidence,
        one.evidence,
        one.distribution,
        one.implicit,
        one.backfilled,
        origin="backfill",
    )


def _shown(one: Sentiment) -> ShownSentiment:
    return ShownSentiment(
        one.term,
        Span(one.begin, one.end),
        one.polarity,
        one.evidence,
        one.evidence_found,
        str(one.confidence),
        one.implicit,
        one.backfilled,
    )


def _entries(entries: Sequence[anchoring.Entry]) -> Iterator[Step]:
    for entry in entries:
        yield Step(anchoring.TABLE.edition, "", entry.ruling, (entry.item,))
