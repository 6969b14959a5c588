"""The job as Python calls it: texts, agents and rulebooks passed as objects."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import withstood
from tests.fakes.agents import ToldAgent
from withstood.claims.ballot import Review
from withstood.claims.opinion import Reading, Triplet
from withstood.errors import ConfigError
from withstood.rules.rulebook import PRESETS


async def praising(ask: Any, line: Any) -> Any:
    return Reading((Triplet(aspect_term="food", polarity="positive"),)) if ask.wants is Reading else Review()


def decided(tmp_path: Path, texts: list[str], **wanted: Any) -> Any:
    return withstood.sentiment(texts, store=str(tmp_path / "journal.db"), **wanted)


def test_an_agent_of_ones_own_sits_where_it_is_put(tmp_path: Path) -> None:
    ending = decided(tmp_path, ["The food was bad."], agents={"P-IMP": ToldAgent(praising)})
    origins = {one["origin"]: one["polarity"] for one in ending.results[0]["stage1"]}
    assert origins["P-IMP"] == "positive"
    assert origins["P-LIT"] == "negative"


def test_agents_may_fill_every_seat(tmp_path: Path) -> None:
    seats = dict.fromkeys(("P-NEG", "P-IMP", "P-LIT", "A", "B", "C"), ToldAgent(praising))
    assert [len(one["final"]) for one in decided(tmp_path, ["food"], agents=seats).results] == [3]


def test_a_seat_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no role 'D'"):
        decided(tmp_path, ["food"], agents={"D": ToldAgent(praising)})


def test_a_rulebook_of_ones_own_is_taken_as_it_is(tmp_path: Path) -> None:
    book = PRESETS["strict"].adjusted({"review.when": "always"})
    ending = decided(tmp_path, ["Great food."], rules=book)
    assert ending.results[0]["asks"] == 6


def test_texts_are_looked_at_like_rows_of_a_file(tmp_path: Path) -> None:
    secret = "sk-abcdefghijklmnopqrstuvwx1234567890abcd"
    ending = decided(tmp_path, ["Great food.", " ", f"my key {secret} is great", "\ud83d"])
    assert [one.get("error", {}).get("code") for one in ending.results] == [None, "empty_text", None, "surrogate"]
    assert ending.refused == 2
    assert secret.encode() not in (tmp_path / "journal.db").read_bytes()
