"""A panel of voters as sections, curves and data: every edition beside the best single voter, the majority, and the
best that could be made of the pool."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from withstood.measures import bootstrap
from withstood.measures.panels import Accuracy
from withstood.measures.voters import Known
from withstood.report.chart import Chart, Curve
from withstood.report.sections import Cell, Gap, Report, Section, data

MAJORITY = "majority"
HOW = "A tie counts as what drawing lots would get. What is learned of voters is learned on other items than these."


@dataclass(frozen=True, slots=True)
class Paneled:
    """`accuracy` is None where nothing has gold. `curves` are the share wrong by the share covered, by edition."""

    source: str
    items: int
    options: int
    editions: tuple[str, ...]
    voters: tuple[str, ...]
    best_possible: str
    learning: str
    known: Mapping[str, Known]
    undecided: Mapping[str, int]
    accuracy: Accuracy | None
    curves: Mapping[str, Sequence[tuple[Decimal, Decimal]]]
    refused: tuple[str, ...]

    @property
    def best(self) -> str | None:
        """The voter that is right most often on these very items: stronger than any that could have been chosen."""
        if self.accuracy is None or not self.voters:
            return None
        accuracy = self.accuracy
        return max(self.voters, key=lambda voter: accuracy.of(voter).value or Decimal(0))


def report(found: Paneled) -> Report:
    title = f"Panel of {len(found.voters)} voters in {found.source}: {found.items:,} items, {found.options} options"
    return Report("panel", title, tuple(_sections(found)), tuple(_notes(found)), _data(found), tuple(_charts(found)))


def _sections(found: Paneled) -> Iterator[Section]:
    if found.accuracy is not None:
        yield _editions(found, found.accuracy)
    else:
        rows: list[tuple[Cell, ...]] = [(name, found.undecided.get(name, 0)) for name in found.editions]
        yield Section("Editions", ("", "nothing chosen"), tuple(rows))
    yield _voters(found)


def _editions(found: Paneled, accuracy: Accuracy) -> Section:
    best = found.best
    rows: list[tuple[Cell, ...]] = []
    for name in (*found.editions, found.best_possible):
        beyond = None if name == MAJORITY else Gap(accuracy.gap(name, MAJORITY))
        single = None if best is None else Gap(accuracy.gap(name, best))
        rows.append((name, accuracy.of(name), beyond, single, found.undecided.get(name)))
    if best is not None:
        rows.append((f"best single voter: {best}", accuracy.of(best), Gap(accuracy.gap(best, MAJORITY)), None, None))
    columns = ("", "right", "better than majority by", "better than the best voter by", "nothing chosen")
    return Section("Editions", columns, tuple(rows), HOW)


def _voters(found: Paneled) -> Section:
    rows: list[tuple[Cell, ...]] = []
    for voter in found.voters:
        known = found.known.get(voter)
        right = found.accuracy.of(voter) if found.accuracy is not None else None
        learned = (f"{known.reliability:.3f}", f"{known.independent:.3f}", known.items) if known else (None, None, None)
        rows.append((voter, right, *learned))
    how = f"Reliability and independent share are learned from {found.learning}."
    return Section("Voters", ("", "right", "reliability", "independent share", "items"), tuple(rows), how)


def _notes(found: Paneled) -> Iterator[str]:
    yield from found.refused
    if found.accuracy is None:
        yield "No item has gold, so nothing can be said of who is right."


def _charts(found: Paneled) -> Iterator[Chart]:
    curves = tuple([Curve(name, tuple(points)) for name, points in found.curves.items() if points])
    if curves:
        yield Chart(
            "Risk by coverage", "share of items decided, the surest first", "share wrong", curves, low=Decimal(0)
        )


def _data(found: Paneled) -> Mapping[str, Any]:
    accuracy = found.accuracy
    names = (*found.editions, found.best_possible, *found.voters)
    return {
        "source": found.source,
        "items": found.items,
        "options": found.options,
        "learning": found.learning,
        "interval": {"covered": bootstrap.COVERED, "seed": bootstrap.SEED},
        "best_single": found.best,
        "systems": {} if accuracy is None else {name: _of(found, accuracy, name) for name in names},
        "undecided": found.undecided,
        "voters": found.known,
        "coverage": {name: [{"covered": x, "wrong": y} for x, y in points] for name, points in found.curves.items()},
        "refused": found.refused,
    }


def _of(found: Paneled, accuracy: Accuracy, name: str) -> Mapping[str, Any]:
    best = found.best
    told: dict[str, Any] = {"right": data(accuracy.of(name)), "beyond_majority": data(accuracy.gap(name, MAJORITY))}
    return told if best is None else told | {"beyond_best_single": data(accuracy.gap(name, best))}
