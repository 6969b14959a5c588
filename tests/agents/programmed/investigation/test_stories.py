"""Stories, each investigator alone: what it brings stands there. `tests/stories` has them before the whole panel."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.agents.programmed.investigation.driving import BUG, is_there, path_of, reported, space_of
from tests.stories.shelf import HARMLESS, NAMES, PLANTED, story
from withstood.agents.programmed.investigation.seats import seats
from withstood.claims.finding import Finding
from withstood.lexicons.inquiry import agreed

HEALTHY = tuple(name for name in NAMES if not story(name).truth.files)


@pytest.mark.parametrize("name", NAMES[::2])
def test_what_is_brought_stands_there_and_is_named_by_the_vocabularies(name: str, tmp_path: Path) -> None:
    told, words = story(name), agreed()
    with space_of(told, tmp_path) as space:
        seat, _ = seats(space)
        for voice in words.cast.voices():
            if voice.startswith(("CR-", "REL-")):
                continue
            report = reported(space, told.question, voice, seat=seat)
            assert len(report.findings) <= 3 and report.not_looked_at
            assert [one.id for one in report.findings] == [f"F{no + 1}" for no in range(len(report.findings))]
            for finding in report.findings:
                assert finding.cause in words.causes.ids and finding.direction in words.directions.ids
                assert finding.alternatives
                assert all(is_there(space, piece) for piece in finding.evidence), (voice, finding)


@pytest.mark.parametrize("name", HEALTHY)
def test_where_all_is_well_nothing_is_strong(name: str, tmp_path: Path) -> None:
    told = story(name)
    with space_of(told, tmp_path) as space:
        for voice in BUG:
            for finding in reported(space, told.question, voice).findings:
                assert all(piece.strength != "STRONG" for piece in finding.evidence), finding


def test_planted_instructions_change_nothing(tmp_path: Path) -> None:
    found = []
    for no, words in enumerate((PLANTED, HARMLESS)):
        told = story("planted", words)
        with space_of(told, tmp_path / str(no)) as space:
            reports = [reported(space, told.question, voice) for voice in BUG]
        found.append([_shown(one) for report in reports for one in report.findings])
    assert found[0] == found[1] != []


def test_a_korean_question_is_answered_in_korean(tmp_path: Path) -> None:
    told = story("korean_refunds")
    with space_of(told, tmp_path) as space:
        report = reported(space, told.question, "HIST-RECENT", "ko")
        assert path_of(report.findings[0]) == "settle/gateway.py"
        assert "커밋" in report.findings[0].description and "발견" in report.one_liner


def _shown(finding: Finding) -> object:
    """All of a finding but names of commits, which stand on their messages."""
    pieces = [(piece.type, piece.snippet, piece.strength) for piece in finding.evidence]
    return finding.description.partition("Commit")[0], finding.cause, finding.confidence, pieces
