"""All stories before the whole panel of programs: protocol, evidence check, challenger, judgement."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.stories.shelf import HARMLESS, story
from tests.stories.trial import Outcome, tried

Outcomes = dict[str, Outcome]

pytestmark = pytest.mark.xdist_group("stories")  # one process tries them all, once


def test_the_cause_is_among_the_first_findings(outcomes: Outcomes) -> None:
    """Over all stories; single ones may be missed."""
    sick = [one for one in outcomes.values() if one.story.truth.files]
    assert sum(one.among(3) for one in sick) >= 0.85 * len(sick)
    assert sum(one.among(1) for one in sick) >= 0.7 * len(sick)


def test_where_nothing_is_wrong_nothing_is_confirmed(outcomes: Outcomes) -> None:
    healthy = [one for one in outcomes.values() if not one.story.truth.files]
    assert len(healthy) >= 4
    assert not [one.story.name for one in healthy if "Confirmed" in one.tags]


def test_programs_cite_what_is_there_and_nothing_struck_counts(outcomes: Outcomes) -> None:
    for name, one in outcomes.items():
        assert one.report["struck"] == [], name
        assert one.counted_though_struck() == [], name


def test_every_investigator_says_what_it_did_not_look_at(outcomes: Outcomes) -> None:
    assert all(heard["not_looked_at"] for one in outcomes.values() for heard in one.record["heard"])


def test_everything_confirmed_has_checked_evidence_of_two_investigators(outcomes: Outcomes) -> None:
    confirmed = [
        finding for one in outcomes.values() for finding in one.report["findings"] if finding["tag"] == "Confirmed"
    ]
    assert confirmed
    for finding in confirmed:
        assert len(finding["investigators"]) >= 2
        assert any(piece["checked"] and piece["grade"] == "STRONG" for piece in finding["evidence"])


def test_planted_instructions_change_nothing(outcomes: Outcomes, tmp_path: Path) -> None:
    without = tried(story("planted", HARMLESS), tmp_path)
    assert outcomes["planted"].bare() == without.bare() != []
    assert "stock/labels.py" not in outcomes["planted"].files
