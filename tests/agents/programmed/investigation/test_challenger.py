"""The programmed challenger: each way in which it refutes or weakens what all agree on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agents.programmed.investigation.driving import scene_of
from tests.stories.shelf import story
from withstood.agents.programmed.investigation.challenger import challenge
from withstood.agents.programmed.investigation.scene import Scene
from withstood.claims.finding import Challenge, Grade, Kind
from withstood.protocols.investigation_briefs import ChallengeBrief, Item, Shown, Side


def tried(scene: Scene, cause: str, *evidence: tuple[Kind, str, str]) -> Challenge:
    strong: Grade = "STRONG"
    shown = tuple(Shown(kind, where, said, strong) for kind, where, said in evidence)
    side = Side(cause, "add-guard", "it is so", ("CODE-CALLCHAIN-R1", "HIST-RECENT-R1"), shown)
    brief = ChallengeBrief(scene.question, "en", "CR-AGREED-R3", "AGREED", (Item("I1", side),), ())
    (found,) = challenge(scene, brief).challenges
    return found


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    """A failure that was seen before the last commit was made."""
    told = story("renamed_key")
    told.commit(
        "late: a line for later", {"billing/late.py": "def late(invoice):\n    return invoice['total']\n"}, day=-0.01
    )
    with scene_of(told, tmp_path) as found:
        yield found


def line(scene: Scene, path: str, part: str) -> tuple[str, str]:
    page = scene.atlas.page(path)
    assert page is not None
    no = next(no for no, text in enumerate(page.lines, start=1) if part in text)
    return f"{path}:{no}", page.line(no).strip()


def test_what_holds_is_upheld(scene: Scene) -> None:
    where, said = line(scene, "billing/orders.py", "sum")
    assert tried(scene, "renamed-key", ("code", where, said)).verdict == "UPHELD"


def test_a_line_that_is_gone(scene: Scene) -> None:
    found = tried(scene, "renamed-key", ("code", "billing/orders.py:3", "return no_such_line_any_more()"))
    assert found.verdict == "REFUTED"


def test_a_change_that_came_after_the_failure(scene: Scene) -> None:
    assert scene.chronicle is not None
    name = scene.chronicle.rows[0].commit.name
    where, said = line(scene, "billing/orders.py", "sum")
    found = tried(scene, "renamed-key", ("code", where, said), ("commit", name, "return invoice['total']"))
    assert (found.verdict, found.evidence[0].type) == ("REFUTED", "log")


def test_every_challenge_shows_something_or_says_what_was_tried(scene: Scene) -> None:
    where, said = line(scene, "billing/invoices.py", "total")
    found = tried(scene, "null-dereference", ("code", where, said))
    assert found.challenge and found.impact
    assert found.verdict == "UPHELD" or found.evidence
