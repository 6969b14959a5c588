"""A loss of power takes nothing that was acknowledged; with a weaker setting it does, so the states are hard enough."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from benchmarks import power_loss

pytestmark = pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")


@pytest.mark.parametrize(("setting", "loses"), [("EXTRA", False), ("FULL", True), ("OFF", True)])
def test_what_was_acknowledged_is_there_after_a_loss_of_power(tmp_path: Path, setting: str, loses: bool) -> None:
    acts = power_loss.watched(tmp_path, setting, commits=15)
    outcome = power_loss.states(acts, wanted=60, seed=5)
    assert outcome["unlike"] > 20
    assert (outcome["with_something_lost"] > 0) == loses
