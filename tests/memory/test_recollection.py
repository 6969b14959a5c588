"""What one run recalls and adds: by its mark, in the order of the input, the same after a restart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.memory.test_store import lesson, news
from tests.rules.episodes import episode
from tests.rules.test_memory_tables import signatures, stores
from withstood.claims.episode import Episode, Signature
from withstood.errors import InputError
from withstood.memory.entries import line
from withstood.memory.recollection import Recollection
from withstood.memory.store import EpisodeStore
from withstood.protocols.briefs import RecallBrief
from withstood.rules import memory_recall
from withstood.rules.rulebook import PRESETS

QUERY = Signature("ko", ("negation",))
BRIEF = RecallBrief("ko", QUERY, 3)


def opened(path: Path, run: str = "mine", mark: Any = None, **changes: str) -> Recollection:
    told = {f"memory.{name}": value for name, value in {"condition": "M2", **changes}.items()}
    memory = Recollection(EpisodeStore(path), PRESETS["published"].adjusted(told).memory)
    memory.begin(run, mark or memory.mark())
    return memory


def recalled(memory: Recollection, topk: int = 3) -> list[str]:
    return [one.episode_id for one in memory.recall(RecallBrief("ko", QUERY, topk)).episodes]


def kept(path: Path) -> list[str]:
    return [entry.provenance.created_from_split for entry in EpisodeStore(path).contents().entries]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.jsonl"


def test_a_run_sees_what_was_there_when_it_began(path: Path) -> None:
    EpisodeStore(path).add(news("a#1"))
    memory = opened(path)
    EpisodeStore(path).add(news("b#1"))
    memory.learn(1, lesson())
    found = memory.recall(BRIEF)
    assert [one.episode_id for one in found.episodes] == ["epi_000001"]
    assert (found.store_id, found.held) == ("memory.jsonl", 1)
    assert kept(path) == ["a#1", "b#1"], "nothing is written before the end"
    memory.settle()
    assert recalled(memory) == ["epi_000001"]
    assert kept(path) == ["a#1", "b#1"], "it is like one that is there"


def test_what_is_worth_it_is_written_in_the_order_of_the_input(path: Path) -> None:
    memory = opened(path)
    for no in (1, 2, 3):
        memory.learn(no, lesson(risk_type="conflict"))
    memory.learn(4, lesson())
    memory.settle()
    assert kept(path) == ["mine#1", "mine#2", "mine#3"]
    assert memory.told() == ("memory: episodes kept in memory.jsonl: 3; passed over as nothing new: 1",)


def test_with_the_gate_off_all_is_written(path: Path) -> None:
    memory = opened(path, gate="off")
    for no in (1, 2):
        memory.learn(no, lesson())
    memory.settle()
    assert kept(path) == ["mine#1", "mine#2"]


def test_running_lets_a_text_see_those_before_it(path: Path) -> None:
    memory = opened(path, view="running")
    assert memory.one_by_one
    seen = []
    for no in range(1, 4):
        seen.append(recalled(memory))
        memory.learn(no, lesson(risk_type="conflict"))
    assert seen == [[], ["epi_000001"], ["epi_000001", "epi_000002"]]
    assert kept(path) == ["mine#1", "mine#2", "mine#3"]


def test_each_state_has_its_own_hash(path: Path) -> None:
    memory = opened(path, view="running")
    hashes = [memory.recall(BRIEF).snapshot]
    for no in (1, 2):
        memory.learn(no, lesson(risk_type="conflict"))
        hashes.append(memory.recall(BRIEF).snapshot)
    assert len(set(hashes)) == 3


@pytest.mark.parametrize("view", ["start", "running"])
@pytest.mark.parametrize("done", range(5))
def test_a_sitting_that_repeats_recalls_and_writes_the_same(tmp_path: Path, view: str, done: int) -> None:
    lessons = [lesson(risk_type="conflict"), lesson(), lesson(language="en"), lesson(), lesson(risk_type="L3")]

    def sat(path: Path, numbers: range, mark: Any) -> list[Any]:
        memory = opened(path, mark=mark, view=view)
        seen = []
        for no in numbers:
            found = memory.recall(BRIEF)
            seen.append([one.episode_id for one in found.episodes])
            memory.learn(no, lessons[no - 1])
        memory.settle()
        return seen

    whole, halves = tmp_path / "whole", tmp_path / "halves"
    for path in (whole, halves):
        EpisodeStore(path).add(news("a#1"))
    mark = opened(whole, view=view).mark()
    seen = sat(whole, range(1, 6), mark)
    assert sat(halves, range(1, done + 1), mark) == seen[:done]
    assert sat(halves, range(1, 6), mark) == seen
    assert kept(halves) == kept(whole)


def test_what_another_run_wrote_in_between_is_not_seen(path: Path) -> None:
    EpisodeStore(path).add(news("a#1"))
    mark = opened(path).mark()
    EpisodeStore(path).add(news("b#1", "b#2"))
    memory = opened(path, mark=mark)
    assert recalled(memory) == ["epi_000001"]
    assert memory.recall(BRIEF).snapshot == mark.snapshot
    assert memory.told()[:-1] == ()


def test_what_was_revoked_in_between_is_gone_and_reported(path: Path) -> None:
    EpisodeStore(path).add(news("a#1", "a#2"))
    mark = opened(path).mark()
    EpisodeStore(path).revoke(["epi_000001"])
    memory = opened(path, mark=mark)
    assert recalled(memory) == ["epi_000002"]
    assert "1 of the 2 episodes that the run began with are gone" in memory.told()[0]


def test_a_store_that_is_only_read_must_be_there(path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        opened(path, condition="M1")
    assert not path.exists()
    EpisodeStore(path).prepare()
    assert recalled(opened(path, condition="M1")) == []


def test_a_torn_line_is_told(path: Path) -> None:
    path.write_text(line(episode(1)) + "\n" + line(episode(2))[:50])
    memory = opened(path, condition="M1")
    assert recalled(memory) == ["epi_000001"]
    assert "torn" in memory.told()[0]


@given(signatures, stores, st.integers(1, 3))
def test_the_shelves_lose_nothing_that_the_table_would_recall(
    query: Signature, store: list[Episode], topk: int
) -> None:
    from withstood.memory.recollection import _Shelves  # pyright: ignore[reportPrivateUsage]

    shelves = _Shelves()
    for one in store:
        shelves.add(one)
    assert memory_recall.recall(query, shelves.foremost(query), topk) == memory_recall.recall(query, store, topk)
