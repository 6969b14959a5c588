"""What the tests of this room work on: a few reviews, a job of them, a register of either kind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from withstood.engine.limits import Limits
from withstood.fleet.commission import Commission, Piece
from withstood.jobs import sentiment
from withstood.jobs.settings import Config

TEXTS = ("The screen is bright", "배터리가 약해요", "The staff was rude but the food was great", "")


def reviews(path: Path, count: int, *, copies: int = 0) -> Path:
    """So many different texts, some of them once more at the end, and one row that is refused."""
    rows = [f"r{no},The screen of number {no} is bright but the battery is weak" for no in range(1, count + 1)]
    again = [f"c{no},The screen of number {no} is bright but the battery is weak" for no in range(1, copies + 1)]
    path.write_text("\n".join(["id,text", *rows[:3], "r1,the same id", *rows[3:], *again, ""]))
    return path


def script(path: Path, cases: list[str]) -> Path:
    """Answers for three readers and three reviewers of each case."""
    path.write_text("".join(json.dumps(line) + "\n" for case in cases for line in _answers(case)))
    return path


def _answers(case: str) -> Iterator[dict[str, Any]]:
    for role, polarity in (("P-NEG", "negative"), ("P-IMP", "positive"), ("P-LIT", "neutral")):
        triplet = {"aspect_term": "screen", "aspect_ref": "display#quality", "polarity": polarity}
        yield {"case": case, "role": role, "answer": {"triplets": [triplet]}}
    for role in "ABC":
        action = {"action_type": "KEEP", "target_tuple_ids": ["t0"]}
        yield {"case": case, "role": role, "answer": {"review_actions": [action]}}


def planned(source: Path, **limits: Any) -> sentiment.Plan:
    return sentiment.plan(sentiment.Order(source, limits=Limits(**limits)), Config())


def commission(plan: sentiment.Plan, **given: Any) -> Commission:
    return replace(Commission("sentiment", plan.order.protocol, plan.config, plan.header()), **given)


def pieces(*rows: int, later: int = 0) -> list[Piece]:
    """Chunks of so many rows; the last `later` of them hold copies."""
    first = len(rows) - later
    return [Piece(no, int(no > first), f"hash-{no}", count) for no, count in enumerate(rows, start=1)]
