"""What each seat of the sentiment protocols is given, and what it is asked for."""

from __future__ import annotations

from dataclasses import dataclass

from withstood.claims.case import Target
from withstood.claims.episode import Signature
from withstood.claims.flag import Flag

READERS = ("P-NEG", "P-IMP", "P-LIT")
REVIEWERS = ("A", "B", "C")
SINGLE = "S0"
MEMORY = "MEMORY"


@dataclass(frozen=True, slots=True)
class ReadingBrief:
    """For P-NEG, P-IMP, P-LIT and S0: the text, and the targets where they are given. The answer is an
    `opinion.Reading`: with given targets, one triplet for each that the reader has an opinion of."""

    text: str
    language: str
    refs: tuple[str, ...]
    given: tuple[Target, ...] = ()


@dataclass(frozen=True, slots=True)
class TableTuple:
    """A candidate as reviewers see it. `evidence_found` is what code found of the evidence; None: none was given."""

    tuple_id: str
    aspect_term: str
    aspect_ref: str
    polarity: str
    opinion_term: str | None
    evidence: str | None
    evidence_found: bool | None
    begin: int | None
    end: int | None
    confidence: str
    origin: str


@dataclass(frozen=True, slots=True)
class ReviewBrief:
    """For A, B and C: the text, the candidates, the flags, the risks (none in conflict review) and the memory.
    The answer is a `ballot.Review`."""

    text: str
    language: str
    candidates: tuple[TableTuple, ...]
    flags: tuple[Flag, ...]
    risks: tuple[str, ...] = ()
    memory: str = ""


@dataclass(frozen=True, slots=True)
class RecallBrief:
    """For MEMORY, a seat that a program fills: what the text is like, and how many episodes are wanted. The answer is
    an `episode.Recalled`."""

    language: str
    query: Signature
    topk: int
