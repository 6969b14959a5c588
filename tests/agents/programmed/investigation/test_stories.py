"""All stories, each investigator alone: what it brings stands there, and together they name the cause."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.agents.programmed.investigation.driving import BUG, is_there, path_of, reported, scene_of, space_of
from tests.stories.shelf import HARMLESS, NAMES, PLANTED, story
from withstood.claims.finding import Finding
from withstood.lexicons.inquiry import agreed

SICK = tuple(name for name in NAMES if story(name).truth.files)
HEALTHY = tuple(name for name in NAMES if not story(name).truth.files)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_brought_stands_there_and_is_named_by_the_vocabularies(name: str, tmp_path: Path) -> None:
    told, words = story(name), agreed()
    with space_of(told, tmp_path) as space:
        for voice in words.cast.voices():
            if voice.startswith(("CR-", "REL-")):
                continue
            report = reported(space, told.question, voice)
            assert len(report.findings) <= 3 and report.not_looked_at
            assert [one.id for one in report.findings] == [f"F{no + 1}" for no in range(len(report.findings))]
            for finding in report.findings:
                assert finding.cause in words.causes.ids and finding.direction in words.directions.ids
                assert finding.alternatives
                assert all(is_there(space, piece) for piece in finding.evidence), (voice, finding)


def test_the_cause_is_most_suspected(tmp_path: Path) -> None:
    """Over all stories; single ones may be missed."""
    first = third = 0
    for name in SICK:
        told = story(name)
        with scene_of(told, tmp_path / name) as scene:
            files = [
                one.path
                for one in scene.board.ranked()
                if any(one.proven(prefix) for prefix in ("CODE", "LOG", "HIST"))
            ]
        first += files[0] in told.truth.files
        third += bool(set(files[:3]) & set(told.truth.files))
    assert third >= 0.75 * len(SICK)
    assert first >= 0.5 * len(SICK)


def test_two_of_the_usual_cast_meet_in_most_stories(tmp_path: Path) -> None:
    met = 0
    for name in SICK:
        told = story(name)
        with space_of(told, tmp_path / name) as space:
            stated = [
                {(path_of(one), one.cause) for one in reported(space, told.question, voice).findings} for voice in BUG
            ]
        both = [pair for no, some in enumerate(stated) for others in stated[no + 1 :] for pair in some & others]
        met += any(path in told.truth.files for path, _ in both)
    assert met >= 0.5 * len(SICK)


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
