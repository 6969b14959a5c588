"""Evaluation: a run, or a file of results, measured against gold and against what it has to beat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from withstood.errors import UsageError
from withstood.jobs import decided
from withstood.jobs.decided import Decided, Source, said
from withstood.jobs.gold import MOST_TOLD, Gold, Golden
from withstood.journal.port import Shelf
from withstood.measures import bootstrap, debating, finding, selection
from withstood.measures.baselines import CONSTANT, CONSTANT_POLARITY, MAJORITY, constant, readings
from withstood.measures.measure import Measure
from withstood.measures.sample import FINAL, STAGE1, Labels, Sample
from withstood.measures.selection import Known
from withstood.measures.sheet import Figures, Sheet
from withstood.report.evaluation import Evaluated, Mismatch

GOLD = "gold"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is measured. `against` is another run or file of the same texts; `sane` adds the checks of ourselves."""

    source: str
    gold: Path | None = None
    layout: str | None = None
    against: str | None = None
    resamples: int = bootstrap.RESAMPLES
    sane: bool = False


async def evaluate(wanted: Wanted, store: Shelf) -> Evaluated:
    if wanted.sane and wanted.gold is None:
        raise UsageError("--sanity compares gold with gold. Name the gold with --gold FILE.")
    gold = Gold(wanted.gold, wanted.layout) if wanted.gold else None
    source = await decided.source(store, wanted.source)
    other = await _finals(await decided.source(store, wanted.against)) if wanted.against else None
    desk = _Desk(wanted, source, gold, other)
    async for one in source.decided():
        desk.take(one)
    return desk.evaluated()


async def _finals(source: Source) -> Mapping[tuple[str, str], Labels]:
    """By id and hash of the text."""
    return {(one.line.id, one.text_hash): said(one.line.final) async for one in source.decided()}


class _Desk:
    """Takes decided texts one at a time and lays them beside gold, baselines and the other run."""

    def __init__(
        self, wanted: Wanted, source: Source, gold: Gold | None, other: Mapping[tuple[str, str], Labels] | None
    ) -> None:
        self._wanted, self._source, self._gold, self._other = wanted, source, gold, other
        self._constant = constant(golden.labels for golden in gold) if gold else None
        self._known = selection.known(gold.knowledge if gold else frozenset(), tuple(self._systems()))
        self._sheet = Sheet(self._measures())
        self._unpaired: list[str] = []

    def _systems(self) -> Iterator[str]:
        yield from (FINAL, STAGE1)
        if len(self._source.readers) > 1:
            yield from (*self._source.readers, MAJORITY)
        if self._wanted.against is not None:
            yield self._wanted.against

    def _measures(self) -> Iterator[Measure]:
        yield from selection.of_run([FINAL, STAGE1], self._source.refs)
        if self._gold:
            yield from selection.of_gold(self._known)
        if self._wanted.sane:
            yield from (one for kind in self._known.kinds for one in finding.measures(kind, GOLD))

    def take(self, one: Decided) -> None:
        golden = self._gold.of(one.line.id, one.text_hash) if self._gold else None
        if self._gold and golden is None:
            return
        other = None if self._other is None else self._other.get((one.line.id, one.text_hash))
        if self._other is not None and other is None:
            self._unpaired.append(repr(one.line.id))
            return
        self._sheet.add(
            Sample(
                one.line.id,
                one.text or (golden.text if golden else ""),
                golden.labels if golden else None,
                self._said(one, golden, other),
                one.line.label is not None,
                one.relabelled,
                one.held,
                one.debate,
            )
        )

    def _said(self, one: Decided, golden: Golden | None, other: Labels | None) -> Mapping[str, Labels]:
        systems = {
            FINAL: said(one.line.final),
            STAGE1: said(one.line.stage1),
            **readings(one.by_reader(self._source.readers)),
        }
        if self._wanted.against is not None and other is not None:
            systems[self._wanted.against] = other
        if self._constant is not None and golden is not None:
            systems |= {
                CONSTANT: self._constant.on_text(),
                CONSTANT_POLARITY: self._constant.on_targets(golden.labels),
                GOLD: golden.labels,
            }
        return systems

    def evaluated(self) -> Evaluated:
        if self._gold:
            self._gold.check(self._source.name)
        figures = self._sheet.figures(self._wanted.resamples)
        found = {name: figures.point(name, FINAL).value for name in _DEBATED}
        return Evaluated(
            source=self._source.name,
            gold=self._gold.name if self._gold else None,
            against=self._wanted.against,
            samples=self._sheet.samples,
            known=self._known,
            figures=figures,
            constant=self._constant,
            mismatches=tuple(self._mismatches()),
            cautions=tuple(debating.cautions(found)),
            resamples=self._wanted.resamples,
            insane=tuple(_insane(self._known, figures)) if self._wanted.sane else None,
        )

    def _mismatches(self) -> Iterator[Mismatch]:
        if self._gold:
            yield from self._gold.mismatches()
        if self._unpaired:
            told = tuple(self._unpaired[:MOST_TOLD])
            yield Mismatch(f"texts that {self._wanted.against} has not decided", len(self._unpaired), told)


_DEBATED = tuple([measure.name for measure in debating.measures()])


def _insane(known: Known, figures: Figures) -> Iterator[str]:
    """Gold against gold is 1, and no system is better than itself."""
    for kind in known.kinds:
        for average in ("micro", "macro"):
            value = figures.figure(f"{kind} {average}", GOLD).value
            if value != 1:
                yield f"{kind} {average} of gold against gold is {value}, not 1"
        for system in known.systems:
            gap = figures.difference(f"{kind} micro", system, system)
            if any((gap.value, gap.low, gap.high)):
                yield f"{kind} micro of {system} against itself is {gap.value}, not 0"
