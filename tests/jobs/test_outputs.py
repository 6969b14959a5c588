"""What a run leaves: whole files under their names, or none."""

from __future__ import annotations

from pathlib import Path

import pytest

from withstood.errors import ConfigError, OutputError
from withstood.jobs import names
from withstood.jobs.outputs import Folder


def test_files_take_their_names_when_they_are_whole(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "a" / "b")
    folder.write("results.jsonl", '{"id":"좋아"}\n')
    assert [path.name for path in folder.path.iterdir()] == ["results.jsonl.part"]
    folder.write("results.jsonl", "{}\n")
    folder.finish({"report.md": "# done\n"})
    assert sorted(path.name for path in folder.path.iterdir()) == ["report.md", "results.jsonl"]
    assert (folder.path / "results.jsonl").read_bytes() == '{"id":"좋아"}\n{}\n'.encode()


def test_earlier_results_stand_until_new_ones_are_whole(tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").write_text("earlier\n")
    (tmp_path / "results.jsonl.part").write_text("left over from a run that was killed\n")
    folder = Folder(tmp_path)
    folder.write("results.jsonl", "new\n")
    assert (tmp_path / "results.jsonl").read_text() == "earlier\n"
    folder.finish({})
    assert (tmp_path / "results.jsonl").read_text() == "new\n"
    assert not (tmp_path / "results.jsonl.part").exists()


def test_a_file_in_the_way_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("here first")
    with pytest.raises(OutputError, match="-o"):
        Folder(tmp_path / "file")


def test_names_are_sayable_and_not_given_twice() -> None:
    taken: set[str] = set()
    for _ in range(200):
        name = names.fresh(taken)
        assert name not in taken
        assert names.checked(name) == name
        taken.add(name)


@pytest.mark.parametrize("name", ["mine", "2026-05_b.2", "시험", "x" * 64])
def test_names_that_may_be_given(name: str) -> None:
    assert names.checked(name) == name


@pytest.mark.parametrize("name", ["", "a b", "a/b", "..", "-o", ".a", "last", "x" * 65, "a\n", "a\0"])
def test_names_that_may_not(name: str) -> None:
    with pytest.raises(ConfigError, match="name"):
        names.checked(name)
