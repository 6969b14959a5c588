"""A model in a seat of a research: it phrases, explores and imagines; what it says is checked and weighed elsewhere.

Pages and graphs of any length are cut to limits, so that a prompt has a longest form and a run a highest price.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from withstood.agents.port import Line
from withstood.agents.prompted.agent import PromptedAgent
from withstood.claims.research import Page
from withstood.journal.port import Texts
from withstood.models.port import Model
from withstood.models.settings import MOST_TOKENS
from withstood.protocols.asks import Ask, Silent
from withstood.protocols.research_briefs import EXPLORE, IDEATE, SELECT, ExploreBrief, IdeateBrief, SelectBrief

Answer = TypeVar("Answer")

ROLES = (SELECT, EXPLORE, IDEATE)
MOST_PAGE = 6_000
MOST_PAGES = 8
MOST_TOLD = 300
MOST_LISTED = 120
MOST_EDGES = 300
BYTES_A_SIGN = 4
_ROOM = (MOST_PAGES * MOST_PAGE + 2 * MOST_LISTED * (MOST_TOLD + 40) + MOST_EDGES * 80) * BYTES_A_SIGN


@dataclass(frozen=True, slots=True)
class Leaf:
    """A page as a model is shown it: the beginning of its text, and whether there is more."""

    id: str
    url: str
    title: str
    text: str
    cut: bool


@dataclass(frozen=True, slots=True)
class ReadingBrief:
    """An `ExploreBrief` with the texts of its pages."""

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
    pages: tuple[Leaf, ...]


class PromptedResearcher:
    """Fills SELECT, EXPLORE (all its tries) and IDEATE by asking `model`."""

    def __init__(self, model: Model, texts: Texts, *, most_tokens: int = MOST_TOKENS) -> None:
        self._texts = texts
        self._agent = PromptedAgent(model, ROLES, most_tokens=most_tokens)
        self._model = model

    @property
    def name(self) -> str:
        return self._model.name

    async def answer(self, ask: Ask[Answer], line: Line) -> Answer | Silent:
        return await self._agent.answer(replace(ask, brief=await self._shown(ask.brief)), line)

    def prompts(self) -> Mapping[str, str]:
        return self._agent.prompts()

    def most_tokens(self, ask: Ask[Any]) -> tuple[int, int]:
        """An upper bound for both calls of any ask of this role, however far the graph has grown."""
        empty = replace(ask, brief=replace(ask.brief, pages=())) if isinstance(ask.brief, ExploreBrief) else ask
        tokens_in, tokens_out = self._agent.most_tokens(empty)
        return tokens_in + 2 * _ROOM, tokens_out

    def models(self) -> tuple[Model, ...]:
        return (self._model,)

    async def _shown(self, brief: Any) -> Any:
        if isinstance(brief, SelectBrief):
            return replace(brief, about=short(brief.about), against=short(brief.against))
        if isinstance(brief, IdeateBrief):
            return replace(
                brief,
                observations=listed(brief.observations),
                hypotheses=listed(brief.hypotheses),
                conflicts=brief.conflicts[:MOST_LISTED],
                edges=brief.edges[-MOST_EDGES:],
            )
        return await self._with_texts(brief) if isinstance(brief, ExploreBrief) else brief

    async def _with_texts(self, brief: ExploreBrief) -> ReadingBrief:
        parts = {name: getattr(brief, name) for name in ExploreBrief.__dataclass_fields__}
        named = [name for name in (brief.target_id, brief.conflict_with) if name]
        return ReadingBrief(
            **parts
            | {
                "existing_hypotheses": listed(brief.existing_hypotheses, named),
                "existing_observations": listed(brief.existing_observations),
                "pages": tuple([await self._leaf(page) for page in brief.pages[:MOST_PAGES]]),
            }
        )

    async def _leaf(self, page: Page) -> Leaf:
        text = await self._texts.text(page.sha256) or ""
        return Leaf(page.id, short(page.url), short(page.title), text[:MOST_PAGE], len(text) > MOST_PAGE)


def listed(things: Mapping[str, str], named: Sequence[str] = ()) -> dict[str, str]:
    """What was named, and the newest, as many as there is room for; each cut where it is long."""
    names = [name for name in named if name in things]
    rest = [name for name in things if name not in names]
    kept = {*names, *rest[-(MOST_LISTED - len(names)) :]}
    return {name: short(text) for name, text in things.items() if name in kept}


def short(text: str) -> str:
    return text if len(text) <= MOST_TOLD else f"{text[: MOST_TOLD - 1]}…"
