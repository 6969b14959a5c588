"""Every command in the pages runs, and prints what stands below it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs import listings
from docs.generate import RUN
from tests.docs import pages
from withstood.jobs import settings


@pytest.mark.parametrize("path", RUN)
def test_every_command_prints_what_the_page_shows(path: str, tmp_path: Path) -> None:
    ran = list(listings.run(pages.text(path), tmp_path))
    assert ran
    assert [one.fault for one in ran if one.fault] == []


def test_no_page_is_left_out() -> None:
    with_commands = {
        str(path.relative_to(pages.ROOT)) for path in pages.PAGES if "\n```sh\n" in path.read_text("utf-8")
    }
    assert with_commands == set(RUN)


@pytest.mark.parametrize(
    ("path", "told", "shown"),
    [
        ("README.md", "row 3a", "Row 3a: FLIP"),
        ("README.ko.md", "3a 행", "Row 3a: FLIP"),
        ("docs/tutorial.md", "Row 3b of", "Row 3b: DROP"),
        ("docs/tutorial.md", "Without its reason", "3c: FLAG (TIE_UNRESOLVED)"),
    ],
)
def test_what_is_told_of_an_output_stands_in_it(path: str, told: str, shown: str) -> None:
    before, _, after = pages.text(path).partition(told)
    assert after
    assert shown in (listings.listings(before)[-1].shown or "")


@pytest.mark.parametrize(
    ("page", "fault"),
    [
        ("```sh\nexit 3\n```\n", "exit code 3"),
        ("```sh\nfalse | cat\n```\n", "exit code 1"),
        ("```sh\necho one\n```\n\n```text\ntwo\n```\n", "other output"),
        ("```sh\necho one\n```\n\n```text\none\n```\n", None),
        ('```sh\nprintf "a\\nb 1\\nc\\nd\\n"\n```\n\n<!-- from "b" to "d" -->\n```text\nb 1\nc\n```\n', None),
        ('```sh\necho one\n```\n\n<!-- from "two" -->\n```text\none\n```\n', "other output"),
        ("<!-- file a.txt -->\n```text\nheld\n```\n\n```sh\ngrep held a.txt >&2\n```\n\n```text\nheld\n```\n", None),
    ],
)
def test_a_page_that_lies_is_seen(page: str, fault: str | None, tmp_path: Path) -> None:
    (ran,) = listings.run(page, tmp_path)
    assert ran.fault is None if fault is None else ran.fault is not None and fault in ran.fault


def test_an_output_is_made_anew_in_its_place(tmp_path: Path) -> None:
    page = "before\n\n```sh\necho now\n```\n\n```text\nthen\n```\n\nafter\n"
    assert listings.renewed(page, list(listings.run(page, tmp_path))) == page.replace("then", "now")


def test_setting_up_is_passed_over() -> None:
    line = "python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/withstood demo\n. .venv/bin/activate"
    (listing,) = listings.listings(f"```sh\n{line}\n```\n")
    assert listing.steps.strip() == ".venv/bin/withstood demo"


def test_what_runs_sees_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "not-for-a-page")
    (ran,) = listings.run('```sh\necho "${OPENAI_API_KEY:-none}"\n```\n', tmp_path)
    assert ran.output == "none\n"


def test_the_configuration_of_the_models_page_is_read(tmp_path: Path) -> None:
    (example,) = [one for one in listings.listings(pages.text("docs/models.md")) if one.file == settings.FILE]
    (tmp_path / settings.FILE).write_text(example.command, "utf-8")
    read = settings.load(tmp_path / settings.FILE, {})
    assert read.endpoints["house"].key_env == "HOUSE_KEY"
    assert read.models["B"] == "programmed"


def test_the_model_of_the_extending_page_is_found_by_name(tmp_path: Path) -> None:
    files = {one.file: one.command for one in listings.listings(pages.text("docs/extend.md")) if one.file}
    named = re.search(r'^\[project\.entry-points\."(\S+)"\]\n(.+?)\n*$', files["pyproject.toml"], re.MULTILINE)
    assert named
    installed = tmp_path / "parrot_model-1.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: parrot-model\nVersion: 1\n")
    (installed / "entry_points.txt").write_text(f"[{named[1]}]\n{named[2].replace(chr(34), '')}\n")
    (tmp_path / "parrot.py").write_text(files["parrot.py"])
    page = (
        "```sh\nexport PYTHONPATH=.\necho Beans > t.txt\nwithstood models | grep -c parrot\n"
        'withstood sentiment t.txt --model parrot:Beans 2>/dev/null | grep -c \'"aspect_term":"Beans"\'\n```\n'
    )
    (ran,) = listings.run(page, tmp_path)
    assert (ran.fault, ran.output) == (None, "1\n1\n")
