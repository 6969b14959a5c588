"""What a panel tells of a script that is not used up."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from withstood.agents.prompted.agent import ROLES, PromptedAgent
from withstood.jobs.panels import MOST_UNUSED, unused_lines
from withstood.models.scripted import Scripted


@pytest.mark.parametrize("more", [0, 1, 1500])
def test_unused_lines_are_named_up_to_a_number_and_then_counted(tmp_path: Path, more: int) -> None:
    path = tmp_path / "script.jsonl"
    lines = [json.dumps({"case": str(no), "role": "A", "answer": {}}) + "\n" for no in range(MOST_UNUSED + more)]
    path.write_text("".join(lines))
    model = Scripted(path)
    told = unused_lines({"A": PromptedAgent(model, ROLES)})
    asyncio.run(model.close())
    assert len(told) == MOST_UNUSED + (more > 0)
    assert f"script.jsonl:{MOST_UNUSED} " in told[MOST_UNUSED - 1]
    if more:
        assert told[-1].endswith(f"{more:,} more")
