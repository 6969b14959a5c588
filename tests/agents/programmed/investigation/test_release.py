"""Release perspectives: what is open, missing, or changed without the notes' saying so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.agents.programmed.investigation.driving import is_there, reported
from tests.stories.story import Story, Truth, written
from withstood.sources.workspace import Workspace, opened

ASKED = "Is the release complete?"
WHOLE = """# Release 2.0

## Changes
- faster search

## Tests
All green.

## Rollback
Roll back with `deploy.sh 1.9`.

## Known issues
None.
"""


@contextmanager
def space_of(folder: Path, *steps: Mapping[str, str]) -> Iterator[Workspace]:
    told = Story("release", ASKED, Truth((), ""))
    for no, files in enumerate(steps):
        told.commit(f"step {no}", files, day=no - 20)
    repo, _ = written(told, folder)
    with opened(repo, []) as space:
        yield space


def said(space: Workspace, perspective: str = "ARTCOMP", question: str = ASKED, language: str = "en") -> list[str]:
    """What each finding says; its evidence stands there."""
    found = reported(space, question, f"REL-{perspective}", language).findings
    assert all(is_there(space, piece) for one in found for piece in one.evidence)
    return [one.description for one in found]


def test_whole_notes_have_no_flaw(tmp_path: Path) -> None:
    with space_of(tmp_path, {"release/2.0/notes.md": WHOLE, "app.py": "A = 1\n"}) as space:
        assert said(space) == []


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("None.", "TBD", "release/2.0/notes.md:13 is not filled in"),
        ("All green.\n", "", "release/2.0/notes.md:6 is not filled in"),
        ("None.\n", "", "release/2.0/notes.md:12 is not filled in"),
        ("All green.", "- [x] unit\n- [ ] load", "release/2.0/notes.md:8 is not ticked off"),
        ("## Rollback\nRoll back with `deploy.sh 1.9`.\n", "", "release/2.0/notes.md has no section on rollback"),
        (
            "## Rollback\nRoll back with `deploy.sh 1.9`.\n\n## Known issues\nNone.\n",
            "",
            "release/2.0/notes.md has no section on rollback, known issues",
        ),
        ("None.", "미정", "release/2.0/notes.md:13 is not filled in"),
    ],
)
def test_what_is_open_or_missing(old: str, new: str, told: str, tmp_path: Path) -> None:
    assert old in WHOLE
    with space_of(tmp_path, {"release/2.0/notes.md": WHOLE.replace(old, new)}) as space:
        assert said(space) == [told]


def test_a_form_that_nobody_has_begun_is_no_list_of_what_is_open(tmp_path: Path) -> None:
    form = WHOLE.replace("All green.", "- [ ] unit\n- [ ] load")
    with space_of(tmp_path, {"release/2.0/notes.md": form}) as space:
        assert said(space) == []


def test_notes_of_older_releases_are_left_alone_unless_they_are_asked_for(tmp_path: Path) -> None:
    old = {"release/1.9/notes.md": WHOLE.replace("None.", "TBD")}
    with space_of(tmp_path, old, {"release/2.0/notes.md": WHOLE}, {"release/1.10/notes.md": WHOLE}) as space:
        assert said(space) == []
        assert said(space, question="Was release 1.9 complete?") == ["release/1.9/notes.md:13 is not filled in"]


@pytest.mark.parametrize(
    ("path", "text", "word"),
    [
        ("migrations/007_names.sql", "ALTER TABLE a ADD COLUMN b text;\n", "migration"),
        ("requirements.txt", "requests==3.0\n", "dependencies"),
        ("settings.toml", "wait = 3\n", "settings"),
    ],
)
def test_what_changed_since_the_release_before_has_to_be_spoken_of(
    path: str, text: str, word: str, tmp_path: Path
) -> None:
    before = {"release/1.9/notes.md": WHOLE, "app.py": "A = 1\n"}
    for no, notes in enumerate((WHOLE, f"{WHOLE}\nMind the {word}.\n")):
        with space_of(tmp_path / str(no), before, {path: text}, {"release/2.0/notes.md": notes}) as space:
            told = said(space)
            lacking = f"release/2.0/notes.md does not name what was changed: {path}"
            assert any(one.endswith(lacking) for one in told) == (no == 0)


def test_what_changed_before_the_last_release_is_past(tmp_path: Path) -> None:
    before = {"release/1.9/notes.md": WHOLE, "settings.toml": "wait = 3\n"}
    with space_of(tmp_path, before, {"release/2.0/notes.md": WHOLE}) as space:
        assert said(space) == []


def test_a_version_that_no_notes_name(tmp_path: Path) -> None:
    with space_of(tmp_path, {"RELEASE_NOTES.md": WHOLE, "package.json": '{\n  "version": "2.1.0"\n}\n'}) as space:
        assert said(space) == ["RELEASE_NOTES.md does not name what was changed: 2.1.0"]


def test_a_migration_without_a_way_back_is_seen_by_two(tmp_path: Path) -> None:
    files = {"migrations/8.sql": "CREATE TABLE a (b int);\nALTER TABLE c DROP COLUMN d;\n"}
    with space_of(tmp_path, files) as space:
        for perspective in ("DEPLOY", "RISK"):
            assert said(space, perspective) == ["migrations/8.sql cannot be taken back"]


def test_infrastructure_and_operation(tmp_path: Path) -> None:
    files = {"Dockerfile": "FROM python:latest\nEXPOSE 80\n", "README.md": "# a service\n"}
    with space_of(tmp_path, files) as space:
        assert said(space, "INFRA") == ["Dockerfile has no version"]
        assert said(space, "OPS") == ["Dockerfile has no health check", "There is no document on runbook"]
        assert said(space, "INFRA", language="ko") == ["Dockerfile: version 없음"]
