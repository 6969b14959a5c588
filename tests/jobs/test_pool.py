"""Panels of recorded voters: what is refused, what is learned, and that weighing pays where it can."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.commands import withstood
from tests.jobs import pools
from withstood.errors import InputError
from withstood.jobs import pool
from withstood.jobs.pool import Learning
from withstood.measures.panels import Accuracy
from withstood.rules.rulebook import Rulebook

BOOK = Rulebook()


def figures(made: pools.Made, learning: Learning, seed: int = 20) -> tuple[Accuracy, str]:
    voters, options = made
    found = pool.judge(pools.pool(voters, 1000, seed, options), BOOK, learning)
    accuracy = Accuracy(found.systems, found.marked, resamples=200)
    return accuracy, max(found.pool.voters, key=lambda voter: accuracy.of(voter).value or 0)


@pytest.mark.parametrize("learning", ["gold", "votes"])
@pytest.mark.parametrize("name", pools.WINNABLE)
def test_weighing_beats_the_majority_and_the_best_voter(name: str, learning: Learning) -> None:
    accuracy, best = figures(pools.WINNABLE[name], learning)
    for other in ("majority", best):
        gap = accuracy.gap("reliability", other)
        assert gap.low is not None and gap.low > 0, (other, gap)


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("name", pools.EVEN)
def test_weighing_is_never_much_worse_than_the_majority(name: str, seed: int) -> None:
    accuracy, _ = figures(pools.EVEN[name], "gold", seed)
    gap = accuracy.gap("reliability", "majority")
    assert gap.value is not None and gap.value >= -0.01, gap


def test_the_best_possible_bounds_all() -> None:
    accuracy, best = figures(pools.WINNABLE["four options"], "gold")
    top = accuracy.of("best possible").value
    assert top is not None
    assert all((accuracy.of(name).value or 0) <= top for name in (*pool.EDITIONS, best))


def test_reliabilities_are_found_again() -> None:
    voters = pools.WINNABLE["mixed and independent"][0]
    for learning in ("gold", "votes"):
        found = pool.judge(pools.pool(voters, 1000, 3), BOOK, learning)
        for voter in voters:
            assert abs(float(found.known[voter.name].reliability) - voter.reliability) < 0.08, (learning, voter)


def test_a_follower_has_little_of_its_own() -> None:
    found = pool.judge(pools.pool(pools.WINNABLE["a large herd"][0], 1000, 3), BOOK, "gold")
    assert found.known["follower 0"].independent < 0.35 < 0.7 < found.known["other 0"].independent


# --- reading -----------------------------------------------------------------------------------


def votes(folder: Path, *lines: object) -> Path:
    path = folder / "votes.jsonl"
    path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
    return path


def test_what_is_no_vote_is_refused_and_the_rest_stands(tmp_path: Path) -> None:
    one = {"item": "q1", "voter": "a", "vote": "yes"}
    path = votes(
        tmp_path,
        one,
        one | {"vote": "no"},
        one | {"order": "swapped", "vote": "no"},
        {"item": "q1", "voter": "b", "vote": "yes", "grade": 0.7, "gold": "yes"},
        {"item": "q1", "voter": "c", "vote": "no", "grade": "STRONG", "gold": "no"},
        "{broken",
        one | {"voter": "d", "grade": "HUGE"},
        one | {"voter": "e", "color": "red"},
        "",
    )
    found = pool.read(path)
    assert [line.partition(":")[0] for line in found.refused] == ["line 2", "line 5", "line 6", "line 7", "line 8"]
    assert "wanted one vote of a on an item in one order, found a second one" in found.refused[0]
    assert "gold: wanted yes, as an earlier line of the item says" in found.refused[1]
    (ballot,) = found.ballots
    assert [(cast.voter, cast.order, cast.vote) for cast in ballot.votes] == [
        ("a", "", "yes"), ("a", "swapped", "no"), ("b", "", "yes")
    ]  # fmt: skip
    judged = pool.judge(found, BOOK).judged[0]
    assert judged.choices["order"].mass == {"yes": 1}
    assert judged.choices["majority"].mass == {"yes": 2}


def test_a_file_without_votes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no votes"):
        pool.read(votes(tmp_path, "{}"))
    with pytest.raises(InputError, match="cannot be read"):
        pool.read(tmp_path / "none.jsonl")
    with pytest.raises(InputError, match="Learning from gold needs 10 items"):
        pool.judge(pool.read(votes(tmp_path, {"item": "q", "voter": "a", "vote": "x"})), BOOK, "gold")


def test_the_command_tells_and_exports(tmp_path: Path) -> None:
    made = pools.pool(pools.WINNABLE["mixed and independent"][0], 120, 5)
    votes(
        tmp_path,
        *[
            {"item": ballot.item, "voter": cast.voter, "vote": cast.vote, "gold": ballot.gold}
            for ballot in made.ballots
            for cast in ballot.votes
        ],
    )
    done = withstood(tmp_path, "panel", "votes.jsonl", "-o", "out", "--export", "known.json", "--resamples", "50")
    assert done.code == 0, done.said
    assert "best single voter" in done.out.decode()
    assert (tmp_path / "out" / "panel-1.svg").read_text().count("<polyline") == 5
    assert len((tmp_path / "out" / "choices.jsonl").read_text().splitlines()) == 120
    known = json.loads((tmp_path / "known.json").read_text())
    assert set(known["voters"]) == set(made.voters)
    again = withstood(tmp_path, "panel", "votes.jsonl", "--json", "--learn", "votes", "--resamples", "50")
    assert again.lines()[0]["learning"] == "votes"
