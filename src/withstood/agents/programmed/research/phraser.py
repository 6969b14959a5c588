"""SELECT by program: a search query for the target that the table chose, from its own words and a lens."""

from __future__ import annotations

from typing import TypeVar, cast

from withstood.agents.port import Line
from withstood.agents.programmed.program import Program
from withstood.agents.programmed.research import reading, wording
from withstood.claims.research import Phrasing
from withstood.protocols.asks import Ask, Silent
from withstood.protocols.research_briefs import SelectBrief

Answer = TypeVar("Answer")
MOST_WORDS = 10


class Phraser(Program):
    name = "programmed:phraser@1"

    async def answer(self, ask: Ask[Answer], line: Line) -> Answer | Silent:
        if not isinstance(ask.brief, SelectBrief):
            return Silent(f"wanted a SelectBrief for {self.name}, found a {type(ask.brief).__name__}")
        return cast("Answer", Phrasing(query(ask.brief), reason=f"{ask.brief.target_type}, by template"))


def query(brief: SelectBrief) -> str:
    """Words of the question beside those of the target; a target that is met again is asked for from another side."""
    language = "ko" if brief.language == "ko" else "en"
    if brief.target_type == "6lens":
        return f"{telling(brief.question)} {wording.LENSES[language].get(brief.lens or '', '')}".strip()
    if brief.target_type == "unexplored":
        return brief.target_id or ""
    if brief.conflict_with is not None:
        return telling(f"{brief.about} {brief.against}", 2 * MOST_WORDS)
    turns = wording.TURNS[language]
    return f"{telling(f'{brief.about} {brief.question}')} {turns[brief.iteration % len(turns)]}".strip()


def telling(text: str, most: int = MOST_WORDS) -> str:
    """The telling words of a text, in its order."""
    found = reading.words(text)
    return " ".join([reading.surface(stem, word) for stem, word in found.items()][:most])
