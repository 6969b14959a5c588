"""Candidates: what marks a reader's triplet gets on the table, and what they do to its confidence.

Every row that applies fires. A confidence that is missing or 0 counts as 0.5; it is halved once for each mark.
No mark removes a candidate.

| row | when | then |
|---|---|---|
| 1 | the ref is not empty and not one that may be used | invalid_ref |
| 2 | the text is Korean and the term has a Latin letter | invalid_language |
| 3 | the term is an opinion word, or ends with one of the opinion suffixes | invalid_target |
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal

from withstood.claims.opinion import Confidence
from withstood.form import EXACT
from withstood.rules.table import NoNumbers, Table

UNSAID = Decimal("0.5")
HALF = Decimal("0.5")

OPINION_WORDS = frozenset(
    "좋아 나쁘다 부드러움 최고 맛있다 맛없다 예쁘다 추하다 편하다 불편하다 만족 불만 훌륭 형편 훌륭하다 별로 괜찮 괜찮다 "
    "좋다 훌륭함 최악 별로다 bad excellent good great worst best".split()
)
OPINION_SUFFIXES = tuple(
    "좋아 나쁘다 부드러움 최고 맛있다 맛없다 예쁘다 편하다 불편하다 훌륭하다 괜찮다 별로다".split()
)


def marks(term: str, ref: str | None, refs: Collection[str], language: str) -> tuple[str, ...]:
    found = {
        "invalid_ref": bool((ref or "").strip()) and (ref or "").strip() not in refs,
        "invalid_language": language == "ko" and re.search("[A-Za-z]", term) is not None,
        "invalid_target": _is_opinion(term.strip().lower()),
    }
    return tuple([mark for mark, fires in found.items() if fires])


ROWS = {"invalid_ref": "1", "invalid_language": "2", "invalid_target": "3"}


def _is_opinion(term: str) -> bool:
    return term in OPINION_WORDS or term.endswith(OPINION_SUFFIXES)


def confidence(stated: Decimal | None, found: Collection[str]) -> Decimal:
    value = stated or UNSAID
    for _ in found:
        value = EXACT.multiply(value, HALF)
    return value


@dataclass(frozen=True, slots=True)
class Input:
    aspect_term: str = ""
    aspect_ref: str | None = None
    confidence: Confidence | None = None
    refs: tuple[str, ...] = ()
    language: str = "ko"


@dataclass(frozen=True, slots=True)
class Output:
    invalid: tuple[str, ...]
    confidence: Decimal


def _decide(case: Input, numbers: NoNumbers) -> Output:
    found = marks(case.aspect_term, case.aspect_ref, case.refs, case.language)
    return Output(found, confidence(case.confidence, found))


TABLE = Table("candidates-1", __doc__, Input, Output, _decide, section="none", aliases=("candidates",))
