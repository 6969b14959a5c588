"""Ablation: what each part of a run is worth. Recorded answers are judged again; nothing that was answered is asked
again, and nothing that was not is invented."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from withstood import form
from withstood.claims.case import Case, Conventions
from withstood.engine.replay import Needs, rejudge
from withstood.errors import InputError
from withstood.jobs import decided, recorded, text_protocols
from withstood.jobs.decided import Decided, Run, said
from withstood.jobs.gold import MOST_TOLD, Gold
from withstood.jobs.recorded import Recorded
from withstood.jobs.variants import Variant, chosen, variants
from withstood.journal.port import Store
from withstood.measures import bootstrap, selection
from withstood.measures.baselines import readings
from withstood.measures.sample import FINAL, STAGE1, Labels, Sample
from withstood.measures.sheet import Sheet
from withstood.report import lines
from withstood.report.ablation import Ablated, Row
from withstood.report.evaluation import Mismatch
from withstood.report.lines import Line


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is taken apart: a run, which of its variants (all where none is named), and the gold to measure by. `beside`
    are systems of others: files with their labels of the same texts, or their results."""

    run: str
    gold: Path | None = None
    layout: str | None = None
    only: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    resamples: int = bootstrap.RESAMPLES


@dataclass(frozen=True, slots=True)
class Given:
    """What a variant says of one text, how many asks it took, and what it calls the text, if anything."""

    labels: Labels
    asks: int
    called: str | None = None


def given(line: Line) -> Given:
    """What a line of results says."""
    return Given(said(line.final), line.asks, line.label or "none")


Answered = Mapping[tuple[str, str], Given]
"""What a run of a variant has decided, by id and hash of the text."""


async def ablate(wanted: Wanted, store: Store, lives: Mapping[str, Answered] | None = None) -> Ablated:
    """`lives` are variants that were run for themselves, by name."""
    source = await decided.source(store, wanted.run)
    if not isinstance(source, Run):
        raise InputError(f"{wanted.run} is no run: without its journal there are no answers to judge again.")
    gold = Gold(wanted.gold, wanted.layout) if wanted.gold else None
    others = {f"{BESIDE} {named}": await _other(store, named) for named in wanted.beside}
    desk = _Desk(wanted, source, gold, lives or {}, others)
    async for case in recorded.in_order(recorded.cases(store, source.name, Case)):
        if case.case is not None and case.ruling is not None:
            desk.take(case)
    return desk.ablated()


BESIDE = "beside"


class _Labels:
    """What a file says of the texts, in any format of labels."""

    def __init__(self, path: Path) -> None:
        self._labels = Gold(path, kind="baseline")

    def of(self, case: str, text_hash: str) -> Given | None:
        found = self._labels.of(case, text_hash)
        return None if found is None else Given(found.labels, 0)

    def check(self, source: str) -> Iterator[Mismatch]:
        self._labels.check(source)
        return self._labels.mismatches()


class _Results:
    """What another run, or its results, says of the texts."""

    def __init__(self, name: str, answered: Answered) -> None:
        self._name, self._answered, self._not_there = name, answered, list[str]()

    def of(self, case: str, text_hash: str) -> Given | None:
        found = self._answered.get((case, text_hash))
        if found is None:
            self._not_there.append(repr(case))
        return found

    def check(self, source: str) -> Iterator[Mismatch]:
        if self._not_there:
            told = tuple(self._not_there[:MOST_TOLD])
            yield Mismatch(f"texts that {self._name} has not decided", len(self._not_there), told)


async def _other(store: Store, named: str) -> _Labels | _Results:
    if labels := _labels(Path(named)):
        return labels
    found = await decided.source(store, named)
    return _Results(named, {(one.line.id, one.text_hash): given(one.line) async for one in found.decided()})


def _labels(path: Path) -> _Labels | None:
    return _Labels(path) if path.is_file() and path.name != decided.RESULTS else None


@dataclass(slots=True)
class _Count:
    """What a variant has come to so far."""

    asks: int = 0
    needs: int = 0


class _Desk:
    """Takes recorded cases one at a time and judges each by every variant."""

    def __init__(
        self,
        wanted: Wanted,
        run: Run,
        gold: Gold | None,
        lives: Mapping[str, Answered],
        others: Mapping[str, _Labels | _Results],
    ) -> None:
        self._wanted, self._run, self._gold, self._lives, self._others = wanted, run, gold, lives, others
        derived = (STAGE1, *readings(dict.fromkeys(run.readers, ())))
        possible = {one.name: one for one in variants(run.header)}
        self._chosen = (*chosen([*derived, *possible], wanted.only), *others)
        self._variants = [one for name, one in possible.items() if name in self._chosen]
        self._counts = {name: _Count() for name in (FINAL, *self._chosen)}
        self._known = selection.known(gold.knowledge if gold else frozenset(), ())
        self._sheet = Sheet(selection.of_variants(self._known, self._chosen))
        self._agreed = form.read(Conventions, run.header.agreed)
        self._books = {one.name: one.book(run.header) for one in self._variants}

    def take(self, case: Recorded) -> None:
        result: Any = form.loads(case.line)
        line = lines.read(result)
        golden = self._gold.of(line.id, str(result.get("text_hash"))) if self._gold else None
        if self._gold and golden is None:
            return
        found = dict(self._said(case, Decided(line, str(result.get("text_hash")), decided.UNHELD)))
        for name, one in found.items():
            self._counts[name].asks += one.asks
        said_by = {name: one.labels for name, one in found.items()}
        beside = {selection.beside(name): said_by[FINAL] for name in said_by if name != FINAL}
        text, gold = case.case.text, golden.labels if golden else None
        called = {name: one.called for name, one in found.items() if one.called is not None}
        self._sheet.add(Sample(line.id, text, gold, {**said_by, **beside}, called=called))

    def _said(self, case: Recorded, one: Decided) -> Iterator[tuple[str, Given]]:
        yield FINAL, given(one.line)
        for name, derived in self._derived(one):
            if name in self._chosen:
                yield name, derived
        for name, other in self._others.items():
            if (told := other.of(one.line.id, one.text_hash)) is not None:
                yield name, told
        for variant in self._variants:
            judged = self._judged(case, variant, (one.line.id, one.text_hash))
            if judged is not None:
                yield variant.name, judged

    def _derived(self, one: Decided) -> Iterator[tuple[str, Given]]:
        """What stands in the record already, at what it took."""
        by_reader = one.by_reader(self._run.readers)
        yield STAGE1, Given(said(one.line.stage1), len(by_reader) or one.line.asks)
        for name, labels in readings(by_reader).items():
            yield name, Given(labels, 1 if name in by_reader else len(by_reader))

    def _judged(self, case: Recorded, variant: Variant, key: tuple[str, str]) -> Given | None:
        """From the variant's own run where there is one, else from the recorded answers."""
        if variant.name in self._lives:
            return self._lives[variant.name].get(key)
        book = self._books[variant.name]
        flow = text_protocols.named(variant.protocol_of(self._run.header)).flow(case.case, book, self._agreed)
        now = rejudge(flow, case.answers)
        if isinstance(now, Needs):
            self._counts[variant.name].needs += len(now.asks)
            return None
        return given(lines.read(now.result))

    def ablated(self) -> Ablated:
        if self._gold:
            self._gold.check(self._run.name)
        own, *rows = [self._row(name) for name in self._counts]
        return Ablated(
            source=self._run.name,
            gold=self._gold.name if self._gold else None,
            samples=self._sheet.samples,
            known=self._known,
            figures=self._sheet.figures(self._wanted.resamples),
            own=own,
            rows=tuple(rows),
            mismatches=tuple(self._mismatches()),
            resamples=self._wanted.resamples,
        )

    def _mismatches(self) -> Iterator[Mismatch]:
        if self._gold:
            yield from self._gold.mismatches()
        for other in self._others.values():
            yield from other.check(self._run.name)

    def _row(self, name: str) -> Row:
        says = {one.name: one.says for one in self._variants} | {FINAL: f"--protocol {self._run.header.protocol}"}
        says |= dict.fromkeys(self._others, "what another system says")
        return Row(name, says.get(name, ""), self._counts[name].asks, self._counts[name].needs)
