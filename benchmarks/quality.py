"""How good programmed and fitted readers are on labelled data of yours, and how fast.

    python benchmarks/quality.py FOLDER
    python benchmarks/quality.py FOLDER --json

FOLDER has any of the sets below, each with a file to fit on and one to measure on. Nothing of it is kept: readers are
fitted in a temporary folder. Every figure stands with its interval beside stage 1, one call (S0), the majority of the
three readers, and a constant guess; all of them on the same texts and the same draws.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from withstood import form
from withstood.claims.case import Task
from withstood.claims.label import Labelled
from withstood.jobs import evaluation, fitting
from withstood.jobs import sentiment as job
from withstood.jobs.settings import Config
from withstood.journal.sqlite import SqliteStore
from withstood.measures.baselines import CONSTANT, CONSTANT_POLARITY, MAJORITY
from withstood.measures.sample import FINAL, STAGE1
from withstood.measures.sheet import Figure
from withstood.sources import labelled

SINGLE = "one call (S0)"


@dataclass(frozen=True, slots=True)
class Set:
    """`kinds` are what is measured where targets are found; `given` where they are given too."""

    name: str
    train: str
    held: str
    taxonomy: str | None
    kinds: tuple[str, ...]
    given: bool = False

    @property
    def primary(self) -> str:
        return self.kinds[0]


SETS = (
    Set("en-aste-14res", "train.txt", "dev.txt", "restaurants", ("ote-pol", "term-pol", "place-pol", "triplet")),
    Set("ko-nikl2022", "train.jsonl", "valid.jsonl", None, ("ref-pol", "ote-pol")),
    Set("en-mams", "atsa-train.xml", "atsa-val.xml", "restaurants", ("ote-pol", "term-pol"), given=True),
)


@dataclass(frozen=True, slots=True)
class Row:
    """One figure of one panel. `mixed`: only of texts with more than one polarity."""

    data: str
    panel: str
    measure: str
    mixed: bool
    of: str
    figure: Figure
    better: Figure | None


class Bench:
    """One temporary folder with its journal."""

    def __init__(self, folder: Path, resamples: int) -> None:
        self._folder, self._resamples = folder, resamples
        self._store = str(folder / "journal.db")
        self._runs = 0

    def rows(self, one: Set, data: Path) -> Iterator[Row]:
        held, texts = data / one.held, self._texts(data / one.held)
        for panel, agents in (("programmed", "programmed"), ("fitted", f"fitted:{self._fitted(one, data)}")):
            yield from self._measured(one, panel, agents, texts, held, "all")
            if one.given:
                yield from self._measured(one, panel, agents, held, held, "polarity")

    def speed(self, one: Set, data: Path) -> dict[str, Any]:
        """Texts of the larger file, from file to results, reports and journal, in one process."""
        texts = self._texts(data / one.train)
        count = sum(1 for _ in texts.open(encoding="utf-8"))
        found: dict[str, Any] = {"texts": count}
        for panel, agents in (("programmed", "programmed"), ("fitted", f"fitted:{self._reader(one)}")):
            begun, before = time.perf_counter(), time.process_time()
            self._decided(one, agents, texts, "cr-v2", "all", self._folder / f"out-{panel}")
            span, cpu = time.perf_counter() - begun, time.process_time() - before
            found[panel] = {"texts_per_second": round(count / span), "cpu_ms_per_text": round(1000 * cpu / count, 2)}
        return found

    def _texts(self, path: Path) -> Path:
        """The texts of a labelled file, without its labels."""
        out = self._folder / f"{path.parent.name}-{path.stem}.jsonl"
        rows = [row for row in labelled.read(path) if isinstance(row, Labelled)]
        out.write_text("".join(form.dumps({"id": row.id, "text": row.text}) + "\n" for row in rows), "utf-8")
        return out

    def _reader(self, one: Set) -> Path:
        return self._folder / f"{one.name}.json"

    def _fitted(self, one: Set, data: Path) -> Path:
        reader = self._reader(one)
        fitting.fit(fitting.Wanted(data / one.train, reader, folds=0, taxonomy=one.taxonomy))
        return reader

    def _decided(self, one: Set, agents: str, source: Path, protocol: str, task: Task, out: Path | None = None) -> str:
        self._runs += 1
        name = f"run-{self._runs}"
        order = job.Order(source, protocol, task, out, models={"default": agents}, taxonomy=one.taxonomy, run=name)
        ending = asyncio.run(_ran(order, self._store))
        if ending.error is not None:
            raise ending.error
        return name

    def _measured(self, one: Set, panel: str, agents: str, source: Path, gold: Path, task: Task) -> Iterator[Row]:
        run = self._decided(one, agents, source, "cr-v2", task)
        single = self._decided(one, agents, source, "single", task)
        wanted = evaluation.Wanted(run, gold, against=single, resamples=self._resamples)
        figures = asyncio.run(_evaluated(wanted, self._store)).figures
        measures = (
            ["polarity accuracy", "polarity macro-F1"] if task == "polarity" else [f"{k} micro" for k in one.kinds]
        )
        for measure in measures:
            for mixed in (False, True):
                on = "mixed" if mixed else "all"
                for of, name in ((FINAL, FINAL), (STAGE1, STAGE1), (single, SINGLE), *((n, n) for n in _BASELINES)):
                    if figures.has(measure, of, on) and figures.point(measure, of, on).value is not None:
                        better = None if of == FINAL else figures.difference(measure, FINAL, of, on)
                        yield Row(one.name, panel, measure, mixed, name, figures.figure(measure, of, on), better)


_BASELINES = (MAJORITY, CONSTANT, CONSTANT_POLARITY)


async def _ran(order: job.Order, store: str) -> job.Ending:
    kept = SqliteStore(Path(store))
    try:
        return await job.run(job.plan(order, Config()), kept)
    finally:
        await kept.close()


async def _evaluated(wanted: evaluation.Wanted, store: str) -> Any:
    kept = SqliteStore(Path(store))
    try:
        return await evaluation.evaluate(wanted, kept)
    finally:
        await kept.close()


def shown(rows: Sequence[Row]) -> Iterator[str]:
    head: tuple[object, ...] = ()
    for row in rows:
        if head != (head := (row.data, row.panel, row.measure, row.mixed)):
            yield f"{row.data}, {row.panel}: {row.measure}{', texts of mixed polarity' if row.mixed else ''}"
        yield f"  {row.of:<20} {_figure(row.figure)}  {_better(row.better)}".rstrip()


def _figure(figure: Figure) -> str:
    return f"{figure.value:.3f} [{figure.low:.3f}, {figure.high:.3f}]"


def _better(gap: Figure | None) -> str:
    if gap is None:
        return ""
    return f"final is better by {gap.value:+.3f} [{gap.low:+.3f}, {gap.high:+.3f}]{'*' if gap.sure else ''}"


def main() -> None:
    parser = argparse.ArgumentParser(description="How good programmed and fitted readers are on your labelled data.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--resamples", type=int, default=1000)
    parser.add_argument("--only", help="one of the sets")
    parser.add_argument("--json", action="store_true")
    wanted = parser.parse_args()
    sets = [one for one in SETS if (wanted.folder / one.name).is_dir() and wanted.only in (None, one.name)]
    if not sets:
        parser.error(f"{wanted.folder} has none of {', '.join(one.name for one in SETS)}")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), wanted.resamples)
        rows = [row for one in sets for row in bench.rows(one, wanted.folder / one.name)]
        speed = {one.name: bench.speed(one, wanted.folder / one.name) for one in sets}
    if wanted.json:
        print(form.dumps({"figures": rows, "speed": speed}))
        return
    for line in shown(rows):
        print(line)
    print(json.dumps(speed, indent=2))


if __name__ == "__main__":
    main()
