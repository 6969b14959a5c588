"""What each seat of a research is given, and what it is asked for. The round of an ask is the iteration, from 1.

| seat | brief | answer |
|---|---|---|
| `SELECT` | SelectBrief | research.Phrasing |
| `SEARCH`, always a program | SearchBrief | research.Pages |
| `EXPLORE` | ExploreBrief | research.Exploration |
| `CHECK`, always a program | CheckBrief | research.Inspected |
| `IDEATE` | IdeateBrief | research.Ideas |
| `SAVE`, always a program | SaveBrief | research.Saved |

A second and a third try of one iteration are asked as `SEARCH-2`, `EXPLORE-2`, `SEARCH-3`, `EXPLORE-3`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from withstood.claims.graph import EdgeType, Graph
from withstood.claims.research import Observed, Page

SELECT, SEARCH, EXPLORE, CHECK, IDEATE, SAVE = "SELECT", "SEARCH", "EXPLORE", "CHECK", "IDEATE", "SAVE"
TRIES = 3


def seat(role: str, attempt: int) -> str:
    """The name under which a try is asked; the first one has the role's own."""
    return role if attempt == 1 else f"{role}-{attempt}"


SEATS = (SELECT, *(seat(role, no + 1) for no in range(TRIES) for role in (SEARCH, EXPLORE)), CHECK, IDEATE, SAVE)


@dataclass(frozen=True, slots=True)
class SelectBrief:
    """The target is settled; what is asked for is a query. `about` and `against` say what its hypotheses hold."""

    language: str
    question: str
    iteration: int
    target_type: str
    target_id: str | None
    about: str
    keywords: tuple[str, ...]
    conflict_with: str | None
    against: str
    search_mode: str
    lens: str | None
    health_issues: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SearchBrief:
    language: str
    query: str
    search_mode: str


@dataclass(frozen=True, slots=True)
class ExploreBrief:
    """`pages` name what was read; their text is kept under its hash. Ids that an answer gives are names within it.
    Hypotheses are told by their summaries, observations by their words."""

    language: str
    question: str
    search_query: str
    search_mode: str
    target_type: str
    target_id: str | None
    conflict_with: str | None
    existing_hypotheses: Mapping[str, str]
    existing_observations: Mapping[str, str]
    next_obs_id: int
    next_hyp_id: int
    retry_count: int
    pages: tuple[Page, ...]


@dataclass(frozen=True, slots=True)
class CheckBrief:
    """Words to look for, and the pages of this iteration."""

    language: str
    observations: tuple[Observed, ...]
    pages: tuple[Page, ...]


@dataclass(frozen=True, slots=True)
class Link:
    start: str
    end: str
    type: EdgeType


@dataclass(frozen=True, slots=True)
class IdeateBrief:
    """Hypotheses are told as `[type|status|strength] summary`; `rejected` are those that are told of no more."""

    language: str
    question: str
    health_issues: tuple[str, ...]
    observations: Mapping[str, str]
    hypotheses: Mapping[str, str]
    conflicts: tuple[tuple[str, str], ...]
    edges: tuple[Link, ...]
    next_hyp_id: int
    rejected: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SaveBrief:
    language: str
    graph: Graph
