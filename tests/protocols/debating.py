"""Debates driven by hand: what each seat answers, in the forms in which models answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tests.protocols import drive as driving
from tests.protocols.drive import Driven, book, case
from withstood import form
from withstood.claims.debate import Summary, Turn
from withstood.claims.staged import AspectReview, Extraction, Revalidation, SentimentReview, Sentiments, Validation
from withstood.lexicons.forum import forum

AGREED = replace(driving.AGREED, forum=forum())
TEXT = "화면이 좋지 않지만 가격은 좋아요"
SPEAKERS = ("analyst", "critic", "empath")


def debated(text: str = TEXT, answers: dict[Any, Any] | None = None, language: str = "ko", **settings: str) -> Driven:
    told = {**ANSWERS, **(answers or {})}
    return driving.drive("debate", case(text, language), told, book("debate", **settings), AGREED)


def aspects(*terms: str, **more: Any) -> Extraction:
    return form.read(Extraction, {"aspects": [{"term": term, "confidence": "0.8"} | more for term in terms]})


def sentiments(*said: tuple[str, str | None, str], **more: Any) -> Sentiments:
    """Term, polarity, confidence."""
    told = [{"aspect_term": {"term": t} if t else None, "polarity": p, "confidence": c} | more for t, p, c in said]
    return form.read(Sentiments, {"aspect_sentiments": told})


def validation(risks: Sequence[str] = (), flips: Sequence[str] = (), sure: str = "0.5") -> Validation:
    """Risks as type:severity; terms to flip."""
    told = [{"type": risk.partition(":")[0], "severity": risk.partition(":")[2]} for risk in risks]
    proposals = [{"target_aspect": term, "proposal_type": "FLIP_POLARITY"} for term in flips]
    return form.read(
        Validation, {"structural_risks": told, "consistency_score": sure, "correction_proposals": proposals}
    )


def turn(message: str = "", stance: str = "", *points: str, speaker: str = "") -> Turn:
    return Turn(speaker, stance, "plan", "reflection", message, points)


def reviewed(*amendments: tuple[str, str], **more: Any) -> AspectReview:
    return form.read(AspectReview, {"aspect_review": [{"term": t, "action": a} | more for t, a in amendments]})


def amended(*amendments: tuple[str, str, str | None]) -> SentimentReview:
    told = [{"aspect_term": t, "action": a, "revised_polarity": p} for t, a, p in amendments]
    return form.read(SentimentReview, {"sentiment_review": told})


def revalidated(*remaining: str, sure: str = "0.5") -> Revalidation:
    told = {"remaining_risks": list(remaining), "final_consistency_score": sure}
    return form.read(Revalidation, {"final_validation": told})


ANSWERS: dict[Any, Any] = {
    "ATE1": aspects("화면", "가격"),
    "ATSA1": sentiments(("화면", "negative", "0.8"), ("가격", "positive", "0.6")),
    "VALIDATOR1": validation(),
    "analyst": turn("근거를 본다"),
    "critic": turn("화면이 나쁘다"),
    "empath": turn("가격이 좋다"),
    "rapporteur": Summary(consensus="모르겠다"),
    "ATE2": reviewed(),
    "ATSA2": amended(),
    "VALIDATOR2": revalidated(),
}


def final(found: Driven) -> list[tuple[str, str, str, str]]:
    return [
        (one["tuple_id"], one["aspect_term"], one["polarity"], str(one["confidence"])) for one in found.result["final"]
    ]
