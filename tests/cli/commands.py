"""The command as a user starts it: a process of its own, in a folder of its own, with nothing in its environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

CLEAN = ("PATH", "HOME", "LANG")


class Ended(NamedTuple):
    code: int
    out: bytes
    said: str

    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


def environment(**more: str) -> dict[str, str]:
    return {name: os.environ[name] for name in CLEAN if name in os.environ} | more


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "withstood", *arguments]


def withstood(
    folder: Path, *arguments: str, piped: bytes = b"", before: Sequence[str] = (), variables: Mapping[str, str] = {}
) -> Ended:
    done = subprocess.run(
        [*before, *command(*arguments)],
        cwd=folder,
        input=piped,
        capture_output=True,
        env=environment(**variables),
        timeout=60,
    )
    said = done.stderr.decode()
    assert "Traceback" not in said, said
    return Ended(done.returncode, done.stdout, said)


def results(folder: Path, name: str = "out") -> list[Any]:
    return [json.loads(line) for line in (folder / name / "results.jsonl").read_bytes().splitlines()]


REVIEWS = """id,text
k1,"화면은 밝지만 배터리가 너무 빨리 닳아요"
e1,"The screen is bright, but the battery is weak"
e2,The food was fine and the staff was rude
e3,Nothing to say about it
"""


def reviews(folder: Path, rows: str | bytes = REVIEWS, name: str = "in.csv") -> Path:
    path = folder / name
    path.write_bytes(rows if isinstance(rows, bytes) else rows.encode())
    return path


def script(folder: Path, a: str = "DROP", b: str = "DROP") -> str:
    """Answers for every text: two readers that disagree, one that is silent, and what A and B would do; C keeps."""
    triplet = {"aspect_term": "battery", "aspect_ref": "battery#quality", "confidence": 0.8}
    lines: list[dict[str, Any]] = [
        {"case": "*", "role": "P-NEG", "answer": {"triplets": [triplet | {"polarity": "negative"}]}},
        {"case": "*", "role": "P-IMP", "answer": {"triplets": [triplet | {"polarity": "positive"}]}},
        {"case": "*", "role": "P-LIT", "silent": "nobody there"},
        {"case": "*", "role": "A", "answer": {"review_actions": [_action(a, "t1")]}},
        {"case": "*", "role": "B", "answer": {"review_actions": [_action(b, "t1")]}},
        {"case": "*", "role": "C", "answer": {"review_actions": []}},
    ]
    path = folder / "answers.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return f"scripted:{path.name}"


def _action(kind: str, target: str) -> dict[str, Any]:
    return {"action_type": kind, "target_tuple_ids": [target], "reason_code": "WEAK_EVIDENCE"}
