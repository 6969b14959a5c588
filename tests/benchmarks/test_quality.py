"""The benchmark of quality, on rows of our own in the place of a set."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.agents.fitted import rows
from withstood.sources.labels.kinds import LAYOUTS

BENCH = Path(__file__).parents[2] / "benchmarks" / "quality.py"


def test_figures_stand_beside_every_baseline(tmp_path: Path) -> None:
    folder = tmp_path / "ko-nikl2022"
    folder.mkdir()
    found = rows.korean(40)
    for name, part in (("train.jsonl", found[:28]), ("valid.jsonl", found[28:])):
        (folder / name).write_text("".join(LAYOUTS["nikl"].write(part)), "utf-8")
    command = [sys.executable, str(BENCH), str(tmp_path), "--json", "--resamples", "20"]
    done = subprocess.run(command, capture_output=True, check=True, cwd=tmp_path)
    made = json.loads(done.stdout)
    of = {(row["panel"], row["of"]) for row in made["figures"] if row["measure"] == "ref-pol micro"}
    beside = {"final", "stage 1", "one call (S0)", "majority of readers", "constant guess"}
    assert of == {(panel, name) for panel in ("programmed", "fitted") for name in beside}
    final = [row for row in made["figures"] if row["of"] == "final" and row["panel"] == "fitted"]
    assert float(final[0]["figure"]["value"]) == 1
    assert set(made["speed"]["ko-nikl2022"]) == {"texts", "programmed", "fitted"}


def test_a_folder_without_a_set_is_said(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, str(BENCH), str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 2
    assert "has none of en-aste-14res" in done.stderr
