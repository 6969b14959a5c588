"""Sentiments on the table: what stage 1 comes to after code has looked at it, and what stage 2 makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class KeptAspect:
    """An aspect whose term stands in the text. `guessed`: code has added it."""

    term: str
    begin: int
    end: int
    confidence: Decimal
    guessed: bool = False


@dataclass(frozen=True, slots=True)
class Sentiment:
    """A sentiment with an id. `polarity` is None where it is missing, which is not neutral; an implicit one has the
    term "" and the place 0 to 0."""

    tuple_id: str
    term: str
    begin: int
    end: int
    polarity: str | None
    confidence: Decimal
    evidence: str | None = None
    distribution: Mapping[str, Decimal] = field(default_factory=dict[str, Decimal])
    implicit: bool = False
    backfilled: bool = False
    ref: str = ""
    opinion_term: str | None = None
    origin: str = ""
    evidence_found: bool | None = None
    """What code found of the evidence; None: none was given."""
