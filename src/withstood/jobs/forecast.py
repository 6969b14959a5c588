"""What a run will cost at most, said before it starts. The run is held to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from withstood.agents.port import Agent
from withstood.claims.ballot import Review
from withstood.claims.case import Conventions
from withstood.claims.opinion import Reading
from withstood.engine.limits import Spend, priced
from withstood.protocols.asks import Ask
from withstood.protocols.briefs import READERS, REVIEWERS, ReadingBrief, ReviewBrief

REPAIRED = 2
"""An ask is one call, and one more where its answer has to be repaired."""
ESCAPED = 6
"""A character of a text is at most six bytes of JSON."""
BYTES_A_TOKEN = 8
"""How much text a token of an answer makes, generously."""
TYPICAL = 3.5
"""How many bytes a token of a prompt makes, more or less."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much there is to decide."""

    texts: int
    refused: int
    text_bytes: int


@dataclass(frozen=True, slots=True)
class Forecast:
    """`asks` counts from the least (nothing is flagged) to the most; `roughly` is one plain call for each ask."""

    texts: int
    refused: int
    least_asks: int
    most_asks: int
    most: Spend
    roughly: Spend

    @property
    def free(self) -> bool:
        return self.most.calls == 0 or self.most.cost == 0


def forecast(seated: Mapping[str, Agent], agreed: Conventions, size: Size, always: bool, advice: str = "") -> Forecast:
    """`always`: reviews are held whether or not anything is flagged. `advice`: the longest a review may get."""
    readers = [role for role in seated if role not in REVIEWERS]
    shown = sum(_longest_answer(seated[role]) for role in readers) * BYTES_A_TOKEN
    spends = [_of_seat(agent, _emptiest(role, agreed, advice), size, shown) for role, agent in seated.items()]
    return Forecast(
        size.texts,
        size.refused,
        least_asks=size.texts * len(seated if always else readers),
        most_asks=size.texts * len(seated),
        most=sum((most for most, _ in spends), Spend()),
        roughly=sum((roughly for _, roughly in spends), Spend()),
    )


def _of_seat(agent: Agent, emptiest: Ask[Any], size: Size, shown: int) -> tuple[Spend, Spend]:
    """At most, and roughly, what a seat spends on all texts. A program spends nothing."""
    for model in agent.models():
        fixed, out = agent.most_tokens(emptiest)
        table = shown * size.texts if emptiest.role in REVIEWERS else 0
        tokens_in = fixed * size.texts + REPAIRED * (ESCAPED * size.text_bytes + table)
        once = int((fixed * size.texts // REPAIRED + size.text_bytes) / TYPICAL)
        most = priced(REPAIRED * size.texts, tokens_in, out * size.texts, model.price)
        return most, priced(size.texts, once, out * size.texts // (4 * REPAIRED), model.price)
    return Spend(), Spend()


def _emptiest(role: str, agreed: Conventions, advice: str) -> Ask[Any]:
    """The ask of this role on an empty text, with the longest list of refs there is."""
    language, refs = max(agreed.refs.items(), key=lambda one: len("".join(one[1]).encode()))
    if role in REVIEWERS:
        return Ask(role, ReviewBrief("", language, (), (), memory=advice), Review)
    return Ask(role, ReadingBrief("", language, refs), Reading)


def _longest_answer(agent: Agent) -> int:
    return (
        agent.most_tokens(Ask(READERS[0], ReadingBrief("", "en", ()), Reading))[1] // REPAIRED if agent.models() else 0
    )
