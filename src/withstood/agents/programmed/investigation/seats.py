"""The seats of an investigation filled by programs, all over one workspace."""

from __future__ import annotations

from pathlib import Path

from withstood.agents.port import Agent
from withstood.agents.programmed.investigation.challenger import challenge
from withstood.agents.programmed.investigation.investigators import investigate
from withstood.agents.programmed.investigation.scene import Scene
from withstood.agents.programmed.seats import ProgrammedAgent
from withstood.claims.finding import CounterReview, Report
from withstood.protocols.asks import Silent
from withstood.protocols.investigation_briefs import ChallengeBrief, SurveyBrief
from withstood.sources.workspace import Workspace

INVESTIGATOR = "programmed:investigator@2"
CHALLENGER = "programmed:challenger@2"


class Scenes:
    """One scene for each question, made when it is first asked for."""

    def __init__(self, space: Workspace, lexicons: Path | None) -> None:
        self._space, self._lexicons = space, lexicons
        self._of: dict[str, Scene] = {}

    def of(self, question: str) -> Scene:
        return self._of.setdefault(question, Scene(self._space, question, self._lexicons))

    def investigate(self, brief: SurveyBrief) -> Report | Silent:
        return investigate(self.of(brief.question), brief)

    def challenge(self, brief: ChallengeBrief) -> CounterReview:
        return challenge(self.of(brief.question), brief)


def seats(space: Workspace, lexicons: Path | None = None) -> tuple[Agent, Agent]:
    """An investigator of any type and perspective, and a challenger; the user's folder adds to what they know."""
    scenes = Scenes(space, lexicons)
    return (
        ProgrammedAgent(INVESTIGATOR, SurveyBrief, scenes.investigate),
        ProgrammedAgent(CHALLENGER, ChallengeBrief, scenes.challenge),
    )
