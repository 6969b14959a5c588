"""What a debate will cost at most: every prompt may hold all that was answered before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from withstood.agents.port import Agent
from withstood.claims.case import Conventions
from withstood.claims.debate import Persona, Summary, Turn
from withstood.claims.staged import AspectReview, Extraction, Revalidation, SentimentReview, Sentiments, Validation
from withstood.jobs.forecast import Need, longest_answer, longest_refs
from withstood.protocols.asks import Ask
from withstood.protocols.debate_briefs import (
    ATE1,
    ATE2,
    ATSA1,
    ATSA2,
    RAPPORTEUR,
    STAGE1,
    VALIDATOR1,
    VALIDATOR2,
    AmendmentBrief,
    ExtractionBrief,
    ReviewContext,
    SentimentBrief,
    SummaryBrief,
    Table,
    TurnBrief,
    ValidationBrief,
)
from withstood.rules.rulebook import Rulebook

TOLD = 3
"""How often what was said may stand in a prompt: as it was, with what code has noted of it, by aspect."""


def of_debate(seated: Mapping[str, Agent], book: Rulebook, agreed: Conventions, advice: str = "") -> Iterator[Need]:
    """At least, where nobody can read a text, only stage 1 is asked."""
    stage1 = sum(longest_answer(seated[role]) for role in seated if role in STAGE1)
    asks = _asks(agreed, advice)
    speakers = [role for role in seated if role not in asks]
    said = book.debate.rounds * sum(longest_answer(seated[role]) for role in speakers)
    for role in seated:
        if role in speakers:
            turn = _turn(role, agreed, advice)
            yield Need(turn, book.debate.rounds, TOLD * stage1 + said, least=0)
        elif role == ATE1:
            yield Need(asks[role])
        elif role in STAGE1:
            yield Need(asks[role], shown=TOLD * stage1)
        else:
            summed = longest_answer(seated[RAPPORTEUR]) if RAPPORTEUR in seated else 0
            yield Need(asks[role], shown=TOLD * (stage1 + said + summed), least=0)


def _asks(agreed: Conventions, advice: str) -> dict[str, Ask[Any]]:
    """The ask of each seat that is no persona, on an empty text."""
    language, refs = longest_refs(agreed)
    told = AmendmentBrief("", language, Table(), ReviewContext(), advice)
    return {
        ATE1: Ask(ATE1, ExtractionBrief("", language), Extraction),
        ATSA1: Ask(ATSA1, SentimentBrief("", language, refs, ()), Sentiments),
        VALIDATOR1: Ask(VALIDATOR1, ValidationBrief("", language, Table()), Validation),
        RAPPORTEUR: Ask(RAPPORTEUR, SummaryBrief("", language, Table(), ()), Summary),
        ATE2: Ask(ATE2, told, AspectReview),
        ATSA2: Ask(ATSA2, told, SentimentReview),
        VALIDATOR2: Ask(VALIDATOR2, told, Revalidation),
    }


def _turn(role: str, agreed: Conventions, advice: str) -> Ask[Turn]:
    """As the persona of the longest description speaks."""
    by_language = agreed.forum.personas if agreed.forum else {}
    known = [(language, people[role]) for language, people in by_language.items() if role in people]
    language, persona = max(known, key=lambda one: _length(one[1]))
    return Ask(role, TurnBrief("", language, persona, Table(), "", advice), Turn)


def _length(one: Persona) -> int:
    return len("".join((one.name, one.role, one.goal, one.stance, one.style)).encode())
