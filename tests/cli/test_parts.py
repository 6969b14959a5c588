"""A run without its parts, of any job."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli import shop
from tests.cli.commands import reviews, script, withstood


@pytest.fixture(scope="module")
def decided(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = shop.build(tmp_path_factory.mktemp("parts"))
    reviews(folder)
    model = script(folder, "FLIP", "DROP")
    assert withstood(folder, "sentiment", "in.csv", "-o", "out", "--run", "mine", "--model", model).code == 0
    call = ("investigate", shop.QUESTION, "--repo", "repo", "--logs", "logs", "-o", "found", "--run", "inq")
    assert withstood(folder, *call).code == 0
    return folder


def parts(folder: Path, *call: str) -> dict[str, dict[str, object]]:
    done = withstood(folder, "ablate", *call, "--json")
    assert done.code == 0, done.said
    return {one["part"]: one for one in done.lines()[0]["parts"]}


def test_a_reviewer_less_and_a_rule_less(decided: Path) -> None:
    """FLIP, DROP and KEEP: without B the DROP is gone, and two different votes make a flag."""
    found = parts(decided, "mine", "--drop", "role=B", "--drop", "rule=arbiter's second edition")
    assert found["role=B"]["changed"] == 4
    assert found["role=B"]["moves"] == {"negative → mixed": 4}
    assert found["rule=arbiter's second edition"]["changed"] == 4


def test_without_a_reader_nothing_conflicts_and_who_was_silent_cannot_be_dropped(decided: Path) -> None:
    found = parts(decided, "mine", "--drop", "role=P-NEG")
    assert (found["role=P-NEG"]["changed"], found["role=P-NEG"]["open"]) == (4, 0)
    silent = withstood(decided, "ablate", "mine", "--drop", "role=P-LIT")
    assert (silent.code, "has the part role=P-LIT" in silent.said) == (66, True)


def test_every_part_of_an_investigation(decided: Path) -> None:
    found = parts(decided, "inq")
    assert {"source=log", "source=code", "role=LOG-STACKTRACE-R1"} <= found.keys()
    assert found["source=code"]["changed"] == 1
    assert found["source=log"]["headlines_changed"] == 1


@pytest.mark.parametrize(
    ("drop", "code", "said"),
    [
        ("role=NOBODY", 66, "has the part role=NOBODY. There are: role=P-NEG"),
        ("rule=nothing", 2, "There is no rule nothing to drop"),
        ("everything", 2, "Wanted role=NAME"),
    ],
)
def test_a_part_that_is_not_there(decided: Path, drop: str, code: int, said: str) -> None:
    done = withstood(decided, "ablate", "mine", "--drop", drop)
    assert (done.code, said in done.said) == (code, True), done.said
