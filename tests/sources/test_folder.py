from __future__ import annotations

import os
from pathlib import Path

import pytest

from withstood.errors import InputError
from withstood.sources.folder import SHOWN, Folder, OutOfBounds, is_secret


@pytest.fixture
def made(tmp_path: Path) -> Path:
    top = tmp_path / "made"
    (top / "src" / "inner").mkdir(parents=True)
    (top / "src" / "b.py").write_text("b\n")
    (top / "src" / "inner" / "a.py").write_text("a\n")
    (top / "읽기.md").write_text("안녕\n")
    (tmp_path / "outside.txt").write_text("outside\n")
    return top


def test_files_in_the_order_of_their_paths(made: Path) -> None:
    with Folder(made) as folder:
        assert [(one.path, one.size) for one in folder.files()] == [
            ("src/b.py", 2),
            ("src/inner/a.py", 2),
            ("읽기.md", 7),
        ]
        assert [one.path for one in folder.files("src/inner")] == ["src/inner/a.py"]
        assert folder.read("src/inner/a.py") == b"a\n"


def test_what_is_left_out_is_counted(made: Path, tmp_path: Path) -> None:
    (made / "link.txt").symlink_to(tmp_path / "outside.txt")
    (made / "linked").symlink_to(tmp_path)
    (made / ".git").mkdir()
    (made / ".git" / "config").write_text("x")
    (made / ".env").write_text("KEY=1\n")
    os.mkfifo(made / "pipe")
    with Folder(made, most_files=2) as folder:
        assert len(list(folder.files())) == 2
        assert dict(folder.left_out) == {"hidden": 1, "link": 2, "secret": 1, "special": 1, "too many": 1}


@pytest.mark.parametrize(
    "path",
    [
        "../outside.txt",
        "src/../../outside.txt",
        "/etc/passwd",
        "",
        ".",
        "src//b.py",
        "src/",
        "a\0b",
        "./src/b.py",
        "none",
    ],
)
def test_a_path_that_is_none_of_its_own(made: Path, path: str) -> None:
    with Folder(made) as folder, pytest.raises(OutOfBounds):
        folder.read(path)


def test_no_link_is_followed_on_the_way_or_at_the_end(made: Path, tmp_path: Path) -> None:
    (made / "link.txt").symlink_to(tmp_path / "outside.txt")
    (made / "linked").symlink_to(tmp_path)
    with Folder(made) as folder:
        assert folder.read("link.txt") == "link"
        assert folder.read("linked/outside.txt") == "link"


def test_what_is_no_text_is_not_given(made: Path) -> None:
    os.mkfifo(made / "pipe")
    (made / "large.txt").write_text("x" * 101)
    (made / "data.bin").write_bytes(b"abc\0def")
    (made / "id_rsa").write_text("key")
    (made / ".git").mkdir()
    (made / ".git" / "config").write_text("x")
    with Folder(made, most_bytes=100) as folder:
        assert folder.read("pipe") == "special"
        assert folder.read("large.txt") == "large"
        assert folder.read("data.bin") == "binary"
        assert folder.read("id_rsa") == "secret"
        assert folder.read(".git/config") == "hidden"


def test_a_folder_swapped_for_a_link_after_it_was_found(made: Path, tmp_path: Path) -> None:
    with Folder(made) as folder:
        assert "src/b.py" in [one.path for one in folder.files()]
        (made / "src").rename(made / "moved")
        (made / "src").symlink_to(tmp_path)
        assert folder.read("src/outside.txt") == "link"


def test_secrets_by_name() -> None:
    assert all(map(is_secret, [".env", ".env.local", "prod.env", "ID_RSA", "server.PEM", "terraform.tfstate"]))
    assert not any(map(is_secret, ["env.py", "environment.md", *[name.replace("*", "x") for name in SHOWN]]))


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="wanted a folder"):
        Folder(tmp_path / "file")
    with pytest.raises(InputError, match="There is no folder"):
        Folder(tmp_path / "none")
