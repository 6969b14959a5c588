"""The pages that restate code are those that the code makes now."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from docs import generate
from tests.docs import pages
from withstood import errors
from withstood.cli.main import COMMANDS
from withstood.jobs.published import tables


def test_every_page_is_current() -> None:
    assert generate.stale() == []


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    shutil.copytree(pages.ROOT / "docs", tmp_path / "docs")
    return tmp_path


@pytest.mark.parametrize("path", ["docs/reference/errors.md", "docs/tables/arbiter-v2.md"])
def test_a_changed_page_is_named(path: str, copied: Path) -> None:
    (copied / path).write_text("something else")
    assert generate.stale(copied) == [path]


def test_a_page_of_no_table_is_named(copied: Path) -> None:
    (copied / "docs" / "tables" / "arbiter-v0.md").write_text("gone")
    assert generate.stale(copied) == ["docs/tables/arbiter-v0.md"]


def test_a_missing_page_is_named_and_written(copied: Path) -> None:
    (copied / "docs" / "reference" / "cli.md").unlink()
    assert generate.stale(copied) == ["docs/reference/cli.md"]
    generate.write(copied)
    assert generate.stale(copied) == []


def test_every_table_stands_on_its_page_as_it_is() -> None:
    made = generate.pages()
    for table in tables().values():
        assert (table.text or "").strip() in made[f"docs/tables/{table.edition}.md"]


def test_commands_and_exit_codes_are_all_there() -> None:
    made = generate.pages()
    assert [name for name in COMMANDS if f"## withstood {name}\n" not in made["docs/reference/cli.md"]] == []
    assert [code for code, _ in errors.EXIT_CODES if f"| {code} |" not in made["docs/reference/errors.md"]] == []


def test_an_unknown_argument_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert generate.main(["--now"]) == 2
    assert "--check" in capsys.readouterr().err
