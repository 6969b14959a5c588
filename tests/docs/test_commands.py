"""Every command in the pages runs, and prints what stands below it."""

from __future__ import annotations

import tomllib
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


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """The package of the extending page, as an installer leaves it."""
    files = {one.file: one.command for one in listings.listings(pages.text("docs/extend.md")) if one.file}
    groups: dict[str, dict[str, str]] = tomllib.loads(files["pyproject.toml"])["project"]["entry-points"]
    installed = tmp_path / "my_witnesses-1.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: my-witnesses\nVersion: 1\n")
    sections = [f"[{group}]\n{name} = {place}\n" for group, named in groups.items() for name, place in named.items()]
    (installed / "entry_points.txt").write_text("".join(sections))
    for name in ("parrot.py", "warranty.py", "notes.py", "agreeing.py"):
        (tmp_path / name).write_text(files[name])
    return tmp_path


NAMED = {
    "a model": (
        "withstood models | grep -c parrot\n"
        'withstood sentiment t.txt --model parrot:Beans 2>/dev/null | grep -c \'"aspect_term":"Beans"\'',
        "1\n1\n",
    ),
    "agents": (
        "withstood models | grep -c warranty\n"
        "withstood sentiment t.txt --agents P-IMP=warranty 2>/dev/null | grep -c 'product#durability.*P-IMP'",
        "1\n1\n",
    ),
    "a source": (
        "printf 'https://a.example/1\\tIn our trial caching cut read requests from 310 ms to 95 ms.\\n' > n.tsv\n"
        "withstood research 'Does caching make read requests faster?' --sources notes:n.tsv -o o -n 1 2>/dev/null\n"
        "grep -c 'https://a.example/1' o/cognigraph.json\nwithstood research resume o -n 1 2>/dev/null\n"
        "withstood research resume o --sources . -n 1 2>/dev/null && withstood research resume o --sources notes:n.tsv",
        None,
    ),
    "a protocol": (
        "echo 'Great food.' > t.txt\nwithstood sentiment t.txt --protocol agreeing --run mine -o out 2>/dev/null\n"
        "withstood replay mine -o again 2>&1\nwithstood explain mine 1 | grep -c 'evidence-1'",
        "1 text of mine judged again, no model called: 0 changed.\n2\n",
    ),
}


@pytest.mark.parametrize("what", NAMED)
def test_what_the_extending_page_brings_is_found_by_name(what: str, package: Path) -> None:
    commands, printed = NAMED[what]
    page = f"```sh\nexport PYTHONPATH=.\necho 'Two keys fell off.' > t.txt\n{commands}\n```\n"
    (ran,) = listings.run(page, package)
    if printed is None:
        assert "a query elsewhere would tell of them" in ran.output and ran.code == 2, ran.output
    else:
        assert (ran.fault, ran.output) == (None, printed)
