"""Recall: which episodes of a store a text is advised by. First match decides, episode by episode.

| row | when | then |
|---|---|---|
| 1 | it has no signature | passed_over |
| 2 | it is in another language | passed_over |
| 3 | it shares no structure with the text, and its structure is not none | passed_over |
| 4 | it is among the first topk of those that are left | recalled |
| 5 | else | passed_over |

Those that are left are ranked by how many structures they share with the text, then by the share of the lexical query
that stands in their symptom and rationale, both descending; the older goes before. Tokens have two letters or more.
A signature that names no language is Korean.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Literal, Protocol

from withstood.claims.episode import Episode, Signature
from withstood.form import Within
from withstood.rules.table import Table

MOST = 3


class Numbers(Protocol):
    @property
    def topk(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Recollection:
    """What became of one episode. `shared` is how many structures it has in common with the text."""

    episode_id: str
    outcome: Literal["recalled", "passed_over"]
    row: str
    shared: int = 0


def recall(query: Signature, episodes: Sequence[Episode], topk: int, lexical: str = "") -> list[Episode]:
    """The episodes that are recalled, the best first. `episodes` stand in the order in which they were kept."""
    left = [episode for episode in episodes if _refusal(query, episode) is None]
    words = _tokens(lexical)
    ranked = sorted(left, key=lambda episode: (_shared(query, episode), _lexical(words, episode)), reverse=True)
    return ranked[: max(1, min(topk, MOST))]


def _refusal(query: Signature, episode: Episode) -> str | None:
    signature = episode.input_signature
    if signature is None:
        return "1"
    if signature.language != query.language:
        return "2"
    if "none" not in signature.detected_structure and not _shared(query, episode):
        return "3"
    return None


def _shared(query: Signature, episode: Episode) -> int:
    signature = episode.input_signature
    return len(set(query.detected_structure) & set(signature.detected_structure)) if signature else 0


def _lexical(words: frozenset[str], episode: Episode) -> Fraction:
    if not words:
        return Fraction(0)
    summary = episode.case_summary
    return Fraction(len(words & _tokens(f"{summary.symptom} {summary.rationale_summary}")), len(words))


def _tokens(text: str) -> frozenset[str]:
    return frozenset(token for token in re.findall(r"\w+", text.lower()) if len(token) >= 2)


@dataclass(frozen=True, slots=True)
class Input:
    query: Signature
    episodes: tuple[Episode, ...]
    topk: Annotated[int, Within(0)] | None = None
    lexical: str = ""


@dataclass(frozen=True, slots=True)
class Output:
    recalled: tuple[str, ...]
    episodes: tuple[Recollection, ...]


def _decide(case: Input, numbers: Numbers) -> Output:
    chosen = recall(case.query, case.episodes, numbers.topk if case.topk is None else case.topk, case.lexical)
    recalled = tuple([episode.episode_id for episode in chosen])
    return Output(recalled, tuple([_recollection(case.query, episode, recalled) for episode in case.episodes]))


def _recollection(query: Signature, episode: Episode, recalled: Sequence[str]) -> Recollection:
    shared, row = _shared(query, episode), _refusal(query, episode)
    if row is None and episode.episode_id in recalled:
        return Recollection(episode.episode_id, "recalled", "4", shared)
    return Recollection(episode.episode_id, "passed_over", row or "5", shared)


TABLE = Table("memory-recall-1", __doc__, Input, Output, _decide, section="memory", aliases=("memory-recall",))
