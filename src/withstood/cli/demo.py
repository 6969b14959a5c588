"""`withstood demo`: the three jobs on shipped examples, decided, told, reported."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from withstood import form
from withstood.cli import inquiry_progress, options, progress, research_progress
from withstood.errors import WithstoodError
from withstood.jobs import investigation, research, sentiment, specimens
from withstood.jobs.published import row_texts
from withstood.jobs.settings import Config
from withstood.journal.port import Store
from withstood.report import explanation, inquest_text, standing
from withstood.report.tally import Item

ITERATIONS = 8
WIDTH = 100


@dataclass(frozen=True, slots=True)
class Shown:
    """One job of the demo: its verdict as text and as data, its report, and why there is none if it failed."""

    text: str
    data: Any
    report: Path
    error: WithstoodError | None = None


@click.command("demo")
@click.option("-o", "--out", default="withstood-demo", show_default=True, metavar="DIR", help="Where reports go.")
@click.option("--json", "as_json", is_flag=True, help="One JSON line for each job, and nothing else.")
@options.store
def command(out: str, as_json: bool, store: str | None) -> int:
    """Decide shipped examples with programmed agents, without a key or a network: reviews in Korean and English, a
    small repository whose refunds fail at night, documents that do not agree about caching. Prints one verdict of each,
    and leaves reports as HTML. The repository is made with git, in a temporary folder.
    """
    return asyncio.run(_demo(Path(out), as_json, replace(options.configured(store), models={})))


async def _demo(out: Path, as_json: bool, config: Config) -> int:
    reports: list[Path] = []
    async with options.opened(config) as store:
        taken = [entry.name for entry in await store.runs()]
        for show in (_korean, _english, _investigated, _researched):
            shown = await show(out, config, store, taken)
            if shown.error is not None:
                return shown.error.exit_code
            click.echo(form.line(shown.data) if as_json else f"\n{shown.text}")
            reports.append(shown.report)
    if not as_json:
        click.echo("\nReports:\n" + "\n".join(f"  {report}" for report in reports))
    return 0


async def _korean(out: Path, config: Config, store: Store, taken: Collection[str]) -> Shown:
    return await _reviewed("ko", out, config, store, taken)


async def _english(out: Path, config: Config, store: Store, taken: Collection[str]) -> Shown:
    return await _reviewed("en", out, config, store, taken)


async def _reviewed(language: str, out: Path, config: Config, store: Store, taken: Collection[str]) -> Shown:
    folder, name = out / language, _free(f"demo-{language}", taken)
    with specimens.reviews(language) as source:
        planned = sentiment.plan(sentiment.Order(source, out=folder, run=name), config)
        ending = await sentiment.run(planned, store)
    progress.say_ending(ending, str(folder))
    text = _telling(ending, language) if ending.error is None else ""
    return Shown(text, progress.summary(ending), folder / "report.html", ending.error)


def _telling(ending: sentiment.Ending, language: str) -> str:
    """The first verdict on which a tuple was dropped or changed, else flagged; else the first with a conflict."""
    items = list(ending.tally.items())
    by_weight = [[item for item in items if _acted(item, actions)] for actions in (("DROP", "FLIP"), ("FLAG",))]
    item = next((found[0] for found in by_weight if found), items[0])
    result: Any = form.write(item.line)
    return explanation.explain(result, item.path, row_texts(), text=item.text, language=language)


def _acted(item: Item, actions: Collection[str]) -> bool:
    return any(acted.action in actions for acted in item.line.actions)


async def _investigated(out: Path, config: Config, store: Store, taken: Collection[str]) -> Shown:
    told, name = specimens.story(), _free("demo-refunds", taken)
    with tempfile.TemporaryDirectory(prefix="withstood-demo-") as folder:
        shop = Path(folder)
        if not specimens.lay_out(told, shop):
            click.echo(
                "git is not installed, so the repository of the demo has no past: its files and log stay.", err=True
            )
        order = investigation.Order(told.question, shop / "repo", (shop / "logs",), out=out / "refunds", run=name)
        with investigation.planned(order, config) as planned:
            ending = await investigation.run(planned, store)
    inquiry_progress.say_ending(ending, out / "refunds")
    text = inquest_text.render(ending.inquest) if ending.inquest else ""
    return Shown(text, ending.report, out / "refunds" / name / "final-report.html", ending.error)


async def _researched(out: Path, config: Config, store: Store, taken: Collection[str]) -> Shown:
    specimens.documents(out / "documents")
    name = _free("demo-caching", taken)
    folder = _new_folder(out, "caching")
    sources = (str(out / "documents"),)
    order = research.Order(folder, question=specimens.CLAIM, sources=sources, iterations=ITERATIONS, run=name)
    planned = research.plan(order, store, config)
    ending = await research.run(planned, store)
    research_progress.say_ending(ending)
    text = "\n".join(standing.lines(ending.graph, planned.book, WIDTH)) + "\n"
    return Shown(text, research_progress.summary(ending), folder / "thesis.html", ending.error)


def _new_folder(out: Path, name: str) -> Path:
    """A research wants a folder of its own: an earlier one stays as it is."""
    return out / _free(name, [path.name for path in out.iterdir()])


def _free(name: str, taken: Collection[str]) -> str:
    """The name, with a number where it is taken."""
    number = 1
    while (found := name if number == 1 else f"{name}-{number}") in taken:
        number += 1
    return found
