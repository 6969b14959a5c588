"""A repository that wants to harm its reader: it runs nothing and reads nothing outside."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.sources.repositories import git, repository
from withstood.errors import MissingProgram, WorldError
from withstood.sources import history
from withstood.sources.git import Git, NotARepository

SOME = (("first", {"a.txt": "one\n"}), ("second", {"a.txt": "two\n", "b.bin": "x"}))


def everything(path: Path) -> list[str]:
    """Every question that can be put."""
    with Git.opened(path) as opened:
        found = list(history.commits(opened))
        for one in found:
            history.patch(opened, one.name)
            history.commit(opened, one.name)
            history.file_at(opened, one.name, "a.txt")
        history.blame(opened, "a.txt", 1, 1)
        history.pickaxe(opened, "two")
    return [one.subject for one in found]


@pytest.fixture
def hostile(tmp_path: Path) -> tuple[Path, Path]:
    """A repository in which every way that we know of leads to a program that leaves a trace."""
    made, trace = repository(tmp_path / "hostile", SOME), tmp_path / "trace"
    program = tmp_path / "program.sh"
    program.write_text(f"#!/bin/sh\necho ran >> {trace}\ncat\n")
    program.chmod(0o755)
    for name in (
        "core.fsmonitor core.pager pager.log pager.show core.editor core.sshCommand core.askPass core.gitProxy "
        "diff.external diff.evil.textconv diff.evil.command filter.evil.smudge filter.evil.clean filter.evil.process "
        "gpg.program credential.helper uploadpack.packObjectsHook core.alternateRefsCommand interactive.diffFilter "
        "alias.log alias.cat-file alias.blame"
    ).split():
        git(made, "config", name, f"!{program}" if name.startswith("alias") else str(program))
    git(made, "config", "log.showSignature", "true")
    git(made, "config", "core.hooksPath", str(tmp_path))
    git(made, "config", "include.path", str(tmp_path / "included"))
    for hook in ("post-checkout", "pre-commit", "post-index-change", "fsmonitor-watchman", "reference-transaction"):
        shutil.copy(program, tmp_path / hook)
    (made / ".git/info").mkdir(exist_ok=True)
    (made / ".git/info/attributes").write_text("* diff=evil filter=evil\n")
    (made / ".gitattributes").write_text("* diff=evil filter=evil\n")
    git(made, "config", "extensions.partialClone", "origin")
    git(made, "config", "remote.origin.url", f"ext::{program}")
    git(made, "config", "remote.origin.promisor", "true")
    trace.unlink(missing_ok=True)
    return made, trace


def test_a_hostile_repository_runs_nothing(hostile: tuple[Path, Path]) -> None:
    made, trace = hostile
    assert everything(made) == ["second", "first"]
    assert not trace.exists()


def test_the_trap_is_one(hostile: tuple[Path, Path]) -> None:
    """The control: git itself, run in that repository, runs the programs."""
    made, trace = hostile
    git(made, "log", "-p", "--textconv", "--ext-diff")
    assert trace.exists()


def test_the_users_own_environment_is_not_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, trace = repository(tmp_path / "made", SOME), tmp_path / "trace"
    program = tmp_path / "program.sh"
    program.write_text(f"#!/bin/sh\necho ran >> {trace}\n")
    program.chmod(0o755)
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(program))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "diff.external")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(program))
    assert everything(made) == ["second", "first"]
    assert not trace.exists()


def test_objects_of_another_repository_are_not_read(tmp_path: Path) -> None:
    private = repository(tmp_path / "private", (("secret plans", {"plan.txt": "the plan\n"}),))
    name = git(private, "rev-parse", "HEAD").strip()
    made = repository(tmp_path / "made", SOME)
    (made / ".git/objects/info/alternates").write_text(f"{private}/.git/objects\n")
    with Git.opened(made) as opened:
        assert history.commit(opened, name) is None
    (made / ".git/refs/heads/main").write_text(f"{name}\n")
    with pytest.raises(NotARepository, match="borrows objects"):
        everything(made)


def test_links_are_not_followed(tmp_path: Path) -> None:
    private = repository(tmp_path / "private", (("secret plans", {"plan.txt": "the plan\n"}),))
    git(private, "repack", "-qad")
    name = git(private, "rev-parse", "HEAD").strip()
    made = repository(tmp_path / "made", SOME)
    for pack in (private / ".git/objects/pack").iterdir():
        (made / ".git/objects/pack" / pack.name).symlink_to(pack)
    (made / ".git/packed-refs").symlink_to(private / ".git/packed-refs")
    with Git.opened(made) as opened:
        assert history.commit(opened, name) is None
        assert name not in opened.heads.refs.values()
    shutil.rmtree(made / ".git/objects")
    (made / ".git/objects").symlink_to(private / ".git/objects")
    with pytest.raises(NotARepository, match="no git repository"):
        everything(made)


def test_a_git_file_that_points_elsewhere(tmp_path: Path) -> None:
    private = repository(tmp_path / "private", SOME)
    made = tmp_path / "made"
    made.mkdir()
    (made / ".git").write_text(f"gitdir: {private}/.git\n")
    with pytest.raises(NotARepository, match="points elsewhere"):
        everything(made)


def test_a_bare_repository_a_shallow_clone_packs_and_sha256(tmp_path: Path) -> None:
    made = repository(tmp_path / "made", SOME)
    git(tmp_path, "clone", "-q", "--bare", str(made), "bare")
    assert everything(tmp_path / "bare") == ["second", "first"]
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{made}", "shallow")
    with Git.opened(tmp_path / "shallow") as opened:
        assert opened.heads.shallow
        assert [one.subject for one in history.commits(opened)] == ["second"]
    git(made, "gc", "-q")
    assert everything(made) == ["second", "first"]
    wide = tmp_path / "wide"
    wide.mkdir()
    git(wide, "init", "-q", "--object-format=sha256")
    (wide / "a.txt").write_text("one\n")
    git(wide, "add", ".")
    git(wide, "commit", "-q", "-m", "wide")
    assert everything(wide) == ["wide"]


def test_heads_on_a_branch_detached_and_at_a_tag(tmp_path: Path) -> None:
    made = repository(tmp_path / "made", SOME)
    git(made, "tag", "v1", "HEAD~1")
    with Git.opened(made) as opened:
        assert opened.heads.branch == "main"
        assert {"refs/heads/main", "refs/tags/v1"} <= opened.heads.refs.keys()
    git(made, "checkout", "-q", "v1")
    with Git.opened(made) as opened:
        assert (opened.heads.branch, opened.heads.head) == (None, opened.heads.refs["refs/tags/v1"])


def test_nothing_is_left_behind_and_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, spool = repository(tmp_path / "made", SOME), tmp_path / "spool"
    spool.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(spool))
    before = sorted((path, path.stat().st_mtime_ns) for path in made.rglob("*"))
    everything(made)
    assert sorted((path, path.stat().st_mtime_ns) for path in made.rglob("*")) == before
    assert list(spool.iterdir()) == []


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda folder: None, "There is no folder"),
        (lambda folder: folder.mkdir(), "no git repository"),
        (lambda folder: (folder.mkdir(), git(folder, "init", "-q")), "no commit yet"),
    ],
)
def test_what_is_no_repository_is_said(tmp_path: Path, make: object, said: str) -> None:
    assert callable(make)
    make(tmp_path / "made")
    with pytest.raises(NotARepository, match=said):
        everything(tmp_path / "made")


def test_no_git_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = repository(tmp_path / "made", SOME)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingProgram, match="git is needed"):
        everything(made)


def test_too_much_and_too_long(tmp_path: Path) -> None:
    made = repository(tmp_path / "made", SOME)
    with Git.opened(made) as opened:
        with pytest.raises(WorldError, match="more than 10 bytes"):
            opened.run(["log", opened.heads.head, "--"], most=10)
        with pytest.raises(WorldError, match="took longer than"):
            opened.run(["-c", "alias.wait=!sleep 30", "wait"], seconds=0.2)
