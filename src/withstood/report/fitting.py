"""What fitting a reader came to: its figures on texts that it has not seen, beside what it has to beat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from withstood.measures import bootstrap
from withstood.measures.baselines import CONSTANT, CONSTANT_POLARITY, Constant
from withstood.measures.sheet import Figures
from withstood.report.evaluation import KINDS as TITLES
from withstood.report.sections import Cell, Gap, Report, Section, data

FITTED, PROGRAMMED = "fitted", "programmed, not fitted"
FITTED_GIVEN, PROGRAMMED_GIVEN = "fitted, targets given", "programmed, targets given"
KINDS = ("ref-pol", "term-pol", "place-pol", "ref-term-pol", "triplet", "quad")


@dataclass(frozen=True, slots=True)
class Fit:
    """`figures` are None where none were wanted. `faults` are the first of the rows that were refused."""

    out: str
    data: str
    layout: str
    model: str
    texts: int
    labels: int
    folds: int
    kinds: tuple[str, ...]
    figures: Figures | None
    constant: Constant | None
    resamples: int
    cautions: tuple[str, ...]
    refused: int
    faults: tuple[str, ...]


def report(found: Fit) -> Report:
    title = f"{found.out}: fitted on {found.texts:,} texts with {found.labels:,} labels of {found.data}"
    return Report("fit", title, tuple(_sections(found)), tuple(_notes(found)), _data(found))


def _notes(found: Fit) -> Iterator[str]:
    yield from (f"caution: {one}" for one in found.cautions)
    if found.refused:
        more = found.refused - len(found.faults)
        yield f"{found.refused:,} rows refused: {'; '.join(found.faults)}{f'; and {more:,} more' if more else ''}"
    yield f"Use it: withstood sentiment FILE --agents fitted:{found.out}"


def _sections(found: Fit) -> Iterator[Section]:
    if found.figures is None:
        return
    for kind in found.kinds:
        systems = [of for of in (FITTED, PROGRAMMED, CONSTANT) if found.figures.has(f"{kind} micro", of)]
        rows = [_finding(found.figures, kind, of, _named(found, of)) for of in systems]
        columns = ("", "precision", "recall", "F1 (micro)", "F1 (macro)", "fitted is better by")
        yield Section(TITLES[kind], columns, tuple(rows), _how(found))
    rows = [
        _polarity(found.figures, of, _named(found, of)) for of in (FITTED_GIVEN, PROGRAMMED_GIVEN, CONSTANT_POLARITY)
    ]
    columns = ("", "accuracy", "macro-F1", "fitted is better by")
    yield Section("Polarity of the targets in the labels", columns, tuple(rows), _how(found))


def _how(found: Fit) -> str:
    return f"Each text was read by a reader that was fitted on the other folds of {found.folds}."


def _named(found: Fit, of: str) -> str:
    guess = found.constant
    if guess is None or of not in (CONSTANT, CONSTANT_POLARITY):
        return of
    return f"{CONSTANT}: {guess.ref}, {guess.ref_polarity}" if of == CONSTANT else f"constant guess: {guess.polarity}"


def _finding(figures: Figures, kind: str, of: str, name: str) -> tuple[Cell, ...]:
    return (
        name,
        figures.point(f"{kind} precision", of),
        figures.point(f"{kind} recall", of),
        figures.figure(f"{kind} micro", of),
        figures.point(f"{kind} macro", of),
        None if of == FITTED else Gap(figures.difference(f"{kind} micro", FITTED, of)),
    )


def _polarity(figures: Figures, of: str, name: str) -> tuple[Cell, ...]:
    return (
        name,
        figures.figure("polarity accuracy", of),
        figures.figure("polarity macro-F1", of),
        None if of == FITTED_GIVEN else Gap(figures.difference("polarity accuracy", FITTED_GIVEN, of)),
    )


def _data(found: Fit) -> Mapping[str, Any]:
    figures = found.figures
    keys = figures.keys if figures else ()
    return {
        "out": found.out,
        "model": found.model,
        "data": found.data,
        "layout": found.layout,
        "texts": found.texts,
        "labels": found.labels,
        "refused": found.refused,
        "folds": found.folds,
        "interval": {"covered": bootstrap.COVERED, "resamples": found.resamples, "seed": bootstrap.SEED},
        "cautions": list(found.cautions),
        "figures": [
            {"measure": name, "of": of, **data(figures.figure(name, of, on))} for name, of, on in keys if figures
        ],
    }
