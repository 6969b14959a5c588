"""What the pages tell of fields, commands, options and tables is what there is."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import pytest

from docs import generate
from tests.docs import pages
from withstood.claims.case import Case
from withstood.claims.opinion import Candidate, Reading
from withstood.cli.main import COMMANDS
from withstood.jobs.published import tables
from withstood.models.names import BUILT_IN, KEYS
from withstood.protocols.outcome import Outcome, conclude
from withstood.protocols.sentiment import PROTOCOLS

# Of other programs: pip, and check.py.
FOREIGN = {"--require-hashes", "--no-deps", "--no-build-isolation", "--check", "--fast"}


def result() -> dict[str, Any]:
    seen = Candidate("t0", "", "", "neutral", 0, 0, None, None, None, Decimal(1), "P-NEG")
    return dict(
        conclude(Case(1, "1", "a text", "en"), Outcome((seen,), (), (), (seen,), (Reading(),), (), ()), ()).result
    )


def of_benchmarks() -> set[str]:
    """The options that the benchmarks take, which pages of figures name."""
    sources = [path.read_text("utf-8") for path in (pages.ROOT / "benchmarks").glob("*.py")]
    return {option for source in sources for option in re.findall(r'add_argument\(\s*"(--[a-z][a-z-]+)"', source)}


def told(section: str) -> list[str]:
    """The fields of the first table after these words on the page of the protocol."""
    after = pages.text("docs/protocols/sentiment.md").partition(section)[2]
    table = after[after.index("|---") :].partition("\n\n")[0]
    return [
        name for cell in re.findall(r"^\| ([^|]+) \|", table, re.MULTILINE) for name in re.findall(r"`(\w+)`", cell)
    ]


def test_every_field_of_a_result_is_told_in_order() -> None:
    assert told("## results.jsonl") == list(result())


def test_every_field_of_a_tuple_is_told_in_order() -> None:
    (opinion,) = result()["final"]
    assert told("A tuple:") == list(opinion)


def test_every_protocol_is_told() -> None:
    rows = re.findall(r"^\| `([\w-]+)`(?: \(default\))? \|", pages.text("docs/protocols/sentiment.md"), re.MULTILINE)
    assert [row for row in rows if row in PROTOCOLS] == list(PROTOCOLS)


@pytest.mark.parametrize("name", ["README.md", "README.ko.md"])
def test_every_command_is_told(name: str) -> None:
    assert [command for command in COMMANDS if f"`withstood {command}" not in pages.text(name)] == []


def test_every_table_is_told_in_the_changelog() -> None:
    text = pages.text("CHANGELOG.md")
    assert [table.edition for table in tables().values() if f"`{table.edition}`" not in text] == []


def test_every_option_that_is_told_is_there() -> None:
    known = set(re.findall(r"--[a-z][a-z-]+", generate.command_page())) | FOREIGN | of_benchmarks()
    written = [page for page in pages.PAGES if "docs/reference" not in str(page)]
    named = {option for page in written for option in re.findall(r"(?<![\w-])--[a-z][a-z-]+", pages.text(page))}
    assert named
    assert named - known == set()


def test_every_provider_and_its_key_is_told() -> None:
    text = pages.text("docs/models.md")
    assert [name for name in BUILT_IN if f"`{name}:MODEL`" not in text] == []
    assert [key for names in KEYS.values() for key in names if f"`{key}`" not in text] == []
