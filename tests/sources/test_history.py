from __future__ import annotations

from pathlib import Path

import pytest

from tests.sources.repositories import WHEN, git, repository
from withstood.errors import InputError
from withstood.sources import history
from withstood.sources.git import Git

TOKEN = "ghp_" + "a1B2" * 9
COMMITS = (
    ("first\n\nwith a body", {"app/main.py": "a = 1\nb = 2\n", "읽기.txt": "안녕\n"}),
    (":100644 100644 looks like a change\n", {"app/main.py": "a = 1\nb = 3\n"}),
    ("third", {"읽기.txt": None, "a b\tc.txt": f"token {TOKEN}\n"}),
)


@pytest.fixture
def made(tmp_path: Path) -> Path:
    return repository(tmp_path / "made", COMMITS)


def test_commits_newest_first_with_their_paths(made: Path) -> None:
    with Git.opened(made) as opened:
        found = list(history.commits(opened))
    assert [one.subject for one in found] == ["third", ":100644 100644 looks like a change", "first"]
    assert [one.when for one in found] == [WHEN + 7200, WHEN + 3600, WHEN]
    assert [[(each.path, each.change) for each in one.touched] for one in found] == [
        [("a b\tc.txt", "added"), ("읽기.txt", "deleted")],
        [("app/main.py", "modified")],
        [("app/main.py", "added"), ("읽기.txt", "added")],
    ]
    assert found[2].message == "first\n\nwith a body"
    assert found[0].parents == (found[1].name,) and found[2].parents == ()


def test_a_merge_touches_nothing_of_its_own(made: Path) -> None:
    git(made, "checkout", "-q", "-b", "side", "HEAD~1")
    (made / "side.txt").write_text("side\n")
    git(made, "add", ".")
    git(made, "commit", "-q", "-m", "side", when=WHEN + 9000)
    git(made, "checkout", "-q", "main")
    git(made, "merge", "-q", "-m", "merged", "side", when=WHEN + 10000)
    with Git.opened(made) as opened:
        merged, *others = history.commits(opened)
    assert (merged.subject, merged.touched, len(merged.parents)) == ("merged", (), 2)
    assert len(others) == 4


def test_of_some_paths_or_so_many(made: Path) -> None:
    with Git.opened(made) as opened:
        assert len(list(history.commits(opened, most=2))) == 2
        assert [one.subject for one in history.commits(opened, paths=["app/main.py"])][-1] == "first"
        assert list(history.commits(opened, paths=["app/*.py"])) == []


def test_one_commit_by_its_full_name_alone(made: Path) -> None:
    with Git.opened(made) as opened:
        newest = next(history.commits(opened))
        assert history.commit(opened, newest.name) == newest
        assert history.commit(opened, "0" * 40) is None
        for name in ("HEAD", newest.name[:12], "--output=x", newest.name + "\n" + newest.name):
            with pytest.raises(InputError, match="full hexadecimal"):
                history.commit(opened, name)


def test_a_file_as_it_was_and_its_secrets_covered(made: Path) -> None:
    with Git.opened(made) as opened:
        third, second, first = history.commits(opened)
        assert history.file_at(opened, first.name, "app/main.py") == "a = 1\nb = 2\n"
        assert history.file_at(opened, second.name, "읽기.txt") == "안녕\n"
        assert history.file_at(opened, third.name, "읽기.txt") is None
        assert history.file_at(opened, third.name, f"x\n{first.name}:app/main.py") is None
        kept = history.file_at(opened, third.name, "a b\tc.txt")
        assert kept is not None and TOKEN not in kept and kept.startswith("token ")
        assert TOKEN not in history.patch(opened, third.name)


def test_blame_patch_and_pickaxe(made: Path) -> None:
    with Git.opened(made) as opened:
        _, second, first = history.commits(opened)
        lines = history.blame(opened, "app/main.py", 1, 2)
        assert [(one.line, one.commit) for one in lines] == [(1, first.name), (2, second.name)]
        assert "-b = 2\n+b = 3" in history.patch(opened, second.name, ["app/main.py"], context=0)
        assert [one.name for one in history.pickaxe(opened, "b = 3")] == [second.name]
        assert history.pickaxe(opened, "") == ()
