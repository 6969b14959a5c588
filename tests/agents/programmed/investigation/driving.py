"""Investigators driven by hand over a story: who is called, what each brings, and whether it stands there."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from tests.stories.story import Story, written
from withstood.agents.port import Agent
from withstood.agents.programmed.investigation.scene import Scene
from withstood.agents.programmed.investigation.seats import seats
from withstood.claims import location
from withstood.claims.finding import Evidence, Finding, Report
from withstood.claims.quote import stands
from withstood.lexicons.inquiry import agreed
from withstood.protocols.asks import Ask
from withstood.protocols.investigation_briefs import SurveyBrief, Task
from withstood.sources import history
from withstood.sources.workspace import Workspace, opened

BUG = ("CODE-CALLCHAIN", "CODE-ERRORHANDLING", "LOG-STACKTRACE", "HIST-RECENT")


@contextmanager
def space_of(story: Story, folder: Path) -> Iterator[Workspace]:
    repo, logs = written(story, folder)
    with opened(repo, [logs]) as space:
        yield space


@contextmanager
def scene_of(story: Story, folder: Path) -> Iterator[Scene]:
    with space_of(story, folder) as space:
        yield Scene(space, story.question)


def brief(question: str, voice: str, tasks: Sequence[Task] = (Task("survey"),), language: str = "en") -> SurveyBrief:
    prefix, _, perspective = voice.partition("-")
    told = agreed()
    return SurveyBrief(
        question,
        language,
        f"{voice}-R1",
        prefix,
        perspective,
        (),
        tuple(tasks),
        (),
        told.causes.ids,
        told.directions.ids,
    )


def reported(space: Workspace, question: str, voice: str, language: str = "en", seat: Agent | None = None) -> Report:
    """`seat` is one that has looked already, where several voices are asked."""
    asked = brief(question, voice, language=language)
    answer = asyncio.run((seat or seats(space)[0]).answer(Ask(asked.iid, asked, Report), cast("Any", None)))
    assert isinstance(answer, Report)
    return answer


def path_of(finding: Finding) -> str:
    """The file of its first piece of evidence."""
    where = location.parse(finding.evidence[0].location)
    assert isinstance(where, location.Lines)
    return where.path


def is_there(space: Workspace, piece: Evidence) -> bool:
    """Whether a piece stands where it is said to, word for word."""
    where = location.parse(piece.location)
    if isinstance(where, location.CommitName):
        assert space.git is not None
        return history.commit(space.git, where.name) is not None and piece.snippet in history.patch(
            space.git, where.name
        )
    assert where is not None
    if piece.type == "log":
        lines = space.log_lines(where.path, where.first, where.last)
    else:
        text = space.text(where.path)
        lines = text.lines[where.first - 1 : where.last] if text else None
    return lines is not None and stands(piece.snippet, "\n".join(lines))
