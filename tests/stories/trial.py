"""A story put before the whole panel of programs: protocol, investigators, challenger, evidence check, judgement."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from tests.stories.story import Story, written
from withstood.agents.programmed.inspector import Inspector
from withstood.agents.programmed.investigation.seats import seats
from withstood.claims.inquiry import Inquiry, SourceNote
from withstood.lexicons.inquiry import agreed
from withstood.protocols.asks import Answers, Batch
from withstood.protocols.investigation import investigate
from withstood.protocols.investigation_briefs import ChallengeBrief, CheckBrief
from withstood.rules.rulebook import PRESETS
from withstood.sources.workspace import Workspace, opened


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a trial came to. `report` and `record` are those of the verdict."""

    story: Story
    report: dict[str, Any]
    record: dict[str, Any]

    @property
    def files(self) -> list[str]:
        """The file that each finding names first, in the order of the findings."""
        return [named(finding) for finding in self.report["findings"]]

    def among(self, first: int) -> bool:
        return bool(set(self.files[:first]) & set(self.story.truth.files))

    @property
    def tags(self) -> list[str]:
        return [finding["tag"] for finding in self.report["findings"]]

    def counted_though_struck(self) -> list[dict[str, Any]]:
        """Struck evidence that any finding gives as checked: there is never any."""
        struck = {(one["type"], one["location"], one["snippet"]) for one in self.report["struck"]}
        checked = [one for finding in self.report["findings"] for one in finding["evidence"] if one["checked"]]
        return [one for one in checked if (one["type"], _location(one), one["snippet"]) in struck]

    def bare(self) -> list[tuple[str, str, str, list[tuple[str, str]]]]:
        """What was found, without the names of commits: they stand on all that is in a repository."""
        return [
            (
                one["tag"],
                one["cause"],
                one["direction"],
                [(piece["grade"], piece["snippet"]) for piece in one["evidence"]],
            )
            for one in self.report["findings"]
        ]


def _location(piece: dict[str, Any]) -> str:
    return piece["commit"] or f"{piece['path']}:{piece['line']}"


def named(finding: dict[str, Any]) -> str:
    """The file of the first piece that is no log and no commit; of a commit alone nothing."""
    return next(
        (one["path"] for one in finding["evidence"] if one["path"] and one["type"] not in ("log", "commit")), ""
    )


def tried(story: Story, folder: Path, **asked: Any) -> Outcome:
    repo, logs = written(story, folder)
    with opened(repo, [logs] if story.logs else []) as space:
        return Outcome(story, *ran(space, story.question, None, **asked))


def ran(
    space: Workspace, question: str, panel: Panel | None = None, **asked: Any
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The report and the record of one investigation by programs alone."""
    language = "ko" if any("가" <= sign <= "힣" for sign in question) else "en"
    matter = Inquiry(1, "trial", question, language, _sources(space), **asked)
    flow = investigate(matter, PRESETS["published"], agreed())
    panel = panel or Panel(space)
    batch = next(flow)
    while True:
        try:
            batch = flow.send(panel.answers(batch))
        except StopIteration as end:
            result: Any = end.value.result
            return result["report"], result["record"]


class Panel:
    """All seats filled by programs."""

    def __init__(self, space: Workspace) -> None:
        self._investigator, self._challenger = seats(space)
        self._inspector = Inspector(space)

    def answers(self, batch: Batch) -> Answers:
        return asyncio.run(self._answers(batch))

    async def _answers(self, batch: Batch) -> Answers:
        return tuple([await self._of(ask.brief).answer(ask, cast("Any", None)) for ask in batch])

    def _of(self, brief: object) -> Any:
        if isinstance(brief, CheckBrief):
            return self._inspector
        return self._challenger if isinstance(brief, ChallengeBrief) else self._investigator


def _sources(space: Workspace) -> tuple[SourceNote, ...]:
    told: tuple[tuple[Any, object], ...] = (
        ("files", space.folder),
        ("documents", space.folder),
        ("history", space.git),
        ("logs", space.logs),
    )
    return tuple([SourceNote(kind, kind, missing="" if there else "there are none") for kind, there in told])
