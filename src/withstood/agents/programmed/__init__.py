"""Programmed agents: readers and reviewers that do by code what their roles say. A baseline that needs no model."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path

from withstood.agents.port import Agent
from withstood.agents.programmed.readers import LENSES, read
from withstood.agents.programmed.reviewers import CONCERNS, review
from withstood.agents.programmed.seats import ProgrammedAgent
from withstood.agents.programmed.sight import Sight
from withstood.agents.programmed.speakers import speak, sum_up
from withstood.agents.programmed.stages import SEATS
from withstood.protocols.briefs import ReadingBrief, ReviewBrief
from withstood.protocols.debate_briefs import RAPPORTEUR, SummaryBrief, TurnBrief


def seats(extra: Path | None = None, taxonomy: str | None = None, personas: Sequence[str] = ()) -> Mapping[str, Agent]:
    """An agent for each of P-NEG, P-IMP, P-LIT, S0, A, B and C, the seats of a debate, and every name among `personas`
    that is none of these; all of one sight.

    `extra` is a directory of the user's own data files; `taxonomy` the name or path that the run's refs come from.
    """
    sight = _sight(extra, taxonomy)
    reading = {
        role: ProgrammedAgent(name, ReadingBrief, functools.partial(read, sight, lens))
        for role, (name, lens) in LENSES.items()
    }
    reviewing = {
        role: ProgrammedAgent(name, ReviewBrief, functools.partial(review, sight, concern))
        for role, (name, concern) in CONCERNS.items()
    }
    staging = {
        role: ProgrammedAgent(name, wants, functools.partial(work, sight))
        for role, (name, wants, work) in SEATS.items()
    }
    summing = {RAPPORTEUR: ProgrammedAgent("programmed:rapporteur@1", SummaryBrief, functools.partial(sum_up, sight))}
    known = {**reading, **reviewing, **staging, **summing}
    speaker = ProgrammedAgent("programmed:speaker@2", TurnBrief, functools.partial(speak, sight))
    return known | {role: speaker for role in personas if role not in known}


_sight = functools.lru_cache(maxsize=4)(Sight)
"""Chunk after chunk of a job looks with the same eyes."""
