"""Which repository is meant where none is named."""

from __future__ import annotations

from pathlib import Path

from tests.cli.inquiries import QUESTION, inside, place


def test_the_folder_in_which_somebody_is(tmp_path: Path) -> None:
    place(tmp_path)
    for folder, arguments, told in (
        (tmp_path / "repo", (), True),
        (tmp_path / "repo", ("--logs", "../pay.log"), True),
        (tmp_path, ("--logs", "pay.log"), False),
        (tmp_path, (), True),
    ):
        done = inside(folder, "investigate", QUESTION, "--dry-run", *arguments)
        assert ("files " in done.out.decode()) == told, (folder, arguments)
