"""What is not there, or is not what it should be: a clear message, and a run that goes on without it where it can."""

from __future__ import annotations

import gzip
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.commands import command, environment, withstood
from tests.cli.inquiries import QUESTION, SOURCES, inside, place
from tests.sources.repositories import git
from withstood.errors import InputError, UsageError


@pytest.fixture
def here(tmp_path: Path) -> Path:
    return place(tmp_path)


def binary(folder: Path) -> None:
    (folder / "bad.log").write_bytes(b"2026-01-01 ERROR\0\1")


def large(folder: Path) -> None:
    with (folder / "bad.log").open("wb") as stream:
        stream.truncate(2 << 30)


def cut_off(folder: Path) -> None:
    (folder / "bad.log").write_bytes(gzip.compress(os.urandom(5000))[:40])


def empty(folder: Path) -> None:
    (folder / "bad.log").touch()


def absent(folder: Path) -> None:
    return


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (binary, "it is binary"),
        (large, "it is binary"),
        (cut_off, "gzip that cannot be unpacked"),
        (empty, "bad.log is empty"),
        (absent, "There is no log or document bad.log"),
    ],
)
def test_a_log_that_cannot_be_read_is_told_and_the_run_goes_on(
    here: Path, make: Callable[[Path], None], told: str
) -> None:
    make(here)
    done = inside(here, "investigate", QUESTION, "--repo", "repo", "--logs", "bad.log", "--logs", "pay.log", "--json")
    assert (done.code == 0 and f"logs bad.log: missing: {told}" in done.said) or told in done.said
    assert json.loads(done.out)["findings"]
    with pytest.raises(InputError, match=told):
        inside(here, "investigate", QUESTION, "--logs", "bad.log")


def test_a_log_that_is_named_by_a_link_is_read(here: Path) -> None:
    (here / "current.log").symlink_to("pay.log")
    done = inside(here, "investigate", QUESTION, "--repo", "repo", "--logs", "current.log", "--json")
    places = [piece["path"] for one in json.loads(done.out)["findings"] for piece in one["evidence"]]
    assert "current.log" in places


def test_folders_that_are_no_whole_repository(here: Path) -> None:
    (here / "plain").mkdir()
    shutil.copytree(here / "repo" / "app", here / "plain" / "app")
    git(here, "clone", "-q", "--bare", "repo", "bare.git")
    git(here, "clone", "-q", "--depth", "1", f"file://{here / 'repo'}", "shallow")
    for name, told in (
        ("plain", "history plain: missing: plain is no git repository"),
        ("bare.git", "files bare.git: missing: bare.git is a bare repository"),
        ("shallow", "a shallow clone: older commits are not there"),
    ):
        done = inside(here, "investigate", QUESTION, "--repo", name, "--json")
        assert done.code == 0 and told in done.said, done.said


def test_a_repository_without_anything(here: Path) -> None:
    git(here, "init", "-q", "empty")
    with pytest.raises(InputError, match=r"nobody to ask.*no commit yet"):
        inside(here, "investigate", QUESTION, "--repo", "empty")
    with pytest.raises(InputError, match="There is no folder nowhere"):
        inside(here, "investigate", QUESTION, "--repo", "nowhere")
    done = inside(here, "investigate", QUESTION, "--repo", "nowhere", "--logs", "pay.log", "--json")
    assert done.code == 0 and "files nowhere: missing: There is no folder nowhere" in done.said


def test_a_file_of_two_gigabytes_is_left_out(here: Path) -> None:
    with (here / "repo" / "app" / "huge.py").open("wb") as stream:
        stream.truncate(2 << 30)
    done = inside(here, "investigate", QUESTION, *SOURCES, "--json")
    assert done.code == 0 and json.loads(done.out)["findings"]


def test_without_git_the_files_are_looked_at(here: Path) -> None:
    import subprocess

    (here / "bin").mkdir()
    arguments = ("investigate", QUESTION, *SOURCES, "--json")
    variables = environment() | {"PATH": str(here / "bin")}
    done = subprocess.run(command(*arguments), cwd=here, env=variables, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "git is needed to read the history" in done.stderr
    assert json.loads(done.stdout)["findings"]


@pytest.mark.parametrize("question", ["", "  ", "???", "123 !"])
def test_a_question_with_no_words(here: Path, question: str) -> None:
    with pytest.raises(UsageError, match="The question has no words"):
        inside(here, "investigate", question, *SOURCES)


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        (("--cast", "CODE-NOBODY"), "There is no investigator 'CODE-NOBODY'"),
        (("--cast", "CODE-CONFIG,CODE-CONFIG"), "names one investigator twice"),
        (("--cast", "CR-AGREED"), "names challengers alone"),
        (("--kind", "gossip"), "There is no kind of question 'gossip'"),
        (("--profile", "huge"), "There is no profile 'huge'"),
        (("--set", "mass.factor=many"), "mass.factor"),
        (("--rules", "mine"), "There is no rulebook 'mine'"),
    ],
)
def test_a_wish_that_nobody_can_meet(here: Path, wish: tuple[str, ...], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        inside(here, "investigate", QUESTION, *SOURCES, *wish)


def test_files_that_cannot_be_written_are_told_at_once(here: Path) -> None:
    (here / "taken").touch()
    done = withstood(here, "investigate", QUESTION, *SOURCES, "-o", "taken")
    assert done.code == 73 and "cannot be written to taken" in done.said


def test_nothing_outside_is_read(here: Path) -> None:
    """Links in the repository lead nowhere, and no citation does."""
    (here / "outside.py").write_text("PASSWORD_OF_ALL = 'charge timeout fail'\n")
    (here / "repo" / "app" / "link.py").symlink_to(here / "outside.py")
    done = inside(here, "investigate", QUESTION, *SOURCES, "-o", "out")
    assert done.code == 0 and "1 link" in done.said
    everything = b"".join(path.read_bytes() for path in (here / "out").rglob("*") if path.is_file())
    assert b"PASSWORD_OF_ALL" not in everything


def test_documents_from_outside_are_looked_at_and_cited(here: Path) -> None:
    (here / "handover").mkdir()
    (here / "handover" / "RELEASE_NOTES.md").write_text("# Release 1.2\n\n## Rollback\n\nTBD\n")
    wanted = ("--docs", "handover", "--docs", "gone.md", "--cast", "REL-ARTCOMP,REL-RISK")
    done = inside(here, "investigate", "Is the release ready to hand over?", "--repo", "repo", *wanted, "--json")
    assert "documents handover" in done.said and "documents gone.md: missing" in done.said
    pieces = [piece for one in json.loads(done.out)["findings"] for piece in one["evidence"]]
    cited = [one for one in pieces if one["checked"] and one["path"] == "handover/RELEASE_NOTES.md"]
    assert any(one["line"] <= 5 <= one["end_line"] and "TBD" in one["snippet"] for one in cited)
