"""Conditional random fields as crfsuite learns them, read out of its file.

Its own ways of telling what is in the file are slow, or close a file twice, which no other thread must be open to.
"""

from __future__ import annotations

import importlib
import struct
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Costs = tuple[float, float, int]
"""How much weights cost, by their size and by their square, and how many steps are taken."""

_HEAD = struct.Struct("<28x3I")
_COUNT = struct.Struct("<8xI")
_FEATURE = struct.Struct("<3Id")
_INDEX = struct.Struct("<16x2I")
_SIZE = struct.Struct("<4xI")


@dataclass(frozen=True, slots=True)
class Learned:
    """`weights`: feature, label, weight. `moves`: label, label after it, weight."""

    weights: Sequence[tuple[int, int, float]]
    moves: Sequence[tuple[int, int, float]]


def crfsuite() -> Any:
    return importlib.import_module("pycrfsuite")


def learned(taught: Iterable[tuple[Sequence[Sequence[str]], Sequence[str]]], costs: Costs) -> Learned:
    """What items and their labels teach. Features and labels are numbers, written out."""
    trainer = crfsuite().Trainer(verbose=False)
    for items, labels in taught:
        trainer.append(items, labels)
    c1, c2, steps = costs
    trainer.set_params({"c1": c1, "c2": c2, "max_iterations": steps, "feature.possible_transitions": True})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chain"
        trainer.train(str(path))
        return _read(path.read_bytes())


def _read(data: bytes) -> Learned:
    """A model of crfsuite: first where its parts are, then each of its numbers beside ours."""
    features, of_labels, of_features = _HEAD.unpack_from(data)
    first = features + _COUNT.size
    labels, names = _names(data, of_labels), _names(data, of_features)
    found = _FEATURE.iter_unpack(data[first : first + _COUNT.unpack_from(data, features)[0] * _FEATURE.size])
    weights: list[tuple[int, int, float]] = []
    moves: list[tuple[int, int, float]] = []
    for is_move, source, label, weight in found:
        if is_move:
            moves.append((labels[source], labels[label], weight))
        else:
            weights.append((names[source], labels[label], weight))
    return Learned(weights, moves)


def _names(data: bytes, begin: int) -> list[int]:
    """What we called what crfsuite numbers from 0."""
    count, index = _INDEX.unpack_from(data, begin)
    return [_name(data, begin + place) for place in struct.unpack_from(f"<{count}I", data, begin + index)]


def _name(data: bytes, begin: int) -> int:
    (size,) = _SIZE.unpack_from(data, begin)
    first = begin + _SIZE.size
    return int(data[first : first + size].rstrip(b"\0"))
