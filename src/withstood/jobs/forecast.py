"""What a run will cost at most, said before it starts. The run is held to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


@dataclass(frozen=True, slots=True)
class Need:
    """A seat's ask on an empty text: how often it is asked of a text at most, and how many bytes of what others have
    answered may stand in it. `least`: how often at least."""

    ask: Ask[Any]
    times: int = 1
    shown: int = 0
    least: int = 1


def forecast(seated: Mapping[str, Agent], needs: Sequence[Need], size: Size) -> Forecast:
    spends = [_of_seat(seated[need.ask.role], need, size) for need in needs]
    return Forecast(
        size.texts,
        size.refused,
        least_asks=size.texts * sum(need.least for need in needs),
        most_asks=size.texts * sum(need.times for need in needs),
        most=sum((most for most, _ in spends), Spend()),
        roughly=sum((roughly for _, roughly in spends), Spend()),
    )


def of_review(seated: Mapping[str, Agent], agreed: Conventions, always: bool, advice: str = "") -> list[Need]:
    """`always`: reviews are held whether or not anything is flagged. `advice`: the longest a review may get."""
    readers = [role for role in seated if role not in REVIEWERS]
    shown = sum(longest_answer(seated[role]) for role in readers)
    return [
        Need(_emptiest(role, agreed, advice), shown=shown, least=int(always))
        if role in REVIEWERS
        else Need(_emptiest(role, agreed, advice))
        for role in seated
    ]


def of_single(seated: Mapping[str, Agent], agreed: Conventions, passes: int) -> list[Need]:
    return [Need(_emptiest(role, agreed, ""), times=passes, least=passes) for role in seated]


def longest_refs(agreed: Conventions) -> tuple[str, tuple[str, ...]]:
    """The language with the longest list of refs, and the list."""
    return max(agreed.refs.items(), key=lambda one: len("".join(one[1]).encode()))


def longest_answer(agent: Agent) -> int:
    """How many bytes an answer of this seat may have; nothing is known of a program's, and nothing is paid for it."""
    brief = Ask(READERS[0], ReadingBrief("", "en", ()), Reading)
    return agent.most_tokens(brief)[1] // REPAIRED * BYTES_A_TOKEN if agent.models() else 0


def _of_seat(agent: Agent, need: Need, size: Size) -> tuple[Spend, Spend]:
    """At most, and roughly, what a seat spends on all texts. A program spends nothing."""
    for model in agent.models():
        asks = size.texts * need.times
        fixed, out = agent.most_tokens(need.ask)
        tokens_in = fixed * asks + REPAIRED * (ESCAPED * size.text_bytes * need.times + need.shown * asks)
        once = int((fixed * asks // REPAIRED + size.text_bytes * need.times) / TYPICAL)
        most = priced(REPAIRED * asks, tokens_in, out * asks, model.price)
        return most, priced(asks, once, out * asks // (4 * REPAIRED), model.price)
    return Spend(), Spend()


def _emptiest(role: str, agreed: Conventions, advice: str) -> Ask[Any]:
    """The ask of this role on an empty text, with the longest list of refs there is."""
    language, refs = longest_refs(agreed)
    if role in REVIEWERS:
        return Ask(role, ReviewBrief("", language, (), (), memory=advice), Review)
    return Ask(role, ReadingBrief("", language, refs), Reading)
