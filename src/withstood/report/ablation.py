"""What the parts of a run are worth: each variant beside the run itself, as sections and as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from withstood.measures import bootstrap
from withstood.measures.selection import Known, beside
from withstood.measures.sheet import Figures
from withstood.report.evaluation import Mismatch, told
from withstood.report.sections import Cell, Gap, Report, Section, data

COMMON = ("term-pol", "ref-term-pol", "triplet", "quad")
"""Kinds that are told besides the primary one; all of them are in the data."""


@dataclass(frozen=True, slots=True)
class Row:
    """One variant. `asks` counts those of the texts that it decided, `needs` the answers that nobody has given."""

    name: str
    says: str
    asks: int
    needs: int


@dataclass(frozen=True, slots=True)
class Ablated:
    """`own` is the run itself."""

    source: str
    gold: str | None
    samples: int
    known: Known
    figures: Figures
    own: Row
    rows: tuple[Row, ...]
    mismatches: tuple[Mismatch, ...]
    resamples: int


def report(found: Ablated) -> Report:
    return Report("ablation", _headline(found), tuple(_sections(found)), _notes(found), _data(found))


def _headline(found: Ablated) -> str:
    against = f" against {found.gold}" if found.gold else " without gold"
    return f"Variants of {found.source}{against}: {found.samples:,} texts"


def _notes(found: Ablated) -> tuple[str, ...]:
    needs = sum(row.needs for row in found.rows)
    left_out = [*told(found.mismatches)]
    if needs:
        left_out.append(
            f"{needs:,} answers were never given, and none was invented: the texts that need them are left out of the "
            "variant, and of the run beside it. --live asks for them."
        )
    return tuple(left_out)


def _sections(found: Ablated) -> Iterator[Section]:
    yield _what(found)
    if found.known.primary is not None:
        yield _worth(found, f"{found.known.primary} micro", "all", f"{found.known.primary}, F1 micro")
        yield _worth(found, f"{found.known.primary} micro", "mixed", f"{found.known.primary}, texts of mixed polarity")
        yield _worth(found, "polarity accuracy", "all", "Polarity of the gold targets, accuracy")
    for kind in found.known.kinds[1:]:
        if kind in COMMON:
            yield _worth(found, f"{kind} micro", "all", f"{kind}, F1 micro")


def _what(found: Ablated) -> Section:
    own: tuple[Cell, ...] = ("the run itself", found.samples, None, found.own.asks, None, found.own.says)
    rows: list[tuple[Cell, ...]] = [
        (row.name, _texts(found, row), found.figures.figure("changed", row.name), row.asks, row.needs or None, row.says)
        for row in found.rows
    ]
    columns = ("", "texts", "texts changed", "asks", "asks needed", "how")
    return Section("What is changed", columns, (own, *rows))


def _texts(found: Ablated, row: Row) -> int:
    return int(found.figures.point("texts", row.name).value or 0)


def _worth(found: Ablated, measure: str, on: str, title: str) -> Section:
    rows = [
        (
            row.name,
            found.figures.figure(measure, row.name, on),
            found.figures.point(measure, beside(row.name), on),
            Gap(found.figures.difference(measure, row.name, beside(row.name), on)),
        )
        for row in found.rows
    ]
    return Section(title, ("", "variant", "the run itself", "variant is better by"), tuple(rows))


def _data(found: Ablated) -> Mapping[str, Any]:
    return {
        "source": found.source,
        "gold": found.gold,
        "samples": found.samples,
        "primary": found.known.primary,
        "interval": {"covered": bootstrap.COVERED, "resamples": found.resamples, "seed": bootstrap.SEED},
        "own": found.own,
        "variants": [_variant(found, row) for row in found.rows],
        "mismatches": found.mismatches,
    }


def _variant(found: Ablated, row: Row) -> Mapping[str, Any]:
    of = [(name, on) for name, system, on in found.figures.keys if system == row.name]
    return {
        "name": row.name,
        "how": row.says,
        "texts": _texts(found, row),
        "asks": row.asks,
        "needs": row.needs,
        "figures": [{"measure": name, "on": on, **data(found.figures.figure(name, row.name, on))} for name, on in of],
        "differences": [
            _difference(found, row, name, on) for name, on in of if found.figures.has(name, beside(row.name), on)
        ],
    }


def _difference(found: Ablated, row: Row, name: str, on: str) -> Mapping[str, Any]:
    gap = found.figures.difference(name, row.name, beside(row.name), on)
    return {"measure": name, "on": on, **data(gap), "sure": gap.sure}
