"""The shipped examples as the files that a job takes: reviews, a repository with a past and a log, documents."""

from __future__ import annotations

import os
import shutil
import subprocess
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from withstood import form
from withstood.errors import WorldError
from withstood.jobs import outputs

LANGUAGES = ("ko", "en")
CLAIM = "Does caching make read requests faster?"
_AUTHOR = {"NAME": "Ada", "EMAIL": "ada@example.org"}
_EXAMPLES = resources.files("withstood.jobs") / "examples"


@dataclass(frozen=True, slots=True)
class Log:
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Commit:
    """`when` is a time as git reads it, `files` are the texts that it adds or replaces, by path."""

    message: str
    when: str
    files: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Story:
    """A question about a code base, the log that gives rise to it, and the commits that led there."""

    question: str
    log: Log
    commit: tuple[Commit, ...]


@contextmanager
def reviews(language: str) -> Iterator[Path]:
    """The file of reviews in one language."""
    with resources.as_file(_EXAMPLES / f"{language}.csv") as path:
        yield path


def story() -> Story:
    """The shop whose refunds fail at night."""
    return form.read(Story, tomllib.loads((_EXAMPLES / "refunds.toml").read_text("utf-8")))


def lay_out(told: Story, folder: Path) -> bool:
    """Write `repo` and `logs` below the folder; whether the repository has its past, which needs git."""
    repo = folder / "repo"
    repo.mkdir(parents=True)
    with_git = shutil.which("git") is not None
    if with_git:
        _git(repo, "init", "-q", "-b", "main")
    for commit in told.commit:
        for name, text in commit.files.items():
            _write(repo / name, text)
        if with_git:
            _git(repo, "add", "-A")
            _git(repo, "commit", "-q", "-m", commit.message, when=commit.when)
    _write(folder / "logs" / told.log.name, told.log.text)
    return with_git


def documents(folder: Path) -> None:
    """Write the documents on caching into the folder, where they may stay to be read."""
    folder.mkdir(parents=True, exist_ok=True)
    for one in (_EXAMPLES / "caching").iterdir():
        outputs.whole(folder / one.name, [one.read_text("utf-8")])


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def _git(folder: Path, *arguments: str, when: str = "") -> None:
    """Git without the user's configuration, so that the same files make the same commits everywhere."""
    done = subprocess.run(["git", *arguments], cwd=folder, env=_environment(folder, when), capture_output=True)
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise WorldError(f"The example repository cannot be made: git {arguments[0]} ended with: {said}")


def _environment(folder: Path, when: str) -> dict[str, str]:
    people = {f"GIT_{who}_{what}": told for who in ("AUTHOR", "COMMITTER") for what, told in _AUTHOR.items()}
    times = {f"GIT_{who}_DATE": when for who in ("AUTHOR", "COMMITTER") if when}
    alone = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_TEMPLATE_DIR": "", "HOME": str(folder)}
    return {"PATH": os.environ.get("PATH", os.defpath), **alone, **people, **times}
