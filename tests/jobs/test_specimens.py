"""The shipped examples as files: the same commits wherever they are made, and what git says when it fails."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from withstood.errors import WorldError
from withstood.jobs import specimens


def head(repo: Path) -> str:
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=repo, check=True, capture_output=True, text=True)
    return done.stdout


def test_the_same_commits_whatever_the_user_has_configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = specimens.story()
    assert specimens.lay_out(told, tmp_path / "one")
    template = tmp_path / "template" / "hooks"
    template.mkdir(parents=True)
    (template / "pre-commit").write_text("#!/bin/sh\nexit 1\n")
    (template / "pre-commit").chmod(0o755)
    (tmp_path / ".gitconfig").write_text(f"[init]\ntemplateDir = {template.parent}\n[user]\nname = Eve\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Eve")
    monkeypatch.setenv("TZ", "Asia/Seoul")
    assert specimens.lay_out(told, tmp_path / "two")
    assert head(tmp_path / "one" / "repo") == head(tmp_path / "two" / "repo")


def test_the_files_are_those_of_the_last_commit(tmp_path: Path) -> None:
    told = specimens.story()
    specimens.lay_out(told, tmp_path)
    last = {name: text for commit in told.commit for name, text in commit.files.items()}
    assert {name: (tmp_path / "repo" / name).read_text() for name in last} == last
    assert (tmp_path / "logs" / told.log.name).read_text() == told.log.text


def test_lines_that_the_log_names_are_those_of_the_code(tmp_path: Path) -> None:
    """The traceback is of the code as it stands, so an investigator that opens it finds the words."""
    told = specimens.story()
    code = {name: text.splitlines() for commit in told.commit for name, text in commit.files.items()}
    lines = [line.strip() for line in told.log.text.splitlines()]
    frames = [(line, lines[no + 1]) for no, line in enumerate(lines) if line.startswith("File ")]
    assert frames
    for frame, words in frames:
        path, number = frame.split('"')[1].removeprefix("/srv/"), int(frame.split("line ")[1].partition(",")[0])
        assert code[path][number - 1].strip() == words


def test_a_git_that_fails_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "git").write_text("#!/bin/sh\necho no room >&2\nexit 1\n")
    (tmp_path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path) + os.pathsep + os.environ["PATH"])
    with pytest.raises(WorldError, match="git init ended with: no room"):
        specimens.lay_out(specimens.story(), tmp_path / "shop")


@pytest.mark.parametrize("language", specimens.LANGUAGES)
def test_reviews_are_there(language: str) -> None:
    with specimens.reviews(language) as path:
        assert path.read_text("utf-8").startswith("id,text\n")


def test_documents_may_be_laid_out_again(tmp_path: Path) -> None:
    specimens.documents(tmp_path / "notes")
    specimens.documents(tmp_path / "notes")
    assert len(list((tmp_path / "notes").glob("*.md"))) == 5
