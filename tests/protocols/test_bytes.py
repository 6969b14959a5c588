"""The same answers give the same bytes, whatever the seed of the process is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.protocols.told import lines

ROOT = Path(__file__).resolve().parents[2]


def _told(seed: str) -> bytes:
    command = [sys.executable, "-m", "tests.protocols.told"]
    variables = os.environ | {"PYTHONHASHSEED": seed, "PYTHONUTF8": "1"}
    return subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, check=True).stdout


@pytest.mark.parametrize("seed", ["0", "1", "2", "1234567", "random"])
def test_bytes_do_not_depend_on_the_hash_seed(seed: str) -> None:
    assert _told(seed) == ("\n".join(lines()) + "\n").encode()


def test_the_text_is_hard_enough() -> None:
    """Every kind of flag and several rows stand in it, or equal bytes would mean little."""
    told = "\n".join(lines())
    for kind in "ref_polarity_mismatch term_polarity_mismatch semantic_conflict granularity_overlap".split():
        assert kind in told
    tables = (
        "candidates-1 evidence-1 conflicts-1 scope-1 reason-gate-1 arbiter-v1 arbiter-v2 sentence-label-1 "
        "polarity-names-1 anchoring-1 turn-mapping-1 amendment-1 override-1 guarding-1 adoption-1 aggregation-1 "
        "moderator-1 moderator-2 memory-injection-1 memory-lesson-1"
    )
    for table in tables.split():
        assert f'"table":"{table}"' in told
