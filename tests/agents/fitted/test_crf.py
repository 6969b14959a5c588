"""What is read out of crfsuite's file is what crfsuite says is in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from withstood.agents.fitted import crf

ROWS = [([["0", "7"], ["1", "20"]], ["0", "2"]), ([["0", "3"], ["1", "7"], ["3"]], ["2", "0", "1"])]
COSTS = (0.0, 1.0, 20)


def told(path: Path) -> tuple[dict[tuple[int, int], float], dict[tuple[int, int], float]]:
    trainer = crf.crfsuite().Trainer(verbose=False)
    for items, labels in ROWS:
        trainer.append(items, labels)
    trainer.set_params(
        {"c1": COSTS[0], "c2": COSTS[1], "max_iterations": COSTS[2], "feature.possible_transitions": True}
    )
    trainer.train(str(path))
    tagger = crf.crfsuite().Tagger()
    with tagger.open(str(path)):
        info = tagger.info()
    return (
        {(int(name), int(label)): float(weight) for (name, label), weight in info.state_features.items()},
        {(int(left), int(right)): float(weight) for (left, right), weight in info.transitions.items()},
    )


def test_every_weight_is_read_beside_its_own_names(tmp_path: Path) -> None:
    found = crf.learned(ROWS, COSTS)
    weights, moves = told(tmp_path / "chain")
    assert {(name, label): weight for name, label, weight in found.weights} == pytest.approx(weights, abs=1e-5)
    assert {(left, right): weight for left, right, weight in found.moves} == pytest.approx(moves, abs=1e-5)
    assert weights
    assert moves
