"""kill -9 at each step of an iteration, and before each file takes its name: resumed, the folder is as undisturbed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.jobs.dying_research import ITERATIONS, Fuse
from tests.jobs.studies import script, shelf, studied

ROOT = Path(__file__).parents[2]
FOURTH = 4
"""The iteration with an idea in it: SELECT, SEARCH, EXPLORE, CHECK, IDEATE, SAVE."""


class Heard(Fuse):
    """What is told, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[tuple[str, str]] = []

    def tell(self, event: Any, case: str, role: str = "") -> None:
        self.told.append((event, role))


def steps(folder: Path) -> list[str]:
    """Where the fourth iteration asks and answers, and the end of the run."""
    heard, model = Heard(), f"scripted:{script(folder / 'answers.jsonl', ITERATIONS)}"
    shelf(folder / "whole" / "shelf")
    studied(folder / "whole", iterations=ITERATIONS, models={"default": model}, watching=lambda watch: heard)
    selects = [no for no, one in enumerate(heard.told, 1) if one == ("asked", "SELECT")]
    begin, end = selects[FOURTH - 1], selects[FOURTH]
    told = list(enumerate(heard.told, 1))
    places = [no for no, (event, _) in told[begin - 1 : end - 1] if event in ("asked", "answered")]
    places += [no for no, (event, _) in told if event in ("ruled", "written")]
    assert len(places) == 14
    return [f"tell:{no}" for no in places]


def test_a_killed_research_goes_on_as_if_nothing_had_been(tmp_path: Path) -> None:
    events = ["tell:100000", *steps(tmp_path), *[f"put:{no}" for no in (3, 4, 9, 22, 24, 26)]]
    command = [sys.executable, "-m", "tests.jobs.dying_research", str(tmp_path), *events]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    whole, *killed = json.loads(done.stdout)
    assert whole["died"] == 0
    assert "thesis.md" in whole["standing"]
    for one in killed:
        assert (one["event"], one["died"], one["went_on"]) == (one["event"], -signal.SIGKILL, 0), done.stderr
        assert one["standing"] == whole["standing"], one["event"]


def test_before_the_first_file_there_is_nothing_to_go_on_with(tmp_path: Path) -> None:
    script(tmp_path / "answers.jsonl", ITERATIONS)
    command = [sys.executable, "-m", "tests.jobs.dying_research", str(tmp_path), "put:1", "put:2"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    for one in json.loads(done.stdout):
        assert (one["died"], one["first"], one["standing"]) == (-signal.SIGKILL, False, {})
