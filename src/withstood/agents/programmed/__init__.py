"""Programmed agents: readers and reviewers that do by code what their roles say. A baseline that needs no model."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path

from withstood.agents.port import Agent
from withstood.agents.programmed.readers import LENSES, read
from withstood.agents.programmed.reviewers import CONCERNS, review
from withstood.agents.programmed.seats import ProgrammedAgent
from withstood.agents.programmed.sight import Sight
from withstood.protocols.briefs import ReadingBrief, ReviewBrief


def seats(extra: Path | None = None, taxonomy: str | None = None) -> Mapping[str, Agent]:
    """An agent for each of P-NEG, P-IMP, P-LIT, S0, A, B and C, all of one sight.

    `extra` is a directory of the user's own data files; `taxonomy` the name or path that the run's refs come from.
    """
    sight = Sight(extra, taxonomy)
    reading = {
        role: ProgrammedAgent(name, ReadingBrief, functools.partial(read, sight, lens))
        for role, (name, lens) in LENSES.items()
    }
    reviewing = {
        role: ProgrammedAgent(name, ReviewBrief, functools.partial(review, sight, concern))
        for role, (name, concern) in CONCERNS.items()
    }
    return {**reading, **reviewing}
