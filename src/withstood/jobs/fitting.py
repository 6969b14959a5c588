"""Fitting: a reader learned from labelled texts, and what it is worth on texts that it has not seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from withstood import form, lexicons
from withstood.agents.fitted import learning, model
from withstood.agents.fitted.learning import Lesson
from withstood.agents.fitted.model import About, Parts
from withstood.agents.fitted.outline import Outliner
from withstood.agents.fitted.reading import Found, Reading
from withstood.agents.fitted.seats import likeliest
from withstood.agents.programmed.readers import LENSES, read
from withstood.agents.programmed.sight import Sight
from withstood.claims import opinion
from withstood.claims.case import Target
from withstood.claims.label import Label, Labelled
from withstood.errors import InputError, UsageError
from withstood.jobs import outputs
from withstood.measures import bootstrap, finding, polarity
from withstood.measures.baselines import CONSTANT, CONSTANT_POLARITY, Constant, constant
from withstood.measures.measure import Measure
from withstood.measures.pairs import knowledge, measurable
from withstood.measures.sample import Labels, Sample, labels
from withstood.measures.selection import OF_TEXTS
from withstood.measures.sheet import Sheet
from withstood.protocols.briefs import ReadingBrief
from withstood.report.fitting import FITTED, FITTED_GIVEN, KINDS, PROGRAMMED, PROGRAMMED_GIVEN, Fit
from withstood.sources import labelled
from withstood.sources.rows import BadRow

LEAST_TEXTS = 10
FEW_TEXTS = 100
COLLAPSED = 0.95
"""A class with this share of the labels leaves little to learn of the others."""
MOST_TOLD = 5


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is fitted, and where the model goes. `folds` are the parts that the figures are taken of, each by a reader
    that was fitted on the others; 0 is no figures."""

    source: Path | Literal["-"]
    out: Path
    layout: str | None = None
    folds: int = 3
    resamples: int = bootstrap.RESAMPLES
    taxonomy: str | None = None
    lexicons: Path | None = None
    text_column: str = "text"
    id_column: str = "id"
    encoding: str | None = None


def fit(wanted: Wanted) -> Fit:
    """Learn from every good row, and write the model. What is wrong is said before anything is learned."""
    _check(wanted)
    file = labelled.read(
        wanted.source,
        wanted.layout,
        encoding=wanted.encoding,
        text_column=wanted.text_column,
        id_column=wanted.id_column,
    )
    found = list(file)
    rows = [row for row in found if isinstance(row, Labelled)]
    refused = [row for row in found if isinstance(row, BadRow)]
    _check_rows(rows, file.name)
    desk = _Desk(wanted, rows)
    sheet, constants = desk.tried() if wanted.folds else (None, None)
    count = sum(len(row.labels) for row in rows)
    made = model.made(About(Path(file.name).name, file.sha256, len(rows), count, wanted.taxonomy), desk.learned())
    outputs.whole(wanted.out, [model.written(made)])
    return Fit(
        out=str(wanted.out),
        data=file.name,
        layout=file.layout,
        model=made.short,
        texts=len(rows),
        labels=count,
        folds=wanted.folds,
        kinds=desk.kinds,
        figures=sheet.figures(wanted.resamples) if sheet else None,
        constant=constants,
        resamples=wanted.resamples,
        cautions=tuple(desk.cautions()),
        refused=len(refused),
        faults=tuple([f"line {row.line}: {row.code}: {row.message}" for row in refused[:MOST_TOLD]]),
    )


def _check(wanted: Wanted) -> None:
    if wanted.folds == 1:
        raise UsageError("Wanted 0 folds (no figures) or at least 2, found 1: a reader is not tried on its own rows.")
    if wanted.out.is_dir():
        raise UsageError(f"{wanted.out} is a folder. Name a file for the model with -o.")


def _check_rows(rows: Sequence[Labelled], name: str) -> None:
    taught = sum(bool(row.labels) for row in rows)
    if taught < LEAST_TEXTS:
        raise InputError(
            f"Wanted at least {LEAST_TEXTS} texts with labels in {name}, found {taught}. Label more, or go without: "
            "the programmed readers need no labels."
        )
    if not any(label.polarity for row in rows for label in row.labels):
        raise InputError(f"Wanted labels with a polarity in {name}, found none. Add it, or name the layout.")


class _Desk:
    """Everything that is done with one set of rows."""

    def __init__(self, wanted: Wanted, rows: Sequence[Labelled]) -> None:
        self._wanted, self._rows = wanted, rows
        self._sight = Sight(wanted.lexicons, wanted.taxonomy)
        self._outliner = Outliner(self._sight)
        self._agreed = lexicons.conventions(wanted.taxonomy, wanted.lexicons)
        self._lessons = [Lesson(self._outliner.outline(row.text, _language(row)), row.labels) for row in rows]
        known = knowledge(label for row in rows for label in labels(row.labels))
        self.kinds = tuple([kind for kind in measurable(known) if kind in KINDS])
        self._said: Counter[str] = Counter()

    def learned(self, without: frozenset[int] = frozenset()) -> Parts:
        return learning.learned([lesson for no, lesson in enumerate(self._lessons) if no not in without])

    # --- on texts that were not learned from -----------------------------------------------------

    def tried(self) -> tuple[Sheet, Constant]:
        """Each fold read by what was learned from the others. A text that comes again is in the same fold."""
        guess = constant(labels(row.labels) for row in self._rows)
        sheet = Sheet(self._measures())
        folds = [int(form.digest(row.text)[:8], 16) % self._wanted.folds for row in self._rows]
        for fold in sorted(set(folds)):
            held = frozenset(no for no, one in enumerate(folds) if one == fold)
            if len(held) == len(folds):
                raise InputError("Wanted different texts to try the reader on, found one text again and again.")
            reading = Reading(self.learned(without=held), self._outliner)
            for no in sorted(held):
                sheet.add(self._sample(self._rows[no], reading, guess))
        return sheet, guess

    def _measures(self) -> Iterator[Measure]:
        for kind in self.kinds:
            for of in (FITTED, PROGRAMMED, *([CONSTANT] if kind in OF_TEXTS else [])):
                yield from finding.measures(kind, of)
        for of in (FITTED_GIVEN, PROGRAMMED_GIVEN, CONSTANT_POLARITY):
            yield from polarity.measures(of)

    def _sample(self, row: Labelled, reading: Reading, guess: Constant) -> Sample:
        gold, language = labels(row.labels), _language(row)
        targets = _targets(row)
        given = labels(map(_label, reading.judge(row.text, language, targets)))
        self._said.update(label.polarity for label in given)
        said: Mapping[str, Labels] = {
            FITTED: labels(map(_label, reading.find(row.text, language))),
            FITTED_GIVEN: given,
            PROGRAMMED: self._programmed(row, ()),
            PROGRAMMED_GIVEN: self._programmed(row, targets) if targets else (),
            CONSTANT: guess.on_text(),
            CONSTANT_POLARITY: guess.on_targets(gold),
        }
        return Sample(row.id, row.text, gold, said)

    def _programmed(self, row: Labelled, targets: tuple[Target, ...]) -> Labels:
        language = _language(row)
        brief = ReadingBrief(row.text, language, self._agreed.refs.get(language, ()), targets)
        answer = read(self._sight, LENSES["S0"][1], brief)
        return labels(map(_of_triplet, answer.triplets)) if isinstance(answer, opinion.Reading) else ()

    # --- what a user should know -----------------------------------------------------------------

    def cautions(self) -> Iterator[str]:
        told = Counter(label.polarity or "neutral" for row in self._rows for label in row.labels)
        common, times = told.most_common(1)[0]
        if len(told) == 1:
            yield f"every label is {common}: a reader that is fitted on one polarity says nothing else."
        elif times >= COLLAPSED * told.total():
            share = 100 * times / told.total()
            yield f"{share:.0f} percent of the labels are {common}: there is little to learn the other polarities from."
        if len(told) > 1 and len(self._said) == 1:
            yield f"on texts that it has not seen the reader says {next(iter(self._said))} of every target."
        refs = Counter(label.aspect_ref for row in self._rows for label in row.labels if label.aspect_ref)
        if len(refs) == 1:
            yield f"every category is {next(iter(refs))}: a reader that is fitted on one category says nothing else."
        if len(self._rows) < FEW_TEXTS:
            yield f"{len(self._rows)} texts are few: from {FEW_TEXTS} on, figures begin to mean something."


def _language(row: Labelled) -> str:
    return lexicons.detect(row.text)


def _targets(row: Labelled) -> tuple[Target, ...]:
    return tuple(dict.fromkeys(Target(one.aspect_term, one.aspect_ref, one.begin, one.end) for one in row.labels))


def _label(found: Found) -> Label:
    target = found.target
    return Label(
        target.aspect_term, target.aspect_ref, likeliest(found.both), target.begin, target.end, found.opinion_term
    )


def _of_triplet(said: opinion.Triplet) -> Label:
    begin, end = (said.span.start, said.span.end) if said.span else (None, None)
    return Label(said.aspect_term, said.aspect_ref or "", said.polarity, begin, end, said.opinion_term)
